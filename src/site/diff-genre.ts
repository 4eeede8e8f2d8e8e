import type { EventRecord, EventsDocument } from '../api/documents.ts';
import { differingFields, timeFields } from '../api/changes.ts';
import { calendarPath } from '../api/formats.ts';
import { documentPath } from '../api/paths.ts';
import { bySoonest, type Ordered } from '../catalogue/soonest.ts';
import { GenreEvents, isOver } from './events.ts';
import { isListOf, readDocument, type Overview } from './documents.ts';
import { unreadable, type Site } from './site.ts';

/** An event that is in both sites, with its record in each. */
interface MovedEvent {
  readonly id: string;
  readonly title: string;
  readonly old: EventRecord;
  readonly new: EventRecord;
}

interface ChangedEvent extends MovedEvent {
  /** The names of the fields that differ. */
  readonly fields: readonly string[];
}

/** A genre with more events than a list holds. Its events are compared only up to an instant (ISO 8601 UTC). */
export interface CappedGenre {
  readonly genre: string;
  readonly compared_until: string;
  readonly total: { readonly old: number; readonly new: number };
}

/** Added and removed ids. */
export interface AddedAndRemoved {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** The changes within some genres. */
export interface Changes {
  readonly added: readonly EventRecord[];
  readonly removed: readonly EventRecord[];
  /** Events whose start has changed. */
  readonly moved: readonly MovedEvent[];
  /** Events with the same start and a change in other fields. */
  readonly changed: readonly ChangedEvent[];
  /** Events that are missing from the new lists and cancelled in the new calendars. */
  readonly cancelled: readonly EventRecord[];
  /** The number of events that have expired. */
  readonly passed: number;
  readonly subjects: AddedAndRemoved;
}

/** Two sites with their overviews. */
interface Sites {
  readonly before: Site;
  readonly older: Overview;
  readonly after: Site;
  readonly newer: Overview;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/**
 * Compares the events of one genre: all of them if both sites publish them in one file (`isBulk`), otherwise its lists
 * up to the instant to which both are complete.
 */
export async function compareGenre(
  genre: string,
  sites: Sites,
  isBulk: boolean,
): Promise<Changes & { readonly capped: CappedGenre | null }> {
  const read = isBulk ? readAll : readList;
  const old = await read(sites.before, sites.older, genre);
  const next = await read(sites.after, sites.newer, genre);
  const cancelled = await readCancelled(sites.after, genre);
  const end = [old.end, next.end].filter((place) => place !== null).sort(bySoonest)[0] ?? null;
  const isWithin = (event: EventRecord): boolean => end === null || bySoonest(placeOf(event), end) <= 0;
  const missing = [...old.events.values()].filter(({ id }) => !next.events.has(id));
  const notOver = missing.filter((event) => !isOver(event, sites.now));
  const removed = notOver.filter((event) => isWithin(event) && !cancelled.has(event.id));
  const added = [...next.events.values()].filter((event) => isWithin(event) && !old.events.has(event.id));
  const differing = differingEvents(old, next);
  return {
    added,
    removed,
    cancelled: notOver.filter(({ id }) => cancelled.has(id)),
    passed: missing.length - notOver.length,
    moved: differing.filter(hasMoved).map(({ id, title, old: from, new: to }) => ({ id, title, old: from, new: to })),
    changed: differing.filter((event) => !hasMoved(event)),
    subjects: compareSubjects(old, next, removed, added),
    capped: end && {
      genre,
      compared_until: new Date(end.startsAt).toISOString(),
      total: { old: old.total, new: next.total },
    },
  };
}

/** The list of a genre. */
interface List {
  readonly events: ReadonlyMap<string, EventRecord>;
  readonly subjects: number;
  readonly total: number;
  /** The position of its last event if there are later ones that it leaves out, or null. */
  readonly end: Ordered | null;
}

async function readList(site: Site, { genres }: Overview, genre: string): Promise<List> {
  const record = genres.find(({ id }) => id === genre);
  if (record === undefined) return noEvents;
  const path = documentPath({ operation: 'events', genre });
  const document = await readDocument<EventsDocument>(site, path);
  if (!isListOf(document, 'events')) throw unreadable(`${site.name}/${path}`, 'it lists no events');
  const { events, total } = document;
  const last = events.at(-1);
  return {
    events: new Map(events.map((event) => [event.id, event])),
    subjects: record.subjects,
    total,
    end: last !== undefined && total > events.length ? placeOf(last) : null,
  };
}

/** Reads every event of a genre from the file that has them all. */
async function readAll(site: Site, { genres }: Overview, genre: string): Promise<List> {
  const record = genres.find(({ id }) => id === genre);
  if (record === undefined) return noEvents;
  const file = await GenreEvents.read(site, genre);
  const events = new Map([...file.lines].map(([id, line]) => [id, file.parse(line)]));
  return { events, subjects: record.subjects, total: record.upcoming, end: null };
}

/** The list of a genre that a site does not have. */
const noEvents: List = { events: new Map(), subjects: 0, total: 0, end: null };

function placeOf({ id, starts_at }: EventRecord): Ordered {
  return { id, startsAt: Date.parse(starts_at) };
}

function differingEvents(old: List, next: List): ChangedEvent[] {
  return [...next.events.values()].flatMap((event) => {
    const previous = old.events.get(event.id);
    if (previous === undefined) return [];
    const fields = [...differingFields(previous, event)];
    return fields.length === 0 ? [] : [{ id: event.id, title: event.title, old: previous, new: event, fields }];
  });
}

function hasMoved({ fields }: ChangedEvent): boolean {
  return fields.some((field) => timeFields.has(field));
}

/** Compares subjects, which only events name. Whether a subject without events still exists follows from the counts. */
function compareSubjects(
  old: List,
  next: List,
  removed: readonly EventRecord[],
  added: readonly EventRecord[],
): AddedAndRemoved {
  const [before, after] = [subjectsOf(old.events.values()), subjectsOf(next.events.values())];
  const missingIds = [...subjectsOf(removed)].filter((id) => !after.has(id));
  const newIds = [...subjectsOf(added)].filter((id) => !before.has(id));
  const growth = next.subjects - old.subjects;
  return {
    added: growth > 0 || missingIds.length > 0 ? newIds : [],
    removed: growth < 0 || newIds.length > 0 ? missingIds : [],
  };
}

function subjectsOf(events: Iterable<EventRecord>): Set<string> {
  return new Set([...events].map(({ genre, subject }) => `${genre}/${subject.id}`));
}

/**
 * Returns the ids of the events that the genre's calendar marks as cancelled. The UID of an event begins with its id.
 */
async function readCancelled(site: Site, genre: string): Promise<ReadonlySet<string>> {
  const calendar = (await site.read(calendarPath({ genre })))?.toString() ?? '';
  const events = calendar
    .replace(/\r?\n[ \t]/g, '')
    .split(/^BEGIN:VEVENT\r?$/m)
    .slice(1);
  const cancelled = events.filter((event) => /^STATUS:CANCELLED\r?$/m.test(event));
  return new Set(cancelled.map((event) => /^UID:([a-z0-9/-]+)/m.exec(event)?.[1] ?? ''));
}
