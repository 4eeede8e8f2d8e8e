import { eventFields, requiredEventFields } from '#validators';
import { maxIdCharacters } from '../../catalogue/id.ts';
import { nearest } from '../../problem/nearest.ts';
import { mostOfOneFile, type FoundProblem, type TextFinding } from '../finding.ts';
import type { EventSource } from '../json/validate.ts';
import type { ReadSubject, SourceFile, TextReading } from '../reader.ts';
import { isId, textRules } from '../rules.ts';
import { slug } from '../slug.ts';
import { readSubject, type PartialEvent } from '../subject.ts';
import { cellOffset, readRows, type Row, type TableProblem } from './cells.ts';

/** A column is either the name of the subject or a field of the event. */
type Column = 'subject' | keyof EventSource;
const fields = { subject: { type: 'string', format: 'name' } as const, ...eventFields };
const eventColumns = Object.keys(eventFields) as readonly (keyof EventSource)[];
const columns: readonly Column[] = ['subject', ...eventColumns];
const required: readonly Column[] = ['subject', ...requiredEventFields];

/** Reads a table (RFC 4180). Each row is an event, and the column `subject` holds the name of its subject. */
export function readTable(text: string, file: SourceFile): TextReading {
  const rows = readRows(text);
  if (!Array.isArray(rows)) {
    const { reason, offset } = rows;
    return { subjects: [], findings: [{ problem: { code: 'bad-table', reason }, offset }], warnings: [] };
  }
  const [header, ...body] = rows.filter(isFilled);
  const findings: TextFinding[] = [];
  const order = readHeader(header, text, findings);
  if (order === null) return { subjects: [], findings, warnings: [] };
  const table: Table = { text, order };
  const bySubject = new Map<string, SubjectRows>();
  for (const row of body) {
    if (findings.length > mostOfOneFile) return { subjects: [], findings, warnings: [] };
    addToSubject(bySubject, readRow(row, table, findings), table, findings);
  }
  const subjects = [...bySubject].map(([id, subjectRows]) => toSubject(id, subjectRows, table, file, findings));
  return { subjects, findings, warnings: [] };
}

/** Whether a row has a cell with text. Spreadsheets write empty rows as commas. */
function isFilled({ cells }: Row): boolean {
  return cells.some((cell) => cell.trim() !== '');
}

interface Table {
  readonly text: string;
  /** The columns in their order. */
  readonly order: readonly Column[];
}

/** The cells of a row that are not empty, and the offset of the row. */
type Cells = Partial<Record<Column, string>> & { readonly offset: number };

interface SubjectRows {
  readonly name: string;
  /** The offset of the name's first appearance. */
  readonly offset: number;
  readonly rows: Cells[];
}

/**
 * Returns the columns in their order, or null if a column is unclear. A misspelt column counts as the one that was
 * probably meant, so that one run also reports what is wrong with the rows.
 */
function readHeader(header: Row | undefined, text: string, findings: TextFinding[]): Column[] | null {
  const { cells, offset } = header ?? { cells: [], offset: 0 };
  const names = cells.map((cell) => cell.trim());
  const wrong = findWrongSeparator(names);
  if (wrong !== null) {
    findings.push({ problem: { code: 'bad-table', reason: wrong.reason }, offset: offset + wrong.offset });
    return null;
  }
  const meant = names.slice();
  names.slice(0, maxColumns).forEach((name, index) => {
    const problem = problemOfColumn(name, names.indexOf(name) < index);
    if (problem === null) return;
    findings.push({ problem, offset: cellOffset(text, offset, index) });
    if (problem.code === 'unknown-column') meant[index] = problem.nearest ?? name;
  });
  for (const column of required) {
    // A misspelt column is already reported as unknown.
    const isMisspelt = findings.some(({ problem }) => problem.code === 'unknown-column' && problem.nearest === column);
    if (names.includes(column) || isMisspelt) continue;
    findings.push({ problem: { code: 'missing-column', column, required }, offset });
  }
  const isClear = new Set(meant).size === meant.length && required.every((column) => meant.includes(column));
  return isClear && meant.every(isColumn) ? meant : null;
}

/** How many columns of a header are checked. */
const maxColumns = 50;

function isColumn(name: string): name is Column {
  return (columns as readonly string[]).includes(name);
}

/** Recognises a first line whose columns are not separated by commas, or that names a separator for a spreadsheet. */
function findWrongSeparator([first = '', ...rest]: readonly string[]): TableProblem | null {
  if (/^sep=/i.test(first)) {
    const reason = 'a line that names the separator for a spreadsheet; the first line names the columns: remove it';
    return { reason, offset: 0 };
  }
  const separator = rest.length === 0 ? /[;\t|]/.exec(first) : null;
  if (separator === null) return null;
  const reason = `columns separated by ${separators[separator[0]]}; columns are separated by commas: save the table with commas`;
  return { reason, offset: separator.index };
}

const separators: Readonly<Record<string, string>> = { ';': 'semicolons', '\t': 'tabs', '|': 'vertical bars' };

function problemOfColumn(name: string, isRepeated: boolean): FoundProblem | null {
  if (!isColumn(name)) {
    return { code: 'unknown-column', column: name, nearest: nearest(name, columns), allowed: columns };
  }
  return isRepeated ? { code: 'repeated-column', column: name } : null;
}

function readRow({ cells: values, offset }: Row, table: Table, findings: TextFinding[]): Cells {
  const { order } = table;
  const cells: Cells = { offset };
  if (values.length !== order.length) {
    findings.push({ problem: { code: 'ragged-row', cells: values.length, columns: order.length }, offset });
    return cells;
  }
  order.forEach((column, index) => {
    const value = values[index]?.trim() ?? '';
    const problem = problemOfCell(column, value);
    if (problem !== null) findings.push({ problem, offset: offsetOfCell(cells, column, table) });
    else if (value !== '') cells[column] = value;
  });
  return cells;
}

/** Returns the offset of a cell, or of the row if the cell is empty. */
function offsetOfCell({ offset }: Cells, column: Column, { text, order }: Table): number {
  return cellOffset(text, offset, order.indexOf(column));
}

/** Checks a cell by itself. Dates, zones and what concerns several rows are checked with the subject. */
function problemOfCell(column: Column, found: string): FoundProblem | null {
  if (found === '') return required.includes(column) ? { code: 'empty-text', key: column } : null;
  const { type, format } = fields[column];
  if (type === 'boolean') return /^(true|false)$/i.test(found) ? null : { code: 'bad-cancelled', found };
  const problem = format === undefined ? null : textRules[format](found);
  return problem === null ? null : ({ key: column, ...problem } as FoundProblem);
}

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
  if (earlier === undefined || earlier.name === name) return null;
  return { code: 'subject-collision', name, id, other: earlier.name };
}

function toSubject(
  id: string,
  { name, offset, rows }: SubjectRows,
  table: Table,
  file: SourceFile,
  findings: TextFinding[],
): ReadSubject {
  const source = { name, url: file.url ?? undefined, events: rows.map(toEvent) };
  const { findings: found, ...reading } = readSubject(source, id, file.genre, file.now);
  for (const { problem, path, first } of found) {
    const row = rows[Number(path[1])] ?? { offset: 0 };
    const column = path[2] as Column;
    const earlier = first && rows[Number(first[1])];
    findings.push({
      problem,
      offset: row[column] === undefined ? row.offset : offsetOfCell(row, column, table),
      ...(earlier && { firstOffset: earlier.offset }),
    });
  }
  return { ...reading, source, id, offset, floating: 0 };
}

/** Returns a row as an event of a JSON file. */
function toEvent(cells: Cells): PartialEvent {
  const event: Record<string, unknown> = {};
  for (const column of eventColumns) {
    const value = cells[column];
    if (value !== undefined) event[column] = fields[column].type === 'boolean' ? value.toLowerCase() === 'true' : value;
  }
  return event;
}
