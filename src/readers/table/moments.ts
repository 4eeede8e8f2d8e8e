import { readInstant } from '../../catalogue/time/start.ts';
import { day, isoDate } from '../../catalogue/time/time.ts';
import { isZone, wallAt } from '../../catalogue/time/zone.ts';
import type { FoundProblem } from '../schema/finding.ts';
import type { DateOrder } from '../schema/rules.ts';
import type { Column, TableColumn } from './columns.ts';
import {
  endOfDay,
  isNoTime,
  joinMoment,
  readDate,
  readDates,
  readEpochs,
  readTime,
  splitMoment,
  splitTimes,
} from '../dates.ts';

/** The start and the end of a row, and what is wrong with them. */
export interface Moments {
  readonly problems: Readonly<Partial<Record<Column, FoundProblem>>>;
  /** The cells that the row is read without. */
  readonly leftOut: readonly FoundProblem[];
}

type Cells = Partial<Record<TableColumn, string>>;

/**
 * Joins the dates and times of a row, which may be in one column or in four, to `starts` and `ends`
 * as JSON files have them. `zone` is the zone of the row, or empty.
 */
export function readMoments(cells: Cells, dates: DateOrder, zone: string): Moments {
  readNumbers(cells);
  splitStart(cells, dates);
  const { starts = '', ends = '', time: timeCell = '', end_time: endTime = '' } = cells;
  const time = timeCell === starts ? '' : (plainMoment.exec(timeCell)?.[1] ?? timeCell);
  const [from, until] = time === '' ? ['', ''] : startBefore(time, endTime);
  if (time === timeCell && contradicts(readDate(starts, dates), from))
    return {
      problems: {
        starts: {
          code: 'two-times',
          start: starts,
          time,
        },
      },
      leftOut: [],
    };
  const leftOut: FoundProblem[] = [];
  const instant = plainInstant.test(timeCell) ? readDate(timeCell, dates) : null;
  const start = instant ?? (starts === '' ? '' : joinMoment(starts, from, dates));
  const span = ends === '' && readDate(starts, dates) === null ? readDates(starts, dates) : null;
  if (span !== null) {
    [cells.starts, cells.ends] = span;
    const hours = [time, endTime].find((cell) => !isNoTime(cell));
    if (hours !== undefined)
      leftOut.push({
        code: 'hours-left-out',
        found: hours,
      });
    return { problems: {}, leftOut };
  }
  const isMoment = plainMoment.test(endTime);
  const isTimed = typeof start === 'string' && start.includes('T');
  const clock = isMoment ? '' : endTime || until;
  const end =
    isMoment && isTimed ? (readDate(endTime, dates) ?? '') : joinMoment(ends, clock, dates, true);
  if (typeof start === 'string') cells.starts = start;
  const problems: Partial<Record<Column, FoundProblem>> = {};
  if (typeof end === 'string') {
    const startText = `${starts} ${from}`;
    const endText = clock || (clockAtEnd.exec(ends)?.[1] ?? ends);
    const moment = endAfter(cells.starts ?? '', end, startText, endText);
    cells.ends = moment ?? '';
    if (moment === null)
      leftOut.push({
        code: 'end-left-out',
        found: endText,
      });
  } else problems.ends = end;
  joinDays(cells, zone);
  // If an event with a start time ends on the same day and has no end time, its end is not known.
  if (cells.ends !== '' && cells.starts?.startsWith(`${cells.ends}T`) === true) cells.ends = '';
  if (typeof start !== 'string') {
    problems.starts = start;
    // Keep the date if only the time is unreadable.
    if (start.code === 'bad-time') cells.starts = readDate(starts, dates)?.slice(0, 10) ?? '';
  }
  return { problems, leftOut };
}

/** Divides a start with a time between the columns of dates and of times. */
function splitStart(cells: Cells, dates: DateOrder): void {
  // Databases export a date without a time as 2027-03-04 00:00:00.
  if (!cells.ends)
    cells.starts = (cells.starts ?? '').replace(/^(\d{4}-\d\d-\d\d) 00:00:00$/, '$1');
  const split = (cells.time ?? '') === '' ? splitMoment(cells.starts ?? '', dates) : null;
  if (split !== null) [cells.starts, cells.time] = split;
  // Programs write a day beside a time as midnight.
  if (cells.time !== undefined) cells.starts = (cells.starts ?? '').replace(midnight, '$1');
}

const midnight = /^(\d{4}-\d\d-\d\d)[T ]00:00(?::00(?:\.0+)?)?Z?$/;

/** Whether a start has a time that is not the one in the column of times. */
function contradicts(start: string | null, time: string): boolean {
  const [, clock] = /T(\d\d:\d\d)/.exec(start ?? '') ?? [];
  const columnTime = isNoTime(time) ? null : readTime(time);
  return clock !== undefined && columnTime !== null && !columnTime.startsWith(clock);
}

/** almanac's own CSV has the time as 2027-03-04 19:00 or, in UTC, 2027-03-04T18:00:00.000Z. */
const plainMoment = /^\d{4}-\d\d-\d\d[T ](\d\d:\d\d(?::\d\d)?)(?:\.000)?Z?$/;
/** The time of a moment without AM or PM. */
const clockAtEnd = / (\d\d?[:.]\d\d)$/;
const plainInstant = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Turns numbers that count seconds or milliseconds since 1970 into dates, or instants in UTC. */
function readNumbers(cells: Cells): void {
  const [start, end = readEpochs(cells.ends ?? '')?.[0]] = readEpochs(cells.starts ?? '') ?? [];
  if (start !== undefined) cells.starts = textOfEpoch(start);
  if (end !== undefined) cells.ends = textOfEpoch(end);
}

function textOfEpoch(time: number): string {
  return time % day === 0 ? isoDate(time) : `${new Date(time).toISOString().slice(0, 19)}Z`;
}

/**
 * Returns the start and the end of a cell with times. If only the end, in its own cell, has AM or
 * PM, the start is the last such time before it.
 */
function startBefore(time: string, endTime: string): readonly [string, string] {
  if (!/^\d\d?(?:[:.]\d\d)?$/.test(time) || !halfOfDay.test(endTime)) return splitTimes(time);
  const [start, end] = splitTimes(`${time} - ${endTime}`);
  return end === '' ? [time, ''] : [start, ''];
}

const halfOfDay = /[ap]\.? ?m\.?$|noon|midday/i;

/**
 * Returns the end of an event whose end has no date, or no AM or PM: the next such time after the
 * start. Null if nobody can say whether that is on the same day: `9:00` to `5:00`.
 *
 * @param startText the start as it is written
 * @param endText the time of the end as it is written
 */
function endAfter(start: string, end: string, startText: string, endText: string): string | null {
  const [, date = '', from = '', offset = ''] = /^(.{10})T([\d:]+)(.*)$/.exec(start) ?? [];
  const [, endDate = date, until = ''] = /^(?:(.{10})T)?(\d\d:\d\d(?::\d\d)?)/.exec(end) ?? [];
  const isDated = end.includes('T');
  if (from === '' || until === '' || Number.isNaN(Date.parse(date))) return end;
  const endOffset = end.replace(/^(?:.{10}T)?[\d:]+/, '');
  const isAfter = isDated ? `${endDate}T${until}` > `${date}T${from}` : until > from;
  // With an offset of its own, an end needs a date.
  if (endOfDay.test(endText)) return dayAfter(endDate, '00:00', endOffset || offset);
  if (isAfter) return isDated || endOffset === '' ? end : `${date}T${end}`;
  const isMidnight = from.startsWith('00:00') && until.startsWith('00:00');
  const isBare =
    !(isMidnight && !isDated) && /^\d\d?(?:[:.]\d\d)?(?::\d\d)?(?: ?(?:uhr|h))?$/i.test(endText);
  if (isBare && halfOfDay.test(startText.trim())) {
    if (endDate === date) return nextOnHalfClock(date, from, until) + offset;
  } else if (isBare && !isOnWholeClock(startText, endText, from)) return null;
  if (isDated) return end;
  return dayAfter(date, until, endOffset || offset);
}

function dayAfter(date: string, time: string, offset: string): string {
  return `${isoDate(Date.parse(date) + day)}T${time}${offset}`;
}

/** Returns the first moment after `from` at which a clock with twelve hours shows `until`. */
function nextOnHalfClock(date: string, from: string, until: string): string {
  const start = Date.parse(`${date}T${from}Z`);
  let end = Date.parse(`${date}T${until}Z`);
  while (end <= start) end += day / 2;
  return new Date(end).toISOString().slice(0, 11 + until.length);
}

/** Whether times without AM or PM are surely those of a clock with 24 hours. */
function isOnWholeClock(startText: string, endText: string, from: string): boolean {
  const hasTwoDigits = (text: string) =>
    /(?:^|[\sT])\d\d[:.]\d\d(?::\d\d)?\S*(?: (?:uhr|h))?$/i.test(text.trim());
  return from >= '13:00' || (hasTwoDigits(startText) && hasTwoDigits(endText));
}

/**
 * Turns a start and an end at midnight into dates, because calendars write whole days so. The last
 * day is included. Instants may be at midnight as they are written, or in the zone of their row.
 */
function joinDays(cells: Cells, zone: string): void {
  const { starts = '', ends = '' } = cells;
  // An end without a date is on the day of the start.
  const end = /^\d\d:/.test(ends) ? `${starts.slice(0, 10)}T${ends}` : ends;
  const days = daysBetween(starts, end) ?? daysBetween(atPlace(starts, zone), atPlace(end, zone));
  if (days !== null) [cells.starts, cells.ends] = days;
}

/** Returns the first and the last day of what lasts from midnight to midnight, or null. */
function daysBetween(starts: string, ends: string): readonly [string, string] | null {
  const [, first = '', offset = ''] = /^(.{10})T00:00(?::00)?(\D.*)?$/.exec(starts) ?? [];
  const [, until = '', clock = '', endOffset = offset] =
    /^(.{10})T(00:00|23:59)(?::\d\d)?(\D.*)?$/.exec(ends) ?? [];
  // The offset changes with the season.
  const areAlike = offset === endOffset || (/\d/.test(offset) && /\d/.test(endOffset));
  if (first === '' || until === '' || !areAlike) return null;
  const isExclusive = clock === '00:00' && until > first;
  const last = Date.parse(until) - (isExclusive ? day : 0);
  return last < Date.parse(first) || Number.isNaN(last) ? null : [first, isoDate(last)];
}

/** Returns an instant as its local time in a zone. Returns other texts as they are. */
function atPlace(moment: string, zone: string): string {
  const withSeconds = moment.replace(/(T\d\d:\d\d)(?=[Z+-])/, '$1:00');
  const instant = isZone(zone) ? readInstant(withSeconds) : null;
  if (instant === null) return moment;
  return new Date(wallAt(zone, instant)).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length);
}
