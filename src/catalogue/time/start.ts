import { day, hour, isoDate, isoOffset, minute, readOffset, second } from './time.ts';
import { firstInstantFrom, instantsOf, offsetAt, wallAt } from './zone.ts';

/** The finest unit of a start that is real (specification 2.5). */
type Precision = 'day' | 'hour' | 'minute' | 'second';

/** When an event starts. Instants in milliseconds since 1970. */
export interface Start {
  readonly precision: Precision;
  /** The calendar date `YYYY-MM-DD` where the event happens. */
  readonly date: string;
  /** The instant; midnight UTC of `date` where only the date is real. */
  readonly startsAt: number;
  /** The instant at which the event stops being upcoming. */
  readonly upcomingUntil: number;
}

/** What is wrong with a written start. */
export type StartFault =
  | { readonly code: 'bad-starts' | 'no-such-date' | 'year-out-of-range' | 'zone-missing' }
  | { readonly code: 'skipped-time' }
  | { readonly code: 'repeated-time'; readonly offsets: readonly string[] }
  | { readonly code: 'offset-conflict'; readonly offsets: readonly string[] };

/** `undated`: announced for a month, a quarter or a year, so there is no real date to publish. */
export type StartReading = Start | 'undated' | StartFault;

export function isStart(reading: StartReading): reading is Start {
  return typeof reading === 'object' && 'date' in reading;
}

/**
 * Reads a start as a source writes it (ISO 8601 in reduced precision), in `zone` where one is given.
 * The zone must be one that `isZone` accepts. A time that is not known keeps its date alone: the time rule of
 * the specification, section 1.
 */
export function readStart(written: string, zone: string | null): StartReading {
  const midnight = midnightOf(written);
  const clock = written.length === 10 ? 'none' : clockIn(written);
  if (midnight === null || clock === null) return readUndated(written);
  if (typeof midnight === 'object') return midnight;
  const date = written.slice(0, 10);
  if (clock === 'none') return dateAlone(date, midnight, zone);
  const wall = midnight + clock.sinceMidnight;
  if (clock.offset !== null) return atOffset(wall, clock.offset, clock.precision, zone);
  return zone === null ? { code: 'zone-missing' } : atWall(wall, date, clock.precision, zone);
}

const offsetShape = /^[+-](?:[01]\d|2[0-3]):[0-5]\d$/;
const undatedShape = /^\d{4}(?:-(?:0[1-9]|1[0-2]|Q[1-4]))?$/;

function readUndated(written: string): StartReading {
  if (!undatedShape.test(written)) return { code: 'bad-starts' };
  return isPublishable(digits(written, 0, 4)) ? 'undated' : { code: 'year-out-of-range' };
}

function isPublishable(year: number): boolean {
  return year >= 1900 && year <= 2999;
}

/** Midnight UTC of a date, or what is wrong with it; null where it has not the shape of one. */
function midnightOf(written: string): number | StartFault | null {
  if (written.length < 10 || written[4] !== '-' || written[7] !== '-') return null;
  const [year, month, date] = [digits(written, 0, 4), digits(written, 5, 7), digits(written, 8, 10)];
  if (!(year >= 0 && month >= 1 && month <= 12 && date >= 1 && date <= 31)) return null;
  if (!isPublishable(year)) return { code: 'year-out-of-range' };
  return date <= daysIn(year, month) ? Date.UTC(year, month - 1, date) : { code: 'no-such-date' };
}

/** The number that the digits from one place to another write; NaN where one of them is no digit. */
function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let index = from; index < to; index++) {
    const digit = text.charCodeAt(index) - zero;
    value = digit >= 0 && digit <= 9 ? value * 10 + digit : NaN;
  }
  return value;
}

const zero = '0'.charCodeAt(0);

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** A clock time as it is written; `offset` null where it is the zone's. */
interface Clock {
  readonly sinceMidnight: number;
  readonly precision: Precision;
  readonly offset: string | null;
}

/** What follows the date: `T20`, `T20:00`, `T20:00:30`, each with an offset or without. Null where it is not of this shape. */
function clockIn(written: string): Clock | null {
  const hours = written[10] === 'T' ? digits(written, 11, 13) : NaN;
  const hasMinutes = written[13] === ':';
  const hasSeconds = hasMinutes && written[16] === ':';
  const minutes = hasMinutes ? digits(written, 14, 16) : 0;
  const seconds = hasSeconds ? digits(written, 17, 19) : 0;
  const end = hasSeconds ? 19 : hasMinutes ? 16 : 13;
  const offset = written.length === end ? null : written.slice(end);
  if (!(hours <= 23 && minutes <= 59 && seconds <= 59) || (offset !== null && !isOffset(offset))) return null;
  return {
    sinceMidnight: hours * hour + minutes * minute + seconds * second,
    precision: hasSeconds ? 'second' : hasMinutes ? 'minute' : 'hour',
    offset,
  };
}

function isOffset(written: string): boolean {
  return written === 'Z' || offsetShape.test(written);
}

/** The date is real, the time is not: it is upcoming until it is over in its zone, or everywhere on Earth (UTC-12). */
function dateAlone(date: string, midnight: number, zone: string | null): Start {
  const next = midnight + day;
  const upcomingUntil = zone === null ? next + 12 * hour : firstInstantFrom(zone, next);
  return { precision: 'day', date, startsAt: midnight, upcomingUntil };
}

function atWall(wall: number, date: string, precision: Precision, zone: string): StartReading {
  const instants = instantsOf(zone, wall);
  const startsAt = instants[0];
  if (startsAt === undefined || instants.length > 1) return faultAt(wall, instants, 'repeated-time');
  return { precision, date, startsAt, upcomingUntil: startsAt };
}

/** What is wrong with a time that clocks show at these instants, each with its offset: at none of them it is skipped. */
function faultAt(wall: number, instants: readonly number[], code: 'repeated-time' | 'offset-conflict'): StartFault {
  if (instants.length === 0) return { code: 'skipped-time' };
  return { code, offsets: instants.map((instant) => isoOffset(wall - instant)) };
}

function atOffset(wall: number, offset: string, precision: Precision, zone: string | null): StartReading {
  const startsAt = wall - (offset === 'Z' ? 0 : readOffset(offset));
  if (zone !== null && offset !== 'Z') {
    if (startsAt + offsetAt(zone, startsAt) !== wall) return faultAt(wall, instantsOf(zone, wall), 'offset-conflict');
  }
  const date = isoDate(zone === null ? wall : wallAt(zone, startsAt));
  return { precision, date, startsAt, upcomingUntil: startsAt };
}
