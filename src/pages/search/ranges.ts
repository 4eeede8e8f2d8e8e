import { dateAfter, datesIn, mondayOf, monthAfter, monthIn, weekdayOf } from '../dates.ts';
import type { TimeName } from './words.ts';

/** Dates from the first to the last. */
export interface Range {
  readonly from: string;
  readonly until: string;
}

/** The days of what people call by a name, by the current date. */
export const namedRanges: Readonly<Record<TimeName, (today: string) => Range>> = {
  today: (today) => oneDay(today),
  yesterday: (today) => oneDay(dateAfter(today, -1)),
  tomorrow: (today) => oneDay(dateAfter(today)),
  dayAfterTomorrow: (today) => oneDay(dateAfter(today, 2)),
  week: (today) => ({
    from: today,
    until: dateAfter(today, 6 - weekdayOf(today)),
  }),
  weekend: (today) => weekendFrom(today),
  nextWeek: (today) => ({
    from: nextMonday(today),
    until: dateAfter(nextMonday(today), 6),
  }),
  nextWeekend: (today) => weekendFrom(nextMonday(today)),
  month: (today) => months(monthIn(today), 1),
  nextMonth: (today) => months(monthAfter(monthIn(today), 1), 1),
  year: (today) => months(monthOf(yearIn(today), 1), 12),
  nextYear: (today) => months(monthOf(yearIn(today) + 1, 1), 12),
};

/** What the home page calls days (`?on=`). */
const choices = ['today', 'tomorrow', 'week', 'weekend'] as const;

/**
 * Returns the dates of a choice of the home page: `weekend`, `2027-03-06` or `2027-03`. Null if it
 * is none.
 */
export function rangeOfChoice(choice: string, today: string): Range | null {
  const name = choices.find((word) => word === choice);
  if (name !== undefined) return namedRanges[name](today);
  if (!/^\d{4}-\d\d(-\d\d)?$/.test(choice) || Number.isNaN(Date.parse(choice))) return null;
  return choice.length === 'yyyy-mm'.length ? months(choice, 1) : oneDay(choice);
}

/**
 * Returns what the home page calls a range: `weekend`, `2027-03-06`, `2027-03`. Null if it has no
 * name for it.
 */
export function choiceOf({ from, until }: Range, today: string): string | null {
  const isSameRange = (range: Range) => range.from === from && range.until === until;
  const month = monthIn(from);
  const named = choices.find((name) => isSameRange(namedRanges[name](today)));
  if (named !== undefined) return named;
  if (from === until) return from;
  return isSameRange(months(month, 1)) ? month : null;
}

/**
 * Returns the range of the period of an announcement: `2027`, `2027-H1`, `2027-Q2` or `2027-06`.
 */
export function rangeOfPeriod(period: string): Range {
  const [year, kind, number] = [+period.slice(0, 4), period.slice(5, 6), +period.slice(6)];
  if (period.length === 'yyyy'.length) return months(monthOf(year, 1), 12);
  if (kind === 'H') return months(monthOf(year, 6 * number - 5), 6);
  return kind === 'Q' ? months(monthOf(year, 3 * number - 2), 3) : months(period, 1);
}

/**
 * Returns a day or, without a day, a month: without a year, the first year that is not over. Null if
 * there is none.
 */
export function dateRange(year: number, month: number, day: number, today: string): Range | null {
  if (month < 1 || month > 12 || day > 31 || (year !== 0 && year < 1900)) return null;
  const inYear = (yearOfDate: number): Range | null => {
    if (day === 0) return months(monthOf(yearOfDate, month), 1);
    const date = datesIn(monthOf(yearOfDate, month))[day - 1];
    return date === undefined ? null : oneDay(date);
  };
  const thisYear = yearIn(today);
  if (year !== 0) return inYear(year);
  return (
    [thisYear, thisYear + 1].map(inYear).find((range) => range !== null && range.until >= today) ??
    null
  );
}

export function yearRange(year: number): Range | null {
  return year === 0 ? null : months(monthOf(year, 1), 12);
}

export function oneDay(date: string): Range {
  return { from: date, until: date };
}

/** Saturday and Sunday, or what is left of them. */
function weekendFrom(date: string): Range {
  const weekday = weekdayOf(date);
  const until = dateAfter(date, 6 - weekday);
  return {
    from: weekday === 6 ? date : dateAfter(until, -1),
    until,
  };
}

export function nextMonday(today: string): string {
  return dateAfter(mondayOf(today), 7);
}

function yearIn(date: string): number {
  return Number(date.slice(0, 'yyyy'.length));
}

function monthOf(year: number, month: number): string {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`;
}

function months(first: string, count: number): Range {
  return {
    from: `${first}-01`,
    until: datesIn(monthAfter(first, count - 1)).at(-1) ?? '',
  };
}
