import type { EventsDocument } from '../api/documents.ts';
import { formatPath, formats } from '../api/formats.ts';
import { documentPath } from '../api/paths.ts';
import { ProblemError, type Problem } from '../problem/problem.ts';
import { inParallel } from '../system/parallel.ts';
import { SiteEvents } from './site-events.ts';
import { limitToManifest, readDocument, requireOverview, type Overview } from './site-documents.ts';
import type { Site } from './site.ts';

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
 * @returns what there was to compare with: nothing, only lists of at most 200 events of each genre, or every event
 */
export async function guardAgainst(
  { against, maxDrop }: Guard,
  after: Overview,
  now: number,
): Promise<'nothing' | 'lists' | 'everything'> {
  const { site, manifest } = await limitToManifest(against);
  if (manifest === null) return 'nothing';
  const before = await requireOverview(site);
  const hasDropped = (old: number, next: number): boolean => old > 0 && ((old - next) / old) * 100 > maxDrop;
  const [old, next] = [before.totals, after.totals];
  const totals = ['categories', 'genres', 'subjects', 'upcoming'] as const;
  const problems: Problem[] = [];
  for (const total of totals.filter((name) => hasDropped(old[name], next[name]))) {
    const count = total === 'upcoming' ? await countUpcoming(site, before, now) : old[total];
    if (!hasDropped(count, next[total])) continue;
    const details = { what: wording[total], before: count, after: next[total], most: maxDrop };
    problems.push({ code: 'site-drop', place: null, ...details, vanished: losses(total, before, after) });
  }
  if (problems.length > 0) throw new ProblemError(problems);
  return Object.hasOwn(manifest.files, formatPath(formats.ndjson, {})) ? 'everything' : 'lists';
}

const wording = {
  categories: 'categories',
  genres: 'genres',
  subjects: 'subjects',
  upcoming: 'upcoming events',
} as const;

/** Counts the published events of a site that are still upcoming at `now`. */
async function countUpcoming(site: Site, { totals, genres }: Overview, now: number): Promise<number> {
  const events = await SiteEvents.open(site);
  if (events === null) return totals.upcoming - (await countExpired(site, genres, now));
  let count = 0;
  for (let genre = await events.next(); genre !== null; genre = await events.next())
    for (const line of genre.lines.values()) if (Date.parse(events.parse(line).upcoming_until) > now) count++;
  return count;
}

/** Counts the listed events of a site that have expired by `now`. */
async function countExpired(site: Site, genres: Overview['genres'], now: number): Promise<number> {
  const counts = await inParallel(genres, site.concurrency, async ({ id: genre }) => {
    const document = await readDocument<EventsDocument>(site, documentPath({ operation: 'events', genre }));
    return document?.events.filter((event) => Date.parse(event.upcoming_until) <= now).length ?? 0;
  });
  return counts.reduce((total, count) => total + count, 0);
}

/** Names the categories or genres that are gone, or the ten genres that lost the most subjects or events. */
function losses(total: keyof typeof wording, before: Overview, after: Overview): string[] {
  if (total === 'categories' || total === 'genres') {
    const remaining = new Set(after[total].map(({ id }) => id));
    return before[total].map(({ id }) => id).filter((id) => !remaining.has(id));
  }
  const remaining = new Map(after.genres.map((genre) => [genre.id, genre[total]]));
  return before.genres
    .map((genre) => ({ id: genre.id, old: genre[total], next: remaining.get(genre.id) ?? 0 }))
    .filter(({ old, next }) => next < old)
    .sort((a, b) => b.old - b.next - (a.old - a.next))
    .slice(0, 10)
    .map(({ id, old, next }) => `${id} (${old} to ${next})`);
}
