import { day, hour, minute, second } from '../../catalogue/time/time.ts';
import type { Bounds } from './bounds.ts';

/** A recurrence rule (RFC 5545, 3.3.10). */
export interface Rule {
  readonly frequency: Frequency;
  readonly interval: number;
  readonly count: number | null;
  /** As ical.js writes a date or time; in UTC where the start has a zone. */
  readonly until: string | null;
  /** The day that a week begins with; 0 is Sunday. */
  readonly weekStart: number;
  /** The BY-parts, BYDAY aside. */
  readonly parts: Parts;
  readonly weekdays: readonly Weekday[] | null;
}

export type Parts = Readonly<Partial<Record<Part, readonly number[]>>>;
export type Part = (typeof numberParts)[number];
export type Frequency = keyof typeof lengthOf;

/** A day of the week: each of them, or, where `nth` is not 0, the nth of its month or year; from the end if negative. */
export interface Weekday {
  readonly nth: number;
  readonly weekday: number;
}

export const numberParts = [
  'BYMONTH',
  'BYWEEKNO',
  'BYYEARDAY',
  'BYMONTHDAY',
  'BYHOUR',
  'BYMINUTE',
  'BYSECOND',
  'BYSETPOS',
] as const;

/** The least that a frequency lasts, in milliseconds. */
export const lengthOf = {
  SECONDLY: second,
  MINUTELY: minute,
  HOURLY: hour,
  DAILY: day,
  WEEKLY: 7 * day,
  MONTHLY: 28 * day,
  YEARLY: 365 * day,
} as const;

/** The steps that looking through a period takes, where that is dearer than looking at a day. */
const costOf: Partial<Record<Frequency, number>> = { MONTHLY: 4, YEARLY: 30 };

/**
 * The wall times (read as if they were UTC, in milliseconds) of a rule's occurrences from `start`, in order, to `until`
 * at the latest; the rule's own UNTIL is for the caller to mind. What the rule leaves open is as in `start`, which is an
 * occurrence itself only where it fits the rule. Throws a BoundsError where it costs too much.
 */
export function* followRule(rule: Rule, start: number, until: number, bounds: Bounds): Generator<number> {
  if (start > until) return;
  const { BYSETPOS: positions } = rule.parts;
  let left = rule.count ?? Infinity;
  const isShort = lengthOf[rule.frequency] < day;
  for (const set of isShort ? shortSets(rule, start, until, bounds) : longSets(rule, start, until, bounds)) {
    for (const wall of positions ? set.filter((_, index) => isIn(positions, index + 1, set.length)) : set) {
      if (wall < start) continue;
      if (wall > until || left-- <= 0) return;
      yield wall;
    }
  }
}

/** What occurs in each day, week, month or year: on every day that fits, at every time of day. */
function* longSets(rule: Rule, start: number, until: number, bounds: Bounds): Generator<number[]> {
  const fits = dayTest(rule, start);
  const times = timesWithin(rule, start, bounds);
  const periodAt = periodsFrom(rule, start);
  for (let index = 0; ; index += rule.interval) {
    const [from, to] = [periodAt(index), periodAt(index + 1)];
    if (from > until) return;
    const days: number[] = [];
    bounds.search(costOf[rule.frequency] ?? 1);
    for (let today = from; today < to; today += day) if (fits(today)) days.push(today);
    if (days.length * times.length > 1) bounds.search(days.length * times.length - 1);
    yield days.flatMap((today) => times.map((time) => today + time));
  }
}

/** The same for an hour, minute or second. A day, hour or minute that does not fit is passed over at once. */
function* shortSets(rule: Rule, start: number, until: number, bounds: Bounds): Generator<number[]> {
  const length = lengthOf[rule.frequency];
  const fits = dayTest(rule, start);
  const times = timesWithin(rule, start, bounds);
  const tests = [
    { size: day, passes: (wall: number) => fits(wall - modulo(wall, day)) },
    ...clockParts.map(({ part, size, read }) => ({
      size,
      passes: (wall: number) => isIn(rule.parts[part], read(wall)),
    })),
  ].filter(({ size }) => size >= length);
  const step = rule.interval * length;
  for (let from = start - modulo(start, length); from <= until;) {
    bounds.search(times.length);
    const at = from;
    const misfit = tests.find(({ passes }) => !passes(at));
    if (misfit === undefined) yield times.map((time) => at + time);
    const end = misfit === undefined ? from + 1 : from - modulo(from, misfit.size) + misfit.size;
    from += Math.ceil((end - from) / step) * step;
  }
}

/** Where the periods of a rule begin: the one of the start is number 0. */
function periodsFrom({ frequency, weekStart }: Rule, start: number): (index: number) => number {
  const date = new Date(start);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (frequency === 'YEARLY') return (index) => Date.UTC(year + index, 0);
  if (frequency === 'MONTHLY') return (index) => Date.UTC(year, month + index);
  const today = start - modulo(start, day);
  if (frequency === 'WEEKLY') return (index) => startOfWeek(today, weekStart) + index * 7 * day;
  return (index) => today + index * day;
}

const clockParts = [
  { part: 'BYHOUR', size: hour, read: (wall: number) => new Date(wall).getUTCHours() },
  { part: 'BYMINUTE', size: minute, read: (wall: number) => new Date(wall).getUTCMinutes() },
  { part: 'BYSECOND', size: second, read: (wall: number) => new Date(wall).getUTCSeconds() },
] as const;

/** The times in a day or, where a rule is more frequent, in its period; in order, counted from where that begins. */
function timesWithin({ frequency, parts }: Rule, start: number, bounds: Bounds): number[] {
  let times = [0];
  for (const { part, size, read } of clockParts) {
    if (size >= lengthOf[frequency]) continue;
    const values = parts[part] ?? [read(start)];
    bounds.search(times.length * values.length - 1);
    times = times.flatMap((time) => values.map((value) => time + value * size));
  }
  return times;
}

/** Whether a day, given by its midnight, fits every part of a rule that speaks of days. */
function dayTest(rule: Rule, start: number): (midnight: number) => boolean {
  const { parts, weekdays } = completed(rule, start);
  const { BYMONTH, BYMONTHDAY, BYYEARDAY, BYWEEKNO } = parts;
  const isOfMonth = rule.frequency === 'MONTHLY' || parts.BYMONTH !== undefined;
  const isCounted = rule.frequency === 'MONTHLY' || rule.frequency === 'YEARLY';
  return (midnight) => {
    const date = new Date(midnight);
    if (!isIn(BYMONTH, date.getUTCMonth() + 1)) return false;
    const month = placeIn(midnight, monthAround(date));
    const year = placeIn(midnight, yearAround(date));
    return (
      isIn(BYMONTHDAY, month.index, month.length) &&
      isIn(BYYEARDAY, year.index, year.length) &&
      (BYWEEKNO === undefined || isInWeeks(BYWEEKNO, midnight, rule.weekStart)) &&
      (weekdays === null ||
        weekdays.some(
          ({ nth, weekday }) =>
            weekday === date.getUTCDay() && (nth === 0 || !isCounted || isNth(nth, isOfMonth ? month : year)),
        ))
    );
  };
}

/** A rule with the day that it leaves open. */
function completed({ frequency, parts, weekdays }: Rule, start: number): Pick<Rule, 'parts' | 'weekdays'> {
  const isOpen = weekdays === null && parts.BYMONTHDAY === undefined && parts.BYYEARDAY === undefined;
  const date = new Date(start);
  if (isOpen && (frequency === 'WEEKLY' || (frequency === 'YEARLY' && parts.BYWEEKNO !== undefined))) {
    return { parts, weekdays: [{ nth: 0, weekday: date.getUTCDay() }] };
  }
  const ofMonth = { ...parts, BYMONTHDAY: [date.getUTCDate()] };
  if (isOpen && frequency === 'MONTHLY') return { parts: ofMonth, weekdays };
  if (isOpen && frequency === 'YEARLY') {
    return { parts: { BYMONTH: [date.getUTCMonth() + 1], ...ofMonth }, weekdays };
  }
  return { parts, weekdays };
}

/** Where a day is in its month or year, counted from 1. */
interface DayPlace {
  readonly index: number;
  readonly length: number;
}

function placeIn(midnight: number, [from, to]: readonly [number, number]): DayPlace {
  return { index: (midnight - from) / day + 1, length: (to - from) / day };
}

function monthAround(date: Date): [number, number] {
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return [Date.UTC(year, month), Date.UTC(year, month + 1)];
}

function yearAround(date: Date): [number, number] {
  const year = date.getUTCFullYear();
  return [Date.UTC(year, 0), Date.UTC(year + 1, 0)];
}

/** Whether a day is the nth of its day of the week there. */
function isNth(nth: number, { index, length }: DayPlace): boolean {
  return nth > 0 ? nth === Math.ceil(index / 7) : nth === -Math.ceil((length - index + 1) / 7);
}

/** A week is of the year that most of its days are in. */
function isInWeeks(weeks: readonly number[], midnight: number, weekStart: number): boolean {
  const middle = startOfWeek(midnight, weekStart) + 3 * day;
  const { index, length } = placeIn(middle, yearAround(new Date(middle)));
  const week = Math.ceil(index / 7);
  return isIn(weeks, week, week + Math.floor((length - index) / 7));
}

function startOfWeek(midnight: number, weekStart: number): number {
  return midnight - modulo(new Date(midnight).getUTCDay() - weekStart, 7) * day;
}

/** Whether a part allows a value; a negative one counts from the end of `length`. A part that is not there allows all. */
function isIn(part: readonly number[] | undefined, value: number, length = Infinity): boolean {
  return part === undefined || part.includes(value) || part.includes(value - length - 1);
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
