import { day, isoDate } from '../../catalogue/time/time.ts';
import { attendances, maxTags, readChoice, statuses, type DateOrder } from '../schema/rules.ts';
import { readCountry } from '../schema/country.ts';
import { writableId } from '../schema/event-ids.ts';
import { plain, plainLines } from '../plain.ts';
import { slug } from '../../catalogue/id.ts';
import type { FoundProblem } from '../schema/finding.ts';
import { booleanOf, fields, type Column, type TableColumn } from './columns.ts';
import {
  footnote,
  isNoTime,
  joinMoment,
  readDate,
  readDates,
  splitMoment,
  splitTimes,
  withoutZone,
} from '../dates.ts';
import type { Table } from './table.ts';
import { fillTemplate } from './header.ts';

/** The cells of a row by our columns, written as in a table that has only these. */
export interface MappedRow {
  readonly cells: Partial<Record<TableColumn, string>>;
  readonly problems: Readonly<Partial<Record<Column, FoundProblem>>>;
  readonly leftOut?: FoundProblem;
}

type Moments = Omit<MappedRow, 'cells'>;

/**
 * Reads the cells of a row as people write them, and joins values that are spread over several
 * columns.
 */
export function mapRow(row: readonly string[], { layout, dates, file }: Table): MappedRow {
  const { read, title } = layout;
  const cells: Partial<Record<TableColumn, string>> = {};
  for (const [column, index] of read) {
    const written = row[index]?.trim() ?? '';
    cells[column] = written === '' ? '' : valueOf(column, written, file);
  }
  if (title !== null) cells.title = plain(fillTemplate(title, row));
  return { cells, ...readMoments(cells, dates) };
}

function valueOf(column: TableColumn, written: string, { mapping, genre }: Table['file']): string {
  const field = fields[column as Column];
  if (field?.type === 'boolean') return booleanOf(written);
  if (mapping === undefined) return written;
  if (/^(?:starts|ends|time|end_time)$/.test(column))
    return withoutZone(written, mapping.zone ?? genre.zone ?? null);
  if (column === 'subject_id' || field?.format === 'id')
    return writableId(slug(fullId.exec(written)?.[1] ?? written)) || written;
  if (field?.format === 'name') return plain(written.replace(footnote, ''));
  if (field?.format === 'description') return plainLines(written);
  if (field?.format === 'status') return readChoice(written, statuses) ?? written;
  if (field?.format === 'attendance') return readChoice(written, attendances) ?? written;
  if (field?.format === 'country') return readCountry(written) ?? written;
  return field?.format === 'tag' ? tagsOf(written) : written;
}

const fullId = /^[a-z0-9-]+\/[a-z0-9-]+\/([a-z0-9-]+)$/;

function tagsOf(written: string): string {
  const parts = written.split(/[,;|、・\n]/);
  const tags = (parts.length > 1 || !isTags.test(written) ? parts : written.split(/\s+/)).map(slug);
  return [...new Set(tags.filter((tag) => tag !== ''))].slice(0, maxTags).join(' ');
}

const isTags = /^[a-z0-9-]+(?:\s+[a-z0-9-]+)*$/;

function readMoments(cells: Partial<Record<TableColumn, string>>, dates: DateOrder): Moments {
  // Programs write a date without a time so.
  if (!cells.ends)
    cells.starts = (cells.starts ?? '').replace(/^(\d{4}-\d\d-\d\d) 00:00:00$/, '$1');
  const split = (cells.time ?? '') === '' ? splitMoment(cells.starts ?? '', dates) : null;
  if (split !== null) [cells.starts, cells.time] = split;
  const { starts = '', ends = '', time: written = '', end_time: endTime = '' } = cells;
  const time = written === starts ? '' : (ownMoment.exec(written)?.[1] ?? written);
  const [from, until] = time === '' ? ['', ''] : splitTimes(time);
  const instant = ownInstant.test(written) ? readDate(written, dates) : null;
  const start = instant ?? (starts === '' ? '' : joinMoment(starts, from, dates));
  const span = ends === '' && readDate(starts, dates) === null ? readDates(starts, dates) : null;
  if (span !== null) {
    [cells.starts, cells.ends] = span;
    const hours = [time, endTime].find((cell) => !isNoTime(cell));
    return hours === undefined
      ? { problems: {} }
      : { problems: {}, leftOut: { code: 'hours-left-out', found: hours } };
  }
  const isMoment = ownMoment.test(endTime);
  const isTimed = typeof start === 'string' && start.includes('T');
  const clock = isMoment ? '' : endTime || until;
  const end =
    isMoment && isTimed ? (readDate(endTime, dates) ?? '') : joinMoment(ends, clock, dates, true);
  if (typeof start === 'string') cells.starts = start;
  if (typeof end === 'string') cells.ends = ends === '' ? endAfter(cells.starts ?? '', end) : end;
  joinDays(cells);
  // If an event with a start time ends on the same day and has no end time, its end is not known.
  if (cells.ends !== '' && cells.starts?.startsWith(`${cells.ends}T`) === true) cells.ends = '';
  // A row may keep its date if its time may be left out.
  if (typeof start !== 'string' && start.code === 'bad-time')
    cells.starts = readDate(starts, dates)?.slice(0, 10) ?? '';
  const [badStart, badEnd] = [
    typeof start !== 'string' && { starts: start },
    typeof end !== 'string' && { ends: end },
  ];
  return { problems: { ...badStart, ...badEnd } };
}

/** The times in almanac's own tables are with their dates, and the instants are in UTC. */
const ownMoment = /^\d{4}-\d\d-\d\d[T ](\d\d:\d\d(?::\d\d)?)(?:\.000)?Z?$/;
const ownInstant = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/**
 * Turns a start and an end at midnight into dates, because calendars write whole days so. The last
 * day is included.
 */
function joinDays(cells: Partial<Record<TableColumn, string>>): void {
  const { starts = '', ends = '' } = cells;
  const isWhole = cells.end_time !== undefined && ends.endsWith('T00:00');
  if (!starts.endsWith('T00:00') || !(isWhole || /T23:59(?::\d\d)?$/.test(ends))) return;
  const last = Date.parse(ends.slice(0, 10)) - (isWhole ? day : 0);
  if (last < Date.parse(starts.slice(0, 10)) || Number.isNaN(last)) return;
  [cells.starts, cells.ends] = [starts.slice(0, 10), isoDate(last)];
}

/**
 * Returns the end of an event that only gives a time. A time before the start time is on the next
 * day.
 */
function endAfter(start: string, time: string): string {
  const [, date, from = '', offset = ''] = /^(.{10})T([\d:]+)(.*)$/.exec(start) ?? [];
  const midnight = Date.parse(date ?? '');
  if (!/^\d\d:\d\d/.test(time) || time >= from || Number.isNaN(midnight)) return time;
  return `${isoDate(midnight + day)}T${time}${offset}`;
}
