import type { AnnouncementRecord, EventRecord } from '../api/documents.ts';
import { endOfDate } from '../catalogue/time/zone.ts';

/** What a site publishes about an event: its record, or its announcement if it has no date yet. */
export type PublishedEvent = EventRecord | AnnouncementRecord;

/** The records that a site publishes about some events. */
export interface Records<T extends PublishedEvent = PublishedEvent> {
  /** Their JSON by the ids of the events. */
  readonly texts: ReadonlyMap<string, string>;
  /** Parses the text of an event. Parsing takes far longer than comparing texts. */
  readonly parse: (id: string) => T;
}

/** The difference between two sites in one event. */
export interface Difference<T extends PublishedEvent = PublishedEvent> {
  /** `passed`: the event is gone because it is over. */
  readonly kind: 'added' | 'removed' | 'cancelled' | 'passed' | 'dated' | 'moved' | 'changed';
  readonly before: T | null;
  readonly after: T | null;
  /** Its newest record. */
  readonly event: T;
  /** The names of the fields that differ: all of them if only one site has the event. */
  readonly fields: ReadonlySet<string>;
}

/**
 * Compares what two sites publish, event by event. Returns what is in the new site in its order, then what is gone.
 *
 * @param isCancelled whether an event that is gone is cancelled; otherwise it is removed, or has passed if it is over
 * @param now milliseconds since the Unix epoch
 */
export function compareRecords<T extends PublishedEvent>(
  before: Records<T>,
  after: Records<T>,
  isCancelled: (event: T) => boolean,
  now: number,
): Difference<T>[] {
  const differences: Difference<T>[] = [];
  for (const [id, text] of after.texts) {
    const old = before.texts.get(id);
    if (old === text) continue;
    const event = after.parse(id);
    if (old !== undefined) differences.push(...compareEvent(before.parse(id), event));
    else differences.push({ kind: 'added', before: null, after: event, event, fields: new Set(Object.keys(event)) });
  }
  for (const id of before.texts.keys()) {
    if (after.texts.has(id)) continue;
    const event = before.parse(id);
    const kind = isCancelled(event) ? 'cancelled' : isOver(event, now) ? 'passed' : 'removed';
    differences.push({ kind, before: event, after: null, event, fields: new Set(Object.keys(event)) });
  }
  return differences;
}

/** Returns the records with these texts, which are known to be valid. */
export function recordsOf<T extends PublishedEvent>(texts: ReadonlyMap<string, string>): Records<T> {
  return { texts, parse: (id) => JSON.parse(texts.get(id) ?? 'null') as T };
}

/** Whether an event has a date. */
export function isDated(published: PublishedEvent): published is EventRecord {
  return 'starts_at' in published;
}

/** Whether an event, or the period of an announcement, is over at `now`. */
export function isOver(published: PublishedEvent, now: number): boolean {
  return isDated(published)
    ? Date.parse(published.over_at ?? published.upcoming_until) <= now
    : endOfDate(published.zone, Date.parse(published.window.until)) <= now;
}

/** The field that says when an event changed, which is no change of the event. */
const ofPublication = 'updated_at' satisfies keyof EventRecord;

/** Whether two records say the same about an event. */
export function isSameEvent(old: PublishedEvent, next: PublishedEvent): boolean {
  return isDated(old) === isDated(next) && differingFields(old, next).size === 0;
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

function compareEvent<T extends PublishedEvent>(before: T, after: T): Difference<T>[] {
  const isSameKind = isDated(before) === isDated(after);
  const fields = differingFields(before, after, !isSameKind);
  if (fields.size === 0) return [];
  const hasMoved = [...fields].some((field) => timeFields.has(field));
  const kind = !isSameKind && isDated(after) ? 'dated' : hasMoved ? 'moved' : 'changed';
  return [{ kind, before, after, event: after, fields }];
}

/** Returns the names of the fields that differ; of fields that only one record has, only if `hasOwn`. */
function differingFields(old: object, next: object, hasOwn = false): Set<string> {
  const [before, after] = [new Map(Object.entries(old)), new Map(Object.entries(next))];
  const names = [...before.keys(), ...after.keys()].filter((name) => name !== ofPublication);
  const isShared = (name: string): boolean => before.has(name) && after.has(name);
  return new Set(names.filter((name) => (isShared(name) ? !isSame(before.get(name), after.get(name)) : hasOwn)));
}

function isSame(old: unknown, next: unknown): boolean {
  const areObjects = old instanceof Object && next instanceof Object && !Array.isArray(old);
  return areObjects ? differingFields(old, next).size === 0 : JSON.stringify(old) === JSON.stringify(next);
}

export interface NewIds extends Pick<EventRecord, 'genre' | 'category'> {
  readonly subject: string;
}

/** Returns a record with the ids that its event has now. */
export function renamed<T extends PublishedEvent>(record: T, { genre, category, subject }: NewIds): T {
  const id = `${genre}/${subject}${record.id.slice(record.id.lastIndexOf('/'))}`;
  return { ...record, id, subject: { ...record.subject, id: subject }, genre, category };
}
