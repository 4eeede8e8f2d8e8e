import { day, hour, minute, second } from '../../catalogue/time/time.ts';
import { FoundError } from '../schema/finding.ts';
import type { Times } from '../schema/reading.ts';
import { lengthOf, midnightUtc, type Frequency, type Rule } from './rule.ts';

/*
 * Finds the occurrences of recurrence rules. No library does so correctly within a budget:
 * rrule-temporal 2.2.8 gives wrong dates for 22 of 1,500 random rules, for which this module agrees
 * with python-dateutil, and does not report how much work a rule took; rrule 2.8.1 has no limit;
 * ical.js 2.2.1 turns 29 February into 1 March in common years.
 */

/** A span of wall times in milliseconds since 1970, as if they were UTC; both ends are included. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the days that are read: from two days before what is kept, because a date ends up to a day later elsewhere, to two years
 * ahead.
 */
export function spanOf({ now, pastSince = now }: Times): Span {
  const date = new Date(now);
  const end = Date.UTC(date.getUTCFullYear() + 2, date.getUTCMonth(), date.getUTCDate() + 1) - 1;
  return {
    from: (Math.floor(pastSince / day) - 2) * day,
    to: end,
  };
}

/**
 * Yields the wall times of the occurrences of a rule in a span, in order. A part that the rule
 * leaves open is as in `start`, which is an occurrence only if it fits the rule. The caller handles
 * the UNTIL of the rule. Throws a FoundError if that costs more than the budget.
 */
export function* followRule(
  rule: Rule,
  start: number,
  span: Span,
  budget: Budget,
): Generator<number> {
  if (start > span.to) return;
  const { BYSETPOS: positions } = rule.parts;
  let left = rule.count ?? Infinity;
  for (const set of setsOf(rule, start, span, budget)) {
    for (const wall of positions
      ? set.filter((_, index) => isIn(positions, index + 1, set.length))
      : set) {
      if (wall < start) continue;
      if (wall > span.to || left-- <= 0) return;
      if (wall >= span.from) yield wall;
    }
  }
}

/**
 * Yields the occurrences in each day, week, month or year: every day that fits, at every time of
 * day.
 */
function* setsOf(rule: Rule, start: number, span: Span, budget: Budget): Generator<number[]> {
  const fits = dayTest(rule, start);
  const times = timesOfDay(rule, start, budget);
  const periodAt = periodsFrom(rule, start);
  const monthsOf = rule.frequency === 'YEARLY' ? completed(rule, start).parts.BYMONTH : undefined;
  for (let index = firstPeriod(rule, periodAt(0), span.from); ; index += rule.interval) {
    const period = {
      from: periodAt(index),
      to: periodAt(index + 1),
    };
    if (period.from > span.to) return;
    const days = (
      monthsOf === undefined ? [period] : monthsOf.map((month) => monthOf(period.from, month))
    ).flatMap(({ from, to }) => {
      budget.spendSteps(Math.ceil((to - from) / stepLength));
      const fitting: number[] = [];
      for (let today = from; today < to; today += day) if (fits(today)) fitting.push(today);
      return fitting;
    });
    if (days.length * times.length > 1) budget.spendSteps(days.length * times.length - 1);
    yield days.flatMap((today) => times.map((time) => today + time));
  }
}

const stepLength = 12 * day;

/**
 * The first period of a rule that may reach into the span. A rule with COUNT must be expanded from
 * its start.
 */
function firstPeriod({ frequency, interval, count }: Rule, first: number, from: number): number {
  if (count !== null) return 0;
  const index = Math.max(
    0,
    Math.floor((from - first) / (longestOf[frequency] ?? lengthOf[frequency])),
  );
  return index - (index % interval);
}

const longestOf: Partial<Record<Frequency, number>> = {
  MONTHLY: 31 * day,
  YEARLY: 366 * day,
};

function periodsFrom({ frequency, weekStart }: Rule, start: number): (index: number) => number {
  const date = new Date(start);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (frequency === 'YEARLY') return (index) => midnightUtc(year + index, 0);
  if (frequency === 'MONTHLY') return (index) => midnightUtc(year, month + index);
  const today = start - modulo(start, day);
  if (frequency === 'WEEKLY') return (index) => startOfWeek(today, weekStart) + index * 7 * day;
  return (index) => today + index * day;
}

function monthOf(newYear: number, month: number): Span {
  const year = new Date(newYear).getUTCFullYear();
  return {
    from: midnightUtc(year, month - 1),
    to: midnightUtc(year, month),
  };
}

const clockParts = [
  { part: 'BYHOUR', size: hour, read: (wall: number) => new Date(wall).getUTCHours() },
  { part: 'BYMINUTE', size: minute, read: (wall: number) => new Date(wall).getUTCMinutes() },
  { part: 'BYSECOND', size: second, read: (wall: number) => new Date(wall).getUTCSeconds() },
] as const;

function timesOfDay({ parts }: Rule, start: number, budget: Budget): number[] {
  let times = [0];
  for (const { part, size, read } of clockParts) {
    const values = parts[part] ?? [read(start)];
    budget.spendSteps(times.length * values.length - 1);
    times = times.flatMap((time) => values.map((value) => time + value * size));
  }
  return times;
}

function dayTest(rule: Rule, start: number): (midnight: number) => boolean {
  const { parts, weekdays } = completed(rule, start);
  const { BYMONTH, BYMONTHDAY, BYYEARDAY } = parts;
  const isOfMonth = rule.frequency === 'MONTHLY' || parts.BYMONTH !== undefined;
  const isCounted = rule.frequency === 'MONTHLY' || rule.frequency === 'YEARLY';
  return (midnight) => {
    const date = new Date(midnight);
    if (!isIn(BYMONTH, date.getUTCMonth() + 1)) return false;
    const month = positionIn(midnight, monthAround(date));
    const year = positionIn(midnight, yearAround(date));
    return (
      isIn(BYMONTHDAY, month.index, month.length) &&
      isIn(BYYEARDAY, year.index, year.length) &&
      (weekdays === null ||
        weekdays.some(
          ({ nth, weekday }) =>
            weekday === date.getUTCDay() &&
            (nth === 0 || !isCounted || isNth(nth, isOfMonth ? month : year)),
        ))
    );
  };
}

function completed(
  { frequency, parts, weekdays }: Rule,
  start: number,
): Pick<Rule, 'parts' | 'weekdays'> {
  const isOpen =
    weekdays === null && parts.BYMONTHDAY === undefined && parts.BYYEARDAY === undefined;
  const date = new Date(start);
  if (isOpen && frequency === 'WEEKLY') {
    return {
      parts,
      weekdays: [{ nth: 0, weekday: date.getUTCDay() }],
    };
  }
  const monthParts = {
    ...parts,
    BYMONTHDAY: [date.getUTCDate()],
  };
  if (isOpen && frequency === 'MONTHLY') return { parts: monthParts, weekdays };
  if (isOpen && frequency === 'YEARLY') {
    return {
      parts: {
        BYMONTH: [date.getUTCMonth() + 1],
        ...monthParts,
      },
      weekdays,
    };
  }
  return {
    parts,
    weekdays,
  };
}

type DayPosition = { readonly index: number; readonly length: number };

function positionIn(midnight: number, [from, to]: readonly [number, number]): DayPosition {
  return {
    index: (midnight - from) / day + 1,
    length: (to - from) / day,
  };
}

function monthAround(date: Date): [number, number] {
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return [midnightUtc(year, month), midnightUtc(year, month + 1)];
}

function yearAround(date: Date): [number, number] {
  const year = date.getUTCFullYear();
  return [midnightUtc(year, 0), midnightUtc(year + 1, 0)];
}

function isNth(nth: number, { index, length }: DayPosition): boolean {
  return nth > 0 ? nth === Math.ceil(index / 7) : nth === -Math.ceil((length - index + 1) / 7);
}

function startOfWeek(midnight: number, weekStart: number): number {
  return midnight - modulo(new Date(midnight).getUTCDay() - weekStart, 7) * day;
}

/**
 * Whether a part allows a value. A negative value of the part counts from the end of `length`. A
 * missing part allows all.
 */
function isIn(part: readonly number[] | undefined, value: number, length = Infinity): boolean {
  return part === undefined || part.includes(value) || part.includes(value - length - 1);
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}

const maxOccurrences = 50_000;
/** The maximum number of steps to find them, which take a second or two. */
const maxSteps = 500_000;

/** The length of a date and its comma, as in `20270304,`. */
const shortestDate = 9;

/** Limits the work for the recurrence rules of one calendar, such as "every second, for ever". */
export class Budget {
  #occurrences = maxOccurrences;
  #steps = maxSteps;

  isSpent(): boolean {
    return this.#occurrences < 0 || this.#steps < 0;
  }

  spendOccurrence(): void {
    if (--this.#occurrences < 0)
      throw new FoundError({
        code: 'too-many-occurrences',
        most: maxOccurrences,
      });
  }

  /**
   * Counts steps: the work for one time, one listed date, or testing twelve days. Throws a
   * FoundError if it is too much.
   */
  spendSteps(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0)
      throw new FoundError({
        code: 'recurrence-too-long',
        most: maxSteps,
      });
  }

  /** Counts the dates that a line lists, before they are read. */
  spendDates(line: string): void {
    this.spendSteps(Math.floor(line.length / shortestDate));
  }
}
