import { createHash } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ManifestEntry } from '../api/documents.ts';
import { unreadable, type Site } from './site.ts';

/** The events of a site by genre, as parts of an open file. Plain data. */
export interface EventsFile {
  readonly file: number;
  readonly genres: ReadonlyMap<string, Part>;
}

interface Part {
  readonly start: number;
  end: number;
}

/** The events of a host may have this many bytes. */
const maxBytes = 512 * 1024 ** 2;

/**
 * Opens the file with every event, which must be the one that the manifest lists. That of a host is first copied to a
 * file without a name. Returns null if it is missing. Throws the problem `site-unreadable`.
 */
export async function openEvents(site: Site, path: string, listed: ManifestEntry): Promise<EventsFile | null> {
  const refuse = (reason: string, status?: number) => unreadable(`${site.name}/${path}`, reason, status);
  const here = site.fileAt(path);
  if (here === null && listed.bytes > maxBytes)
    throw refuse(`it has more than ${maxBytes.toLocaleString('en-US')} bytes`, 200);
  const blocks = await site.blocks(path, listed.bytes);
  if (blocks === null) return null;
  const file = here === null ? openNameless() : openSync(here, 'r');
  try {
    const index = new EventsIndex(refuse);
    for await (const block of blocks) {
      if (here === null) writeSync(file, block);
      index.add(block);
    }
    return { file, genres: index.finish(listed) };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Opens a temporary file whose name is removed at once, so that nothing is left if the build is killed. */
function openNameless(): number {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-'));
  const file = openSync(join(folder, 'events.ndjson'), 'wx+', 0o600);
  rmSync(folder, { recursive: true, force: true });
  return file;
}

const lineFeed = 10;
const maxLine = 1024 ** 2;
/** The bytes of a line that have its genre. */
const maxHead = 200;

/** Finds where the events of each genre begin and end while a file is read. The lines of a genre follow one another. */
class EventsIndex {
  readonly #refuse: (reason: string) => Error;
  readonly #genres = new Map<string, Part>();
  readonly #sum = createHash('sha256');
  #part: Part = { start: 0, end: 0 };
  #prefix: Buffer = Buffer.of();
  /** The beginning of a line whose end was not read yet. */
  #rest: Buffer = Buffer.of();
  #bytes = 0;

  constructor(refuse: (reason: string) => Error) {
    this.#refuse = refuse;
  }

  add(block: Buffer): void {
    this.#sum.update(block);
    const text = this.#rest.length === 0 ? block : Buffer.concat([this.#rest, block]);
    const offset = this.#bytes - this.#rest.length;
    this.#bytes += block.length;
    let start = 0;
    for (let end = text.indexOf(lineFeed); end !== -1; end = text.indexOf(lineFeed, start)) {
      const { length } = this.#prefix;
      const isSame =
        length > 0 && end - start > length && text.compare(this.#prefix, 0, length, start, start + length) === 0;
      if (!isSame) this.#begin(text.toString('latin1', start, Math.min(start + maxHead, end)), offset + start);
      this.#part.end = offset + end + 1;
      start = end + 1;
    }
    this.#rest = text.subarray(start);
    if (this.#rest.length > maxLine)
      throw this.#refuse(`it has a line of more than ${maxLine.toLocaleString('en-US')} bytes`);
  }

  #begin(head: string, start: number): void {
    const genre = /^\{"id":"([a-z0-9-]+)\//.exec(head)?.[1];
    if (genre === undefined || this.#genres.has(genre)) throw this.#refuse('it does not list events by genre');
    this.#prefix = Buffer.from(`{"id":"${genre}/`);
    this.#part = { start, end: start };
    this.#genres.set(genre, this.#part);
  }

  finish({ bytes, sha256 }: ManifestEntry): ReadonlyMap<string, Part> {
    if (bytes !== this.#bytes || this.#sum.digest('hex') !== sha256)
      throw this.#refuse('its content is not the one that files.json lists');
    if (this.#rest.length > 0) throw this.#refuse('its last line has no end');
    return this.#genres;
  }
}

/** Returns the lines of a genre. */
export function readLines({ file, genres }: EventsFile, genre: string): string[] {
  const { start, end } = genres.get(genre) ?? { start: 0, end: 0 };
  const bytes = Buffer.allocUnsafe(end - start);
  // A file that someone shortens in the meantime has lines that are not valid.
  readSync(file, bytes, 0, bytes.length, start);
  return bytes.toString().split('\n').slice(0, -1);
}
