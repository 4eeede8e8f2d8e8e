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
  /** Its offset in the text. */
  readonly offset: number;
}

/** Why a text is not a table: the reason in the problem `bad-table`, and its offset. */
export interface TableProblem {
  readonly reason: string;
  readonly offset: number;
}

/** The character between the cells of a table. */
export type Separator = ',' | ';' | '\t' | '|';

/**
 * Returns the separator that the first line that is not empty names, as in `sep=;`, or else the one that is most
 * frequent in it outside quotation marks.
 */
export function findSeparator(text: string): Separator {
  const [line = ''] = /^.*\S.*$/m.exec(text.slice(0, maxRowCharacters)) ?? [];
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

/**
 * Reads a table (RFC 4180). Skips empty lines. Lines may end with CRLF, LF or CR, and blanks may stand around quotation
 * marks. Most lines have none and are only split, which is a tenth of the work.
 */
export function readRows(text: string, separator: Separator = ','): Row[] | TableProblem {
  const rows: Row[] = [];
  for (let at = 0; at < text.length && rows.length <= maxRows;) {
    const line = text.slice(at, endOfLine(text, at));
    if (line.length > maxRowCharacters) return { reason: tooLong, offset: at };
    const row = line.includes('"') ? readQuoted(text, at, separator) : { end: at + line.length };
    if ('reason' in row) return row;
    const { cells = detach(line).split(separator), end } = row;
    if (line !== '') rows.push({ cells, offset: at });
    at = end + 1;
  }
  return rows.length > maxRows ? { reason: tooMany, offset: 0 } : rows;
}

/** Reads a row that begins at `start` and has quotation marks. Returns its cells and where it ends. */
function readQuoted(
  text: string,
  start: number,
  separator: Separator,
): { readonly cells?: string[]; readonly end: number } | TableProblem {
  const cells: string[] = [];
  for (let offset = start; ;) {
    const opening = afterBlanks(text, offset, separator);
    const isQuoted = text[opening] === '"';
    const closing = isQuoted ? closingOf(text, opening) : -1;
    if (isQuoted && closing === -1)
      return { reason: text.length - start > maxRowCharacters ? tooLong : unclosed, offset };
    const end = isQuoted ? afterBlanks(text, closing + 1, separator) : endOfCell(text, offset, separator);
    if (end - start > maxRowCharacters) return { reason: tooLong, offset };
    const cell = isQuoted ? text.slice(opening + 1, closing).replaceAll('""', '"') : text.slice(offset, end);
    if (!isQuoted && cell.includes('"')) return { reason: insideCell, offset };
    if (endOfCell(text, end, separator) !== end) return { reason: afterClosing, offset };
    cells.push(detach(cell));
    if (text[end] !== separator) return { cells, end };
    offset = end + 1;
  }
}

/** Returns the offset of the quotation mark that closes the one at an offset. Two in a row are part of the cell. */
function closingOf(text: string, opening: number): number {
  let at = text.indexOf('"', opening + 1);
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}

function afterBlanks(text: string, from: number, separator: Separator): number {
  let at = from;
  while (text[at] === ' ' || (text[at] === '\t' && separator !== '\t')) at++;
  return at;
}

/**
 * Returns a copy of a part of a text. V8 keeps the whole text in memory as long as any part of it is in use, and some
 * events of each table are in use until the end of a build.
 */
function detach(part: string): string {
  return ` ${part}`.slice(1);
}

/** Returns the offset of the next separator, line break or of the end. */
function endOfCell(text: string, from: number, separator: Separator): number {
  return find(cellEnds[separator], text, from);
}

/** Returns the offset of the next line break, or of the end. The line feed of a CRLF ends an empty line, which is skipped. */
function endOfLine(text: string, from: number): number {
  return find(lineBreak, text, from);
}

function find(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  // Not `exec`, whose result is an object for each row.
  return pattern.test(text) ? pattern.lastIndex - 1 : text.length;
}

const lineBreak = /[\r\n]/g;
const cellEnds: Readonly<Record<Separator, RegExp>> = {
  ',': /[,\r\n]/g,
  ';': /[;\r\n]/g,
  '\t': /[\t\r\n]/g,
  '|': /[|\r\n]/g,
};

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

const remedy =
  'enclose a cell that contains separators, line breaks or quotation marks in quotation marks, and double those inside it';
const tooMany = `more than ${maxRows.toLocaleString('en-US')} rows; split the table into several`;
const tooLong = `a row of more than ${maxRowCharacters.toLocaleString('en-US')} characters, or a quotation mark that is not closed within as many; ${remedy}`;
const unclosed = `a quotation mark that is opened and not closed; ${remedy}`;
const afterClosing = `text between a closing quotation mark and the next separator; ${remedy}`;
const insideCell = `a quotation mark inside a cell that is not quoted; ${remedy}`;
