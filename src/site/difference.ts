import { stateOfRecord } from '../api/current.ts';
import type { ChangeKind } from '../api/change-kinds.ts';
import type { AnnouncementRecord, ChangeRecord, EventRecord } from '../api/documents.ts';
import type { FindCollections } from '../catalogue/collection.ts';
import { announcementState, type State } from '../catalogue/state.ts';
import { endOfDate } from '../catalogue/time/zone.ts';
import { isDated, type PublishedEvent } from './published.ts';

/** The difference between two sites in one event. */
export interface Difference {
  readonly kind: ChangeKind;
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
  return {
    kind,
    before,
    after,
    event,
    fields: new Set(Object.keys(event)),
  };
}

/** Returns the difference of an event that two sites have, or null if they say the same. */
export function differenceOf(before: PublishedEvent, after: PublishedEvent): Difference | null {
  const isSameKind = isDated(before) === isDated(after);
  const fields = differingFields(before, after, !isSameKind);
  if (fields.size === 0) return null;
  return {
    kind: kindOf(before, after, fields),
    before,
    after,
    event: after,
    fields,
  };
}

function kindOf(
  before: PublishedEvent,
  after: PublishedEvent,
  fields: ReadonlySet<string>,
): ChangeKind {
  const wasPostponed = before.status === 'postponed';
  const isPostponed = after.status === 'postponed';
  if (isPostponed && !wasPostponed) return 'postponed';
  const hasMoved = [...fields].some((field) => timeFields.has(field));
  // A postponed event keeps its date in the documents, but that date no longer counts.
  const hadNoDate = !isDated(before) || (wasPostponed && (hasMoved || !isPostponed));
  if (hadNoDate && isDated(after)) return 'dated';
  return hasMoved ? 'moved' : 'changed';
}

/**
 * Returns the state of an event or an announcement at `now` (milliseconds since the Unix epoch).
 */
export function stateOf(published: PublishedEvent, now: number): State {
  if (isDated(published)) return stateOfRecord(published, now);
  const { status, zone, window } = published;
  const announcedUntil = endOfDate(zone, Date.parse(window.until));
  return announcementState({ status, announcedUntil }, now);
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

/** The fields of a postponed event that its log shows as null. */
const dateFields = [
  'starts_at',
  'ends_at',
  'date',
  'end_date',
  'starts_local',
  'time_known',
  'precision',
  'upcoming_until',
  'over_at',
] as const satisfies readonly (keyof EventRecord)[];

/**
 * Returns the names of the fields that differ; of fields that only one record has, only if
 * `hasOwn`.
 */
function differingFields(old: object, next: object, hasOwn = false): Set<string> {
  const before = new Map(Object.entries(old));
  const after = new Map(Object.entries(next));
  const names = new Set<string>();
  for (const name of [...before.keys(), ...after.keys()]) {
    // It says when an event changed. A new value alone is no change.
    if (name === 'updated_at') continue;
    const isShared = before.has(name) && after.has(name);
    const differs = isShared ? !isSame(before.get(name), after.get(name)) : hasOwn;
    if (differs) names.add(name);
  }
  return names;
}

function isSame(old: unknown, next: unknown): boolean {
  const areObjects = old instanceof Object && next instanceof Object && !Array.isArray(old);
  if (areObjects) return differingFields(old, next).size === 0;
  return JSON.stringify(old) === JSON.stringify(next);
}

/** An entry of a change log without the time at which it was seen. */
export type Change = Omit<ChangeRecord, 'at'>;

/** Returns the entry of a difference. */
export function changeOf(difference: Difference, findCollections: FindCollections): Change {
  const { kind, before, after, event } = difference;
  const { id, title, subject, genre, category } = event;
  const fields = fieldsOf(difference);
  const losesDate = kind === 'postponed';
  const hadNoDate = before?.status === 'postponed' && (kind === 'dated' || kind === 'moved');
  const collections = [...findCollections(event)];
  return {
    kind,
    id,
    title,
    subject: { id: subject.id, name: subject.name },
    genre,
    category,
    before: before && pick(before, fields, hadNoDate),
    after: after && pick(after, fields, losesDate),
    ...(collections.length > 0 && { collections }),
  };
}

/** Returns the names of the fields that an entry shows. */
function fieldsOf({ kind, fields }: Difference): ReadonlySet<string> {
  const names = new Set(fields);
  if (kind === 'postponed' || kind === 'dated') for (const name of dateFields) names.add(name);
  // Without these, a reader of a start or an end could not tell whether its clock time is real.
  if (names.has('starts_at') || names.has('ends_at'))
    for (const name of ['date', 'time_known', 'precision', 'zone']) names.add(name);
  return names;
}

/** @param hasNoDate whether the date of the record does not count, because it is postponed */
function pick(
  record: object,
  fields: ReadonlySet<string>,
  hasNoDate: boolean,
): Record<string, unknown> {
  const entries = Object.entries(record).filter(([name]) => fields.has(name));
  if (!hasNoDate) return Object.fromEntries(entries);
  const isDate = (name: string) => dateFields.some((field) => field === name);
  return Object.fromEntries(entries.map(([name, value]) => [name, isDate(name) ? null : value]));
}
