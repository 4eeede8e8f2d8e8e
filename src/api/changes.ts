import { day } from '../catalogue/time/time.ts';
import type { AnnouncementRecord, ChangeRecord, ChangesDocument, EventRecord } from './documents.ts';

/** What a site publishes about an event: its record, or its announcement if it has no date yet. */
export type PublishedEvent = EventRecord | AnnouncementRecord;

/** What one of two sites publishes. Events that are the same in both may be left out of both. */
interface Published {
  readonly events: ReadonlyMap<string, EventRecord>;
  readonly announced: ReadonlyMap<string, AnnouncementRecord>;
}

/** The older of two sites. */
export interface Before extends Published {
  /** Whether `announced` is complete, so that an announcement that is not in it is new. */
  readonly hasAllAnnounced: boolean;
}

/** The newer of two sites. */
export interface After extends Published {
  /** The ids of events that are cancelled. */
  readonly cancelled: ReadonlySet<string>;
}

/** A change without the time at which it was seen. */
export type Change = Omit<ChangeRecord, 'at'>;

/** The maximum number of entries of a change log. */
const maxChanges = 1000;

/** The maximum age of an entry. Older ones are dropped when another is added. */
const maxAge = 60 * day;

/**
 * Compares what two sites publish, event by event. Returns at most one change for each event. An event that is over is
 * not a change.
 *
 * @param isOver whether the time of an event, or the period of an announcement, is over
 */
export function compareEvents(before: Before, after: After, isOver: (published: PublishedEvent) => boolean): Change[] {
  const ids = new Set([before, after].flatMap(({ events, announced }) => [...events.keys(), ...announced.keys()]));
  const changes: Change[] = [];
  for (const id of ids) {
    const [old, next] = [publishedOf(before, id), publishedOf(after, id)];
    if (old === null && next !== null && (before.hasAllAnnounced || isDated(next)))
      changes.push(changeOf('added', next, { before: null, after: { ...next } }));
    else if (old !== null && next === null) {
      const isCancelled = after.cancelled.has(id);
      if (isCancelled || !isOver(old))
        changes.push(changeOf(isCancelled ? 'cancelled' : 'removed', old, { before: { ...old }, after: null }));
    } else if (old !== null && next !== null) changes.push(...differenceOf(old, next));
  }
  return changes;
}

function publishedOf({ events, announced }: Published, id: string): PublishedEvent | null {
  return events.get(id) ?? announced.get(id) ?? null;
}

/** Whether an event has a date. */
export function isDated(published: PublishedEvent): published is EventRecord {
  return 'starts_at' in published;
}

type Fields = Pick<ChangeRecord, 'before' | 'after'>;

function changeOf(kind: Change['kind'], published: PublishedEvent, fields: Fields): Change {
  const { id, title, subject, genre, category } = published;
  return { kind, id, title, subject: { id: subject.id, name: subject.name }, genre, category, ...fields };
}

/** The fields that say when an event happens. */
export const timeFields: ReadonlySet<string> = new Set<keyof EventRecord | keyof AnnouncementRecord>([
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

function differenceOf(old: PublishedEvent, next: PublishedEvent): Change[] {
  const isSameKind = isDated(old) === isDated(next);
  const fields = differingFields(old, next, !isSameKind);
  if (fields.size === 0) return [];
  const hasMoved = [...fields].some((field) => timeFields.has(field));
  const kind = !isSameKind && isDated(next) ? 'dated' : hasMoved ? 'moved' : 'changed';
  // Without these, a reader of a start or an end could not tell whether its clock time is real.
  if (fields.has('starts_at') || fields.has('ends_at'))
    for (const field of ['date', 'time_known', 'precision']) fields.add(field);
  return [changeOf(kind, next, { before: pick(old, fields), after: pick(next, fields) })];
}

/**
 * Returns the names of the fields that differ. A field that only one of the records has differs if `hasOwn`; otherwise
 * another version of almanac added it, which is not a change of the event.
 */
export function differingFields(old: object, next: object, hasOwn = false): Set<string> {
  const [before, after] = [new Map(Object.entries(old)), new Map(Object.entries(next))];
  const names = [...before.keys(), ...after.keys()];
  const isShared = (name: string): boolean => before.has(name) && after.has(name);
  return new Set(names.filter((name) => (isShared(name) ? !isSame(before.get(name), after.get(name)) : hasOwn)));
}

function isSame(old: unknown, next: unknown): boolean {
  const areObjects = old instanceof Object && next instanceof Object && !Array.isArray(old);
  return areObjects ? differingFields(old, next).size === 0 : JSON.stringify(old) === JSON.stringify(next);
}

function pick(record: object, fields: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => fields.has(name)));
}

/** Returns the changes of one build that a log keeps: the first ones by id. */
export function limitChanges(changes: readonly Change[]): Change[] {
  return changes.toSorted((a, b) => compareTexts(a.id, b.id)).slice(0, maxChanges);
}

/**
 * Adds at least one change to a log, and drops entries that are older than 60 days.
 *
 * @param at the `last_sync` of the site that has them
 */
export function addToLog(log: ChangesDocument, found: readonly Change[], at: string): ChangesDocument {
  const oldest = Date.parse(at) - maxAge;
  const changes = [...found.map((change) => ({ at, ...change })), ...log.changes]
    .filter((change) => Date.parse(change.at) >= oldest)
    .sort((a, b) => compareTexts(b.at, a.at) || compareTexts(a.id, b.id));
  return { since: log.since, changes: changes.slice(0, maxChanges) };
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
