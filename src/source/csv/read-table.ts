import { maxIdCharacters } from '../../catalogue/id.ts';
import { maxProblemsPerFile, type FoundProblem, type TextFinding, type ValueFinding } from '../finding.ts';
import type { PartialEvent } from '../json/validate.ts';
import type { ReadSubject, SourceFile, TextReading } from '../reader.ts';
import { findHalfPair, isFileId, isId, textRules } from '../rules.ts';
import { slug } from '../slug.ts';
import { readSubject } from '../subject.ts';
import { cellOffset, findSeparator, readRows, type Row, type Separator } from './cells.ts';
import { eventColumns, fields, isPlaceColumn, placeColumns, readHeader, required, type Column } from './columns.ts';

/**
 * Reads a table (RFC 4180, also with semicolons or tabs). Each row is an event, and the column `subject` contains the
 * name of its subject. Without this column, all rows belong to the subject `file.name`.
 */
export function readTable(text: string, file: SourceFile): TextReading {
  const separator = findSeparator(text);
  const rows = readRows(text, separator);
  const findings: TextFinding[] = [];
  const invalid: TextReading = { subjects: [], findings, warnings: [], doubts: [] };
  if (!Array.isArray(rows)) {
    findings.push({ problem: { code: 'bad-table', reason: rows.reason }, offset: rows.offset });
    return invalid;
  }
  const [header, ...body] = rows.filter(isFilled);
  const { cells, offset } = header ?? { cells: [], offset: 0 };
  const names = cells.map((cell) => cell.trim());
  const offsetOf = (index: number): number => cellOffset(text, offset, index, separator);
  const order = readHeader({ names, offset, offsetOf }, file, findings);
  if (order === null) return invalid;
  const table: Table = { text, separator, order, name: order.includes('subject') ? null : file.name };
  const bySubject = new Map<string, SubjectRows>();
  for (const row of body) {
    if (findings.length > maxProblemsPerFile) return invalid;
    addToSubject(bySubject, readRow(row, table, findings), table, findings);
  }
  const doubts: TextFinding[] = [];
  const found = { findings, doubts };
  const subjects = [...bySubject].map(([id, subjectRows]) => toSubject(id, subjectRows, table, file, found));
  return { subjects, findings, warnings: [], doubts };
}

/** Whether a row has a cell with text. Spreadsheets write empty rows as commas. */
function isFilled({ cells }: Row): boolean {
  return cells.some((cell) => cell.trim() !== '');
}

interface Table {
  readonly text: string;
  readonly separator: Separator;
  /** The columns in their order, null for each that is ignored. */
  readonly order: readonly (Column | null)[];
  /** The name of the subject of all rows. Null if there is a column for it. */
  readonly name: string | null;
}

/** The cells of a row that are not empty, and the offset of the row. */
type Cells = Partial<Record<Column, string>> & { readonly offset: number };

interface SubjectRows {
  readonly name: string;
  /** The offset of the name's first appearance. */
  readonly offset: number;
  readonly rows: Cells[];
}

function readRow({ cells: values, offset }: Row, table: Table, findings: TextFinding[]): Cells {
  const { order } = table;
  const cells: Cells = { offset };
  if (values.length !== order.length) {
    findings.push({ problem: { code: 'ragged-row', cells: values.length, columns: order.length }, offset });
    return cells;
  }
  order.forEach((column, index) => {
    if (column === null) return;
    const written = values[index]?.trim() ?? '';
    const value = column === 'starts' || column === 'ends' ? isoTime(written) : written;
    const problem = problemOfCell(column, value);
    if (problem !== null) findings.push({ problem, offset: offsetOfCell(cells, column, table) });
    // An invalid part of a location is kept, so that the other parts cause no further problem.
    if (value !== '' && (problem === null || column === 'location' || isPlaceColumn(column))) cells[column] = value;
  });
  if (table.name !== null) cells.subject = table.name;
  checkLocation(cells, table, findings);
  return cells;
}

/** Checks the cells of a location together: each needs its name, and each coordinate the other one. */
function checkLocation(cells: Cells, table: Table, findings: TextFinding[]): void {
  const first = placeColumns.find((column) => cells[column] !== undefined);
  if (first === undefined) return;
  if (cells.location === undefined) {
    const problem = { code: 'empty-text', key: 'location' } as const;
    findings.push({ problem, offset: offsetOfCell(cells, first, table) });
  }
  const problem = findHalfPair(cells);
  if (problem !== null) findings.push({ problem, offset: offsetOfCell(cells, problem.found, table) });
}

/** Returns the offset of a cell, or of the row if the cell is empty. */
function offsetOfCell({ offset }: Cells, column: Column, { text, separator, order }: Table): number {
  const index = order.indexOf(column);
  return index === -1 ? offset : cellOffset(text, offset, index, separator);
}

/**
 * Returns a start or an end in the format of a JSON file. Tables may have a space instead of the T, and zero fractions of
 * a second as in the published `starts_at` and `ends_at`. If its seconds are 0, such a time is precise to the minute,
 * like one of a calendar.
 */
function isoTime(written: string): string {
  const [, date, time, seconds = '', rest = ''] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?:(:\d\d)\.0+)?(.*)$/.exec(written) ?? [];
  return date === undefined ? written : `${date}T${time}${seconds === ':00' ? '' : seconds}${rest}`;
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
  const problem = format === undefined ? null : textRules[format](found);
  return problem === null ? null : ({ key: column, ...problem } as FoundProblem);
}

const decimal = /^[+-]?\d+(\.\d+)?$/;

/** Adds a row to its subject. The id of a subject is the slug of its name. */
function addToSubject(subjects: Map<string, SubjectRows>, cells: Cells, table: Table, findings: TextFinding[]): void {
  const { subject: name } = cells;
  if (name === undefined) return;
  const id = slug(name);
  const earlier = subjects.get(id);
  const problem = problemOfName(name, id, earlier);
  if (problem === null && earlier !== undefined) {
    earlier.rows.push(cells);
    return;
  }
  const offset = offsetOfCell(cells, 'subject', table);
  if (problem === null) subjects.set(id, { name, offset, rows: [cells] });
  else findings.push({ problem, offset, ...(earlier && { firstOffset: earlier.offset }) });
}

function problemOfName(name: string, id: string, earlier: SubjectRows | undefined): FoundProblem | null {
  if (!isId(id)) return { code: 'no-subject-id', name, id, most: maxIdCharacters };
  // The site has a folder of this name.
  if (!isFileId(id)) return { code: 'bad-name', name: id };
  if (earlier === undefined || earlier.name === name) return null;
  return { code: 'subject-collision', name, id, other: earlier.name };
}

function toSubject(
  id: string,
  { name, offset, rows }: SubjectRows,
  table: Table,
  file: SourceFile,
  found: { readonly findings: TextFinding[]; readonly doubts: TextFinding[] },
): ReadSubject {
  const source = { name, url: file.url ?? undefined, events: rows.map(toEvent) };
  const { findings, doubts, ...reading } = readSubject(source, id, file.genre, file.now);
  for (const finding of findings) found.findings.push(locate(finding, rows, table));
  for (const doubt of doubts) found.doubts.push(locate(doubt, rows, table));
  return { ...reading, source, id, offset, floating: 0 };
}

/** Finds the cell of a problem in an event, or its row if the cell is empty. */
function locate({ problem, path, first }: ValueFinding, rows: readonly Cells[], table: Table): TextFinding {
  const row = rows[Number(path[1])] ?? { offset: 0 };
  const column = path[2] as Column;
  const earlier = first && rows[Number(first[1])];
  return {
    problem,
    offset: row[column] === undefined ? row.offset : offsetOfCell(row, column, table),
    ...(earlier && { firstOffset: earlier.offset }),
  };
}

/** Returns a row as an event of a JSON file. */
function toEvent(cells: Cells): PartialEvent {
  const event: Record<string, unknown> = {};
  for (const column of eventColumns) {
    const value = cells[column];
    if (value !== undefined) event[column] = fields[column].type === 'boolean' ? value.toLowerCase() === 'true' : value;
  }
  const place = placeColumns.filter((column) => cells[column] !== undefined);
  if (place.length > 0) {
    const values = place.map((column) => [
      column,
      fields[column].type === 'number' ? Number(cells[column]) : cells[column],
    ]);
    event['location'] = { name: cells.location, ...Object.fromEntries(values) };
  }
  return event;
}
