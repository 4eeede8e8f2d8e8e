import { isAscii, isUtf8 } from 'node:buffer';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { UnplacedProblem } from '../problem/problem.ts';
import { failureReason } from '../system/failure.ts';

/** The largest source file that is read, in bytes: a subject of some 150,000 events. */
export const mostBytes = 16 * 1024 * 1024;

/** The text of a source file without its byte order mark, or why there is none. */
export function readText(path: string): string | UnplacedProblem {
  try {
    const bytes = readBytes(path);
    return typeof bytes === 'number' ? { code: 'file-too-large', bytes, most: mostBytes } : decode(bytes);
  } catch (error) {
    return { code: 'unreadable-file', reason: failureReason(error) };
  }
}

let buffer = Buffer.allocUnsafe(256 * 1024);

/** The bytes of a file, in a buffer that the next call uses again; the size alone where it is too large. */
function readBytes(path: string): Buffer | number {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    if (size > mostBytes) return size;
    if (size > buffer.length) buffer = Buffer.allocUnsafe(size);
    let length = 0;
    while (length < size) {
      const read = readSync(file, buffer, length, size - length, null);
      if (read === 0) break;
      length += read;
    }
    return buffer.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

/** UTF-8 as text without its byte order mark, or what else the bytes look like. */
export function decode(bytes: Buffer): string | UnplacedProblem {
  if (isAscii(bytes)) return bytes.toString('latin1');
  if (!isUtf8(bytes)) return { code: 'not-utf8', looksLike: guessEncoding(bytes) };
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return bytes.toString('utf8', marked ? 3 : 0);
}

function guessEncoding(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'what looks like UTF-16, little endian';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'what looks like UTF-16, big endian';
  if (bytes.includes(0)) return 'binary data';
  return 'bytes that are not UTF-8, Windows-1252 or Latin-1 perhaps';
}
