import { readFirstDate } from '../dates.ts';
import type { FoundProblem, Spot, TextFinding } from '../schema/finding.ts';
import type { TableMapping } from '../schema/source-types.ts';
import { findOrders, isDateCell } from '../table/cell-kinds.ts';
import { booleanOf } from '../table/columns.ts';
import type { Row, Rows } from '../table/rows.ts';
import { columnsOf, keysOf, listsIn, type DocumentColumn } from './columns.ts';
import { completeMoment, completeYear, fixedOffset, isNoDay } from './moments.ts';
import { cellOf, spotOf, type DocumentRow, type SelectedRows } from './rows.ts';
import type { Scalar } from './value.ts';

/** Rows of documents as a table, and the mapping that reads it. */
export interface DocumentRows extends Rows {
  readonly mapping: TableMapping | undefined;
  readonly findings: readonly TextFinding[];
  readonly warnings: readonly TextFinding[];
  /** The number of drafts. */
  readonly unpublished: ReadonlyMap<string, number>;
  /** The lists in the rows, whose entries are no columns. */
  readonly lists: ReadonlySet<string>;
}

/**
 * Makes a table of rows. Starts and ends are completed by what else a row says. Rows without a day
 * are left out with a warning.
 *
 * @param isSample whether the rows are only looked at, to guess what their columns are
 */
export function tableOf(
  read: SelectedRows,
  mapping: TableMapping | undefined,
  isSample: boolean,
): DocumentRows {
  const columns = columnsOf(read.rows, mapping, isSample);
  const warnings = warningsOf(read, columns);
  const places = placesOf(columns);
  const start = columns[places.starts];
  const rows: DocumentRow[] = [];
  const body: Row[] = [];
  for (const row of read.rows) {
    const texts = columns.map((column) => sourceOf(row, column)?.text ?? '');
    const cells = isSample ? texts.map((text) => datedText(text, row)) : texts;
    const day = isSample || start === undefined ? null : completeRow(row, cells, places);
    if (day === null) {
      rows.push(row);
      body.push({ cells });
    } else
      warnings.push({
        problem: { code: 'no-day', day },
        ...spotIn(row, start),
      });
  }
  if (!isSample)
    for (const [index, problem] of findOtherDays(rows, body, places.starts, mapping))
      warnings.push({
        problem,
        ...spotIn(rows[index] as DocumentRow, start),
      });
  const mapped = columns.filter(({ field }) => field !== null);
  const fields = mapped.map(({ name, field }) => [name, field]);
  return {
    names: columns.map(({ name }) => name),
    above: 0,
    body,
    spotOf: (row, column) => {
      const inner = rows[row ?? 0];
      return inner === undefined ? { offset: 0 } : spotIn(inner, columns[column ?? -1]);
    },
    mapping: mapping && { ...mapping, columns: Object.fromEntries(fields) },
    findings: [],
    warnings,
    lists: listsIn(isSample ? keysOf(read.rows) : []),
    unpublished: new Map(read.drafts === 0 ? [] : [['drafts', read.drafts]]),
  };
}

/** Returns a day without its year with the year. Other texts, such as months, stay as they are. */
function datedText(text: string, row: DocumentRow): string {
  const whole = completeYear(text, yearOf(row));
  return isDateCell(whole) ? whole : text;
}

/** Returns the first filled value of a column. */
function sourceOf(row: DocumentRow, { sources }: DocumentColumn): Scalar | null {
  let empty: Scalar | null = null;
  for (const name of sources) {
    const cell = cellOf(row, name);
    if (cell !== null && cell.text.trim() !== '') return cell;
    empty ??= cell;
  }
  return empty;
}

/** Returns the place of a cell, or of its row. */
function spotIn(row: DocumentRow, column: DocumentColumn | undefined): Spot {
  const cell = column === undefined ? null : sourceOf(row, column);
  return spotOf(row.document, cell ?? row.value);
}

/** Returns the warnings about the rows themselves, but not about values that nobody publishes. */
function warningsOf(read: SelectedRows, columns: readonly DocumentColumn[]): TextFinding[] {
  const published = columns.filter(({ field }) => field !== null);
  const names = new Set(published.flatMap(({ sources }) => sources));
  return read.warnings.filter(
    ({ problem }) => problem.code !== 'template-text' || names.has(problem.key),
  );
}

/** The indexes of the columns that complete each other. -1 if there is none. */
type Places = Readonly<Record<'starts' | 'ends' | 'zone' | 'time', number>>;

function placesOf(columns: readonly DocumentColumn[]): Places {
  const placeOf = (field: string) => columns.findIndex((column) => column.field === field);
  return {
    starts: placeOf('starts'),
    ends: placeOf('ends'),
    zone: placeOf('zone'),
    time: placeOf('time'),
  };
}

/**
 * Completes the start, the end and the zone of a row. Returns what it says in place of a day if it
 * has none.
 */
function completeRow(
  row: DocumentRow,
  cells: string[],
  { starts, ends, zone, time }: Places,
): string | null {
  const offset = fixedOffset(cells[zone]?.trim() ?? '');
  if (offset !== null) cells[zone] = '';
  const facts = {
    year: yearOf(row),
    isAllDay: saysYes(row, allDayNames),
    offset: offset ?? '',
    hasSeconds: row.document.isOfProgram === true,
  };
  for (const index of [starts, ends]) {
    const text = cells[index];
    if (text !== undefined) cells[index] = completeMoment(text, facts);
  }
  if (offset !== null && /\d$/.test(cells[time] ?? '')) cells[time] += ` ${offset}`;
  if (cells[ends] === cells[starts]) cells[ends] = '';
  // Where only the year is known, people write a day all the same.
  const length = { year: 4, month: 7 }[cellOf(row, 'date_precision')?.text ?? ''];
  const start = (cells[starts] ?? '').slice(0, length);
  cells[starts] = start;
  if (isNoDay(start)) return start;
  return saysYes(row, tbdNames) ? `${start} (TBD)` : null;
}

/** Returns the year that a row, a key above it or its file says. */
function yearOf(row: DocumentRow): string {
  const year = cellOf(row, 'year')?.text.trim();
  const years = [year, ...row.keys, row.document.facts.get('file.year')];
  return years.find((text) => /^\d{4}$/.test(text ?? '')) ?? '';
}

/** Whether a value under one of these keys says yes. */
function saysYes(row: DocumentRow, names: readonly string[]): boolean {
  const texts = names.map((name) => cellOf(row, name)?.text.trim() ?? '');
  return texts.some((text) => booleanOf(text) === 'true');
}

const tbdNames = ['date_tbd', 'date_tba', 'tbd', 'tba', 'dateTBD', 'dateTbd', 'is_tbd'];
const allDayNames = ['all_day', 'allDay', 'allday', 'all-day', 'isAllDay', 'is_all_day'];

/** Returns a problem for each row whose file has another day in its name, and its index. */
function findOtherDays(
  rows: readonly DocumentRow[],
  body: readonly Row[],
  starts: number,
  mapping: TableMapping | undefined,
): (readonly [index: number, problem: FoundProblem])[] {
  const days = rows.map(({ document }) => document.facts.get('file.date') ?? '');
  if (days.every((day) => day === '')) return [];
  const order = mapping?.dates ?? findOrders(body, [starts]).orders[0] ?? 'iso';
  return days.flatMap((day, index) => {
    const start = body[index]?.cells[starts] ?? '';
    const date = readFirstDate(start, order)?.slice(0, day.length) ?? '';
    if (day === '' || day.startsWith(date)) return [];
    return [[index, { code: 'other-day', start, day }]];
  });
}
