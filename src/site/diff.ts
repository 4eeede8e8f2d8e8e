import type { EventRecord, EventsDocument } from '../api/documents.ts';
import { formatPath, formats } from '../api/formats.ts';
import { documentPath } from '../api/paths.ts';
import { bySoonest, type Ordered } from '../catalogue/soonest.ts';
import { ProblemError } from '../problem/problem.ts';
import { inParallel } from '../system/parallel.ts';
import { compareRecords, isOver, recordsOf, type Difference } from './compare.ts';
import {
  isListOf,
  limitToManifest,
  readDocument,
  readOverview,
  type Overview,
  type PublishedSite,
} from './documents.ts';
import { readEvents } from './events.ts';
import { guessRenames, Renames, type Rename } from './renames.ts';
import { unreadable, type Site } from './site.ts';

/** The changes from an old site to a new one that their documents show. */
export type Comparison = Awaited<ReturnType<typeof compareSites>>;

/**
 * Compares two sites event by event. Events that have expired are counted, not listed as removed. Throws the problem
 * `site-missing` if one of them is not a site.
 *
 * @param now milliseconds since the Unix epoch; the new site's last synchronisation counts if it is later
 */
export async function compareSites(before: Site, after: Site, now: number) {
  const [old, next] = [await openCatalogue(before), await openCatalogue(after)];
  const [older, newer] = [old.overview, next.overview];
  const instant = Math.max(now, Date.parse(newer.totals.last_sync));
  const concurrency = Math.max(before.concurrency, after.concurrency);
  const genres = await inParallel(changedGenres(old, next), concurrency, async (genre) =>
    compareGenre(genre, old, next, instant),
  );
  const renames = new Renames(next);
  const differences = await renames.follow(
    genres.flatMap((genre) => genre.differences),
    instant,
  );
  const [added, removed] = [eventsOf('added', differences), eventsOf('removed', differences)];
  const { left, renamed } = await compareCatalogues(older, newer, genres, renames);
  const gone = new Set(left.subjects.removed);
  return {
    totals: { old: older.totals, new: newer.totals },
    added,
    removed,
    /** Events whose time differs. */
    moved: pairsOf('moved', differences).map(({ id, title, ...pair }) => ({ id, title, old: pair.old, new: pair.new })),
    /** Events with the same time in which other fields differ. */
    changed: pairsOf('changed', differences),
    cancelled: eventsOf('cancelled', differences),
    /** The number of events that have expired. */
    passed: eventsOf('passed', differences).length,
    ...left,
    /** What has another id now, as its source says. */
    renamed,
    /** What probably has another id now, although its source does not say so. */
    perhaps_renamed: guessRenames(removed, added, (subject) => gone.has(subject)),
    /** Genres with more events than a list holds, which are compared only up to an instant (ISO 8601 UTC). */
    capped: genres.flatMap(({ capped }) => capped ?? []),
  };
}

async function compareCatalogues(
  old: Overview,
  next: Overview,
  ofGenres: readonly { readonly subjects: Ids }[],
  renames: Renames,
) {
  const ids = {
    added: ofGenres.flatMap(({ subjects }) => subjects.added),
    removed: ofGenres.flatMap(({ subjects }) => subjects.removed),
  };
  const [categories, genres, subjects] = [
    await withoutRenamed(compareIds(old.categories, next.categories), async (gone) => renames.of('category', gone)),
    await withoutRenamed(compareIds(old.genres, next.genres), async (gone) => renames.of('genre', gone)),
    await withoutRenamed(ids, async (gone) => renames.ofSubjects(gone)),
  ];
  return {
    left: { categories: categories.left, genres: genres.left, subjects: subjects.left },
    renamed: { categories: categories.renamed, genres: genres.renamed, subjects: subjects.renamed },
  };
}

type EventDifference = Difference<EventRecord>;
type Kind = EventDifference['kind'];

function eventsOf(kind: Kind, differences: readonly EventDifference[]): EventRecord[] {
  return differences.filter((one) => one.kind === kind).map(({ event }) => event);
}

function pairsOf(kind: Kind, differences: readonly EventDifference[]) {
  return differences.flatMap(({ kind: found, before, event, fields }) =>
    found === kind && before !== null
      ? [{ id: event.id, title: event.title, old: before, new: event, fields: [...fields] }]
      : [],
  );
}

async function openCatalogue(opened: Site): Promise<PublishedSite> {
  const { site, manifest } = await limitToManifest(opened);
  const overview = await readOverview(site);
  if (overview === null) throw new ProblemError([{ code: 'site-missing', place: null, site: site.name }]);
  return { site, files: manifest?.files ?? {}, overview };
}

type Identified = readonly { readonly id: string }[];

function compareIds(old: Identified, next: Identified) {
  const [before, after] = [new Set(old.map(({ id }) => id)), new Set(next.map(({ id }) => id))];
  return { added: [...after].filter((id) => !before.has(id)), removed: [...before].filter((id) => !after.has(id)) };
}

type Ids = ReturnType<typeof compareIds>;

/** Takes what was renamed from what was added and removed. */
async function withoutRenamed({ added, removed }: Ids, find: (removed: readonly string[]) => Promise<Rename[]>) {
  const renames = await find(removed);
  const [old, next] = [new Set(renames.map((one) => one.old)), new Set(renames.map((one) => one.new))];
  const left = { added: added.filter((id) => !next.has(id)), removed: removed.filter((id) => !old.has(id)) };
  return { left, renamed: renames };
}

/** Returns the genres of either site, without those whose files have the same hash in both manifests. */
function changedGenres(old: PublishedSite, next: PublishedSite): string[] {
  const ids = new Set([old, next].flatMap(({ overview }) => overview.genres.map(({ id }) => id)));
  return [...ids].sort().filter((genre) => {
    const paths = [documentPath({ operation: 'events', genre }), formatPath(formats.ndjson, { genre })];
    const hashes = [old, next].map(({ files }) => paths.map((path) => files[path]?.sha256));
    return hashes[0]?.[0] === undefined || JSON.stringify(hashes[0]) !== JSON.stringify(hashes[1]);
  });
}

/** Compares a genre: all events if both sites publish them, else its lists as far as both are complete. */
async function compareGenre(genre: string, before: PublishedSite, after: PublishedSite, now: number) {
  const isBulk = [before, after].every((site) => hasAllEvents(site, genre));
  const [old, next] = [await readGenre(before, genre, isBulk), await readGenre(after, genre, isBulk)];
  const end = [old.end, next.end].filter((place) => place !== null).sort(bySoonest)[0] ?? null;
  const isCompared = ({ kind, event }: EventDifference): boolean =>
    (kind !== 'added' && kind !== 'removed') || end === null || bySoonest(placeOf(event), end) <= 0;
  const isCancelled = (event: EventRecord): boolean => next.cancelled.has(event.id) && !isOver(event, now);
  const differences = compareRecords(old.events, next.events, isCancelled, now).filter(isCompared);
  const capped = end && {
    genre,
    compared_until: new Date(end.startsAt).toISOString(),
    total: { old: old.total, new: next.total },
  };
  return { differences, subjects: compareSubjects(old, next, differences), capped };
}

/** Whether a site has the file with every event, of a genre if it has that. */
function hasAllEvents({ files, overview }: PublishedSite, genre: string): boolean {
  const isKnown = overview.genres.some(({ id }) => id === genre);
  return Object.hasOwn(files, formatPath(formats.ndjson, isKnown ? { genre } : {}));
}

/** Reads the events of a genre. `end` is the position of the last event of a list that leaves out later ones, or null. */
async function readGenre({ site, overview }: PublishedSite, genre: string, isBulk: boolean) {
  const record = overview.genres.find(({ id }) => id === genre);
  const cancelled = new Set<string>();
  if (record === undefined)
    return { events: recordsOf<EventRecord>(new Map()), cancelled, subjects: 0, total: 0, end: null };
  const { subjects, upcoming } = record;
  const bulk = isBulk ? await readEvents(site, formatPath(formats.ndjson, { genre })) : null;
  if (bulk !== null) {
    for (const [id, state] of bulk.stateOf) {
      if (state === 'cancelled') cancelled.add(id);
      if (state !== 'upcoming' && state !== 'under_way') bulk.texts.delete(id);
    }
    return { events: bulk, cancelled, subjects, total: upcoming, end: null };
  }
  const path = documentPath({ operation: 'events', genre });
  const document = await readDocument<EventsDocument>(site, path);
  if (!isListOf(document, 'events')) throw unreadable(`${site.name}/${path}`, 'it lists no events');
  const { events, total } = document;
  const last = events.at(-1);
  return {
    events: recordsOf<EventRecord>(new Map(events.map((event) => [event.id, JSON.stringify(event)]))),
    cancelled,
    subjects,
    total,
    end: last !== undefined && total > events.length ? placeOf(last) : null,
  };
}

type GenreEvents = Awaited<ReturnType<typeof readGenre>>;

function placeOf({ id, starts_at }: EventRecord): Ordered {
  return { id, startsAt: Date.parse(starts_at) };
}

/** Compares subjects, which only events name. Whether a subject without events still exists follows from the counts. */
function compareSubjects(old: GenreEvents, next: GenreEvents, differences: readonly EventDifference[]) {
  const changed = (kind: EventDifference['kind']) => subjectsOf(eventsOf(kind, differences).map(({ id }) => id));
  const [before, after] = [subjectsOf(old.events.texts.keys()), subjectsOf(next.events.texts.keys())];
  const missingIds = [...changed('removed')].filter((id) => !after.has(id));
  const newIds = [...changed('added')].filter((id) => !before.has(id));
  const growth = next.subjects - old.subjects;
  return {
    added: growth > 0 || missingIds.length > 0 ? newIds : [],
    removed: growth < 0 || newIds.length > 0 ? missingIds : [],
  };
}

/** Returns `{genre}/{subject}`, with which the ids of events begin. */
function subjectsOf(events: Iterable<string>): Set<string> {
  return new Set(Array.from(events, (id) => id.slice(0, id.lastIndexOf('/'))));
}
