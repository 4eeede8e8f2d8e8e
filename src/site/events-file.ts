import { createHash } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ManifestEntry } from '../api/documents.ts';
import { count } from '../problem/text.ts';
import { isAddress, missingFile, otherContent, unreadable, type Site } from './site.ts';
import { readVersion } from './version.ts';

/** The events of a site by genre, as parts of an open file. Plain data. */
export interface EventsFile {
  readonly file: number;
  /** Whether it is the file that the manifest lists. */
  readonly isListed: boolean;
  readonly genres: ReadonlyMap<string, { readonly start: number; readonly end: number }>;
}

/** The events of a host may have this many bytes. */
const maxBytes = 512 * 1024 ** 2;

/**
 * Opens the file with every event. That of a host is first copied to a file without a name. Throws
 * the problem `site-unreadable`.
 *
 * @param now milliseconds since the Unix epoch
 */
export async function openEvents(
  site: Site,
  path: string,
  listed: ManifestEntry,
  now: number,
): Promise<EventsFile> {
  const here = site.fileAt(path);
  const file = here === null ? await copyEvents(site, path, listed, now) : openSync(here, 'r');
  try {
    const refuse = (reason: string) => unreadable(`${site.name}/${path}`, reason);
    return {
      file,
      ...findGenres(file, listed, refuse),
    };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

async function copyEvents(
  site: Site,
  path: string,
  listed: ManifestEntry,
  now: number,
): Promise<number> {
  if (!isAddress(site.name)) throw missingFile(site, path);
  // Whoever published too many events can publish fewer, so such a site is out of reach.
  if (listed.bytes > maxBytes)
    throw unreadable(`${site.name}/${path}`, `it has more than ${count(maxBytes)} bytes`, 200);
  const { bytes } = await readVersion(site, path, { listed, limit: maxBytes, now });
  return openNameless(bytes);
}

/**
 * Opens a temporary file whose name is removed at once, so that nothing is left if the build is
 * killed.
 */
function openNameless(content: Buffer): number {
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
): Omit<EventsFile, 'file'> {
  let part = { start: 0, end: 0 };
  const genres = new Map<string, typeof part>();
  let prefix = Buffer.from('{"id":"');
  const lines = readFile(file, listed, refuse);
  for (;;) {
    const { done, value } = lines.next();
    if (done === true) return { genres, isListed: value };
    const [start, line] = value;
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
}

const maxLine = 1024 ** 2;

/**
 * Reads a file. Yields the offset of each line and its bytes, the line feed included, and returns
 * whether the file is the listed one.
 */
function* readFile(
  file: number,
  { bytes, sha256 }: ManifestEntry,
  refuse: (reason: string) => Error,
): Generator<[start: number, line: Buffer], boolean> {
  const sum = createHash('sha256');
  const block = Buffer.allocUnsafe(maxLine);
  /**
   * Where the block begins in the file, and the bytes in it of a line whose end was not read yet.
   */
  let offset = 0;
  let rest = 0;
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
    if (rest === maxLine) throw refuse(`it has a line of more than ${count(maxLine)} bytes`);
  }
  const isListed = offset + rest === bytes && sum.digest('hex') === sha256;
  if (rest > 0) throw refuse(isListed ? 'its last line has no end' : otherContent);
  return isListed;
}

/** Returns the lines of a genre. */
export function readLines({ file, genres }: EventsFile, genre: string): string[] {
  const { start, end } = genres.get(genre) ?? { start: 0, end: 0 };
  const bytes = Buffer.allocUnsafe(end - start);
  // A file that someone shortens in the meantime has lines that are not valid.
  readSync(file, bytes, 0, bytes.length, start);
  return bytes.toString().split('\n').slice(0, -1);
}
