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
  const offsetAt = offsetsIn(text);
  try {
    const records = parse(text, {
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      record_delimiter: ['\r\n', '\n', '\r'],
    }) as unknown as { record: string[]; info: { bytes: number } }[];
    let end = 0;
    return records.map(({ record, info }) => {
      const offset = afterEmptyLines(text, end);
      end = offsetAt(info.bytes);
      return { cells: record, offset };
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { bytes_records: bytes = 0, column = 0 } = error as { bytes_records?: number; column?: number };
    const offset = cellOffset(text, afterEmptyLines(text, offsetAt(bytes)), column);
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

const remedy =
  'a cell with commas, line breaks or quotation marks stands in quotation marks, those inside it doubled: mend it';
const reasons: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: `a quotation mark that is opened and not closed; ${remedy}`,
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
