import {
  compareSpots,
  maxProblemsPerFile,
  type FoundProblem,
  type TextFinding,
} from '../schema/finding.ts';
import { extraColumn, extraOfCell, findExtraProblems } from '../schema/extra.ts';
import type { PartialEvent } from '../schema/source-types.ts';
import type { SourceFile, TextReading } from '../schema/reading.ts';
import { findHalfPair, findRangeProblem, textRules, valueOfText } from '../schema/rules.ts';
import { openTable } from './cells.ts';
import { placeInRows, type OpenRows, type RowFinding, type Rows } from './rows.ts';
import { fields, isPlaceColumn, placeColumns, required, type Column } from './columns.ts';
import { findOrders, isDateCell, findingsOfOrders } from './cell-kinds.ts';
import { findHeader, placeOf, readHeader, type Layout } from './header.ts';
import { mapRow, type MappedRow } from './mapped-row.ts';
import { addToSubject, findSimilar, toSubject } from './table-subjects.ts';
import { leaveOut, report, type Fault, type Table } from './table.ts';

/** Reads a table (RFC 4180, also with semicolons or tabs) with an event on each row. */
export const readTable = tableReader(openTable);

/** Returns a reader of the texts that a container opens. */
export function tableReader(open: OpenRows) {
  return (text: string, file: SourceFile): TextReading => {
    const { mapping } = file;
    const rows = open(text, { mapping, findHeader: (lines) => findHeader(lines, mapping) });
    return 'problem' in rows ? noReading(rows) : readRows(rows, file);
  };
}

/** Returns the reading of a text that is not a table. */
export function noReading(...findings: TextFinding[]): TextReading {
  return { subjects: [], findings, warnings: [], doubts: [] };
}

/** Reads the rows of a container as events. */
export function readRows(rows: Rows, file: SourceFile): TextReading {
  const findings: RowFinding[] = [];
  const doubts: RowFinding[] = [];
  const placed = (list: readonly RowFinding[]): TextFinding[] =>
    list.map((finding) => placeInRows(finding, rows));
  const layout = readHeader(rows, file, findings, doubts);
  if (layout === null) return noReading(...placed(findings));
  const table = startTable(rows, layout, file, findings);
  let remarks = 0;
  for (const [row, { cells }] of rows.body.entries()) {
    if (findings.length > maxProblemsPerFile) return noReading(...placed(findings));
    if (isRemark(cells, table)) remarks++;
    else readRow(cells, row, table);
  }
  const subjects = [...table.byId].map(([id, subject]) => ({
    ...toSubject(id, subject, table, doubts),
    spot: rows.spotOf(subject.row, placeOf(layout, 'subject')),
  }));
  doubts.push(...findSimilar(table));
  const lines = { 'lines above the table': rows.above, 'lines with one cell': remarks };
  const unpublished = new Map(Object.entries(lines).filter(([, count]) => count > 0));
  const { skipped } = table;
  const reasons = placed(skipped.findings).toSorted(compareSpots).slice(0, 3);
  const common = { subjects, doubts: placed(doubts), unpublished };
  // Rows that are left out are problems if nothing else could be read.
  const isEmpty = [...table.byId.values()].every(({ entries }) => entries.length === 0);
  if (isEmpty) return { ...common, findings: [...placed(findings), ...reasons], warnings: [] };
  return { ...common, findings: placed(findings), warnings: warningsOf(skipped, reasons) };
}

/** Returns the warning about rows that are left out, and the first reasons. */
function warningsOf(
  { rows, cells }: Table['skipped'],
  reasons: readonly TextFinding[],
): TextFinding[] {
  const [first] = reasons;
  if (first === undefined) return [];
  const { problem: _, first: __, ...spot } = first;
  return [{ problem: { code: 'skipped-rows', rows, cells }, ...spot }, ...reasons];
}

function startTable(
  { body }: Rows,
  layout: Layout,
  file: SourceFile,
  findings: RowFinding[],
): Table {
  const { order, title } = layout;
  const { dates, skip } = file.mapping ?? {};
  const dated = [order.indexOf('starts'), order.indexOf('ends')].filter((index) => index !== -1);
  const found = dates === undefined ? findOrders(body, dated) : { orders: [], example: null };
  findings.push(...findingsOfOrders(found, file.mappingName ?? ''));
  const ours = new Set<Column>(
    order.filter((column) => column !== null && column in fields) as Column[],
  );
  if (title !== null) ours.add('title');
  // A cell for the start, or for a time, may give the end as well.
  if (file.mapping !== undefined) ours.add('ends');
  const leavesOut: Table['leavesOut'] = (column) =>
    skip === true || (file.mapping !== undefined && column !== null && facts.has(column));
  const maps = { byId: new Map(), byName: new Map(), skipped: { rows: 0, cells: 0, findings: [] } };
  const read = { columns: [...ours], dates: dates ?? found.orders[0] ?? 'iso', leavesOut };
  return { layout, file, findings, ...maps, ...read };
}

/** Columns that say more about an event, but neither when nor whether it takes place. */
const more = ['url', 'location', 'tags', 'description', 'image', 'organizer', 'source'] as const;
const facts: ReadonlySet<Column> = new Set([...placeColumns, ...more]);

function readRow(cells: readonly string[], row: number, table: Table): void {
  const { layout } = table;
  const faults: Fault[] = [];
  if (!hasCells(cells, table)) {
    const problem = {
      code: 'ragged-row',
      cells: cells.length,
      columns: layout.order.length,
    } as const;
    // A surplus cell costs only itself.
    if (!table.leavesOut(null) || cells.length < layout.order.length) {
      report([{ problem, column: null }], row, table);
      return;
    }
    leaveOut(problem, row, table);
  }
  const mapped = mapRow(cells, table);
  if (mapped.leftOut !== undefined) leaveOut(mapped.leftOut, row, table);
  const event = readEvent(mapped, table, faults);
  if (faults.length > 0 && !report(faults, row, table)) return;
  const { subject = layout.subject, ...rest } = event;
  if (typeof subject === 'string')
    addToSubject(subject, mapped.cells.subject_id ?? '', rest, row, table);
}

function readEvent({ cells, problems }: MappedRow, { columns, leavesOut }: Table, faults: Fault[]) {
  const event: Partial<Record<Column | 'extra', unknown>> = {};
  const place: PlaceCells = {};
  for (const column of columns) {
    const text = cells[column] ?? '';
    const problem = problems[column] ?? problemOfCell(column, text);
    if (problem !== null) faults.push({ problem, column });
    const isDate = problem?.code === 'bad-time' && column === 'starts';
    if (text === '' || (problem !== null && leavesOut(column) && !isDate)) continue;
    // An invalid part of a location is kept, so that the other parts cause no further problem.
    if (isPlaceColumn(column)) place[column] = valueOfText(fields[column], text);
    else if (problem === null || column === 'location' || isDate)
      event[column] = valueOfText(fields[column], text);
  }
  const own = Object.entries(cells).filter(
    ([column, text = '']) => extraColumn.test(column) && text !== '',
  );
  if (own.length > 0) {
    event.extra = Object.fromEntries(
      own.map(([column, text]) => [column.slice('extra.'.length), extraOfCell(text ?? '')]),
    );
    for (const { key, ...problem } of findExtraProblems(event.extra)) {
      faults.push({ problem: { ...problem, key: key ?? 'extra' }, column: null });
    }
  }
  const fault = problemOfPlace(place, event.location);
  if (fault !== null) faults.push(fault);
  if (Object.keys(place).length > 0 && (fault === null || !leavesOut(fault.column))) {
    const inOrder = placeColumns.map((column) => [column, place[column]]);
    event.location = { name: event.location, ...Object.fromEntries(inOrder) };
  }
  return event as PartialEvent & { subject?: string };
}

/** Whether a line is a heading or a footer: only one of several cells is filled, with no date. */
function isRemark(cells: readonly string[], { layout, file }: Table): boolean {
  if (file.mapping === undefined || layout.order.length < 3) return false;
  const [filled = '', ...others] = cells.filter((cell) => cell.trim() !== '');
  return filled !== '' && others.length === 0 && !isDateCell(filled);
}

/**
 * Whether a row has a cell for each column. Exported tables may leave out empty cells at the end,
 * or have more.
 */
function hasCells(cells: readonly string[], { layout, file }: Table): boolean {
  if (cells.length === layout.order.length || file.mapping === undefined)
    return cells.length === layout.order.length;
  return cells.slice(layout.order.length).every((cell) => cell.trim() === '');
}

type PlaceCells = Partial<Record<(typeof placeColumns)[number], unknown>>;

function problemOfPlace(place: PlaceCells, name: unknown): Fault | null {
  const first = placeColumns.find((column) => place[column] !== undefined);
  if (first === undefined) return null;
  if (name === undefined)
    return {
      problem: { code: 'incomplete-place', found: first, missing: 'location' },
      column: first,
    };
  const problem = findHalfPair(place);
  return problem === null ? null : { problem, column: problem.found };
}

function problemOfCell(column: Column, found: string): FoundProblem | null {
  if (found === '') return required.includes(column) ? { code: 'empty-text', key: column } : null;
  const { type, format, maximum: most = Infinity } = fields[column];
  if (format === undefined) return null;
  const texts = type === 'list' ? (valueOfText(fields[column], found) as string[]) : [found];
  if (texts.length > most)
    return { code: 'too-many-entries', key: column, length: texts.length, most };
  const problem = texts.map((text) => textRules[format](text)).find((one) => one !== null);
  if (problem !== undefined) return { key: column, ...problem } as FoundProblem;
  return type === 'number' ? findRangeProblem(column, Number(found), fields[column]) : null;
}
