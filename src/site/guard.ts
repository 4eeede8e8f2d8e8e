import type { EventsDocument, GenreRecord } from '../api/documents.ts';
import { documentPath } from '../api/paths.ts';
import type { FormerIds } from '../catalogue/model.ts';
import { ProblemError, type Problem } from '../problem/problem.ts';
import { inParallel } from '../system/parallel.ts';
import type { GenreChanges } from './change-log.ts';
import type { Overview } from './documents.ts';
import type { ComparedSite, EarlierSite } from './earlier-site.ts';

/** The site that a new catalogue is compared with, and the limit for losses. */
export interface Guard {
  readonly against: ComparedSite;
  /** The maximum loss of a total in per cent. */
  readonly maxDrop: number;
  /** The former ids of the new catalogue. What only changed its id is not lost. */
  readonly former: FormerIds;
}

/**
 * Throws the problems `site-drop` if a total of the catalogue (specification 2.2) fell by more than `maxDrop` per cent.
 * Events that are cancelled, or have expired by `now` (milliseconds since the Unix epoch), do not count as lost.
 *
 * @returns what the catalogue was compared with: nothing, only lists of at most 200 events of each genre, or every
 * event
 */
export async function guardAgainst(
  { against, maxDrop, former }: Guard,
  after: Overview,
  changes: GenreChanges | null,
  now: number,
): Promise<'nothing' | 'lists' | 'everything'> {
  const previous = await against.open();
  if (previous === null) return 'nothing';
  const before = underNewIds(previous.overview, former);
  const hasDropped = (old: number, next: number): boolean =>
    old - next >= fewestLosses && ((old - next) / old) * 100 > maxDrop;
  const [old, next] = [before.totals, after.totals];
  const totals = ['categories', 'genres', 'subjects', 'upcoming'] as const;
  const problems: Problem[] = [];
  for (const total of totals.filter((name) => hasDropped(old[name], next[name]))) {
    const ofEvents = async () => (changes === null ? countListed(previous, now) : next.upcoming - changes.growth);
    const count = total === 'upcoming' ? await ofEvents() : old[total];
    if (!hasDropped(count, next[total])) continue;
    const details = { what: wording[total], before: count, after: next[total], most: maxDrop };
    problems.push({ code: 'site-drop', place: null, ...details, vanished: losses(total, before, after) });
  }
  if (problems.length > 0) throw new ProblemError(problems);
  return previous.hasEveryEvent ? 'everything' : 'lists';
}

/** Fewer losses are accepted in any case: in a small catalogue, one of them is a large share. */
const fewestLosses = 5;

const wording = {
  categories: 'categories',
  genres: 'genres',
  subjects: 'subjects',
  upcoming: 'upcoming events',
} as const;

/** Returns an overview in which categories and genres have the ids that they have now. */
function underNewIds({ totals, categories, genres }: Overview, former: FormerIds): Overview {
  return {
    totals,
    categories: categories.map((one) => ({ ...one, id: former.categories.get(one.id) ?? one.id })),
    genres: genres.map((one) => ({ ...one, id: former.genres.get(one.id)?.id ?? one.id })),
  };
}

/** Returns a warning that names the genres that had upcoming events in the previous site and have none now. */
export async function emptiedGenres(
  previous: ComparedSite | null,
  after: Overview,
  former: FormerIds,
): Promise<Problem[]> {
  const site = previous && (await previous.open());
  const before = site && underNewIds(site.overview, former);
  const upcomingOf = new Map(after.genres.map(({ id, upcoming }) => [id, upcoming]));
  const genres = (before?.genres ?? []).flatMap(({ id, upcoming }) =>
    upcoming > 0 && !upcomingOf.get(id) ? [`${id} (${upcoming} to 0)`] : [],
  );
  return genres.length === 0 ? [] : [{ code: 'genres-emptied', place: null, genres }];
}

/** Counts the upcoming events of a site without those in its lists that are no longer upcoming at `now`. */
async function countListed(previous: EarlierSite, now: number): Promise<number> {
  const { site, overview } = previous;
  const hasEvents = ({ events }: Partial<EventsDocument>): boolean => Array.isArray(events);
  const countExpired = async ({ id: genre }: GenreRecord): Promise<number> => {
    const path = documentPath({ operation: 'events', genre });
    const list = await previous.document<EventsDocument>(path, hasEvents);
    return (list?.document.events ?? []).filter((event) => Date.parse(event?.upcoming_until) <= now).length;
  };
  const counts = await inParallel(overview.genres, site.concurrency, countExpired);
  return counts.reduce((total, expired) => total - expired, overview.totals.upcoming);
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
