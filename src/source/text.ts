import { isAscii, isUtf8 } from 'node:buffer';
import { wholeFile, type DisplayPath, type Problem } from '../problem/problem.ts';
import { failureReason } from '../system/failure.ts';
import { readRegular } from '../system/files.ts';
import { readDrafts } from './draft.ts';
import { mergeDrafts } from '../readers/merge-drafts.ts';
import { positionsIn, type SourceText } from '../readers/schema/finding.ts';
import type { SourceFile, TextReading } from '../readers/schema/reading.ts';
import { readers } from '../readers/readers.ts';
import type { ReadKind } from '../readers/schema/file-kinds.ts';

/** The size limit of a source file in bytes. A subject of about 150,000 events fits. */
export const maxBytes = 16 * 1024 * 1024;

/** A data folder that is being read. */
export interface SourceFolder {
  readonly data: string;
  readonly displayPath: DisplayPath;
  readonly report: (problem: Problem) => void;
  /** The default zone of events. Absent until service.json is read. */
  readonly defaultZone?: string | null;
}

/**
 * Returns the text of a file of the data folder, or reports it and returns null. `warn`: it is none
 * of our JSON files.
 */
export function readDataText(
  { data, displayPath, report }: SourceFolder,
  path: string,
  warn?: (problem: Problem) => void,
): string | null {
  // Not `join`, which inspects every character of the path: there may be many thousand files.
  const shownPath = () => displayPath(path);
  const bytes = readSourceBytes(`${data}/${path}`, shownPath);
  const decodeBytes = warn === undefined ? decode : decodeTable;
  const text = Buffer.isBuffer(bytes) ? decodeBytes(bytes, shownPath, warn ?? report) : bytes;
  if (typeof text === 'string') return text;
  report(text);
  return null;
}

/** Returns the bytes of a source file, or a problem. */
export function readSourceBytes(path: string, shownPath: () => string): Buffer | Problem {
  try {
    return readRegular(path, maxBytes);
  } catch (error) {
    return {
      code: 'unreadable-file',
      place: wholeFile(shownPath()),
      reason: failureReason(error),
    };
  }
}

/**
 * Decodes UTF-8 without its byte order mark, or returns a problem at the first byte that is not
 * UTF-8.
 */
export function decode(bytes: Buffer, shownPath: () => string): string | Problem {
  if (isAscii(bytes)) return bytes.toString('latin1');
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  if (isUtf8(bytes)) return bytes.toString('utf8', start);
  const decoded = Buffer.from(bytes.toString('utf8'));
  let length = bytes.findIndex((byte, index) => byte !== decoded[index]);
  // An invalid sequence may begin like the replacement character for it.
  while (!isUtf8(bytes.subarray(0, length))) length--;
  const valid = bytes.toString('utf8', start, length);
  const place = {
    file: shownPath(),
    ...positionsIn(valid)(valid.length),
  };
  return {
    code: 'not-utf8',
    place,
    looksLike: bytes.includes(0) ? 'UTF-16 or binary data' : 'bytes that are not UTF-8',
  };
}

/**
 * Decodes a calendar, table or page: UTF-8, UTF-16 with its mark or, with a warning, Windows-1252. In
 * a text that has UTF-8, a byte that is none costs its own character, with a warning. Returns a
 * problem for others.
 */
export function decodeTable(
  bytes: Buffer,
  shownPath: () => string,
  warn?: (problem: Problem) => void,
): string | Problem {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le', 2);
  const text = decode(bytes, shownPath);
  if (typeof text === 'string' || bytes.includes(0)) return text;
  const { place } = text;
  const whole = Buffer.from(joinSplitCharacters(bytes.toString('latin1')), 'latin1');
  if (place === null) return text;
  if (isUtf8(whole)) return whole.toString().replace(/^\ufeff/, '');
  const decoded = decodeBroken(whole);
  if (decoded === null) return text;
  const code = decoded.includes('\ufffd') ? 'bad-bytes' : 'guessed-encoding';
  warn?.({ code, place });
  return decoded;
}

/**
 * Joins the bytes of a character that a program of calendars has folded in the middle (RFC 5545,
 * 3.1), by moving the fold behind it. Texts are bytes, as Latin-1.
 */
function joinSplitCharacters(bytes: string): string {
  return bytes.replace(
    /([\xc2-\xf4])([\x80-\xbf]{0,2})(\r?\n[ \t])([\x80-\xbf]{1,3})/g,
    (text, ...[lead, start, fold, end]: [string, string, string, string]) => {
      // The first byte says how many follow: one, two or three.
      const length = 1 + Number(lead >= '\xe0') + Number(lead >= '\xf0');
      const missing = length - start.length;
      if (missing < 1 || end.length < missing) return text;
      return lead + start + end.slice(0, missing) + fold + end.slice(missing);
    },
  );
}

/**
 * Decodes bytes that are not all UTF-8: with U+FFFD for those that are not if there is a character of
 * several bytes, otherwise as Windows-1252. Returns null if they are neither.
 */
function decodeBroken(bytes: Buffer): string | null {
  const text = bytes.toString().replace(/^\ufeff/, '');
  if (/[^\0-\x7f\ufffd]/.test(text)) return text;
  // TextDecoder of some versions of Node reads Latin-1 instead.
  const decoded = bytes
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (byte) => windows1252[byte.charCodeAt(0) - 0x80] ?? '');
  return decoded.includes('\0') ? null : decoded;
}

/** The characters of the bytes 80 to 9F in Windows-1252, which leaves five of them unused. */
const windows1252 = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ';

/**
 * Returns the reader of a kind of file or folder, which reads it once more with each further
 * mapping. It and its parser are loaded when the first file needs them.
 */
export async function readerOf(kind: ReadKind) {
  const read = await readers[kind]();
  return (
    text: string | readonly SourceText[],
    file: SourceFile,
    mappings: readonly SourceFile['mapping'][] = [],
  ): TextReading => {
    const files = [file, ...mappings.map((mapping) => ({ ...file, mapping }))];
    const drafts = mergeDrafts(files.map((context) => read(text as never, context)));
    return readDrafts(drafts, file.genre, file);
  };
}
