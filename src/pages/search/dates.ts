import { datesIn, dateAfter, mondayOf, monthAfter, weekdayOf } from '../dates.ts';
import type { DatePhrase } from '../words/search-words.ts';

/** Dates from the first to the last. */
export interface Range {
  readonly from: string;
  readonly until: string;
}

/** What readers call days: the chips of the home page, and search. */
export const namedRanges: Readonly<Record<string, (today: string) => Range>> = {
  today: (today) => oneDay(today),
  tomorrow: (today) => oneDay(dateAfter(today)),
  week: (today) => ({ from: today, until: dateAfter(today, 6 - weekdayOf(today)) }),
  weekend: (today) => weekendFrom(today),
};

/** The numbers in a phrase about dates. The month is from 1 to 12, the weekday from 0 for Monday, the season from 0. */
export interface PhraseNumbers {
  readonly year?: number;
  readonly month?: number;
  readonly day?: number;
  readonly weekday?: number;
  readonly season?: number;
  readonly n?: number;
  readonly q?: number;
}

/** Returns the dates of a phrase. Null if there are none, such as for the 31st of June. */
export function datesOf(phrase: DatePhrase, numbers: PhraseNumbers, today: string): Range | null {
  const { year = 0, month = 1, day = 0, weekday = 0, season = 0, n = 0, q = 1 } = numbers;
  const thisMonth = today.slice(0, 'yyyy-mm'.length);
  const thisYear = +today.slice(0, 'yyyy'.length);
  const nextMonday = dateAfter(mondayOf(today), 7);
  switch (phrase) {
    case 'date':
      return dayIn(monthOf(year, month), day);
    case 'dayOfMonth':
      return nextDayOfMonth(month, day, today);
    case 'month':
      return months(monthOf(year, month), 1);
    case 'bareMonth':
      return months(monthOf(month < +thisMonth.slice(5) ? thisYear + 1 : thisYear, month), 1);
    case 'quarter':
      return months(monthOf(year, 3 * q - 2), 3);
    case 'season':
      return months(monthOf(year, 3 * season + 3), 3);
    case 'nextSeason':
      return nextSeason(3 * season + 3, today);
    case 'days':
      return oneDay(dateAfter(today, n));
    case 'weeks':
      return week(mondayOf(dateAfter(today, 7 * n)));
    case 'months':
      return months(monthAfter(thisMonth, n), 1);
    case 'nextDays':
      return { from: today, until: dateAfter(today, n) };
    case 'dayAfterTomorrow':
      return oneDay(dateAfter(today, 2));
    case 'nextWeekend':
      return weekendFrom(nextMonday);
    case 'nextWeek':
      return week(nextMonday);
    case 'nextMonth':
      return months(monthAfter(thisMonth, 1), 1);
    case 'nextYear':
      return months(monthOf(thisYear + 1, 1), 12);
    case 'nextWeekday':
      return oneDay(dateAfter(nextMonday, weekday));
    case 'weekday':
      return oneDay(dateAfter(today, (weekday - weekdayOf(today) + 7) % 7));
    case 'thisMonth':
      return months(thisMonth, 1);
    case 'thisYear':
      return months(monthOf(thisYear, 1), 12);
    case 'year':
      return months(monthOf(year, 1), 12);
    default:
      return namedRanges[phrase]?.(today) ?? null;
  }
}

/** Returns the dates of the period of an announcement: `2027`, `2027-H1`, `2027-Q2` or `2027-06`. */
export function rangeOfPeriod(period: string): Range {
  const [year, kind, number] = [+period.slice(0, 4), period.slice(5, 6), +period.slice(6)];
  if (period.length === 'yyyy'.length) return months(monthOf(year, 1), 12);
  if (kind === 'H') return months(monthOf(year, 6 * number - 5), 6);
  return kind === 'Q' ? months(monthOf(year, 3 * number - 2), 3) : months(period, 1);
}

/** Returns what the home page calls a range: `weekend`, `2027-03-06`, `2027-03`. Null if it has no name for it. */
export function nameOfRange({ from, until }: Range, today: string): string | null {
  for (const [name, rangeOf] of Object.entries(namedRanges)) {
    const named = rangeOf(today);
    if (named.from === from && named.until === until) return name;
  }
  if (from === until) return from;
  const month = from.slice(0, 'yyyy-mm'.length);
  return datesIn(month)[0] === from && datesIn(month).at(-1) === until ? month : null;
}

function oneDay(date: string): Range {
  return { from: date, until: date };
}

function week(monday: string): Range {
  return { from: monday, until: dateAfter(monday, 6) };
}

/** Saturday and Sunday, or what is left of them. */
function weekendFrom(date: string): Range {
  const weekday = weekdayOf(date);
  const until = dateAfter(date, 6 - weekday);
  return { from: weekday === 6 ? date : dateAfter(until, -1), until };
}

function monthOf(year: number, month: number): string {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`;
}

function months(first: string, count: number): Range {
  return { from: `${first}-01`, until: datesIn(monthAfter(first, count - 1)).at(-1) ?? '' };
}

/** The first three months from a month of a year on that are not over. */
function nextSeason(month: number, today: string): Range {
  const year = +today.slice(0, 'yyyy'.length);
  const ranges = [year - 1, year, year + 1].map((one) => months(monthOf(one, month), 3));
  return ranges.find(({ until }) => until >= today) ?? months(monthOf(year, month), 3);
}

function dayIn(month: string, day: number): Range | null {
  const date = /-(0[1-9]|1[0-2])$/.test(month) ? datesIn(month)[day - 1] : undefined;
  return date === undefined ? null : oneDay(date);
}

function nextDayOfMonth(month: number, day: number, today: string): Range | null {
  const year = +today.slice(0, 'yyyy'.length);
  const range = dayIn(monthOf(year, month), day);
  return range !== null && range.from < today ? dayIn(monthOf(year + 1, month), day) : range;
}
