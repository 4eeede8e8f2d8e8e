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

/** The start and the end of a row as JSON files have them, and what is wrong with them. */
export interface Moments {
  readonly starts: string;
  /** Empty if the row has none. */
  readonly ends: string;
  readonly problems: Readonly<Partial<Record<Column, FoundProblem>>>;
  /** The cells that the row is read without. */
  readonly leftOut: readonly FoundProblem[];
}

type Cells = Readonly<Partial<Record<TableColumn, string>>>;

/**
 * Joins the dates and times of a row, which may be in one column or in four. `zone` is the zone of
 * the row, or empty.
 */
export function readMoments(cells: Cells, dates: DateOrder, zone: string): Moments {
  const { starts, ends, time: timeCell } = plainCells(cells, dates);
  const endTime = cells.end_time ?? '';
  const clockOfMoment = plainMoment.exec(timeCell)?.[1];
  const time = timeCell === starts ? '' : (clockOfMoment ?? timeCell);
  const [from, until] = time === '' ? ['', ''] : startBefore(time, endTime);
  const date = readDate(starts, dates);
  if (time === timeCell && contradicts(date, from)) {
    const problem = {
      code: 'two-times',
      start: starts,
      time,
    } as const;
    return {
      starts,
      ends,
      problems: { starts: problem },
      leftOut: [],
    };
  }

  // Two days in one cell. They have no hours.
  const days = ends === '' && date === null ? readDates(starts, dates) : null;
  if (days !== null) {
    const hours = [time, endTime].find((cell) => !isNoTime(cell));
    const problem = hours && ({ code: 'hours-left-out', found: hours } as const);
    return {
      starts: days[0],
      ends: days[1],
      problems: {},
      leftOut: problem ? [problem] : [],
    };
  }

  const problems: Partial<Record<Column, FoundProblem>> = {};
  const instant = plainInstant.test(timeCell) ? readDate(timeCell, dates) : null;
  const start = instant ?? (starts === '' ? '' : joinMoment(starts, from, dates));
  const isStart = typeof start === 'string';
  if (!isStart) problems.starts = start;

  const isMoment = plainMoment.test(endTime);
  const clock = isMoment ? '' : endTime || until;
  const isTimed = isStart && start.includes('T');
  const endOfMoment = isMoment && isTimed ? (readDate(endTime, dates) ?? '') : null;
  const end = endOfMoment ?? joinMoment(ends, clock, dates, true);
  const isEnd = typeof end === 'string';
  if (!isEnd) problems.ends = end;

  const first = isStart ? start : starts;
  const endText = clock || (clockAtEnd.exec(ends)?.[1] ?? ends);
  const later = isEnd ? endAfter(first, end, `${starts} ${from}`, endText) : ends;
  const [firstDay, lastDay] = joinDays(first, later ?? '', zone);
  // Keep the date if only the time is unreadable.
  const isDateOnly = !isStart && start.code === 'bad-time';
  // If an event with a start time ends on the same day and has no end time, its end is not known.
  const isSameDay = firstDay.startsWith(`${lastDay}T`);
  return {
    starts: isDateOnly ? (date?.slice(0, 10) ?? '') : firstDay,
    ends: isSameDay ? '' : lastDay,
    problems,
    leftOut: later === null ? [{ code: 'end-left-out', found: endText }] : [],
  };
}

/** Returns the cells of the start, the end and the time in the forms that people write. */
function plainCells(cells: Cells, dates: DateOrder) {
  let { starts = '', ends = '', time = '' } = cells;
  // Numbers that count seconds or milliseconds since 1970.
  const [start, end = readEpochs(ends)?.[0]] = readEpochs(starts) ?? [];
  if (start !== undefined) starts = textOfEpoch(start);
  if (end !== undefined) ends = textOfEpoch(end);
  // Databases export a date without a time as 2027-03-04 00:00:00.
  if (ends === '') starts = starts.replace(/^(\d{4}-\d\d-\d\d) 00:00:00$/, '$1');
  // Programs write a day beside a time as midnight.
  if (cells.time !== undefined) starts = starts.replace(midnight, '$1');
  const split = time === '' ? splitMoment(starts, dates) : null;
  if (split !== null) [starts, time] = split;
  return { starts, ends, time };
}

const midnight = /^(\d{4}-\d\d-\d\d)[T ]00:00(?::00(?:\.0+)?)?Z?$/;

function textOfEpoch(time: number): string {
  return time % day === 0 ? isoDate(time) : `${new Date(time).toISOString().slice(0, 19)}Z`;
}

/** Whether a start has a time that is not the one in the column of times. */
function contradicts(start: string | null, time: string): boolean {
  const [, clock] = /T(\d\d:\d\d)/.exec(start ?? '') ?? [];
  const columnTime = readTime(time);
  return clock !== undefined && columnTime !== null && !columnTime.startsWith(clock);
}

/** almanac's own CSV has the time as 2027-03-04 19:00 or, in UTC, 2027-03-04T18:00:00.000Z. */
const plainMoment = /^\d{4}-\d\d-\d\d[T ](\d\d:\d\d(?::\d\d)?)(?:\.000)?Z?$/;
/** The time of a moment without AM or PM. */
const clockAtEnd = / (\d\d?[:.]\d\d)$/;
const plainInstant = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

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
  const [, endDate = date, until = '', endOffset = ''] =
    /^(?:(.{10})T)?(\d\d:\d\d(?::\d\d)?)(.*)/.exec(end) ?? [];
  if (from === '' || until === '' || Number.isNaN(Date.parse(date))) return end;
  const offsetOfEnd = endOffset || offset;
  if (endOfDay.test(endText)) return dayAfter(endDate, '00:00', offsetOfEnd);

  const isDated = end.includes('T');
  const isAfter = isDated ? `${endDate}T${until}` > `${date}T${from}` : until > from;
  // With an offset of its own, an end needs a date.
  if (isAfter) return isDated || endOffset === '' ? end : `${date}T${end}`;

  const isMidnight = !isDated && from.startsWith('00:00') && until.startsWith('00:00');
  const isBare = !isMidnight && bareClock.test(endText);
  const isHalfClock = halfOfDay.test(startText.trim());
  if (isBare && isHalfClock && endDate === date) return nextOnHalfClock(date, from, until) + offset;
  if (isBare && !isHalfClock && !isOnWholeClock(startText, endText, from)) return null;
  return isDated ? end : dayAfter(date, until, offsetOfEnd);
}

const bareClock = /^\d\d?(?:[:.]\d\d)?(?::\d\d)?(?: ?(?:uhr|h))?$/i;

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
function joinDays(starts: string, ends: string, zone: string): readonly [string, string] {
  // An end without a date is on the day of the start.
  const end = /^\d\d:/.test(ends) ? `${starts.slice(0, 10)}T${ends}` : ends;
  const days = daysBetween(starts, end);
  return days ?? daysBetween(atPlace(starts, zone), atPlace(end, zone)) ?? [starts, ends];
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
