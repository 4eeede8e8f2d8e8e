import { day, hour, isoDate, isoOffset, minute, second } from './time.ts';
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
  | { readonly code: 'offset-conflict'; readonly offset: string };

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
  const date = written.slice(0, 10);
  const midnight = midnightOf(date);
  const clock = clockIn(written.slice(10));
  if (midnight === null || clock === null) return readUndated(written);
  if (typeof midnight === 'object') return midnight;
  if (clock === 'none') return dateAlone(date, midnight, zone);
  const wall = midnight + clock.sinceMidnight;
  if (clock.offset !== null) return atOffset(wall, clock.offset, clock.precision, zone);
  return zone === null ? { code: 'zone-missing' } : atWall(wall, date, clock.precision, zone);
}

const dateShape = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const clockShape = /^T([01]\d|2[0-3])(?::([0-5]\d)(?::([0-5]\d))?)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/;
const undatedShape = /^\d{4}(?:-(?:0[1-9]|1[0-2]|Q[1-4]))?$/;

function readUndated(written: string): StartReading {
  if (!undatedShape.test(written)) return { code: 'bad-starts' };
  return inYears(written) ? 'undated' : { code: 'year-out-of-range' };
}

function inYears(written: string): boolean {
  const year = +written.slice(0, 4);
  return year >= 1900 && year <= 2999;
}

/** Midnight UTC of a date, or what is wrong with it; null where it has not the shape of one. */
type Midnight = number | StartFault | null;

function readMidnight(date: string): Midnight {
  if (!dateShape.test(date)) return null;
  if (!inYears(date)) return { code: 'year-out-of-range' };
  const midnight = Date.UTC(+date.slice(0, 4), +date.slice(5, 7) - 1, +date.slice(8, 10));
  return new Date(midnight).getUTCDate() === +date.slice(8) ? midnight : { code: 'no-such-date' };
}

/** Few dates and clock times make up many starts, so each is read once. */
const midnightOf = remembering(readMidnight);
const clockIn = remembering(readClock);

/** A clock time as it is written; `offset` null where it is the zone's. */
interface Clock {
  readonly sinceMidnight: number;
  readonly precision: Precision;
  readonly offset: string | null;
}

/** Null where it has not the shape of a clock time. */
function readClock(written: string): Clock | 'none' | null {
  if (written === '') return 'none';
  const match = clockShape.exec(written);
  if (match === null) return null;
  const [, hours, minutes, seconds, offset = null] = match;
  return {
    sinceMidnight: +(hours ?? 0) * hour + +(minutes ?? 0) * minute + +(seconds ?? 0) * second,
    precision: seconds !== undefined ? 'second' : minutes !== undefined ? 'minute' : 'hour',
    offset,
  };
}

/** The date is real, the time is not: it is upcoming until it is over in its zone, or everywhere on Earth (UTC-12). */
function dateAlone(date: string, midnight: number, zone: string | null): Start {
  const next = midnight + day;
  const upcomingUntil = zone === null ? next + 12 * hour : firstInstantFrom(zone, next);
  return { precision: 'day', date, startsAt: midnight, upcomingUntil };
}

function atWall(wall: number, date: string, precision: Precision, zone: string): StartReading {
  const instants = instantsOf(zone, wall);
  const [startsAt] = instants;
  if (startsAt === undefined) return { code: 'skipped-time' };
  if (instants.length > 1) {
    return { code: 'repeated-time', offsets: instants.map((instant) => isoOffset(wall - instant)) };
  }
  return { precision, date, startsAt, upcomingUntil: startsAt };
}

function atOffset(wall: number, offset: string, precision: Precision, zone: string | null): StartReading {
  const startsAt = wall - offsetIn(offset);
  if (zone !== null && offset !== 'Z') {
    const real = offsetAt(zone, startsAt);
    if (startsAt + real !== wall) return { code: 'offset-conflict', offset: isoOffset(real) };
  }
  const date = isoDate(zone === null ? wall : wallAt(zone, startsAt));
  return { precision, date, startsAt, upcomingUntil: startsAt };
}

function offsetIn(written: string): number {
  if (written === 'Z') return 0;
  const size = +written.slice(1, 3) * hour + +written.slice(4, 6) * minute;
  return written.startsWith('-') ? -size : size;
}

/** The same function, which remembers its latest answers; so many that memory stays bounded. */
function remembering<T>(read: (written: string) => T): (written: string) => T {
  const answers = new Map<string, T>();
  return (written) => {
    const known = answers.get(written);
    if (known !== undefined) return known;
    if (answers.size === mostRemembered) answers.clear();
    const answer = read(written);
    answers.set(written, answer);
    return answer;
  };
}

const mostRemembered = 10_000;
