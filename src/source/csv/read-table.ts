import { nearest } from '../../problem/nearest.ts';
import { mostOfOneFile, type TextFinding, type FoundProblem } from '../finding.ts';
import { maxIdCharacters } from '../../catalogue/id.ts';
import { isHttpsUrl, isId, textFault } from '../rules.ts';
import { slug } from '../slug.ts';
import type { EventSource } from '../json/validate.ts';
import { readSubject, type Partly } from '../subject.ts';
import type { SourceFile, ReadSubject, TextReading } from '../reader.ts';
import { cellOffset, readRows, type Row, type TableFault } from './cells.ts';

/** The columns of a table, in any order; the first three are required. */
const columns = ['subject', 'title', 'starts', 'zone', 'url', 'id', 'cancelled'] as const;
const required = columns.slice(0, 3);
const mostColumns = 50;
type Column = (typeof columns)[number];

/** A table (RFC 4180) as subjects: a row is an event, the name of its subject in the column `subject`. */
export function readTable(text: string, file: SourceFile): TextReading {
  const rows = readRows(text);
  if (!Array.isArray(rows)) {
    const { reason, offset } = rows;
    return { subjects: [], findings: [{ problem: { code: 'bad-table', reason }, offset }] };
  }
  const [header, ...body] = rows.filter(isFilled);
  const findings: TextFinding[] = [];
  const order = readHeader(header, text, findings);
  if (order === null) return { subjects: [], findings };
  const table: Table = { text, order };
  const bySubject = new Map<string, SubjectRows>();
  for (const row of body) {
    if (findings.length > mostOfOneFile) return { subjects: [], findings };
    sortIn(bySubject, readRow(row, table, findings), table, findings);
  }
  const subjects = [...bySubject].map(([id, rowsOf]) => readRowsOf(id, rowsOf, table, file, findings));
  return { subjects, findings };
}

/** Whether anything stands in a row: spreadsheets leave rows of commas alone. */
function isFilled({ cells }: Row): boolean {
  return cells.some(isWritten);
}

function isWritten(cell: string): boolean {
  return cell.trim() !== '';
}

interface Table {
  readonly text: string;
  /** Its columns. */
  readonly order: readonly Column[];
}

/** The cells of a row that are not empty, and where the row begins. */
type Cells = Partial<Record<Column, string>> & { readonly offset: number };

interface SubjectRows {
  readonly name: string;
  /** Where the name stands first. */
  readonly offset: number;
  readonly rows: Cells[];
}

/**
 * The columns in their order. Misspelt ones count as what they are taken for, so that one run tells what is wrong with
 * the rows as well; null where it is not clear what each column is.
 */
function readHeader(header: Row | undefined, text: string, findings: TextFinding[]): Column[] | null {
  const { cells, offset } = header ?? { cells: [], offset: 0 };
  const names = cells.map((cell) => cell.trim());
  const fault = separatorFault(names);
  if (fault !== null) {
    const { reason, offset: index } = fault;
    findings.push({ problem: { code: 'bad-table', reason }, offset: offset + index });
    return null;
  }
  const meant = names.slice();
  // Of more columns than there are, the first tell what is wrong.
  names.slice(0, mostColumns).forEach((name, index) => {
    const found = problemOfColumn(name, names.indexOf(name) < index);
    if (found === null) return;
    findings.push({ problem: found, offset: cellOffset(text, offset, index) });
    if (found.code === 'unknown-column') meant[index] = found.nearest ?? name;
  });
  for (const column of required) {
    // A misspelt column is reported as such, and is not missing as well.
    const isMisspelt = findings.some(({ problem }) => problem.code === 'unknown-column' && problem.nearest === column);
    if (names.includes(column) || isMisspelt) continue;
    findings.push({ problem: { code: 'missing-column', column, required }, offset });
  }
  return meant.every(isColumn) && isClear(meant) ? meant : null;
}

function isClear(order: readonly Column[]): boolean {
  return new Set(order).size === order.length && required.every((column) => order.includes(column));
}

function isColumn(name: string): name is Column {
  return (columns as readonly string[]).includes(name);
}

/** What a first line has that is separated by something else than commas, or tells a spreadsheet what separates. */
function separatorFault([first = '', ...rest]: readonly string[]): TableFault | null {
  if (/^sep=/i.test(first)) {
    const reason = 'a line that tells a spreadsheet what separates columns; the first line names them: take it away';
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
    const fault = faultOf(column, value);
    if (fault !== null) findings.push({ problem: fault, offset: placeOf(cells, column, table) });
    else if (value !== '') cells[column] = value;
  });
  return cells;
}

/** Where a cell of a row begins. */
function placeOf({ offset }: Cells, column: Column, { text, order }: Table): number {
  return cellOffset(text, offset, order.indexOf(column));
}

/** What is wrong with a cell on its own; dates, zones and what stands across rows are read with the subject. */
function faultOf(column: Column, found: string): FoundProblem | null {
  if (found === '') return required.includes(column) ? { code: 'empty-text', key: column } : null;
  if (column === 'url') return isHttpsUrl(found) ? null : { code: 'bad-url', found };
  if (column === 'id') return isId(found) ? null : { code: 'bad-id', found };
  if (column === 'cancelled') return /^(true|false)$/i.test(found) ? null : { code: 'bad-cancelled', found };
  if (column === 'starts' || column === 'zone') return null;
  const fault = textFault(found);
  return fault === null ? null : { key: column, ...fault };
}

/** Puts a row to its subject, whose id is the slug of its name. */
function sortIn(subjects: Map<string, SubjectRows>, cells: Cells, table: Table, findings: TextFinding[]): void {
  const { subject: name } = cells;
  if (name === undefined) return;
  const id = slug(name);
  const earlier = subjects.get(id);
  const problem = problemOfName(name, id, earlier);
  if (problem === null && earlier !== undefined) {
    earlier.rows.push(cells);
    return;
  }
  const offset = placeOf(cells, 'subject', table);
  if (problem === null) subjects.set(id, { name, offset, rows: [cells] });
  else findings.push({ problem, offset, ...(earlier && { firstOffset: earlier.offset }) });
}

function problemOfName(name: string, id: string, earlier: SubjectRows | undefined): FoundProblem | null {
  if (!isId(id)) return { code: 'no-subject-id', name, id, most: maxIdCharacters };
  if (earlier === undefined || earlier.name === name) return null;
  return { code: 'subject-collision', name, id, other: earlier.name };
}

function readRowsOf(
  id: string,
  { name, offset, rows }: SubjectRows,
  table: Table,
  file: SourceFile,
  findings: TextFinding[],
): ReadSubject {
  const source = { name, url: file.url ?? undefined, events: rows.map(eventOf) };
  const { findings: found, ...reading } = readSubject(source, id, file.genre, file.now);
  for (const { problem, path, first } of found) {
    const earlier = first && rows[Number(first[1])];
    findings.push({
      problem,
      offset: placeAt(rows[Number(path[1])], path[2] as Column, table),
      ...(earlier && { firstOffset: earlier.offset }),
    });
  }
  return { ...reading, source, id, offset, floating: 0 };
}

/** Where a cell begins; where the row has none in that column, the row. */
function placeAt(cells: Cells | undefined, column: Column, table: Table): number {
  return cells?.[column] === undefined ? (cells?.offset ?? 0) : placeOf(cells, column, table);
}

function eventOf({ title, starts, zone, url, id, cancelled }: Cells): Partly<EventSource> {
  return {
    ...(title !== undefined && { title }),
    ...(starts !== undefined && { starts }),
    ...(zone !== undefined && { zone }),
    ...(url !== undefined && { url }),
    ...(id !== undefined && { id }),
    ...(cancelled !== undefined && { cancelled: cancelled.toLowerCase() === 'true' }),
  };
}
