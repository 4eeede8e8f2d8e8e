import { day, isoInstant, isoOffset, minute } from '../../catalogue/time/time.ts';
import { nearestZone } from '../../catalogue/time/zone.ts';
import { readDuration, readProperty, startOfValue, type Length } from './property.ts';
import { FoundError } from '../schema/finding.ts';
import type { EventSource } from '../schema/source-types.ts';
import { readWall } from './rule.ts';
import type { Clock, Clocks } from './time-zone.ts';

/** A date or time in a calendar. Without a clock, it is a date or a floating time. */
export interface Moment {
  /** The wall time in milliseconds since 1970, as if it were UTC. Midnight for a date alone. */
  readonly wall: number;
  readonly isDate: boolean;
  readonly clock: Clock | null;
  /** How long an occurrence lasts that RDATE gives as a period. */
  readonly length?: Length;
}

/** Reads the date or time of a DTSTART or RECURRENCE-ID. */
export function readMoment(line: string, clocks: Clocks): Moment {
  const [moment] = readMoments(line, clocks);
  if (moment === undefined) throw new Error('it has no value');
  return moment;
}

/**
 * Reads the dates, times and periods of a line. An RDATE or EXDATE may list many, and some programs
 * write one without any.
 */
export function readMoments(line: string, clocks: Clocks): Moment[] {
  const { values, tzid } = readProperty(line);
  return values.map((value) => {
    const [first = '', last] = value.split('/');
    const moment = momentOf(first, tzid, clocks);
    if (last === undefined) return moment;
    const start = { moment, text: first };
    const length = last.startsWith('P')
      ? readDuration(last)
      : lengthBetween(start, momentOf(last, tzid, clocks), last);
    return {
      ...moment,
      length: checkLength(length, last, first),
    };
  });
}

function momentOf(text: string, tzid: string | null, clocks: Clocks): Moment {
  // Some programs write a Z after a date.
  const value = text.replace(/^(\d{8})Z$/, '$1');
  if (!momentShape.test(value)) {
    throw new Error(
      'expected a date such as 20270131, or a time such as 20270131T120000, with a Z at the end for UTC',
    );
  }
  const read = readWall(value);
  if (read === null) throw new Error('it is not a date or time that exists');
  const { wall, isDate, isUtc } = read;
  if (isDate) return { wall, isDate, clock: null };
  const clock = isUtc ? clocks.ofInstants : clockOf(tzid, clocks);
  return { wall, isDate, clock };
}

const momentShape = /^\d{8}(?:T\d{6}Z?)?$/;

function clockOf(tzid: string | null, clocks: Clocks): Clock | null {
  if (tzid === null) return clocks.ofCalendar;
  const clock = clocks.named(tzid);
  if (clock === null)
    throw new FoundError({
      code: 'unknown-zone',
      found: tzid,
      nearest: nearestZone(tzid),
    });
  return clock;
}

/**
 * Reads a moment as one of a series: a date as written among dates, otherwise in the zone of the
 * series.
 */
export function inSeries(moment: Moment, start: Moment): Moment {
  // A midnight that was converted to UTC is that of a date where the calendar shows it.
  if (start.isDate) return moment.wall % day === 0 ? dateOf(moment) : shownDate(moment);
  if (moment.isDate || (moment.clock !== null && start.clock !== null)) return moment;
  return {
    ...moment,
    clock: start.clock,
  };
}

/**
 * Returns a text that is equal for equal moments, independent of the zone in which they are
 * written.
 */
export function keyOf({ wall, isDate, clock }: Moment): string {
  if (isDate) return `date ${wall}`;
  return clock === null ? `floating ${wall}` : `instant ${clock.instantAt(wall)}`;
}

/** Returns only the date. Some calendars exclude and replace whole days. */
export function dateOf(moment: Moment): Moment {
  return {
    wall: Math.floor(moment.wall / day) * day,
    isDate: true,
    clock: null,
  };
}

/** Returns the date where the calendar shows a moment. */
function shownDate(moment: Moment): Moment {
  return dateOf({
    ...moment,
    wall: localWall(moment),
  });
}

/** Returns the same moment in the zone of another; unchanged if either has none. */
export function inZoneOf({ clock }: Moment, moment: Moment): Moment {
  if (moment.clock === null || clock === null) return moment;
  return {
    ...moment,
    wall: clock.wallAt(moment.clock.instantAt(moment.wall)),
    clock,
  };
}

/** Returns a date at the time of day at which a series starts. */
export function onDate(date: Moment, start: Moment): Moment {
  return {
    ...start,
    wall: date.wall + (start.wall - dateOf(start).wall),
  };
}

type WrittenStart = { readonly moment: Moment; readonly text: string };

/** Reads how long an event lasts from its DTEND or DURATION. Throws if it ends before it starts. */
export function readLength(line: string, start: WrittenStart, clocks: Clocks): Length {
  const isDuration = /^DURATION[:;]/i.test(line);
  const length = isDuration
    ? readDuration(line.slice(startOfValue(line)))
    : lengthBetween(start, readMoment(line, clocks), line);
  return checkLength(length, line, start.text);
}

function checkLength(length: Length, line: string, starts: string): Length {
  if (length.days >= 0 && length.milliseconds >= 0) return length;
  throw new FoundError({
    code: 'ends-before-starts',
    found: line,
    starts,
  });
}

/** Each occurrence of a repeating event lasts exactly as long (RFC 5545, section 3.8.5.3). */
function lengthBetween({ moment: start, text }: WrittenStart, end: Moment, line: string): Length {
  if (start.isDate !== end.isDate)
    throw new FoundError({
      code: 'ends-imprecise',
      found: line,
      starts: text,
    });
  // A date that ends when it starts means that day.
  if (start.isDate)
    return {
      days: end.wall === start.wall ? 1 : (end.wall - start.wall) / day,
      milliseconds: 0,
    };
  if (start.clock === null)
    return {
      days: 0,
      milliseconds: end.wall - start.wall,
    };
  const endsAt = (end.clock ?? start.clock).instantAt(end.wall);
  return {
    days: 0,
    milliseconds: endsAt - start.clock.instantAt(start.wall),
  };
}

function endAfter({ wall, isDate, clock }: Moment, { days, milliseconds }: Length): number {
  const date = wall + days * day;
  if (isDate) return date + Math.ceil(milliseconds / day) * day;
  return (clock === null ? date : clock.instantAt(date)) + milliseconds;
}

/** Returns the wall time of a moment where the calendar shows it. */
export function localWall({ wall, clock }: Moment): number {
  return clock?.shown?.wallAt(wall) ?? wall;
}

/** Returns the wall time at which an event that starts at a moment ends, where it is shown. */
export function wallOfEnd(start: Moment, length: Length): number {
  const end = endAfter(start, length);
  const { clock } = start;
  return clock === null ? end : (clock.shown ?? clock).wallAt(end);
}

/** Returns how long an occurrence lasts at most, in milliseconds. */
export function longestOf(length: Length | null): number {
  return length === null ? 0 : Math.min(length.days * day + length.milliseconds, maxLength);
}

/**
 * Longer occurrences count as this long; otherwise a rule would be expanded from a time long ago.
 */
const maxLength = 366 * day;

/**
 * Writes a start as a source does. Calendars always write seconds, so 0 seconds are known to the
 * minute.
 */
export function writeStart({ wall, isDate, clock }: Moment): Pick<EventSource, 'starts' | 'zone'> {
  if (isDate || clock === null) return { starts: isoInstant(wall).slice(0, 10) };
  const instant = clock.instantAt(wall);
  const shown = shownBy(clock);
  const local = shown.wallAt(instant);
  const zone = zoneAt(shown, local);
  const starts = writeInstant(instant, zone, local - instant, instant % minute === 0);
  // Where only the calendar describes a zone, no other zone must take its place.
  const isOwn = zone !== null || shown.zoneAt !== undefined;
  return { starts, ...(isOwn && { zone }) };
}

/** Returns the clock in which a time is shown: for instants, that of a calendar with a zone of its own. */
function shownBy(clock: Clock): Clock {
  const { shown } = clock;
  return clock.zone === null && shown?.zoneAt !== undefined ? shown : clock;
}

/** Writes the first and the last day of an event that lasts whole days although it has times. */
export function writeDays(start: Moment, days: number): Pick<EventSource, 'starts' | 'ends'> {
  const wall = localWall(start);
  // A midnight that was converted to UTC is up to half a day away from the one of the date.
  const isConverted = start.clock?.shown !== undefined && wall % day !== 0;
  const first = (isConverted ? Math.round(wall / day) : Math.floor(wall / day)) * day;
  const last = first + (days - 1) * day;
  return {
    starts: isoInstant(first).slice(0, 10),
    ends: isoInstant(last).slice(0, 10),
  };
}

/**
 * Writes the end of an event that starts at a moment. The last day of a date, or of a floating
 * time, is included.
 */
export function writeEnd(start: Moment, length: Length): string {
  const { wall, isDate, clock } = start;
  const end = endAfter(start, length);
  if (isDate || clock === null) return isoInstant(Math.max(wall, end - 1)).slice(0, 10);
  const isWhole = end % minute === 0 && clock.instantAt(wall) % minute === 0;
  const shown = shownBy(clock);
  return writeInstant(end, zoneAt(shown, wall), shown.wallAt(end) - end, isWhole);
}

function zoneAt(clock: Clock, wall: number): string | null {
  return clock.zoneAt === undefined ? clock.zone : clock.zoneAt(wall);
}

function writeInstant(
  instant: number,
  zone: string | null,
  offset: number,
  isWholeMinute: boolean,
): string {
  const digits = isWholeMinute ? 16 : 19;
  const isLocal = zone === null && offset !== 0 && offset % minute === 0;
  return (
    isoInstant(isLocal ? instant + offset : instant).slice(0, digits) +
    (isLocal ? isoOffset(offset) : 'Z')
  );
}
