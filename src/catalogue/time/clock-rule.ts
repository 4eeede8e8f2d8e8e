import { memoize } from './memoize.ts';
import { day, hour, readOffset } from './time.ts';

/**
 * Reads what clocks do in every year, as the text that ends a compiled zone file (RFC 9636, section
 * 3.3): `CET-1CEST,M3.5.0,M10.5.0/3`, or `<+04>-4` if they never change. Returns the offset from
 * UTC in milliseconds for an instant. Throws if the text has another shape.
 */
export function readClockRule(text: string): (instant: number) => number {
  const [names = '', begin, end] = text.split(',');
  const [, standardText, summerName, summerText] = namesPattern.exec(names) ?? [];
  if (standardText === undefined) throw new Error(`no rule of clocks: ${text}`);
  // POSIX counts the hours that clocks are behind UTC.
  const standard = -readHours(standardText);
  if (summerName === undefined) return () => standard;
  const summer = summerText === undefined ? standard + hour : -readHours(summerText);
  const beginIn = readYearly(begin);
  const endIn = readYearly(end);
  const summerOf = memoize((year: number) => ({
    begin: beginIn(year) - standard,
    end: endIn(year) - summer,
  }));
  return (instant) => {
    const span = summerOf(new Date(instant).getUTCFullYear());
    const isNorthern = span.begin < span.end;
    const isSummer = isNorthern
      ? span.begin <= instant && instant < span.end
      : span.begin <= instant || instant < span.end;
    return isSummer ? summer : standard;
  };
}

/** A name, its offset, and the same for summer, where an offset of one hour more is left out. */
const namesPattern = /^(?:[A-Za-z]{3,}|<[^>]+>)([-+\d:]+)(?:([A-Za-z]{3,}|<[^>]+>)([-+\d:]+)?)?$/;

/** `M10.5.0/3`: month, week of the month (5 for the last), day of the week, hour (2 if left out). */
const yearlyPattern = /^M(\d+)\.([1-5])\.([0-6])(?:\/([-+\d:]+))?$/;

/** Returns the wall time of a change in a year, as if it were UTC. */
function readYearly(text = ''): (year: number) => number {
  const match = yearlyPattern.exec(text);
  if (match === null) throw new Error(`no rule of a change of clocks: ${text}`);
  const [, month, week, weekday, time = '2'] = match;
  const sinceMidnight = readHours(time);
  return (year) => {
    const first = Date.UTC(year, Number(month) - 1);
    const daysToWeekday = (Number(weekday) - new Date(first).getUTCDay() + 7) % 7;
    const date = first + (daysToWeekday + (Number(week) - 1) * 7) * day;
    const isInMonth = date < Date.UTC(year, Number(month));
    return (isInMonth ? date : date - 7 * day) + sinceMidnight;
  };
}

/** Reads `3`, `-1` or `12:45` in milliseconds. */
function readHours(text: string): number {
  return readOffset(/^[-+]/.test(text) ? text : `+${text}`);
}
