import { readDate } from '../dates.ts';
import type { FoundProblem, Spot, TextFinding } from '../schema/finding.ts';
import type { TableMapping } from '../schema/source-types.ts';
import type { Row, Rows } from '../table/rows.ts';
import { booleanOf } from '../table/columns.ts';
import { columnsOf, keysOf, listsIn, type DocumentColumn } from './columns.ts';
import { completeMoment, fixedOffset, isNoDay, type MomentFacts } from './moments.ts';
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
  const start = columns.find(({ field }) => field === 'starts');
  const rows: DocumentRow[] = [];
  const body: Row[] = [];
  for (const row of read.rows) {
    const cells = columns.map((column) => sourceOf(row, column)?.text ?? '');
    const problem = isSample ? null : completeRow(row, columns, cells);
    if (problem !== null) warnings.push({ problem, ...spotIn(row, start) });
    if (problem?.code === 'no-day') continue;
    rows.push(row);
    body.push({ cells });
  }
  const mapped = columns.flatMap(({ name, field }) => (field === null ? [] : [[name, field]]));
  return {
    names: columns.map(({ name }) => name),
    above: 0,
    body,
    spotOf: (row, column) => {
      const inner = rows[row ?? 0];
      return inner === undefined ? { offset: 0 } : spotIn(inner, columns[column ?? -1]);
    },
    mapping: mapping && { ...mapping, columns: Object.fromEntries(mapped) },
    findings: [],
    warnings,
    lists: listsIn(isSample ? keysOf(read.rows) : []),
    unpublished: new Map(read.drafts === 0 ? [] : [['drafts', read.drafts]]),
  };
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

/** Completes the start, the end and the zone of a row. Returns what is doubtful about them. */
function completeRow(
  row: DocumentRow,
  columns: readonly DocumentColumn[],
  cells: string[],
): FoundProblem | null {
  const indexOf = (field: string): number => columns.findIndex((column) => column.field === field);
  const starts = indexOf('starts');
  if (starts === -1) return null;
  const [ends, zone, time] = ['ends', 'zone', 'time'].map(indexOf) as [number, number, number];
  const offset = fixedOffset(cells[zone]?.trim() ?? '');
  if (offset !== null) cells[zone] = '';
  const facts = factsOf(row, offset ?? '');
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
  if (isNoDay(start)) return { code: 'no-day', day: start };
  if (saysYes(row, tbdNames))
    return {
      code: 'no-day',
      day: `${start} (TBD)`,
    };
  const day = row.document.facts.get('file.date') ?? '';
  const isOther = day !== '' && (readDate(start, 'iso') ?? day).slice(0, day.length) !== day;
  return isOther ? { code: 'other-day', start, day } : null;
}

function factsOf(row: DocumentRow, offset: string): MomentFacts {
  const years = [cellOf(row, 'year')?.text, row.key, row.document.facts.get('file.year')];
  const year = years.find((text) => /^\d{4}$/.test(text?.trim() ?? ''))?.trim() ?? '';
  const isAllDay = saysYes(row, allDayNames);
  return {
    year,
    isAllDay,
    offset,
    hasSeconds: row.document.isOfProgram === true,
  };
}

/** Whether a value under one of these keys says yes. */
function saysYes(row: DocumentRow, names: readonly string[]): boolean {
  const texts = names.map((name) => cellOf(row, name)?.text.trim() ?? '');
  return texts.some((text) => booleanOf(text) === 'true');
}

const tbdNames = ['date_tbd', 'date_tba', 'tbd', 'tba', 'dateTBD', 'dateTbd', 'is_tbd'];
const allDayNames = ['all_day', 'allDay', 'allday', 'all-day', 'isAllDay', 'is_all_day'];
