import type { EventsDocument } from '../api/documents.ts';
import { documentPath } from '../api/paths.ts';
import { inParallel } from '../system/parallel.ts';
import { ProblemError, type Problem } from '../problem/problem.ts';
import { readDocument, readOverview, type Overview, type Site } from './site.ts';

/** What a new catalogue is held against, and how much of it may be missing. */
export interface Guard {
  readonly against: Site;
  /** Per cent of a total. */
  readonly maxDrop: number;
}

/**
 * Throws the problems `site-drop` when a total of the catalogue (specification 2.2) fell by more than `maxDrop` per
 * cent. Events that were over at `now` (milliseconds) are no loss.
 *
 * @returns false where there is no site to compare with
 */
export async function guardAgainst({ against, maxDrop }: Guard, after: Overview, now: number): Promise<boolean> {
  const before = await readOverview(against);
  if (before === null) return false;
  const hasDropped = (was: number, is: number): boolean => was > 0 && ((was - is) / was) * 100 > maxDrop;
  const [old, next] = [before.totals, after.totals];
  const dropped = (['categories', 'genres', 'subjects', 'upcoming'] as const).filter((what) =>
    hasDropped(old[what], next[what]),
  );
  const problems: Problem[] = [];
  for (const what of dropped) {
    const was = what === 'upcoming' ? old.upcoming - (await countPassed(against, before, now)) : old[what];
    if (!hasDropped(was, next[what])) continue;
    const details = { what: names[what], before: was, after: next[what], most: maxDrop };
    problems.push({ code: 'site-drop', place: null, ...details, vanished: vanishedFrom(what, before, after) });
  }
  if (problems.length > 0) throw new ProblemError(problems);
  return true;
}

const names = {
  categories: 'categories',
  genres: 'genres',
  subjects: 'subjects',
  upcoming: 'upcoming events',
} as const;

/** How many events of a site were over at `now`. Of a genre with more events than it lists, only the listed ones can tell. */
async function countPassed(site: Site, { genres }: Overview, now: number): Promise<number> {
  let passed = 0;
  await inParallel(genres, site.lanes, async ({ id: genre }) => {
    const document = await readDocument<EventsDocument>(site, documentPath({ operation: 'events', genre }));
    const isOver = (until: string): boolean => Date.parse(until) <= now;
    passed += document?.events.filter(({ upcoming_until }) => isOver(upcoming_until)).length ?? 0;
  });
  return passed;
}

/** The ids that are gone; of what is counted within genres, the genres that lost most of it. */
function vanishedFrom(what: keyof typeof names, before: Overview, after: Overview): string[] {
  if (what === 'categories' || what === 'genres') {
    const left = new Set(after[what].map(({ id }) => id));
    return before[what].map(({ id }) => id).filter((id) => !left.has(id));
  }
  const left = new Map(after.genres.map((genre) => [genre.id, genre[what]]));
  return before.genres
    .map((genre) => ({ id: genre.id, was: genre[what], is: left.get(genre.id) ?? 0 }))
    .filter(({ was, is }) => is < was)
    .sort((a, b) => b.was - b.is - (a.was - a.is))
    .slice(0, 10)
    .map(({ id, was, is }) => `${id} (${was} to ${is})`);
}
