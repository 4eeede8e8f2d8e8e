import { nearest } from '../../nearest.ts';
import { mostOfOneFile, type TextFinding, type FoundProblem } from '../finding.ts';
import { mostIdCharacters } from '../../catalogue/id.ts';
import { isHttpsUrl, isId, textFault } from '../rules.ts';
import { slug } from '../slug.ts';
import type { EventSource } from '../shapes.ts';
import { readSubject, type Partly } from '../subject.ts';
import type { SourceFile, ReadSubject, TextReading } from '../text-reader.ts';
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
  const tables = new Map<string, SubjectRows>();
  for (const row of body) {
    if (findings.length > mostOfOneFile) return { subjects: [], findings };
    sortIn(tables, readRow(row, order, text, findings), findings);
  }
  const subjects = [...tables].map(([id, rowsOf]) => readRowsOf(id, rowsOf, file, findings));
  return { subjects, findings };
}

/** Whether anything stands in a row: spreadsheets leave rows of commas alone. */
function isFilled({ cells }: Row): boolean {
  return cells.some(isWritten);
}

function isWritten(cell: string): boolean {
  return cell.trim() !== '';
}

interface Cell {
  readonly value: string;
  readonly offset: number;
}

/** The cells of a row that are not empty. */
type Cells = Partial<Record<Column, Cell>> & { readonly offset: number };

interface SubjectRows {
  readonly name: Cell;
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

function readRow(row: Row, order: readonly Column[], text: string, findings: TextFinding[]): Cells {
  const place = (index: number): number => cellOffset(text, row.offset, index);
  const cells: Partial<Record<Column, Cell>> & { offset: number } = { offset: row.offset };
  if (row.cells.length !== order.length) {
    const problem = { code: 'ragged-row', cells: row.cells.length, columns: order.length } as const;
    findings.push({ problem, offset: row.offset });
    return cells;
  }
  order.forEach((column, index) => {
    const value = row.cells[index]?.trim() ?? '';
    const fault = faultOf(column, value);
    if (fault !== null) findings.push({ problem: fault, offset: place(index) });
    else if (value !== '')
      cells[column] = {
        value,
        get offset() {
          return place(index);
        },
      };
  });
  return cells;
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
function sortIn(tables: Map<string, SubjectRows>, cells: Cells, findings: TextFinding[]): void {
  const { subject: name } = cells;
  if (name === undefined) return;
  const id = slug(name.value);
  const table = tables.get(id);
  const problem = problemOfName(name.value, id, table);
  if (problem !== null)
    findings.push({ problem, offset: name.offset, ...(table && { firstOffset: table.name.offset }) });
  else if (table === undefined) tables.set(id, { name, rows: [cells] });
  else table.rows.push(cells);
}

function problemOfName(name: string, id: string, table: SubjectRows | undefined): FoundProblem | null {
  if (!isId(id)) return { code: 'no-subject-id', name, id, most: mostIdCharacters };
  if (table === undefined || table.name.value === name) return null;
  return { code: 'subject-collision', name, id, other: table.name.value };
}

function readRowsOf(id: string, { name, rows }: SubjectRows, file: SourceFile, findings: TextFinding[]): ReadSubject {
  const source = { name: name.value, url: file.url ?? undefined, events: rows.map(eventOf) };
  const { findings: found, ...reading } = readSubject(source, id, file.genre, file.now);
  for (const { problem, path, first } of found) {
    const row = rows[Number(path[1])];
    const offset = (row?.[path[2] as Column] ?? row)?.offset ?? 0;
    const earlier = first && rows[Number(first[1])];
    findings.push({ problem, offset, ...(earlier && { firstOffset: earlier.offset }) });
  }
  return { ...reading, source, id, offset: name.offset, floating: 0 };
}

function eventOf({ title, starts, zone, url, id, cancelled }: Cells): Partly<EventSource> {
  return {
    ...(title && { title: title.value }),
    ...(starts && { starts: starts.value }),
    ...(zone && { zone: zone.value }),
    ...(url && { url: url.value }),
    ...(id && { id: id.value }),
    ...(cancelled && { cancelled: cancelled.value.toLowerCase() === 'true' }),
  };
}
