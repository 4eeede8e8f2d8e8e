import { day, hour, isoDate, isoInstant, minute } from '../../catalogue/time/time.ts';
import { instantsOf } from '../../catalogue/time/zone.ts';
import { readDuration } from '../ics/property.ts';

/** The times of an event as a page has them. */
export interface WrittenTimes {
  readonly start: string;
  readonly end: string;
  readonly duration: string;
}

/** The times of an event as a table has them. */
export interface TimeCells {
  readonly starts: string;
  readonly ends: string;
  /** The name of the property that cannot be read, or null. */
  readonly unread: 'endDate' | 'duration' | null;
  /** The zone of a schedule. */
  readonly zone?: string;
}

/** A date, or a date with a clock time. */
export interface Moment {
  readonly date: string;
  readonly clock: string | null;
  readonly offset: string;
}

/**
 * Reads when an event starts and ends. An end is a date, a time, a time of day, or a duration. A time
 * that ends on a day without a time ends with that day, in the zone of the page.
 */
export function readTimes({ start, end, duration }: WrittenTimes, zone: string | null): TimeCells {
  const from = readMoment(start);
  if (from === null) {
    const [ends = ''] = fullDate.exec(end) ?? [];
    return cells(start, ends, ends === end ? null : 'endDate');
  }
  if (end === '') return withDuration(from, duration);
  const [, clock] = timeOfDay.exec(end) ?? [];
  if (clock !== undefined) return withTimeOfDay(from, clock);
  const to = readMoment(end);
  if (isWholeDay(from, to)) return cells(from.date, lastDate(from, to, end));
  const starts = writeMoment(from);
  if (to === null) return cells(starts, '', 'endDate');
  if (to.clock !== null) return cells(starts, writeMoment(to));
  if (to.date < from.date) return cells(starts, '', 'endDate');
  return cells(starts, to.date === from.date ? '' : endOfDay(to.date, from.offset, zone));
}

function cells(starts: string, ends: string, unread: TimeCells['unread'] = null): TimeCells {
  return {
    starts,
    ends,
    unread,
  };
}

/** Reads a date or time. Returns null if it is none. */
export function readMoment(text: string): Moment | null {
  // Some pages write 2027-3-4T9:30, and some the zone as well.
  const padded = text.replace(/(?<!\d)\d(?=[-:T ]|$)/g, '0$&').replace(/\[[^\]]*\]$/, '');
  const groups = moment.exec(padded)?.groups;
  if (groups === undefined) return null;
  const { date = '', clock = null, offset = '' } = groups;
  return {
    date,
    clock,
    offset: offsetOf(offset),
  };
}

const moment =
  /^(?<date>\d{4}-\d\d-\d\d)(?:[T ](?<clock>\d\d(?::\d\d)?)(?::\d\d(?:[.,]\d+)?)? ?(?<offset>Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?)?$/i;
const fullDate = /^\d{4}-\d\d-\d\d/;
const timeOfDay = /^T?(\d\d:\d\d)(?::\d\d)?$/;

function offsetOf(text: string): string {
  if (/^[a-z]/i.test(text)) return 'Z';
  return text.replace(
    /^([+-]\d\d):?(\d\d)?$/,
    (_, hours: string, minutes = '00') => `${hours}:${minutes}`,
  );
}

function writeMoment({ date, clock, offset }: Moment): string {
  return clock === null ? date : `${date}T${clock}${offset}`;
}

function isMidnight({ clock, offset }: Moment): boolean {
  return (clock === '00:00' || clock === '00') && offset !== 'Z';
}

/** Many pages write a date as midnight, and the end of whole days as midnight or a minute before. */
function isWholeDay(from: Moment, to: Moment | null): boolean {
  const isUntilMidnight =
    to === null || to.clock === null || isMidnight(to) || to.clock === '23:59';
  return from.clock === null || (isMidnight(from) && isUntilMidnight);
}

/** Returns the last of several whole days, or '' if the end is before the start. */
function lastDate(from: Moment, to: Moment | null, end: string): string {
  const date = to?.date ?? fullDate.exec(end)?.[0] ?? '';
  const isNextMidnight = from.clock !== null && to !== null && isMidnight(to);
  const midnight = isNextMidnight ? Date.parse(date) : NaN;
  const last = Number.isNaN(midnight) ? date : isoDate(midnight - day);
  return last < from.date ? '' : last;
}

function withTimeOfDay(from: Moment, clock: string): TimeCells {
  const starts = writeMoment(from);
  if (from.clock === null) return cells(starts, '');
  const isNextDay = clock < from.clock;
  const date = isNextDay ? isoDate(Date.parse(from.date) + day) : from.date;
  return cells(
    starts,
    writeMoment({
      ...from,
      date,
      clock,
    }),
  );
}

/** Returns the midnight after a day: in the zone if there is one, else with the offset of the start. */
function endOfDay(date: string, offset: string, zone: string | null): string {
  const midnight = Date.parse(date) + day;
  if (Number.isNaN(midnight)) return date;
  const next = isoDate(midnight);
  if (offset === '' || zone === null) return `${next}T00:00${offset}`;
  const [instant] = instantsOf(zone, midnight);
  return instant === undefined ? '' : `${isoInstant(instant).slice(0, 16)}Z`;
}

/** Returns a duration in milliseconds, or null. */
export function millisecondsOf(duration: string): number | null {
  try {
    const { days, milliseconds } = readDuration(duration);
    return days * day + milliseconds;
  } catch {
    return null;
  }
}

function withDuration(from: Moment, duration: string): TimeCells {
  const time = millisecondsOf(duration);
  const unread = duration !== '' && time === null ? 'duration' : null;
  const isDate = from.clock === null || (isMidnight(from) && (time ?? 0) % day === 0);
  const starts = isDate ? from.date : writeMoment(from);
  const midnight = Date.parse(from.date);
  if (time === null || time <= 0 || Number.isNaN(midnight)) return cells(starts, '', unread);
  if (isDate) {
    const days = Math.floor(time / day);
    return cells(starts, days < 2 ? '' : isoDate(midnight + (days - 1) * day));
  }
  const [hours = 0, minutes = 0] = (from.clock ?? '').split(':').map(Number);
  const [date = '', rest = ''] = isoInstant(
    midnight + hours * hour + minutes * minute + time,
  ).split('T');
  return cells(
    starts,
    writeMoment({
      ...from,
      date,
      clock: rest.slice(0, 5),
    }),
  );
}
