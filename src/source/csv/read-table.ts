import { maxIdCharacters } from '../../catalogue/id.ts';
import { maxDateCharacters } from '../event-times.ts';
import { maxProblemsPerFile, type FoundProblem, type TextFinding, type ValueFinding } from '../finding.ts';
import type { CellField } from '../json/cell-fields.ts';
import type { PartialEvent } from '../json/types.ts';
import type { ReadSubject, SourceFile, TextReading } from '../reading.ts';
import { findHalfPair, isFileId, isId, textRules, valueOfText } from '../rules.ts';
import { slug } from '../slug.ts';
import { readSubject } from '../subject.ts';
import { cellOffset, findSeparator, readRows, type Row, type Separator } from './cells.ts';
import { fields, isPlaceColumn, placeColumns, readHeader, required, type Column } from './columns.ts';

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
  const name = order.includes('subject') ? null : file.name;
  const table: Table = { text, separator, order, name, byId: new Map(), byName: new Map(), findings };
  for (const row of body) {
    if (findings.length > maxProblemsPerFile) return invalid;
    readRow(row, table);
  }
  const doubts: TextFinding[] = [];
  const subjects = [...table.byId].map(([id, ofId]) => toSubject(id, ofId, table, file, doubts));
  return { subjects, findings, warnings: [], doubts };
}

/** Whether a row has a cell with text. Spreadsheets write empty rows as commas. */
function isFilled({ cells }: Row): boolean {
  return cells.some((cell) => cell.trim() !== '');
}

/** A table that is being read. */
interface Table {
  readonly text: string;
  readonly separator: Separator;
  /** The columns in their order, null for each that is ignored. */
  readonly order: readonly (Column | null)[];
  /** The name of the subject of all rows. Null if there is a column for it. */
  readonly name: string | null;
  /** The rows of each subject, by its id and by its name. */
  readonly byId: Map<string, SubjectRows>;
  readonly byName: Map<string, SubjectRows>;
  readonly findings: TextFinding[];
}

interface SubjectRows {
  readonly name: string;
  /** The offset of the name's first appearance. */
  readonly offset: number;
  /** Its rows as events of a JSON file, and the offset of each. */
  readonly events: PartialEvent[];
  readonly offsets: number[];
}

/** Checks a row and adds it to its subject, as an event of a JSON file. */
function readRow({ cells, offset }: Row, table: Table): void {
  const { order, findings } = table;
  if (cells.length !== order.length) {
    findings.push({ problem: { code: 'ragged-row', cells: cells.length, columns: order.length }, offset });
    return;
  }
  const event: Partial<Record<Column, unknown>> = {};
  const place: PlaceCells = {};
  let subject = table.name;
  // Not `entries`, whose pairs are an object for each cell.
  for (let index = 0; index < order.length; index++) {
    const column = order[index];
    if (column == null) continue;
    const written = cells[index]?.trim() ?? '';
    const text = column === 'starts' || column === 'ends' ? isoTime(written) : written;
    const problem = problemOfCell(column, text);
    if (problem !== null) findings.push({ problem, offset: offsetOfCell(offset, column, table) });
    if (text === '') continue;
    // An invalid part of a location is kept, so that the other parts cause no further problem.
    if (isPlaceColumn(column)) place[column] = valueOfText(fields[column], text);
    else if (problem === null || column === 'location') {
      if (column === 'subject') subject = text;
      else event[column] = valueOfText(fields[column], text);
    }
  }
  const location = readPlace(place, event.location, offset, table);
  if (location !== null) event.location = location;
  if (subject !== null) addToSubject(subject, event as PartialEvent, offset, table);
}

/** The cells of a location except its name. */
type PlaceCells = Partial<Record<(typeof placeColumns)[number], unknown>>;

/** Returns a location with more than a name, or null. It needs its name, and each coordinate needs the other one. */
function readPlace(place: PlaceCells, name: unknown, offset: number, table: Table): object | null {
  const first = placeColumns.find((column) => place[column] !== undefined);
  if (first === undefined) return null;
  if (name === undefined) {
    const problem = { code: 'place-without-location', found: first } as const;
    table.findings.push({ problem, offset: offsetOfCell(offset, first, table) });
  }
  const problem = findHalfPair(place);
  if (problem !== null) table.findings.push({ problem, offset: offsetOfCell(offset, problem.found, table) });
  return { name, ...Object.fromEntries(placeColumns.map((column) => [column, place[column]])) };
}

/** Returns the offset of a cell in the row at `offset`, or that of the row if it has no such column. */
function offsetOfCell(offset: number, column: Column, { text, separator, order }: Table): number {
  const index = order.indexOf(column);
  return index === -1 ? offset : cellOffset(text, offset, index, separator);
}

/**
 * Returns a start or an end in the format of a JSON file. Tables may have a space instead of the T, and zero fractions of
 * a second as in the published `starts_at` and `ends_at`. If its seconds are 0, such a time is precise to the minute,
 * like one of a calendar.
 */
function isoTime(written: string): string {
  if (written.length > maxDateCharacters || !/[ .]/.test(written)) return written;
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
  if (format === undefined) return null;
  const texts = type === 'list' ? (valueOfText(fields[column], found) as string[]) : [found];
  if (texts.length > most) return { code: 'too-many-entries', key: column, length: texts.length, most };
  const problem = texts.map((text) => textRules[format](text)).find((one) => one !== null);
  return problem === undefined ? null : ({ key: column, ...problem } as FoundProblem);
}

const decimal = /^[+-]?\d+(\.\d+)?$/;

/** Adds an event to its subject, whose id is the slug of its name. */
function addToSubject(name: string, event: PartialEvent, offset: number, table: Table): void {
  const rows = table.byName.get(name) ?? addSubject(name, offset, table);
  rows?.events.push(event);
  rows?.offsets.push(offset);
}

/** Returns the rows of a subject that had none so far. Returns null if its name is invalid. */
function addSubject(name: string, offset: number, table: Table): SubjectRows | null {
  const id = slug(name);
  const earlier = table.byId.get(id);
  const problem = problemOfName(name, id, earlier);
  const ofName = offsetOfCell(offset, 'subject', table);
  if (problem !== null) {
    table.findings.push({ problem, offset: ofName, ...(earlier && { firstOffset: earlier.offset }) });
    return null;
  }
  const rows: SubjectRows = { name, offset: ofName, events: [], offsets: [] };
  table.byId.set(id, rows);
  table.byName.set(name, rows);
  return rows;
}

function problemOfName(name: string, id: string, earlier: SubjectRows | undefined): FoundProblem | null {
  if (!isId(id)) return { code: 'no-subject-id', name, id, most: maxIdCharacters };
  // The site has a folder of this name.
  if (!isFileId(id)) return { code: 'bad-name', name: id };
  return earlier === undefined ? null : { code: 'subject-collision', name, id, other: earlier.name };
}

function toSubject(id: string, rows: SubjectRows, table: Table, file: SourceFile, found: TextFinding[]): ReadSubject {
  const { name, offset, events } = rows;
  const source = { name, url: file.url ?? undefined, events };
  const { findings, doubts, ...reading } = readSubject(source, id, file.genre, file);
  for (const finding of findings) table.findings.push(locate(finding, rows, table));
  for (const doubt of doubts) found.push(locate(doubt, rows, table));
  return { ...reading, source, id, offset, floating: 0 };
}

/** Finds the cell of a problem in an event, or its row if the cell is empty. */
function locate({ problem, path, first }: ValueFinding, { events, offsets }: SubjectRows, table: Table): TextFinding {
  const index = Number(path[1]);
  const column = path[2] as CellField;
  const offset = offsets[index] ?? 0;
  return {
    problem,
    offset: events[index]?.[column] === undefined ? offset : offsetOfCell(offset, column, table),
    ...(first && { firstOffset: offsets[Number(first[1])] ?? 0 }),
  };
}
