import { CsvError, parse } from 'csv-parse/sync';

export interface Row {
  readonly cells: readonly string[];
  /** Its offset in the text. */
  readonly offset: number;
}

/** The reason why a text is not a table. */
export interface TableProblem {
  readonly reason: string;
  readonly offset: number;
}

/** The character between the cells of a table. */
export type Separator = ',' | ';' | '\t';

/** Returns the separator that is most frequent in the first line that is not empty, outside quotation marks. */
export function findSeparator(text: string): Separator {
  const start = afterEmptyLines(text, 0);
  const [line = ''] = text.slice(start, start + maxRowCharacters).split(/[\r\n]/, 1);
  const plain = line.replace(/"[^"]*"/g, '');
  const counts = separators.map((separator) => plain.split(separator).length);
  return separators[counts.indexOf(Math.max(...counts))] ?? ',';
}

const separators: readonly Separator[] = [',', ';', '\t'];

/** Reads a table (RFC 4180). Skips empty lines. Lines may end with CRLF, LF or CR. */
export function readRows(text: string, separator: Separator = ','): Row[] | TableProblem {
  const long = findLongLine(text);
  if (long !== null) return { reason: tooLong, offset: long };
  const offsetAt = offsetsIn(text);
  // The end of the last complete row in bytes. The position in an error of csv-parse is not reliable.
  let parsedBytes = 0;
  // Keep only the cells and the position, because csv-parse adds an Error with its stack to each row that is too short.
  const keepRow = (cells: string[], { bytes }: { readonly bytes: number }) => ({ cells, bytes: (parsedBytes = bytes) });
  try {
    const records = parse(text, {
      relax_column_count: true,
      skip_empty_lines: true,
      delimiter: separator,
      record_delimiter: ['\r\n', '\n', '\r'],
      max_record_size: maxRowCharacters,
      to: maxRows + 1,
      on_record: keepRow as never,
    }) as unknown as { cells: string[]; bytes: number }[];
    if (records.length > maxRows) return { reason: tooMany, offset: 0 };
    let end = 0;
    return records.map(({ cells, bytes }) => {
      const offset = afterEmptyLines(text, end);
      end = offsetAt(bytes);
      return { cells, offset };
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { column = 0 } = error as { column?: number };
    const offset = cellOffset(text, afterEmptyLines(text, offsetAt(parsedBytes)), column, separator);
    return { reason: reasons[error.code] ?? error.message, offset };
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
const maxRows = 250_000;

/** Returns the offset of the first line that is longer than a row may be, or null. */
function findLongLine(text: string): number | null {
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
  'put a cell with separators, line breaks or quotation marks in quotation marks, and double the quotation marks inside it';
const tooMany = `more than ${maxRows.toLocaleString('en-US')} rows; split the table into several`;
const tooLong = `a row of more than ${maxRowCharacters.toLocaleString('en-US')} characters, or a quotation mark that is not closed for as long; ${remedy}`;
const reasons: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: `a quotation mark that is opened and not closed; ${remedy}`,
  CSV_MAX_RECORD_SIZE: tooLong,
  CSV_INVALID_CLOSING_QUOTE: `text between a closing quotation mark and the next separator; ${remedy}`,
  INVALID_OPENING_QUOTE: `a quotation mark inside a cell that is not quoted; ${remedy}`,
};

function afterEmptyLines(text: string, from: number): number {
  let at = from;
  while (text[at] === '\n' || text[at] === '\r') at++;
  return at;
}

/** Returns a function from the parser's byte positions to character offsets. The positions must ascend. */
function offsetsIn(text: string): (bytes: number) => number {
  const content = Buffer.from(text);
  if (content.length === text.length) return (bytes) => bytes;
  let [bytes, characters] = [0, 0];
  return (wantedBytes) => {
    characters += content.toString('utf8', bytes, wantedBytes).length;
    bytes = wantedBytes;
    return characters;
  };
}
