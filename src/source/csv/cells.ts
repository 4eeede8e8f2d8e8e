import { CsvError, parse } from 'csv-parse/sync';

/** The one door to csv-parse: a table as rows of cells (RFC 4180). */

export interface Row {
  readonly cells: readonly string[];
  /** Where it begins in the text. */
  readonly offset: number;
}

/** What keeps a text from being a table. */
export interface TableFault {
  readonly reason: string;
  readonly offset: number;
}

/** Reads a table; empty lines are passed over, ends of lines may be CRLF or LF. */
export function readRows(text: string): Row[] | TableFault {
  const long = findLongLine(text);
  if (long !== null) return { reason: tooLong, offset: long };
  const offsetAt = offsetsIn(text);
  // Where the last whole row ends: what csv-parse itself says of it in an error grows with every row.
  let whole = 0;
  // What else it tells of a row, an Error with its stack for each that is too short, would stay in memory.
  const keepRow = (cells: string[], { bytes }: { readonly bytes: number }) => ({ cells, bytes: (whole = bytes) });
  try {
    const records = parse(text, {
      relax_column_count: true,
      skip_empty_lines: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      max_record_size: mostRowCharacters,
      to: mostRows + 1,
      on_record: keepRow as never,
    }) as unknown as { cells: string[]; bytes: number }[];
    if (records.length > mostRows) return { reason: tooMany, offset: 0 };
    let end = 0;
    return records.map(({ cells, bytes }) => {
      const offset = afterEmptyLines(text, end);
      end = offsetAt(bytes);
      return { cells, offset };
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { column = 0 } = error as { column?: number };
    const offset = cellOffset(text, afterEmptyLines(text, offsetAt(whole)), column);
    return { reason: reasons[error.code] ?? error.message, offset };
  }
}

/** Where the cell of a column begins in a row that {@link readRows} found at `offset`. */
export function cellOffset(text: string, offset: number, column: number): number {
  let isQuoted = false;
  let seen = 0;
  for (let at = offset; at < text.length; at++) {
    if (seen === column) return at;
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (text[at] === ',' && !isQuoted) seen++;
  }
  return seen === column ? text.length : offset;
}

/** No row of the format is anywhere near as long; one of millions of cells would take a gigabyte. */
const mostRowCharacters = 1024 * 1024;
const mostRows = 250_000;

/** Where a line begins that is longer than any row may be; null where none is. */
function findLongLine(text: string): number | null {
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === lineFeed || code === carriageReturn) start = at + 1;
    else if (at - start > mostRowCharacters) return start;
  }
  return null;
}

const [lineFeed, carriageReturn] = [10, 13];

const remedy =
  'a cell with commas, line breaks or quotation marks stands in quotation marks, those inside it doubled: mend it';
const tooMany = `more than ${mostRows.toLocaleString('en-US')} rows; split the table into several`;
const tooLong = `a row of more than ${mostRowCharacters.toLocaleString('en-US')} characters, or a quotation mark that is not closed for as long; ${remedy}`;
const reasons: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: `a quotation mark that is opened and not closed; ${remedy}`,
  CSV_MAX_RECORD_SIZE: tooLong,
  CSV_INVALID_CLOSING_QUOTE: `text between a closing quotation mark and the next comma; ${remedy}`,
  INVALID_OPENING_QUOTE: `a quotation mark inside a cell that is not quoted; ${remedy}`,
};

function afterEmptyLines(text: string, from: number): number {
  let at = from;
  while (text[at] === '\n' || text[at] === '\r') at++;
  return at;
}

/** From bytes, which the parser counts and which only grow, to characters. */
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
