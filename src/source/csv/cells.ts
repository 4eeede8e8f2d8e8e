import { CsvError, parse } from 'csv-parse/sync';

/** A table, whatever its format: the names of its columns, where they are in its text, and the other rows. */
export interface Grid {
  readonly names: readonly string[];
  readonly offset: number;
  readonly body: readonly Row[];
  /** Returns the offset of a cell in the row at an offset. */
  readonly offsetOfCell: (offset: number, column: number) => number;
}

export interface Row {
  readonly cells: readonly string[];
  readonly offset: number;
}

/** Why a text is not a table: the reason in the problem `bad-table`, and its offset. */
export interface TableProblem {
  readonly reason: string;
  readonly offset: number;
}

/** The character between the cells of a table. */
export type Separator = ',' | ';' | '\t' | '|';

/** Returns the separator that the first line names (`sep=;`), or else the most frequent one in it. */
export function findSeparator(text: string): Separator {
  const start = afterEmptyLines(text, 0, ',');
  const [line = ''] = text.slice(start, start + maxRowCharacters).split(/[\r\n]/, 1);
  const named = separators.find((separator) => isSeparatorLine(line) && line.endsWith(separator));
  if (named !== undefined) return named;
  const plain = line.replace(/"[^"]*"/g, '');
  const counts = separators.map((separator) => plain.split(separator).length);
  return separators[counts.indexOf(Math.max(...counts))] ?? ',';
}

const separators: readonly Separator[] = [',', ';', '\t', '|'];

/** Whether a line, or its first cell, only names the separator, which spreadsheets understand. */
export function isSeparatorLine(line: string): boolean {
  return /^sep=[,;\t|]?$/i.test(line);
}

/** Reads a table (RFC 4180) without empty lines. csv-parse, ten times slower, reads only stretches that need it. */
export function readRows(text: string, separator: Separator = ','): Row[] | TableProblem {
  const long = findLongLine(text);
  if (long !== null) return { reason: tooLong, offset: long };
  const rows: Row[] = [];
  for (let start = 0; start < text.length && rows.length <= maxRows;) {
    const plainEnd = splitLines(text, start, separator, rows);
    start = plainEnd === text.length ? plainEnd : endOfQuoted(text, text.indexOf('"', plainEnd));
    const problem = parseRows(text.slice(plainEnd, start), plainEnd, separator, rows);
    if (problem !== null) return problem;
  }
  return rows.length > maxRows ? { reason: tooMany, offset: 0 } : rows;
}

/** Adds the rows of the lines from `start` on. Returns where they end: at a line that needs csv-parse, or at the end. */
function splitLines(text: string, start: number, separator: Separator, rows: Row[]): number {
  let [at, quote] = [start, text.indexOf('"', start)];
  while (at < text.length && rows.length <= maxRows) {
    const end = endOfLine(text, at);
    const isQuoted = quote !== -1 && quote < end;
    if (at < end) {
      // A copy, because V8 would keep the whole text in memory as long as a part of it is in use.
      const line = ` ${text.slice(at, end)}`.slice(1);
      const cells = isQuoted ? splitQuoted(line, separator) : line.split(separator);
      if (cells === null) return at;
      rows.push({ cells, offset: at });
    }
    if (isQuoted) quote = text.indexOf('"', end);
    at = end + 1;
  }
  return text.length;
}

/** Returns the cells of a line whose quoted cells have no quotation marks in them. Returns null for any other line. */
function splitQuoted(line: string, separator: Separator): string[] | null {
  const cells: string[] = [];
  const cell = quotedCell[separator];
  for (cell.lastIndex = 0; ;) {
    const match = cell.exec(line);
    if (match === null) return null;
    const [, quoted, plain = '', end] = match;
    cells.push(quoted ?? plain);
    if (end === '') return cells;
  }
}

/** A cell, and the separator or the end of the line behind it. */
const quotedCell: Readonly<Record<Separator, RegExp>> = {
  ',': /(?:"([^"]*)"|([^",]*))(,|$)/y,
  ';': /(?:"([^"]*)"|([^";]*))(;|$)/y,
  '\t': /(?:"([^"]*)"|([^"\t]*))(\t|$)/y,
  '|': /(?:"([^"]*)"|([^"|]*))(\||$)/y,
};

/** Returns the offset of the next line break, or of the end. The line feed of a CRLF ends an empty line, which is skipped. */
function endOfLine(text: string, from: number): number {
  lineBreak.lastIndex = from;
  // Not `exec`, whose result is an object for each row.
  return lineBreak.test(text) ? lineBreak.lastIndex - 1 : text.length;
}

const lineBreak = /[\r\n]/g;

/** Adds the rows of a text that begins at `offset` of the table. Returns why they cannot be read, or null. */
function parseRows(text: string, offset: number, separator: Separator, rows: Row[]): TableProblem | null {
  if (text === '') return null;
  try {
    // Without the position of each row, which costs csv-parse half of its time.
    const records = parse(text, {
      relax_column_count: true,
      // People put spaces around quotation marks.
      trim: true,
      skip_empty_lines: true,
      delimiter: separator,
      record_delimiter: ['\r\n', '\n', '\r'],
      max_record_size: maxRowCharacters,
      to: maxRows + 1,
    });
    let start = afterEmptyLines(text, 0, separator);
    for (const cells of records) {
      rows.push({ cells, offset: offset + start });
      start = afterRow(text, start, separator);
    }
    return null;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // The other positions in an error of csv-parse are not reliable.
    const { column = 0, records = 0 } = error as { column?: number; records?: number };
    let start = afterEmptyLines(text, 0, separator);
    for (let row = 0; row < records; row++) start = afterRow(text, start, separator);
    return {
      reason: reasons[error.code] ?? error.message,
      offset: offset + cellOffset(text, start, column, separator),
    };
  }
}

/** Returns the start of the row that follows the one at `start`. */
function afterRow(text: string, start: number, separator: Separator): number {
  for (let at = start; ;) {
    const end = endOfLine(text, at);
    const opening = text.indexOf('"', at);
    if (opening === -1 || opening > end) return afterEmptyLines(text, end, separator);
    const closing = text.indexOf('"', opening + 1);
    if (closing === -1) return text.length;
    at = closing + 1;
  }
}

/** csv-parse also reads a shorter stretch without quotation marks, because each call of it has a cost. */
const minPlainCharacters = 4096;

/** Returns the start of the line at which a stretch with quotation marks ends. `first` is the offset of its first one. */
function endOfQuoted(text: string, first: number): number {
  let [mark, isOpen] = [first, true];
  for (;;) {
    const next = text.indexOf('"', mark + 1);
    if (isOpen && next === -1) return text.length;
    if (!isOpen && (next === -1 || next - mark > minPlainCharacters)) {
      const end = endOfLine(text, mark) + 1;
      if (next === -1 || end <= next) return Math.min(end, text.length);
    }
    [mark, isOpen] = [next, !isOpen];
  }
}

/** Returns the offset of a cell in a row that {@link readRows} found at `offset`. */
export function cellOffset(text: string, offset: number, column: number, separator: Separator = ','): number {
  let isQuoted = false;
  let seen = 0;
  for (let at = offset; at < text.length; at++) {
    if (seen === column) return at;
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (text[at] === separator && !isQuoted) seen++;
  }
  return seen === column ? text.length : offset;
}

/** Far more than a valid row has. Without a limit, a row of millions of cells would take a gigabyte of memory. */
const maxRowCharacters = 1024 * 1024;
export const maxRows = 250_000;

/** Returns the offset of the first line that is longer than a row may be, or null. */
function findLongLine(text: string): number | null {
  if (text.length <= maxRowCharacters) return null;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === lineFeed || code === carriageReturn) start = at + 1;
    else if (at - start > maxRowCharacters) return start;
  }
  return null;
}

const [lineFeed, carriageReturn] = [10, 13];

const remedy =
  'enclose a cell that contains separators, line breaks or quotation marks in quotation marks, and double those inside it';
const tooMany = `more than ${maxRows.toLocaleString('en-US')} rows; split the table into several`;
const tooLong = `a row of more than ${maxRowCharacters.toLocaleString('en-US')} characters, or a quotation mark that is not closed within as many; ${remedy}`;
const reasons: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: `a quotation mark that is opened and not closed; ${remedy}`,
  CSV_MAX_RECORD_SIZE: tooLong,
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: `text between a closing quotation mark and the next separator; ${remedy}`,
  INVALID_OPENING_QUOTE: `a quotation mark inside a cell that is not quoted; ${remedy}`,
};

/** Returns where the lines end that csv-parse skips: those without text, or with nothing but blanks. */
function afterEmptyLines(text: string, from: number, separator: Separator): number {
  for (let at = from; ;) {
    let end = at;
    while (text[end] !== separator && blanks.has(text[end])) end++;
    if (text[end] !== '\n' && text[end] !== '\r') return at;
    at = end + 1;
  }
}

const blanks: ReadonlySet<string | undefined> = new Set([' ', '\t', '\f']);
