import { isValid } from 'date-fns/isValid';
import { parseISO } from 'date-fns/parseISO';
import { memoize } from './memoize.ts';
import { day, isoDate, isoOffset, readOffset } from './time.ts';
import { endOfDate, instantsOf, wallAt } from './zone.ts';

/** The finest unit of a start that is real (specification 2.5). */
export type Precision = 'day' | 'hour' | 'minute' | 'second';

/** When an event starts. Instants are milliseconds since the Unix epoch. */
export interface Start {
  readonly precision: Precision;
  /** The calendar date `YYYY-MM-DD` where the event happens. */
  readonly date: string;
  /** Midnight UTC of `date` if only the date is real. */
  readonly startsAt: number;
  /** The instant at which the event stops being upcoming. */
  readonly upcomingUntil: number;
  /**
   * How far clocks at the place are ahead of UTC at the start, in milliseconds. 0 if only the date
   * is real.
   */
  readonly offset: number;
}

/** A month, quarter, half or year for which an event is announced that has no date yet. */
export interface Period {
  /** As its source writes it: `2027-06`, `2027-Q2`, `2027-H1` or `2027`. */
  readonly period: string;
  /** Its first and last date, `YYYY-MM-DD`. */
  readonly window: { readonly from: string; readonly until: string };
  /** The instant at which its last date is over, in milliseconds since the Unix epoch. */
  readonly announcedUntil: number;
}

export type StartFault =
  | {
      readonly code:
        | 'bad-starts'
        | 'no-such-date'
        | 'year-out-of-range'
        | 'zone-missing'
        | 'skipped-time';
    }
  | { readonly code: 'repeated-time' | 'offset-conflict'; readonly offsets: readonly string[] };

/**
 * A start, the period for which an event without a date is announced, or the reason why it is
 * neither.
 */
export type StartReading = Start | Period | StartFault;

/** Whether a start could be read and is a date, not a period. */
export function isStart(reading: StartReading): reading is Start {
  return 'date' in reading;
}

const datePattern = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const clockPattern =
  /^(T(?:[01]\d|2[0-3])(?::[0-5]\d(?::[0-5]\d)?)?)(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/;
const dateLength = 'yyyy-mm-dd'.length;

/**
 * Reads a start as a source writes it (ISO 8601 in reduced precision), in a valid zone if the
 * source gives one.
 *
 * @param isInherited whether the zone comes from the subject, genre or service, so the start may
 * have another offset
 */
export function readStart(text: string, zone: string | null, isInherited = false): StartReading {
  const date = readDate(text.slice(0, dateLength));
  const clock = text.length > dateLength ? readClock(text.slice(dateLength)) : 'none';
  if (date === null || clock === null) return announcedFor(text, zone);
  if ('code' in date) return date;
  if (clock === 'none') return dateAlone(date, zone);
  const wall = date.midnight + clock.sinceMidnight;
  const { offset, precision } = clock;
  if (offset !== null) return atOffset(wall, { offset, precision }, zone, isInherited);
  if (zone === null) return { code: 'zone-missing' };
  return atWall(wall, date.text, precision, zone);
}

function announcedFor(text: string, zone: string | null): StartReading {
  const period = readPeriod(text, zone);
  if (period === null) return { code: 'bad-starts' };
  if (isPublishableYear(text)) return period;
  return { code: 'year-out-of-range' };
}

function isPublishableYear(text: string): boolean {
  const year = Number(text.slice(0, 4));
  return year >= 1900 && year <= 2999;
}

/** A date, and its midnight UTC. */
type CalendarDate = { readonly text: string; readonly midnight: number };

/**
 * Reads a date `YYYY-MM-DD`; null if it has another shape. Each date occurs often in a catalogue.
 */
const readDate = memoize((text: string): CalendarDate | StartFault | null => {
  if (!datePattern.test(text)) return null;
  if (!isPublishableYear(text)) return { code: 'year-out-of-range' };
  const midnight = parseISO(`${text}T00:00Z`);
  return isValid(midnight)
    ? {
        text,
        midnight: midnight.getTime(),
      }
    : { code: 'no-such-date' };
});

/**
 * Reads the rest after a date: `T20`, `T20:00` or `T20:00:30`, with or without an offset. Each
 * occurs often.
 */
const readClock = memoize((text: string) => {
  // The offset is as written, `Z` or `±hh:mm`. A time without one is in the zone.
  const [, clock, offset = null] = clockPattern.exec(text) ?? [];
  if (clock === undefined) return null;
  let precision: Precision = 'second';
  if (clock.length === 3) precision = 'hour';
  else if (clock.length === 6) precision = 'minute';
  return {
    sinceMidnight: parseISO(`1970-01-01${clock}Z`).getTime(),
    precision,
    offset,
  };
});

/** Only the date is real: the event is upcoming until that date is over. */
function dateAlone({ text, midnight }: CalendarDate, zone: string | null): Start {
  return {
    precision: 'day',
    date: text,
    startsAt: midnight,
    upcomingUntil: endOfDate(zone, midnight),
    offset: 0,
  };
}

function atWall(wall: number, date: string, precision: Precision, zone: string): StartReading {
  const instants = instantsOf(zone, wall);
  const startsAt = instants[0];
  if (startsAt === undefined || instants.length > 1)
    return faultAt(wall, instants, 'repeated-time');
  return {
    precision,
    date,
    startsAt,
    upcomingUntil: startsAt,
    offset: wall - startsAt,
  };
}

function atOffset(
  wall: number,
  { offset, precision }: { readonly offset: string; readonly precision: Precision },
  zone: string | null,
  isInherited: boolean,
): StartReading {
  const startsAt = wall - (offset === 'Z' ? 0 : readOffset(offset));
  const local = zone === null ? wall : wallAt(zone, startsAt);
  if (zone !== null && !isInherited && offset !== 'Z' && local !== wall) {
    return faultAt(wall, instantsOf(zone, wall), 'offset-conflict');
  }
  return {
    precision,
    date: isoDate(local),
    startsAt,
    upcomingUntil: startsAt,
    offset: local - startsAt,
  };
}

/** The fault of a wall time that clocks show at these instants, with the offsets that are right. */
function faultAt(
  wall: number,
  instants: readonly number[],
  code: 'repeated-time' | 'offset-conflict',
): StartFault {
  if (instants.length === 0) return { code: 'skipped-time' };
  return {
    code,
    offsets: instants.map((instant) => isoOffset(wall - instant)),
  };
}

/**
 * Reads a period in a zone, or everywhere on Earth without one. Returns null if the text has
 * another shape.
 */
export function readPeriod(text: string, zone: string | null): Period | null {
  const [, year, month, quarter, half] = periodPattern.exec(text) ?? [];
  if (year === undefined) return null;
  const number = Number(month ?? quarter ?? half ?? 1);
  let length = 12;
  if (month) length = 1;
  else if (quarter) length = 3;
  else if (half) length = 6;
  const from = Date.UTC(+year, (number - 1) * length);
  const lastDay = Date.UTC(+year, number * length) - day;
  const window = {
    from: isoDate(from),
    until: isoDate(lastDay),
  };
  return {
    period: text,
    window,
    announcedUntil: endOfDate(zone, lastDay),
  };
}

const periodPattern = /^(\d{4})(?:-(?:(0[1-9]|1[0-2])|Q([1-4])|H([12])))?$/;

/**
 * Reads an RFC 3339 instant with an offset. Returns null if it is none, or if its year in UTC has
 * not four digits.
 */
export function readInstant(text: string): number | null {
  if (!rfc3339.test(text)) return null;
  const instant = parseISO(text.toUpperCase());
  if (isValid(instant) && /^\d/.test(instant.toISOString())) return instant.getTime();
  return null;
}

const rfc3339 =
  /^\d{4}-\d{2}-\d{2}[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;
