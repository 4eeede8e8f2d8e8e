import { count } from '../../problem/text.ts';
import { CsvError, parse } from 'csv-parse/sync';
import type { TextFinding } from '../schema/finding.ts';
import type { ContainerOptions, Row, Rows } from './rows.ts';

/** A row of a text, and the offset at which it begins. */
export interface TextRow extends Row {
  readonly offset: number;
}

const separators = [',', ';', '\t', '|'] as const;
type Separator = (typeof separators)[number];

function findSeparator(text: string): Separator {
  const plain = text.slice(0, maxRowCharacters).replace(/"[^"]*"/g, '');
  const lines = plain.split(/[\r\n]+/, maxLines).filter((line) => line.trim() !== '');
  const counts = separators.map((separator) => {
    const times = lines.map((line) => line.split(separator).length - 1);
    const linesWith = times.filter((cuts) => cuts > 0).length;
    return linesWith * maxRowCharacters + times.reduce((sum, cuts) => sum + cuts, 0);
  });
  return separators[counts.indexOf(Math.max(...counts))] ?? ',';
}

const maxLines = 20;

/** Returns why a text is no table: empty, or a web page or feed that was saved. Null if it is one. */
export function faultOfText(text: string): string | null {
  if (!/[^\s,;|]/.test(text.slice(0, maxRowCharacters)))
    return 'an empty file; export or download it again';
  const isMarkup = /^\s*<(?:!doctype html|html|head|body|\?xml|rss|feed)\b/i.test(text);
  return isMarkup
    ? 'a web page or feed; export the table as CSV, or the calendar as .ics, and use that file'
    : null;
}

/** Opens a text as a table with separators (RFC 4180). */
export function openTable(text: string, { findHeader }: ContainerOptions): Rows | TextFinding {
  const reason = faultOfText(text);
  if (reason !== null)
    return {
      problem: { code: 'bad-table', reason },
      offset: 0,
    };
  const separator = findSeparator(text);
  const read = readRows(text, separator);
  if (!Array.isArray(read)) return read;
  // Spreadsheets write empty rows as commas, and Markdown a line of hyphens.
  const isFilled = ({ cells }: Row) => cells.some((cell) => /[^\s:-]/.test(cell));
  const rows = read.filter(isFilled);
  const above = findHeader(rows.slice(0, maxHeaderRows));
  const header = rows[above] ?? { cells: [], offset: 0 };
  const names = header.cells.map((cell) => cell.trim());
  const body = rows.slice(above + 1);
  if (body.length > maxRows)
    return {
      problem: { code: 'bad-table', reason: tooMany },
      offset: 0,
    };
  const cut = findCut(body, names.length, text);
  if (cut !== null) return cut;
  const spotOf: Rows['spotOf'] = (row, column) => {
    const { offset } = (row === null ? header : body[row]) ?? header;
    return { offset: column === undefined ? offset : cellOffset(text, offset, column, separator) };
  };
  return { names, above, body, spotOf, isSheet: true };
}

/**
 * Returns the problem of a last row that ends in the middle: it has too few cells and no line end,
 * and no other row has as few.
 */
function findCut(body: readonly TextRow[], columns: number, text: string): TextFinding | null {
  const last = body.at(-1);
  if (last === undefined || last.cells.length >= columns || /[\r\n]\s*$/.test(text)) return null;
  const cells = last.cells.length;
  if (body.slice(0, -1).some((row) => row.cells.length <= cells)) return null;
  return {
    problem: { code: 'cut-off-table', cells, columns },
    offset: last.offset,
  };
}

const maxHeaderRows = 200;

/** Reads the rows of a table (RFC 4180) that are not empty lines, up to one more than may be. */
export function readRows(text: string, separator: Separator = ','): TextRow[] | TextFinding {
  const long = findLongLine(text);
  if (long !== null)
    return {
      problem: { code: 'bad-table', reason: tooLong },
      offset: long,
    };
  try {
    // Enough rows to see that there are too many, wherever the header is.
    return parseRows(text, separator, maxHeaderRows + maxRows + 1).rows;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // The other positions in an error of csv-parse are not reliable.
    const { column = 0, records = 0 } = error as { column?: number; records?: number };
    const end = records === 0 ? 0 : parseRows(text, separator, records).end;
    const start = afterBlankLines(text, end, separator);
    const problem = {
      code: 'bad-table',
      reason: reasons[error.code] ?? error.message,
    } as const;
    return {
      problem,
      offset: cellOffset(text, start, column, separator),
    };
  }
}

function parseRows(
  text: string,
  separator: Separator,
  most: number,
): { rows: TextRow[]; end: number } {
  const records = parse(text, {
    relax_column_count: true,
    // People put spaces around quotation marks.
    trim: true,
    skip_empty_lines: true,
    delimiter: separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: maxRowCharacters,
    raw: true,
    to: most,
  }) as unknown as readonly { readonly record: string[]; readonly raw: string }[];
  let end = 0;
  const rows = records.map(({ record, raw }) => {
    const offset = afterBlankLines(text, end, separator);
    // The raw text of a row starts with the blank lines before it, and omits the line feed of each
    // CRLF between rows.
    for (let at = 0; at < raw.length; at++, end++) {
      if (raw[at] === '\r' && raw[at + 1] !== '\n' && text[end + 1] === '\n') end++;
    }
    return { cells: record, offset };
  });
  return { rows, end };
}

function afterBlankLines(text: string, at: number, separator: Separator): number {
  const lines = separator === '\t' ? /(?:[^\S\r\n\t]*[\r\n])*/y : /(?:[^\S\r\n]*[\r\n])*/y;
  lines.lastIndex = at;
  lines.test(text);
  return lines.lastIndex;
}

/**
 * Returns the offset of a cell in the text.
 *
 * @param offset the offset of its row, which is also the result if the row is shorter
 */
export function cellOffset(
  text: string,
  offset: number,
  column: number,
  separator: Separator = ',',
): number {
  let isQuoted = false;
  let index = 0;
  for (let at = offset; at < text.length; at++) {
    if (index === column) return at;
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (text[at] === separator && !isQuoted) index++;
  }
  return index === column ? text.length : offset;
}

/** An upper bound: without one, a row of millions of cells would take a gigabyte of memory. */
const maxRowCharacters = 1024 * 1024;
export const maxRows = 100_000;

function findLongLine(text: string): number | null {
  for (const { index, 0: line } of text.length > maxRowCharacters
    ? text.matchAll(/[^\r\n]+/g)
    : []) {
    if (line.length > maxRowCharacters) return index;
  }
  return null;
}

const remedy =
  'enclose a cell that contains separators, line breaks or quotation marks in quotation marks, and double those inside it';
export const tooMany = `more than ${count(maxRows)} rows; split the table into several`;
const tooLong = `a row longer than ${count(maxRowCharacters)} characters; most likely a quotation mark is never closed; ${remedy}`;
const reasons: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: `a quotation mark that is opened and not closed; ${remedy}`,
  CSV_MAX_RECORD_SIZE: tooLong,
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: `text between a closing quotation mark and the next separator; ${remedy}`,
  INVALID_OPENING_QUOTE: `a quotation mark inside a cell that is not quoted; ${remedy}`,
};
