import ICAL from 'ical.js';
import { day, hour, minute, second } from '../../calendar/time.ts';
import type { Bounds } from './bounds.ts';

/** The one door to ical.js: the values of properties, and the occurrences of recurrence rules. */

// Calendars write `DTSTART:20270304` where VALUE=DATE is missing; the strict design would make nonsense of it.
ICAL.design.strict = false;

/** A property as ical.js reads it. */
export interface Property {
  /** Values in the extended form of ISO 8601 where they are dates or times, without escapes where they are texts. */
  readonly values: readonly string[];
  readonly tzid: string | null;
  readonly range: string | null;
}

/** Reads a content line. Throws an Error with the reason where its value is not of its kind. */
export function readProperty(line: string): Property {
  const property = ICAL.Property.fromString(line);
  const values = (property.jCal as unknown[]).slice(3).map((value) => (Array.isArray(value) ? value[0] : value));
  const parameter = (name: string): string | null => {
    const value = property.getParameter(name) as string | string[] | undefined;
    return (Array.isArray(value) ? value[0] : value) ?? null;
  };
  return { values: values.map(String), tzid: parameter('tzid'), range: parameter('range') };
}

/** A recurrence rule, read. */
export type Rule = ICAL.Recur;

/** Reads an RRULE line. Throws an Error with the reason where it is not a rule that can be followed. */
export function readRule(line: string): Rule {
  const rule = ICAL.Property.fromString(line).getFirstValue() as Rule;
  const unit = unitOf[rule.freq as keyof typeof unitOf] as number | undefined;
  if (unit === undefined) throw new Error('it has no FREQ');
  if (!(rule.interval * unit <= longestInterval)) throw new Error(`an INTERVAL of ${rule.interval} is too long`);
  return rule;
}

/** Where a rule ends, as it is written; null where it has no UNTIL. */
export function untilOf(rule: Rule): string | null {
  return rule.until === null ? null : rule.until.toString();
}

/**
 * The wall times (read as if they were UTC, in milliseconds) of a rule's occurrences from `start`, in order, to `until`
 * at the latest. Throws an Error where the rule contradicts itself, a BoundsError where it costs too much.
 */
export function* followRule(rule: Rule, start: number, until: number, bounds: Bounds): Generator<number> {
  const bounded = rule.clone();
  bounded.until = timeAt(until);
  const cost = costOf[rule.freq as keyof typeof costOf] ?? 1;
  bounds.search(cost);
  const iterator = bounded.iterator(timeAt(start)) as unknown as Iterator;
  // It has then gone through every year to find that none fits.
  if (iterator.completed) bounds.search(Math.ceil(Math.max(0, until - start) / (365 * day)) * cost);
  const contracts = iterator.check_contracting_rules.bind(iterator);
  // ical.js itself goes on for ever where no day fits a rule (30 February), so each of its steps is paid for.
  iterator.check_contracting_rules = () => {
    bounds.search(cost);
    return wallOf(iterator.last) > until || contracts();
  };
  for (let next = iterator.next(); next; next = iterator.next()) yield wallOf(next);
}

/** What of the iterator of ical.js is used and is not in its declared types. */
interface Iterator {
  readonly last: ICAL.Time;
  readonly completed: boolean;
  check_contracting_rules: () => boolean;
  next: () => ICAL.Time | null;
}

const unitOf = {
  SECONDLY: second,
  MINUTELY: minute,
  HOURLY: hour,
  DAILY: day,
  WEEKLY: 7 * day,
  MONTHLY: 28 * day,
  YEARLY: 365 * day,
} as const;
/** ical.js counts the days of an interval one by one. */
const longestInterval = 1000 * 366 * day;
/** Steps that are dearer than finding the next day. */
const costOf = { MONTHLY: 4, YEARLY: 30 } as const;

function timeAt(wall: number): ICAL.Time {
  const date = new Date(wall);
  const [year, month, dayOfMonth] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
  const [hours, minutes, seconds] = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()];
  const fields = { year, month, day: dayOfMonth, hour: hours, minute: minutes, second: seconds };
  return new ICAL.Time(fields, ICAL.Timezone.localTimezone);
}

function wallOf({ year, month, day: date, hour: hours, minute: minutes, second: seconds }: ICAL.Time): number {
  return Date.UTC(year, month - 1, date, hours, minutes, seconds);
}
