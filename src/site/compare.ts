import type { AnnouncementRecord, EventRecord } from '../api/documents.ts';
import { stateOfRecord } from '../api/current.ts';
import { announcementState, type State } from '../catalogue/state.ts';
import { endOfDate } from '../catalogue/time/zone.ts';
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
export function loneDifference(kind: 'added' | 'removed' | 'cancelled', event: PublishedEvent): Difference {
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

/** Returns the state of an event or an announcement at `now` (milliseconds since the Unix epoch). */
export function stateOf(published: PublishedEvent, now: number): State {
  if (isDated(published)) return stateOfRecord(published, now);
  const { status, zone, window } = published;
  return announcementState({ status, announcedUntil: endOfDate(zone, Date.parse(window.until)) }, now);
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

/** `updated_at` says when an event changed. A new value alone is no change. */
const ofPublication = 'updated_at' satisfies keyof EventRecord;

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
