import { hash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { dropLock, isHeldLock, takeLock } from '../../system/lock.ts';
import { ProblemError, wholeFile, type Problem, type DisplayPath } from '../../problem/problem.ts';
import { remoteStem } from '../subject-files.ts';
import type { TextFormat } from '../formats.ts';

/**
 * What is known of remote sources, in `.cache` of the data folder: the last good copy of each at
 * `.cache/{category}/{genre}/{subject}.{format}`, and in `.cache/sync.json` where and when it came from. A copy is written
 * before the state; a copy that is not the one the state knows is fetched again, so a crash between them loses nothing.
 * `.cache/sync.lock` says who synchronises.
 */
export interface CacheState {
  /** ISO 8601 UTC: the start of the last synchronisation that reached every source or kept its good copy. */
  readonly last_sync: string | null;
  /** The start of the last one, whatever came of it. */
  readonly last_run: string | null;
  /** By the path of the source file, relative to the data folder. */
  readonly sources: Readonly<Record<string, SourceState>>;
}

export interface SourceState {
  readonly url: string;
  readonly etag: string | null;
  readonly last_modified: string | null;
  /** SHA-256 of the copy that `etag` and `last_modified` are of. */
  readonly sha256: string | null;
  /** When the copy was last known to be what the source says; null where there is none. */
  readonly good_at: string | null;
  /** What kept the last synchronisation from it; null where nothing did. */
  readonly failure: string | null;
}

const folder = '.cache';

/** Whether there is a cache, of whatever state. */
export function hasCache(data: string): boolean {
  return existsSync(join(data, folder));
}

/** Where the good copy of a source lies, relative to the data folder. */
export function copyPath(source: string, format: TextFormat): string {
  return `${folder}/${remoteStem(source)}.${format}`;
}

/** Whether a file is there at a path in the cache. A link, also on the way to it, would show what lies elsewhere. */
export function isInCache(data: string, path: string): boolean {
  const names = path.split('/');
  return names.every((_, index) => {
    const stats = lstatSync(join(data, ...names.slice(0, index + 1)), { throwIfNoEntry: false });
    return (index === names.length - 1 ? stats?.isFile() : stats?.isDirectory()) === true;
  });
}

/** The state of the cache; an empty one where there is none that can be read, since all of it can be fetched again. */
export function readState(data: string): CacheState {
  try {
    const { last_sync, last_run, sources } = JSON.parse(readFileSync(statePath(data), 'utf8')) as CacheState;
    const sound = Object.entries(sources).filter(([, source]) => isSound(source));
    if ([last_sync, last_run].every(isInstant)) return { last_sync, last_run, sources: Object.fromEntries(sound) };
  } catch {
    // There is none, or it is damaged.
  }
  return { last_sync: null, last_run: null, sources: {} };
}

/** Whoever edits the data can write into the cache as well: what is published of it, and printed, has one form. */
function isInstant(value: unknown): boolean {
  return value === null || (typeof value === 'string' && instant.test(value) && !Number.isNaN(Date.parse(value)));
}

function isSound(source: SourceState | null): boolean {
  const { url, good_at, etag, last_modified, sha256, failure } = source ?? {};
  const isText = (value: unknown): boolean => typeof value === 'string';
  return (
    isText(url) &&
    isInstant(good_at) &&
    [etag, last_modified, sha256, failure].every((one) => one === null || isText(one))
  );
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export function writeState(data: string, state: CacheState): void {
  writeWhole(statePath(data), `${JSON.stringify(state, null, 2)}\n`);
}

/** Replaces a good copy by a better one. Returns its SHA-256. */
export function writeCopy(data: string, path: string, content: Uint8Array): string {
  writeWhole(join(data, path), content);
  return hash('sha256', content);
}

/** Whether a copy is the one that its state tells of. */
export function isCopyOf(data: string, path: string, { sha256 }: SourceState): boolean {
  return sha256 !== null && hash('sha256', readFileSync(join(data, path))) === sha256;
}

/**
 * Takes the cache for this process alone and clears away the drafts of one that was killed. Returns what gives it back.
 * Throws the problem `sync-busy` while another process synchronises, `symbolic-link` where one leads out of the cache.
 */
export function claimCache(data: string, displayPath: DisplayPath): () => void {
  const cache = join(data, folder);
  const lock = join(cache, 'sync.lock');
  mkdirSync(cache, { recursive: true });
  refuseLinks(data, displayPath);
  const owner = takeLock(lock);
  if (owner !== null) throw new ProblemError([{ code: 'sync-busy', place: null, folder: displayPath(''), owner }]);
  clearDrafts(cache, lock);
  return () => dropLock(lock);
}

/** No folder of the cache may be a link: what is written there would land elsewhere. A file is replaced in any case. */
function refuseLinks(data: string, displayPath: DisplayPath): void {
  const cache = join(data, folder);
  const inside = readdirSync(cache, { recursive: true, withFileTypes: true }).filter((entry) => entry.isSymbolicLink());
  const links = inside.map(({ parentPath, name }) => join(parentPath, name));
  if (lstatSync(cache).isSymbolicLink()) links.push(cache);
  const linked = links.filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory());
  const toProblem = (path: string): Problem => {
    return { code: 'symbolic-link', place: wholeFile(displayPath(relative(data, path))), name: basename(path) };
  };
  if (linked.length > 0) throw new ProblemError(linked.map(toProblem));
}

function clearDrafts(cache: string, lock: string): void {
  for (const name of readdirSync(cache, { recursive: true, encoding: 'utf8' })) {
    const path = join(cache, name);
    const isDraft = draft.test(name) || (path.startsWith(`${lock}-`) && !isHeldLock(path));
    if (isDraft) rmSync(path, { force: true });
  }
}

const draft = /\.\d+\.next$/;

function statePath(data: string): string {
  return join(data, folder, 'sync.json');
}

/** A file appears whole or not at all. */
function writeWhole(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  const next = `${path}.${process.pid}.next`;
  try {
    writeFileSync(next, content);
    renameSync(next, path);
  } finally {
    rmSync(next, { force: true });
  }
}
