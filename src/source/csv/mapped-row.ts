import { day, isoDate } from '../../catalogue/time/time.ts';
import type { FoundProblem } from '../finding.ts';
import type { DateOrder } from '../rules.ts';
import { fields, type Column, type TableColumn } from './columns.ts';
import { isNoTime, readDate, readTime, splitTimes } from './dates.ts';
import type { Layout } from './header.ts';
import { fillTemplate } from './template.ts';

/** The cells of a row by our columns, written as in a table that has only these. */
export interface MappedRow {
  readonly cells: Partial<Record<Column | 'subject_id', string>>;
  /** What is wrong with the start or the end, if it could not be read. */
  readonly problems: Readonly<Partial<Record<Column, FoundProblem>>>;
}

/** Reads the dates, times and booleans of a row as people write them, and joins what is in several columns. */
export function mapRow(row: readonly string[], { order, title }: Layout, dates: DateOrder): MappedRow {
  const cells: Partial<Record<TableColumn, string>> = {};
  // Not `entries`, whose pairs are an object for each cell.
  for (let index = 0; index < order.length; index++) {
    const column = order[index];
    if (column == null) continue;
    const written = row[index]?.trim() ?? '';
    cells[column] = written !== '' && isBoolean(column) ? booleanOf(written) : written;
  }
  if (title !== null) cells.title = fillTemplate(title, row);
  return { cells, problems: readMoments(cells, dates) };
}

function isBoolean(column: TableColumn): boolean {
  return fields[column as Column]?.type === 'boolean';
}

const yes = new Set(['true', 'wahr', 'vrai', 'verdadero', 'yes', 'ja', 'oui', 'si', 'sí', 'y', 'x', '1']);
const no = new Set(['false', 'falsch', 'faux', 'falso', 'no', 'nein', 'non', 'n', '0']);

/** Returns `true` or `false` for a word that says so, in the languages of spreadsheets. Returns other texts as they are. */
function booleanOf(written: string): string {
  const word = written.toLowerCase();
  return yes.has(word) ? 'true' : no.has(word) ? 'false' : written;
}

/** Reads `starts` and `ends`, each with the time in its other column. Returns what is wrong with them. */
function readMoments(cells: Partial<Record<TableColumn, string>>, dates: DateOrder): MappedRow['problems'] {
  const { starts = '', ends = '', time = '', end_time: endTime = '' } = cells;
  const [from, until] = time === '' ? ['', ''] : splitTimes(time);
  const start = starts === '' ? '' : join(starts, from, dates);
  const end = join(ends, endTime === '' ? until : endTime, dates);
  if (typeof start === 'string') cells.starts = start;
  if (typeof end === 'string') cells.ends = ends === '' ? endAfter(cells.starts ?? '', end) : end;
  joinDays(cells);
  // If an event with a start time ends on the same day and has no end time, its end is not known.
  if (cells.ends !== '' && cells.starts?.startsWith(`${cells.ends}T`) === true) cells.ends = '';
  if (typeof start === 'string' && typeof end === 'string') return noProblems;
  return { ...(typeof start !== 'string' && { starts: start }), ...(typeof end !== 'string' && { ends: end }) };
}

const noProblems: MappedRow['problems'] = {};

/** Turns a start and an end at midnight into dates, because calendars write whole days so. The last day is included. */
function joinDays(cells: Partial<Record<TableColumn, string>>): void {
  const { starts = '', ends = '' } = cells;
  if (cells.end_time === undefined || !starts.endsWith('T00:00') || !ends.endsWith('T00:00')) return;
  const last = Date.parse(ends.slice(0, 10)) - day;
  if (last < Date.parse(starts.slice(0, 10)) || Number.isNaN(last)) return;
  cells.starts = starts.slice(0, 10);
  cells.ends = isoDate(last);
}

/** Returns the end of an event that has only a time for it. A time before that of the start is on the next day. */
function endAfter(start: string, time: string): string {
  const [, date, from = '', offset = ''] = /^(.{10})T([\d:]+)(.*)$/.exec(start) ?? [];
  const midnight = Date.parse(date ?? '');
  if (!plainTime.test(time) || time >= from || Number.isNaN(midnight)) return time;
  return `${isoDate(midnight + day)}T${time}${offset}`;
}

const plainTime = /^\d\d:\d\d/;

/** Returns a date with the time in its other column, in the form of a JSON file, or what is wrong with one of them. */
function join(date: string, time: string, dates: DateOrder): string | FoundProblem {
  const clock = isNoTime(time) ? '' : readTime(time);
  if (clock === null) return { code: 'bad-time', found: time };
  // A time alone is the end on the day of the start.
  if (date === '') return clock;
  const moment = readDate(date, dates) ?? readTime(date);
  if (moment === null) return dates === 'iso' ? date : { code: 'bad-date', found: date, dates };
  return clock === '' || !fullDate.test(moment) ? moment : `${moment.slice(0, 10)}T${clock}`;
}

const fullDate = /^\d{4}-\d\d-\d\d/;
