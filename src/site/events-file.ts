import { createHash } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ManifestEntry } from '../api/documents.ts';
import { missingFile, otherContent, unreadable, type Site } from './site.ts';

/** The events of a site by genre, as parts of an open file. Plain data. */
export interface EventsFile {
  readonly file: number;
  readonly genres: ReadonlyMap<string, { readonly start: number; readonly end: number }>;
}

/** The events of a host may have this many bytes. */
const maxBytes = 512 * 1024 ** 2;

/**
 * Opens the file with every event, which must be the one that the manifest lists. That of a host is
 * first copied to a file without a name. Throws the problem `site-unreadable`.
 */
export async function openEvents(
  site: Site,
  path: string,
  listed: ManifestEntry,
): Promise<EventsFile> {
  const refuse = (reason: string, status?: number) =>
    unreadable(`${site.name}/${path}`, reason, status);
  const here = site.fileAt(path);
  if (here === null && listed.bytes > maxBytes)
    throw refuse(`it has more than ${maxBytes.toLocaleString('en-US')} bytes`, 200);
  const body = here === null ? await site.read(path, listed.bytes + 1) : null;
  if (here === null && body === null) throw missingFile(site, path);
  const file = here === null ? openNameless(body ?? '') : openSync(here, 'r');
  try {
    return { file, genres: findGenres(file, listed, refuse) };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/**
 * Opens a temporary file whose name is removed at once, so that nothing is left if the build is
 * killed.
 */
function openNameless(content: Buffer | string): number {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-'));
  const file = openSync(join(folder, 'events.ndjson'), 'wx+', 0o600);
  rmSync(folder, { recursive: true, force: true });
  writeFileSync(file, content);
  return file;
}

/** Finds where the events of each genre begin and end. The lines of a genre follow one another. */
function findGenres(
  file: number,
  listed: ManifestEntry,
  refuse: (reason: string) => Error,
): EventsFile['genres'] {
  let part = { start: 0, end: 0 };
  const genres = new Map<string, typeof part>();
  let prefix = Buffer.from('{"id":"');
  for (const [start, line] of readFile(file, listed, refuse)) {
    if (genres.size === 0 || !line.subarray(0, prefix.length).equals(prefix)) {
      const genre = /^\{"id":"([a-z0-9-]+)\//.exec(line.toString('latin1', 0, 200))?.[1];
      if (genre === undefined || genres.has(genre))
        throw refuse('it does not list events by genre');
      prefix = Buffer.from(`{"id":"${genre}/`);
      part = { start, end: start };
      genres.set(genre, part);
    }
    part.end = start + line.length;
  }
  return genres;
}

const maxLine = 1024 ** 2;

/**
 * Reads a file that must be the listed one. Returns the offset of each line and its bytes, the line
 * feed included.
 */
function* readFile(
  file: number,
  { bytes, sha256 }: ManifestEntry,
  refuse: (reason: string) => Error,
): Generator<[start: number, line: Buffer]> {
  const sum = createHash('sha256');
  const block = Buffer.allocUnsafe(maxLine);
  /**
   * Where the block begins in the file, and the bytes in it of a line whose end was not read yet.
   */
  let [offset, rest] = [0, 0];
  for (;;) {
    const size = readSync(file, block, rest, maxLine - rest, offset + rest);
    if (size === 0) break;
    const text = block.subarray(0, rest + size);
    sum.update(text.subarray(rest));
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      yield [offset + start, text.subarray(start, end + 1)];
      start = end + 1;
    }
    offset += start;
    rest = text.copy(block, 0, start);
    if (rest === maxLine)
      throw refuse(`it has a line of more than ${maxLine.toLocaleString('en-US')} bytes`);
  }
  if (offset + rest !== bytes || sum.digest('hex') !== sha256) throw refuse(otherContent);
  if (rest > 0) throw refuse('its last line has no end');
}

/** Returns the lines of a genre. */
export function readLines({ file, genres }: EventsFile, genre: string): string[] {
  const { start, end } = genres.get(genre) ?? { start: 0, end: 0 };
  const bytes = Buffer.allocUnsafe(end - start);
  // A file that someone shortens in the meantime has lines that are not valid.
  readSync(file, bytes, 0, bytes.length, start);
  return bytes.toString().split('\n').slice(0, -1);
}
