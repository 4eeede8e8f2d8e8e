import type {
  AnnouncementRecord,
  ChangeRecord,
  ChangesDocument,
  EventRecord,
} from '../api/documents.ts';
import { stateOfRecord } from '../api/current.ts';
import type { FindCollections } from '../catalogue/collection.ts';
import { compareTexts } from '../catalogue/soonest.ts';
import { announcementState, type State } from '../catalogue/state.ts';
import { day, isoInstant } from '../catalogue/time/time.ts';
import { endOfDate } from '../catalogue/time/zone.ts';
import type { Memory } from './memory.ts';
import { isDated, type PublishedEvent } from './published.ts';

/** The difference between two sites in one event. */
export interface Difference {
  readonly kind: 'added' | 'removed' | 'cancelled' | 'dated' | 'moved' | 'changed';
  readonly before: PublishedEvent | null;
  readonly after: PublishedEvent | null;
  /** Its newest record. */
  readonly event: PublishedEvent;
  /** The names of the fields that differ: all of them if only one site has the event. */
  readonly fields: ReadonlySet<string>;
}

/** Returns the difference of an event that only one of two sites has. */
export function loneDifference(
  kind: 'added' | 'removed' | 'cancelled',
  event: PublishedEvent,
): Difference {
  const [before, after] = kind === 'added' ? [null, event] : [event, null];
  return { kind, before, after, event, fields: new Set(Object.keys(event)) };
}

/** Returns the difference of an event that two sites have, or null if they say the same. */
export function differenceOf(before: PublishedEvent, after: PublishedEvent): Difference | null {
  const isSameKind = isDated(before) === isDated(after);
  const fields = differingFields(before, after, !isSameKind);
  if (fields.size === 0) return null;
  const hasMoved = [...fields].some((field) => timeFields.has(field));
  const kind = !isSameKind && isDated(after) ? 'dated' : hasMoved ? 'moved' : 'changed';
  return { kind, before, after, event: after, fields };
}

/**
 * Returns the state of an event or an announcement at `now` (milliseconds since the Unix epoch).
 */
export function stateOf(published: PublishedEvent, now: number): State {
  if (isDated(published)) return stateOfRecord(published, now);
  const { status, zone, window } = published;
  return announcementState(
    { status, announcedUntil: endOfDate(zone, Date.parse(window.until)) },
    now,
  );
}

const timeFields: ReadonlySet<string> = new Set<keyof EventRecord | keyof AnnouncementRecord>([
  'starts_at',
  'ends_at',
  'date',
  'end_date',
  'zone',
  'time_known',
  'precision',
  'upcoming_until',
  'over_at',
  'period',
  'window',
]);

/**
 * Returns the names of the fields that differ; of fields that only one record has, only if
 * `hasOwn`.
 */
function differingFields(old: object, next: object, hasOwn = false): Set<string> {
  const [before, after] = [new Map(Object.entries(old)), new Map(Object.entries(next))];
  // It says when an event changed. A new value alone is no change.
  const names = [...before.keys(), ...after.keys()].filter((name) => name !== 'updated_at');
  const isShared = (name: string): boolean => before.has(name) && after.has(name);
  return new Set(
    names.filter((name) => (isShared(name) ? !isSame(before.get(name), after.get(name)) : hasOwn)),
  );
}

function isSame(old: unknown, next: unknown): boolean {
  const areObjects = old instanceof Object && next instanceof Object && !Array.isArray(old);
  return areObjects
    ? differingFields(old, next).size === 0
    : JSON.stringify(old) === JSON.stringify(next);
}

/** An entry of a change log without the time at which it was seen. */
export type Change = Omit<ChangeRecord, 'at'>;

/** Returns the entry of a difference. */
export function changeOf(difference: Difference, findCollections: FindCollections): Change {
  const { kind, before, after, event } = difference;
  const fields = new Set(difference.fields);
  // Without these, a reader of a start or an end could not tell whether its clock time is real.
  if (fields.has('starts_at') || fields.has('ends_at'))
    for (const field of ['date', 'time_known', 'precision', 'zone']) fields.add(field);
  const { id, title, subject, genre, category } = event;
  const published = { id, title, subject: { id: subject.id, name: subject.name }, genre, category };
  const collections = [...findCollections(event)];
  const change = {
    kind,
    ...published,
    before: before && pick(before, fields),
    after: after && pick(after, fields),
  };
  return { ...change, ...(collections.length > 0 && { collections }) };
}

function pick(record: object, fields: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => fields.has(name)));
}

const maxChanges = 1000;

/** Returns the changes that a log keeps of one build: the first ones by their ids. */
export function limitChanges(changes: readonly Change[]): Change[] {
  return changes.toSorted((a, b) => compareTexts(a.id, b.id)).slice(0, maxChanges);
}

/**
 * A change log before a build adds to it. Plain data, with times as ISO 8601 UTC with milliseconds.
 */
export interface OpenLog {
  /** When the log begins. */
  readonly since: string;
  /** The time that this build gives to its changes. */
  readonly at: string;
  /** The entries of the previous site, newest first. */
  readonly changes: readonly ChangeRecord[];
}

/**
 * Opens the change log that a new site continues: the log of the previous site, if there is one and
 * it is whole.
 */
export function openLog(memory: Memory | null, now: number): OpenLog {
  const { since, changes } = memory?.log ?? { since: null, changes: [] };
  // Readers poll for entries newer than their last one, so each build needs a time of its own.
  const at = Math.max(now, ...changes.slice(0, 1).map((newest) => Date.parse(newest.at) + 1));
  return { since: since ?? isoInstant(now), at: isoInstant(at), changes };
}

/** Adds the changes that a build saw to a log. */
export function continueLog(
  { since, at, changes: old }: OpenLog,
  changes: readonly Change[],
): ChangesDocument {
  // Until there is a change, a build changes no byte of the log.
  if (changes.length === 0) return { since, changes: [...old] };
  const entries = [...changes.map((change) => ({ at, ...change })), ...old].filter(
    (change) => !isOld(change, at),
  );
  entries.sort((a, b) => compareTexts(b.at, a.at) || compareTexts(a.id, b.id));
  return { since, changes: entries.slice(0, maxChanges) };
}

/**
 * Returns the entries of one genre in a log with the changes that a build found in it, newest
 * first.
 */
export function changesOfGenre(
  { at, changes: old }: OpenLog,
  genre: string,
  found: readonly Change[],
): ChangeRecord[] {
  const entries: ChangeRecord[] = found.map((change) => ({ at, ...change }));
  for (const change of old) if (change.genre === genre && !isOld(change, at)) entries.push(change);
  return entries;
}

function isOld(change: ChangeRecord, at: string): boolean {
  return Date.parse(change.at) < Date.parse(at) - 60 * day;
}
