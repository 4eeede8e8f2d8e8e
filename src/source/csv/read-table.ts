import type { FoundProblem, TextFinding } from '../finding.ts';
import { maxProblemsPerFile } from '../finding.ts';
import type { PartialEvent } from '../json/types.ts';
import type { SourceFile, TextReading } from '../reading.ts';
import { findHalfPair, textRules, valueOfText } from '../rules.ts';
import { cellOffset, findSeparator, readRows, type Row } from './cells.ts';
import { fields, isPlaceColumn, placeColumns, required, type Column } from './columns.ts';
import { dateColumns, readHeader } from './header.ts';
import { mapRow, type MappedRow } from './mapped-row.ts';
import { addToSubject, toSubject } from './table-subjects.ts';
import { report, warningsOf, type Fault, type OpenTable, type Table } from './table.ts';
import { findOrders, problemOfOrders } from './unclear-dates.ts';

/**
 * Reads a table (RFC 4180, also with semicolons or tabs). Each row is an event, and the column `subject` contains the
 * name of its subject. Without this column, all rows belong to the subject that the mapping names, or to `file.name`.
 */
export function readTable(text: string, file: SourceFile): TextReading {
  const separator = findSeparator(text);
  const rows = readRows(text, separator);
  if (!Array.isArray(rows)) {
    const finding = { problem: { code: 'bad-table', reason: rows.reason }, offset: rows.offset } as const;
    return { subjects: [], findings: [finding], warnings: [], doubts: [] };
  }
  const [header = { cells: [], offset: 0 }, ...body] = rows.filter(isFilled);
  const offsetOfCell = (offset: number, column: number): number => cellOffset(text, offset, column, separator);
  return readGrid({ names: header.cells.map((cell) => cell.trim()), offset: header.offset, body, offsetOfCell }, file);
}

/** A table, whatever its format: the names of its columns, where they are in its text, and the other rows. */
export interface Grid {
  readonly names: readonly string[];
  readonly offset: number;
  readonly body: readonly Row[];
  /** Returns the offset of a cell in the row at an offset. */
  readonly offsetOfCell: (offset: number, column: number) => number;
}

/** Reads the rows of a table as events, as {@link readTable} says. */
export function readGrid({ names, offset, body, offsetOfCell }: Grid, file: SourceFile): TextReading {
  const findings: TextFinding[] = [];
  const invalid: TextReading = { subjects: [], findings, warnings: [], doubts: [] };
  const offsetOf = (index: number): number => offsetOfCell(offset, index);
  const sample = body.slice(0, maxSample).map((row) => row.cells);
  const layout = readHeader({ names, offset, offsetOf, sample }, file, findings);
  if (layout === null) return invalid;
  const table = openTable({ placeCell: offsetOfCell, layout, file, findings }, body);
  for (const row of body) {
    if (findings.length > maxProblemsPerFile) return invalid;
    readRow(row, table);
  }
  const doubts: TextFinding[] = [];
  const subjects = [...table.byId].map(([id, ofId]) => toSubject(id, ofId, table, doubts));
  return { subjects, findings, warnings: warningsOf(table), doubts };
}

/** The number of rows from which the meaning of columns is guessed. */
const maxSample = 200;

/** Whether a row has a cell with text. Spreadsheets write empty rows as commas. */
function isFilled({ cells }: Row): boolean {
  return cells.some((cell) => cell.trim() !== '');
}

/** Chooses how the dates of a table are read. Reports an order that is not clear. */
function openTable(open: OpenTable, body: readonly Row[]): Table {
  const { placeCell, layout, file, findings } = open;
  const { order, title } = layout;
  const { dates, skip } = file.mapping ?? {};
  const found = dates === undefined ? findOrders(body, dateColumns(layout)) : { orders: [], example: null };
  const problem = problemOfOrders(found, file.mappingName ?? '');
  if (problem !== null && found.example !== null) {
    const { offset, column } = found.example;
    findings.push({ problem, offset: placeCell(offset, column) });
  }
  const ours = new Set<Column>(order.filter((column) => column !== null && column in fields) as Column[]);
  if (title !== null) ours.add('title');
  if (order.includes('time') || order.includes('end_time')) ours.add('ends');
  const skipped = skip === true ? { rows: 0, cells: 0, findings: [] } : null;
  const maps = { byId: new Map(), byName: new Map() };
  return { ...open, ...maps, columns: [...ours], dates: dates ?? found.orders[0] ?? 'iso', skipped };
}

/** Checks a row and adds it to its subject, as an event of a JSON file. */
function readRow({ cells, offset }: Row, table: Table): void {
  const { layout } = table;
  if (!hasCells(cells, table)) {
    const problem = { code: 'ragged-row', cells: cells.length, columns: layout.order.length } as const;
    report([{ problem, column: null }], offset, table);
    return;
  }
  const mapped = mapRow(cells, layout, table.dates);
  const faults: Fault[] = [];
  const event = readEvent(mapped, table, faults);
  if (faults.length > 0 && !report(faults, offset, table)) return;
  const { subject = layout.subject, ...rest } = event;
  if (typeof subject === 'string') addToSubject(subject, mapped.cells.subject_id ?? '', rest, offset, table);
}

/** Returns a row as an event of a JSON file, with the name of its subject if it has one. Adds what is wrong to `faults`. */
function readEvent(
  { cells, problems }: MappedRow,
  { columns, skipped }: Table,
  faults: Fault[],
): PartialEvent & { subject?: string } {
  const event: Partial<Record<Column, unknown>> = {};
  const place: PlaceCells = {};
  for (const column of columns) {
    const text = cells[column] ?? '';
    const problem = problems[column] ?? problemOfCell(column, text);
    if (problem !== null) faults.push({ problem, column });
    if (text === '' || (problem !== null && skipped !== null)) continue;
    // An invalid part of a location is kept, so that the other parts cause no further problem.
    if (isPlaceColumn(column)) place[column] = valueOfText(fields[column], text);
    else if (problem === null || column === 'location') event[column] = valueOfText(fields[column], text);
  }
  const fault = problemOfPlace(place, event.location);
  if (fault !== null) faults.push(fault);
  if (Object.keys(place).length > 0 && (fault === null || skipped === null)) {
    event.location = {
      name: event.location,
      ...Object.fromEntries(placeColumns.map((column) => [column, place[column]])),
    };
  }
  return event as PartialEvent & { subject?: string };
}

/** Whether a row has a cell for each column. Exported tables may leave out empty cells at the end, or have more. */
function hasCells(cells: readonly string[], { layout, file }: Table): boolean {
  if (cells.length === layout.order.length || file.mapping === undefined) return cells.length === layout.order.length;
  return cells.slice(layout.order.length).every((cell) => cell.trim() === '');
}

/** The cells of a location except its name. */
type PlaceCells = Partial<Record<(typeof placeColumns)[number], unknown>>;

/** Returns what is wrong with a location: it needs its name, and each coordinate needs the other one. */
function problemOfPlace(place: PlaceCells, name: unknown): Fault | null {
  const first = placeColumns.find((column) => place[column] !== undefined);
  if (first === undefined) return null;
  if (name === undefined) return { problem: { code: 'place-without-location', found: first }, column: first };
  const problem = findHalfPair(place);
  return problem === null ? null : { problem, column: problem.found };
}

/** Checks a cell by itself. Dates, zones and rules about several rows are checked with the subject. */
function problemOfCell(column: Column, found: string): FoundProblem | null {
  if (found === '') return required.includes(column) ? { code: 'empty-text', key: column } : null;
  const { type, format, maximum: most = Infinity } = fields[column];
  if (type === 'boolean') return /^(true|false)$/i.test(found) ? null : { code: 'bad-cancelled', found };
  if (type === 'number') {
    if (!decimal.test(found)) return { code: 'bad-coordinate', key: column, found };
    return Math.abs(Number(found)) <= most ? null : { code: 'coordinate-out-of-range', key: column, found, most };
  }
  if (format === undefined) return null;
  const texts = type === 'list' ? (valueOfText(fields[column], found) as string[]) : [found];
  if (texts.length > most) return { code: 'too-many-entries', key: column, length: texts.length, most };
  const problem = texts.map((text) => textRules[format](text)).find((one) => one !== null);
  return problem === undefined ? null : ({ key: column, ...problem } as FoundProblem);
}

const decimal = /^[+-]?\d+(\.\d+)?$/;
