import { memoize } from './memoize.ts';
import { day, hour, readOffset } from './time.ts';

/**
 * Reads what clocks do in every year, as the text that ends a compiled zone file (RFC 9636, section
 * 3.3): `CET-1CEST,M3.5.0,M10.5.0/3`, or `<+04>-4` if they never change. Returns the offset from
 * UTC in milliseconds for an instant. Throws if the text has another shape.
 */
export function readClockRule(text: string): (instant: number) => number {
  const [, standardText, summerText, begin, end] = rulePattern.exec(text) ?? [];
  if (standardText === undefined) throw new Error(`no rule of clocks: ${text}`);
  const standard = readBehind(standardText);
  if (begin === undefined) return () => standard;
  const summer = summerText === undefined ? standard + hour : readBehind(summerText);
  const beginIn = readYearly(begin);
  const endIn = readYearly(end);
  const summerIn = memoize((year: number) => ({
    begin: beginIn(year) - standard,
    end: endIn(year) - summer,
  }));
  return (instant) => {
    const span = summerIn(new Date(instant).getUTCFullYear());
    const isBetween = span.begin <= instant !== span.end <= instant;
    // South of the equator, summer is what is not between the two.
    if (isBetween === span.begin < span.end) return summer;
    return standard;
  };
}

/** A name and its offset; for summer the same, where one hour more is left out, and two dates. */
const rulePattern =
  /^(?:[A-Za-z]+|<[^>]+>)([-+\d:]+)(?:(?:[A-Za-z]+|<[^>]+>)([-+\d:]+)?,([^,]+),([^,]+))?$/;

/** `M10.5.0/3`: month, week of the month (5 for the last), day of the week, hour (2 if left out). */
const yearlyPattern = /^M(\d+)\.([1-5])\.([0-6])(?:\/([-+\d:]+))?$/;

/** Returns the wall time of a change in a year, as if it were UTC. */
function readYearly(text = ''): (year: number) => number {
  const [, month, week, weekday, time = '2'] = yearlyPattern.exec(text) ?? [];
  if (month === undefined) throw new Error(`no rule of a change of clocks: ${text}`);
  const sinceMidnight = readHours(time);
  return (year) => {
    const first = Date.UTC(year, Number(month) - 1);
    const daysToWeekday = (Number(weekday) - new Date(first).getUTCDay() + 7) % 7;
    const date = first + (daysToWeekday + (Number(week) - 1) * 7) * day;
    const isInMonth = date < Date.UTC(year, Number(month));
    return (isInMonth ? date : date - 7 * day) + sinceMidnight;
  };
}

/** POSIX counts how far clocks are behind UTC. Returns how far they are ahead, in milliseconds. */
function readBehind(text: string): number {
  return 0 - readHours(text);
}

/** Reads `3`, `-1` or `12:45` in milliseconds. */
function readHours(text: string): number {
  return readOffset(/^[-+]/.test(text) ? text : `+${text}`);
}
