import { isNoTime, readDate, readTime, splitTimes } from '../dates.ts';
import type { FoundProblem, TextFinding } from '../schema/finding.ts';
import type { TableMapping } from '../schema/source-types.ts';
import type { Grid, Row } from '../table/cells.ts';
import { booleanOf } from '../table/columns.ts';
import { columnsOf, type DocumentColumn } from './columns.ts';
import { completeMoment, fixedOffset, isNoDay, type MomentFacts } from './moments.ts';
import { placeIn } from './place.ts';
import { cellOf, spotOf, type DocumentRow, type DocumentRows, type Spot } from './rows.ts';
import type { Scalar } from './value.ts';

/** Rows of documents as a table, and the mapping that reads it. */
export interface DocumentGrid extends Grid {
  readonly mapping: TableMapping | undefined;
  readonly findings: readonly TextFinding[];
  readonly warnings: readonly TextFinding[];
  /** The number of drafts. */
  readonly unpublished: ReadonlyMap<string, number>;
  /** Returns a finding with an offset of this table as one at its place in the files. */
  readonly place: (finding: TextFinding) => TextFinding;
}

/**
 * Makes a table of rows. Starts and ends are completed by what else a row says. Rows without a day
 * are left out with a warning.
 */
export function gridOf(read: DocumentRows, mapping: TableMapping | undefined): DocumentGrid {
  const columns = columnsOf(read.rows, mapping);
  const span = columns.length + 1;
  const place = placer(read, columns);
  const findings: TextFinding[] = [];
  const warnings: TextFinding[] = [];
  const body: Row[] = [];
  for (const [index, row] of read.rows.entries()) {
    const offset = (index + 1) * span;
    const cells = columns.map((column) => sourceOf(row, column)?.text ?? '');
    const doubt = completeRow(row, columns, cells);
    if (doubt !== null) {
      const { problem, column } = doubt;
      const isError = problem.code === 'two-times' && mapping?.skip !== true;
      const list = isError ? findings : warnings;
      list.push(place({ problem, offset: offset + column + 1 }));
    }
    if (doubt === null || doubt.problem.code === 'other-day') body.push({ cells, offset });
  }
  const mapped = columns.flatMap(({ name, field }) => (field === null ? [] : [[name, field]]));
  return {
    names: columns.map(({ name }) => name),
    offset: 0,
    above: 0,
    body,
    offsetOfCell: (offset, column) => offset + column + 1,
    mapping: mapping && { ...mapping, columns: Object.fromEntries(mapped) },
    findings,
    warnings: [...warningsOf(read, columns), ...warnings],
    unpublished: new Map(read.drafts === 0 ? [] : [['drafts', read.drafts]]),
    place,
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

/** Returns a function that places the findings of a table in the files of its rows. */
function placer({ rows }: DocumentRows, columns: readonly DocumentColumn[]): DocumentGrid['place'] {
  const span = columns.length + 1;
  const place = placeIn(rows.map(({ document }) => document));
  const spotAt = (code: number): Spot | null => {
    const row = rows[Math.floor(code / span) - 1];
    const column = columns[(code % span) - 1];
    const cell = row && column ? sourceOf(row, column) : null;
    return row === undefined ? null : spotOf(row.document, cell ?? row.value);
  };
  return ({ problem, offset, firstOffset }) =>
    place(problem, spotAt(offset), firstOffset === undefined ? null : spotAt(firstOffset));
}

/** Returns the warnings about the rows themselves, but not about values that nobody publishes. */
function warningsOf(read: DocumentRows, columns: readonly DocumentColumn[]): TextFinding[] {
  const published = columns.filter(({ field }) => field !== null);
  const names = new Set(published.flatMap(({ sources }) => sources));
  const place = placeIn(read.rows.map(({ document }) => document));
  const wanted = read.warnings.filter(
    ({ problem }) => problem.code !== 'template-text' || names.has(problem.key),
  );
  return wanted.map(({ problem, spot }) => place(problem, spot));
}

/** A doubt about a row, and its column. */
interface Doubt {
  readonly problem: FoundProblem;
  readonly column: number;
}

/** Completes the start, the end and the zone of a row. Returns what is doubtful about them. */
function completeRow(
  row: DocumentRow,
  columns: readonly DocumentColumn[],
  cells: string[],
): Doubt | null {
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
  const start = cells[starts] ?? '';
  if (isNoDay(start)) return { problem: { code: 'no-day', day: start }, column: starts };
  const moment = withTime(start, cells[time]?.trim() ?? '');
  if (moment === null)
    return {
      problem: { code: 'two-times', start, time: cells[time] ?? '' },
      column: starts,
    };
  cells[starts] = moment;
  const day = row.document.facts.get('file.date') ?? '';
  const isOther = day !== '' && (readDate(start, 'iso') ?? day).slice(0, day.length) !== day;
  const problem = { code: 'other-day', start, day } as const;
  return isOther ? { problem, column: starts } : null;
}

/**
 * Returns a start beside a time of its own. Programs write a day as midnight in UTC. Returns null if
 * the two are different times.
 */
function withTime(start: string, time: string): string | null {
  const [, day = '', clock = '', zone = ''] = instant.exec(start) ?? [];
  if (day === '' || isNoTime(time)) return start;
  if (clock === '00:00' && zone === 'Z') return day;
  const [from] = splitTimes(time);
  return readTime(from)?.startsWith(clock) === false ? null : start;
}

const instant = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d)?(Z|[+-]\d\d:\d\d)$/;

function factsOf(row: DocumentRow, offset: string): MomentFacts {
  const years = [cellOf(row, 'year')?.text, row.key, row.document.facts.get('file.year')];
  const year = years.find((text) => /^\d{4}$/.test(text?.trim() ?? ''))?.trim() ?? '';
  const allDay = cellOf(row, 'all_day') ?? cellOf(row, 'allDay');
  const isAllDay = booleanOf(allDay?.text.trim() ?? '') === 'true';
  return { year, isAllDay, offset, hasSeconds: row.document.isOfProgram === true };
}
