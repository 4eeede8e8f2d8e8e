import type { EventsDocument } from '../api/documents.ts';
import { documentPath } from '../api/paths.ts';
import { ProblemError, type Problem } from '../problem/problem.ts';
import { inParallel } from '../system/parallel.ts';
import { limitToManifest, readDocument, readOverview, type Overview, type Site } from './site.ts';

/** The site that a new catalogue is compared with, and the limit for losses. */
export interface Guard {
  readonly against: Site;
  /** The maximum loss of a total in per cent. */
  readonly maxDrop: number;
}

/**
 * Throws the problems `site-drop` if a total of the catalogue (specification 2.2) fell by more than `maxDrop` per cent.
 * Events that have expired by `now` (milliseconds since the Unix epoch) do not count as lost.
 *
 * @returns false if there is no site to compare with
 */
export async function guardAgainst({ against, maxDrop }: Guard, after: Overview, now: number): Promise<boolean> {
  const { site } = await limitToManifest(against);
  const before = await readOverview(site);
  if (before === null) return false;
  const hasDropped = (old: number, next: number): boolean => old > 0 && ((old - next) / old) * 100 > maxDrop;
  const [old, next] = [before.totals, after.totals];
  const totals = ['categories', 'genres', 'subjects', 'upcoming'] as const;
  const problems: Problem[] = [];
  for (const total of totals.filter((name) => hasDropped(old[name], next[name]))) {
    const count = total === 'upcoming' ? old.upcoming - (await countExpired(site, before, now)) : old[total];
    if (!hasDropped(count, next[total])) continue;
    const details = { what: wording[total], before: count, after: next[total], most: maxDrop };
    problems.push({ code: 'site-drop', place: null, ...details, vanished: losses(total, before, after) });
  }
  if (problems.length > 0) throw new ProblemError(problems);
  return true;
}

const wording = {
  categories: 'categories',
  genres: 'genres',
  subjects: 'subjects',
  upcoming: 'upcoming events',
} as const;

/** Counts the listed events of a site that have expired by `now`. */
async function countExpired(site: Site, { genres }: Overview, now: number): Promise<number> {
  const counts = await inParallel(genres, site.concurrency, async ({ id: genre }) => {
    const document = await readDocument<EventsDocument>(site, documentPath({ operation: 'events', genre }));
    return document?.events.filter((event) => Date.parse(event.upcoming_until) <= now).length ?? 0;
  });
  return counts.reduce((total, count) => total + count, 0);
}

/** Names the categories or genres that are gone, or the ten genres that lost the most subjects or events. */
function losses(total: keyof typeof wording, before: Overview, after: Overview): string[] {
  if (total === 'categories' || total === 'genres') {
    const left = new Set(after[total].map(({ id }) => id));
    return before[total].map(({ id }) => id).filter((id) => !left.has(id));
  }
  const left = new Map(after.genres.map((genre) => [genre.id, genre[total]]));
  return before.genres
    .map((genre) => ({ id: genre.id, old: genre[total], next: left.get(genre.id) ?? 0 }))
    .filter(({ old, next }) => next < old)
    .sort((a, b) => b.old - b.next - (a.old - a.next))
    .slice(0, 10)
    .map(({ id, old, next }) => `${id} (${old} to ${next})`);
}
