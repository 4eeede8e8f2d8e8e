import type { EventRecord, EventsDocument, IndexDocument } from '../api/documents.ts';
import { calendarPath } from '../api/formats.ts';
import { documentPath } from '../api/paths.ts';
import { bySoonest, type Ordered } from '../catalogue/soonest.ts';
import { inParallel } from '../system/parallel.ts';
import { ProblemError } from '../problem/problem.ts';
import { calendarEntries } from './calendar-entries.ts';
import { isListOf, readDocument, readManifest, readOverview, unreadable, type Overview, type Site } from './site.ts';

/** What changed from one site to another, as far as their documents tell. */
export interface Comparison {
  readonly totals: { readonly old: IndexDocument['catalogue']; readonly new: IndexDocument['catalogue'] };
  readonly added: readonly EventRecord[];
  readonly removed: readonly EventRecord[];
  /** The same id at another start. */
  readonly moved: readonly Moved[];
  readonly changed: readonly Changed[];
  /** Gone from the lists, and cancelled by the new site's calendars. */
  readonly cancelled: readonly EventRecord[];
  /** How many merely went by. */
  readonly passed: number;
  readonly categories: Names;
  readonly genres: Names;
  readonly subjects: Names;
  /** Genres of which not every event is listed, compared by event up to an instant and by their totals beyond it. */
  readonly capped: readonly Capped[];
}

interface Names {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export interface Moved {
  readonly id: string;
  readonly title: string;
  readonly old: EventRecord;
  readonly new: EventRecord;
}

interface Changed extends Moved {
  readonly fields: readonly string[];
}

interface Capped {
  readonly genre: string;
  readonly compared_until: string;
  readonly total: { readonly old: number; readonly new: number };
}

/**
 * Compares two sites, event by event. An event that was over at `now` (milliseconds; null: when the new site was last
 * synchronised) merely went by. Throws the problem `site-missing` where one of them is no site.
 */
export async function compareSites(before: Site, after: Site, now: number | null): Promise<Comparison> {
  const [older, newer] = [await requireOverview(before), await requireOverview(after)];
  const over = now ?? Date.parse(newer.totals.last_sync);
  const found = new Map<string, GenreComparison>();
  const genres = await changedGenres(before, after, [older, newer]);
  await inParallel(genres, Math.max(before.lanes, after.lanes), async (genre) => {
    const [old, next] = [await readList(before, older, genre), await readList(after, newer, genre)];
    found.set(genre, compareLists(genre, old, next, over, await readCancelled(after, genre)));
  });
  const parts = genres.flatMap((genre) => found.get(genre) ?? []);
  return {
    totals: { old: older.totals, new: newer.totals },
    added: parts.flatMap(({ added }) => added),
    removed: parts.flatMap(({ removed }) => removed),
    moved: parts.flatMap(({ moved }) => moved),
    changed: parts.flatMap(({ changed }) => changed),
    cancelled: parts.flatMap(({ cancelled }) => cancelled),
    passed: parts.reduce((total, { passed }) => total + passed, 0),
    categories: namesOf(idsOf(older.categories), idsOf(newer.categories)),
    genres: namesOf(idsOf(older.genres), idsOf(newer.genres)),
    subjects: {
      added: parts.flatMap(({ subjects }) => subjects.added),
      removed: parts.flatMap(({ subjects }) => subjects.removed),
    },
    capped: parts.flatMap(({ capped }) => capped ?? []),
  };
}

type GenreComparison = Pick<
  Comparison,
  'added' | 'removed' | 'moved' | 'changed' | 'cancelled' | 'passed' | 'subjects'
> & { readonly capped: Capped | null };

async function requireOverview(site: Site): Promise<Overview> {
  const overview = await readOverview(site);
  if (overview === null) throw new ProblemError([{ code: 'site-missing', place: null, site: site.name }]);
  return overview;
}

function idsOf(records: readonly { readonly id: string }[]): string[] {
  return records.map(({ id }) => id);
}

function namesOf(old: readonly string[], next: readonly string[]): Names {
  const [before, after] = [new Set(old), new Set(next)];
  return { added: [...after].filter((id) => !before.has(id)), removed: [...before].filter((id) => !after.has(id)) };
}

/** The genres of either site, those left out whose lists have the same hash: no list holds a time of its own. */
async function changedGenres(before: Site, after: Site, overviews: readonly Overview[]): Promise<string[]> {
  const [old, next] = [(await readManifest(before))?.files, (await readManifest(after))?.files];
  const ids = new Set(overviews.flatMap(({ genres }) => idsOf(genres)));
  return [...ids].sort().filter((genre) => {
    const path = documentPath({ operation: 'events', genre });
    return old?.[path] === undefined || old[path].sha256 !== next?.[path]?.sha256;
  });
}

/** A genre's list with how far it reaches: the place in its order up to which it leaves nothing out. */
interface List {
  readonly events: ReadonlyMap<string, EventRecord>;
  readonly subjects: number;
  readonly total: number;
  readonly reach: Ordered | null;
}

async function readList(site: Site, { genres }: Overview, genre: string): Promise<List> {
  const record = genres.find(({ id }) => id === genre);
  if (record === undefined) return { events: new Map(), subjects: 0, total: 0, reach: null };
  const path = documentPath({ operation: 'events', genre });
  const document = await readDocument<EventsDocument>(site, path);
  if (!isListOf(document, 'events')) throw unreadable(`${site.name}/${path}`, 'it lists no events');
  const { events, total } = document;
  const last = events.at(-1);
  return {
    events: new Map(events.map((event) => [event.id, event])),
    subjects: record.subjects,
    total,
    reach: last !== undefined && total > events.length ? placeOf(last) : null,
  };
}

function placeOf({ id, starts_at }: EventRecord): Ordered {
  return { id, startsAt: Date.parse(starts_at) };
}

function compareLists(
  genre: string,
  old: List,
  next: List,
  over: number,
  cancelled: ReadonlySet<string>,
): GenreComparison {
  const reach = [old.reach, next.reach].filter((place) => place !== null).sort(bySoonest)[0] ?? null;
  const isWithin = (event: EventRecord): boolean => reach === null || bySoonest(placeOf(event), reach) <= 0;
  const gone = [...old.events.values()].filter(({ id }) => !next.events.has(id));
  const lost = gone.filter((event) => Date.parse(event.upcoming_until) > over);
  const removed = lost.filter((event) => isWithin(event) && !cancelled.has(event.id));
  const added = [...next.events.values()].filter((event) => isWithin(event) && !old.events.has(event.id));
  const pairs = pairsOf(old, next);
  return {
    added,
    removed,
    cancelled: lost.filter(({ id }) => cancelled.has(id)),
    passed: gone.length - lost.length,
    moved: pairs.filter(hasMoved),
    changed: pairs.filter((pair) => !hasMoved(pair)).map((pair) => ({ ...pair, fields: fieldsOf(pair) })),
    subjects: compareSubjects(old, next, removed, added),
    capped: reach && {
      genre,
      compared_until: new Date(reach.startsAt).toISOString(),
      total: { old: old.total, new: next.total },
    },
  };
}

/** The events that stand in both lists and differ. */
function pairsOf(old: List, next: List): Moved[] {
  return [...next.events.values()].flatMap((event) => {
    const other = old.events.get(event.id);
    if (other === undefined || JSON.stringify(other) === JSON.stringify(event)) return [];
    return [{ id: event.id, title: event.title, old: other, new: event }];
  });
}

function hasMoved(pair: Moved): boolean {
  return pair.old.starts_at !== pair.new.starts_at;
}

function fieldsOf({ old, new: next }: Moved): string[] {
  const keys = Object.keys({ ...old, ...next }) as (keyof EventRecord)[];
  return keys.filter((key) => JSON.stringify(old[key]) !== JSON.stringify(next[key]));
}

/** Subjects show only by their events: that one came or went, the genre's own count of subjects has to bear out. */
function compareSubjects(old: List, next: List, removed: readonly EventRecord[], added: readonly EventRecord[]): Names {
  const [before, after] = [subjectsOf(old.events.values()), subjectsOf(next.events.values())];
  const lost = [...subjectsOf(removed)].filter((id) => !after.has(id));
  const found = [...subjectsOf(added)].filter((id) => !before.has(id));
  const growth = next.subjects - old.subjects;
  return {
    added: growth > 0 || lost.length > 0 ? found : [],
    removed: growth < 0 || found.length > 0 ? lost : [],
  };
}

function subjectsOf(events: Iterable<EventRecord>): Set<string> {
  return new Set([...events].map(({ genre, subject }) => `${genre}/${subject.id}`));
}

/** Which events the genre's calendar, where there is one, marks as cancelled: their UID is their id. */
async function readCancelled(site: Site, genre: string): Promise<ReadonlySet<string>> {
  const calendar = (await site.read(calendarPath({ genre })))?.toString() ?? '';
  const cancelled = calendarEntries(calendar).filter(({ isCancelled }) => isCancelled);
  return new Set(cancelled.map(({ id }) => id));
}
