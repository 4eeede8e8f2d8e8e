import { day, hour, isoDate, isoInstant, minute } from '../../catalogue/time/time.ts';
import { instantsOf } from '../../catalogue/time/zone.ts';

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
    const ends = fullDate.exec(end)?.[0] ?? '';
    return {
      starts: start,
      ends,
      unread: ends === end ? null : 'endDate',
    };
  }
  if (end === '') return withDuration(from, duration);
  const clock = timeOfDay.exec(end)?.[1];
  if (clock !== undefined)
    return {
      ...withTimeOfDay(from, clock),
      unread: null,
    };
  const until = readMoment(end);
  const last = until?.date ?? fullDate.exec(end)?.[0] ?? '';
  const days = wholeDays(from, until, last);
  if (days !== null) return { ...days, unread: null };
  const starts = writeMoment(from);
  if (until === null)
    return {
      starts,
      ends: '',
      unread: 'endDate',
    };
  if (until.clock !== null)
    return {
      starts,
      ends: writeMoment(until),
      unread: null,
    };
  if (until.date <= from.date)
    return {
      starts,
      ends: '',
      unread: until.date < from.date ? 'endDate' : null,
    };
  return {
    starts,
    ends: endOfDay(until.date, from.offset, zone),
    unread: null,
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
function wholeDays(
  from: Moment,
  until: Moment | null,
  lastDate: string,
): Pick<TimeCells, 'starts' | 'ends'> | null {
  const isDate = from.clock === null;
  const isUntilMidnight =
    until === null || until.clock === null || isMidnight(until) || until.clock === '23:59';
  if (!isDate && !(isMidnight(from) && isUntilMidnight)) return null;
  const midnight = !isDate && until !== null && isMidnight(until) ? Date.parse(lastDate) : NaN;
  const last = Number.isNaN(midnight) ? lastDate : isoDate(midnight - day);
  return {
    starts: from.date,
    ends: last < from.date ? '' : last,
  };
}

function withTimeOfDay(from: Moment, clock: string): Pick<TimeCells, 'starts' | 'ends'> {
  const starts = writeMoment(from);
  if (from.clock === null) return { starts, ends: '' };
  const isNextDay = clock < from.clock;
  const date = isNextDay ? isoDate(Date.parse(from.date) + day) : from.date;
  return {
    starts,
    ends: writeMoment({ ...from, date, clock }),
  };
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

/** A length of ISO 8601 whose parts have fixed lengths: `PT2H30M`, `P3D`. */
const length =
  /^P(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,4}(?:[.,]5)?)H)?(?:(\d{1,5})M)?(?:\d+(?:\.\d+)?S)?)?$/i;

/** Returns a duration in milliseconds, or null. */
export function readDuration(text: string): number | null {
  const parts = length.exec(text);
  if (parts === null) return null;
  const [weeks = 0, days = 0, hours = 0, minutes = 0] = parts
    .slice(1)
    .map((part?: string) => Number((part ?? '0').replace(',', '.')));
  return (weeks * 7 + days) * day + hours * hour + minutes * minute;
}

function withDuration(from: Moment, duration: string): TimeCells {
  const time = readDuration(duration);
  const unread = duration !== '' && time === null ? 'duration' : null;
  const wholeDay = time === null || time % day === 0;
  const isDate = from.clock === null || (isMidnight(from) && wholeDay);
  const starts = isDate ? from.date : writeMoment(from);
  const midnight = Date.parse(from.date);
  if (time === null || time === 0 || Number.isNaN(midnight))
    return {
      starts,
      ends: '',
      unread,
    };
  if (isDate) {
    const days = Math.floor(time / day);
    return {
      starts,
      ends: days < 2 ? '' : isoDate(midnight + (days - 1) * day),
      unread,
    };
  }
  const [hours = 0, minutes = 0] = (from.clock ?? '').split(':').map(Number);
  const end = isoInstant(midnight + hours * hour + minutes * minute + time);
  const [date = '', rest = ''] = end.split('T');
  return {
    starts,
    ends: writeMoment({
      ...from,
      date,
      clock: rest.slice(0, 5),
    }),
    unread,
  };
}
