import { createHash, hash } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangesDocument, IndexDocument, Manifest } from '../api/documents.ts';
import { formatPath, formats } from '../api/formats.ts';
import { changesPath, indexPath, manifestPath } from '../api/paths.ts';
import { indexDocumentSchema } from '../api/schemas.ts';
import { parseJson } from '../catalogue/text.ts';
import { hour, isoInstant } from '../catalogue/time/time.ts';
import { ProblemError, type Problem } from '../problem/problem.ts';
import { readManifest } from './documents.ts';
import { fits, readChanges } from './published.ts';
import { isAddress, openSite, unreadable, type Site } from './site.ts';

/** The site that a build continues. */
export interface Previous {
  /** A folder or an address. */
  readonly at: string;
  /** Whether the user named it. It must then exist, and losing much of it is refused. */
  readonly isNamed: boolean;
}

/** What a build remembers of the site before it. Plain data, so that threads can share it. */
export interface Memory {
  /** The folder or address of the site. */
  readonly site: string;
  readonly isNamed: boolean;
  /** Null if it is damaged. */
  readonly index: IndexDocument | null;
  /** Null if there is none, or if it is damaged. */
  readonly log: ChangesDocument | null;
  /** Null if the site does not publish them, or if the site is damaged. */
  readonly events: EventsFile | null;
  /** What is wrong with one of its files. Nothing of a damaged site is compared. */
  readonly damage: Problem | null;
}

/** The events of a site by genre, as parts of an open file. */
export interface EventsFile {
  readonly file: number;
  readonly genres: ReadonlyMap<string, { readonly start: number; readonly end: number }>;
}

/** The clock of a build. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** Whether the user gave it, so that it need not be that of the hosts. */
  readonly isGiven: boolean;
}

/** Everything that is read of a site has to be there within this time. */
const deadline = 120_000;

/** The events of a host may have this many bytes. */
const maxEventsBytes = 512 * 1024 ** 2;

/** Why a file cannot be used. Unlike one that is out of reach, it will be no better later. */
class Damage extends Error {
  readonly path: string;

  constructor(path: string, reason: string) {
    super(reason);
    this.path = path;
  }
}

/**
 * Opens the memory of a site: its manifest, its index, its log and its events, whole or not at all. Returns null if the
 * site is missing and nobody named it. Throws `site-unreadable`, `unreachable` and `previous-site-missing` if it is out
 * of reach, and `clock-behind` or `clock-differs` if its times contradict those of the clock.
 */
export async function openMemory(
  previous: Previous,
  cwd: string,
  clock: Clock,
  milliseconds = deadline,
): Promise<Memory | null> {
  const limit = new AbortController();
  const reason = `the previous site could not be read within ${milliseconds / 1000} seconds`;
  const timer = setTimeout(() => limit.abort(new Error(reason)), milliseconds);
  const site = openSite(previous.at, cwd, limit.signal);
  let memory: Memory | null = null;
  try {
    // A host may be about to receive the next site, or answer from different caches.
    for (const pause of isAddress(previous.at) ? [0, 200, 1000] : [0]) {
      await sleep(pause);
      memory = await readMemory(site, previous);
      if (memory !== null && memory.damage === null) break;
    }
    checkClock(site, memory, clock);
    const isNothing = memory === null || (memory.damage !== null && memory.index === null && memory.log === null);
    if (previous.isNamed && isNothing)
      throw new ProblemError([{ code: 'previous-site-missing', place: null, site: site.name }]);
    return memory;
  } catch (error) {
    closeMemory(memory);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Closes the file of the events, if it is open. */
export function closeMemory(memory: Memory | null): void {
  if (memory?.events) closeSync(memory.events.file);
}

async function readMemory(site: Site, { isNamed }: Previous): Promise<Memory | null> {
  const damages: Damage[] = [];
  const unlessDamaged = async <T>(path: string, read: () => Promise<T>): Promise<T | null> => {
    try {
      return await read();
    } catch (error) {
      const damage = damageIn(error, path);
      if (damage === null) throw error;
      damages.push(damage);
      return null;
    }
  };
  const manifest = await unlessDamaged(manifestPath, async () => readManifest(site));
  if (manifest === null && damages.length === 0) return null;
  const files = manifest?.files ?? null;
  const index = await unlessDamaged(indexPath, async () => readWhole(site, files, indexPath, readIndex));
  const log = await unlessDamaged(changesPath, async () => readWhole(site, files, changesPath, readChanges));
  const events = await unlessDamaged(eventsPath, async () => (damages.length > 0 ? null : openEvents(site, files)));
  const [first] = damages;
  const damage = first === undefined ? null : damageProblem(site.name, first.path, first.message);
  return { site: site.name, isNamed, index, log, events, damage };
}

const eventsPath = formatPath(formats.ndjson, {});

/** Returns the damage of a file that could not be used, or null if the file may be better later. */
function damageIn(error: unknown, path: string): Damage | null {
  if (error instanceof Damage) return error;
  const problem = error instanceof ProblemError ? error.problems[0] : undefined;
  const isTooLarge = problem?.code === 'unreachable' && problem.isTooLarge;
  const isUnreadable = problem?.code === 'site-unreadable' && problem.status === undefined;
  return isTooLarge || isUnreadable ? new Damage(path, problem.reason) : null;
}

function readIndex(text: string): IndexDocument | null {
  const index = parseJson(text);
  return fits(indexDocumentSchema, index, ['name', 'documentation', 'catalogue']) ? (index as IndexDocument) : null;
}

/** Returns the warning about a site that is damaged. */
export function damageProblem(site: string, path: string, reason: string): Problem {
  return { code: 'previous-site-damaged', place: null, path: `${site}/${path}`, reason };
}

/**
 * Reads a document, which must be the one that the manifest lists. Returns null if it lists none. Without a manifest, the
 * document itself must be valid.
 */
async function readWhole<T>(
  site: Site,
  files: Manifest['files'] | null,
  path: string,
  parse: (text: string) => T | null,
): Promise<T | null> {
  const listed = files === null ? null : listedIn(files, path);
  if (listed === undefined) return null;
  const bytes = await site.read(path, listed === null ? undefined : listed.bytes + 1);
  if (bytes === null) throw missing(site, path);
  if (listed !== null && hash('sha256', bytes) !== listed.sha256) throw new Damage(path, differs);
  const document = parse(bytes.toString());
  if (document === null) throw new Damage(path, 'it is not a document of version 1 of the interface');
  return document;
}

const differs = 'its content is not the one that files.json lists';

function listedIn(files: Manifest['files'], path: string) {
  return Object.hasOwn(files, path) ? files[path] : undefined;
}

/** Returns the error for a listed file that is missing. A host may find it later. */
function missing({ name }: Site, path: string): Error {
  const reason = `it is missing, although ${manifestPath} lists it`;
  return isAddress(name) ? unreadable(`${name}/${path}`, reason, 404) : new Damage(path, reason);
}

/** Opens the file with every event. That of a host is first copied to a file without a name. */
async function openEvents(site: Site, files: Manifest['files'] | null): Promise<EventsFile | null> {
  const path = eventsPath;
  const listed = files === null ? undefined : listedIn(files, path);
  if (listed === undefined) return null;
  const here = site.fileAt(path);
  if (here === null && listed.bytes > maxEventsBytes)
    throw unreadable(`${site.name}/${path}`, `it has more than ${maxEventsBytes.toLocaleString('en-US')} bytes`, 200);
  const blocks = await site.blocks(path, listed.bytes);
  if (blocks === null) throw missing(site, path);
  const file = here === null ? openNameless() : openSync(here, 'r');
  try {
    const { genres, bytes, sha256 } = await indexGenres(path, blocks, (block) => {
      if (here === null) writeSync(file, block);
    });
    if (bytes !== listed.bytes || sha256 !== listed.sha256) throw new Damage(path, differs);
    return { file, genres };
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

/** Finds where the events of each genre begin and end. The lines of a genre follow one another. */
async function indexGenres(
  path: string,
  blocks: AsyncIterable<Buffer> | Iterable<Buffer>,
  onBlock: (block: Buffer) => void,
) {
  const sum = createHash('sha256');
  const genres = new Map<string, { readonly start: number; end: number }>();
  let current = { start: 0, end: 0 };
  let prefix: Buffer = Buffer.of();
  let rest: Buffer = Buffer.of();
  let bytes = 0;
  for await (const block of blocks) {
    sum.update(block);
    onBlock(block);
    const text = rest.length === 0 ? block : Buffer.concat([rest, block]);
    const offset = bytes - rest.length;
    bytes += block.length;
    let start = 0;
    for (let end = text.indexOf(lineFeed); end !== -1; start = end + 1, end = text.indexOf(lineFeed, start)) {
      const isNext = prefix.length === 0 || text.compare(prefix, 0, prefix.length, start, start + prefix.length) !== 0;
      if (isNext) {
        const genre = /^\{"id":"([a-z0-9-]+)\//.exec(text.toString('latin1', start, Math.min(start + 200, end)))?.[1];
        if (genre === undefined || genres.has(genre)) throw new Damage(path, 'it does not list events by genre');
        prefix = Buffer.from(`{"id":"${genre}/`);
        current = { start: offset + start, end: 0 };
        genres.set(genre, current);
      }
      current.end = offset + end + 1;
    }
    rest = text.subarray(start);
    if (rest.length > maxLine)
      throw new Damage(path, `it has a line of more than ${maxLine.toLocaleString('en-US')} bytes`);
  }
  if (rest.length > 0) throw new Damage(path, 'its last line has no end');
  return { genres, bytes, sha256: sum.digest('hex') };
}

/** Returns the lines of a genre. */
export function readLines({ file, genres }: EventsFile, genre: string): string[] {
  const { start, end } = genres.get(genre) ?? { start: 0, end: 0 };
  const bytes = Buffer.allocUnsafe(end - start);
  for (let length = 0; length < bytes.length;) {
    const read = readSync(file, bytes, length, bytes.length - length, start + length);
    if (read === 0) break;
    length += read;
  }
  return bytes.toString().split('\n').slice(0, -1);
}

/** Clocks of different machines may differ by this much, in milliseconds. */
const maxClockError = hour;

/** Throws the problem `clock-behind` if the site is of the future, and `clock-differs` if its host has another time. */
function checkClock(site: Site, memory: Memory | null, { now, isGiven }: Clock): void {
  const times = [memory?.index?.catalogue.last_sync, memory?.log?.since, memory?.log?.changes[0]?.at];
  const newest = Math.max(...times.map((time) => (time == null ? 0 : Date.parse(time))));
  const details = { place: null, now: isoInstant(now), site: site.name };
  if (newest > now + maxClockError)
    throw new ProblemError([{ code: 'clock-behind', ...details, time: isoInstant(newest) }]);
  const hostTime = site.hostTime();
  if (!isGiven && hostTime !== null && Math.abs(hostTime - now) > maxClockError)
    throw new ProblemError([{ code: 'clock-differs', ...details, time: isoInstant(hostTime) }]);
}
