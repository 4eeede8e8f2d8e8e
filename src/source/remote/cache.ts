import { hash } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { day } from '../../catalogue/time/time.ts';
import {
  ProblemError,
  wholeFile,
  type DisplayPath,
  type Problem,
  problemError,
} from '../../problem/problem.ts';
import { linkBelow, listTree, readRegular } from '../../system/files.ts';
import { makeFolder, writeWhole } from '../../system/write.ts';
import { acquireLock } from '../../system/lock.ts';
import { doubtfulKeyOf } from '../../readers/schema/addresses.ts';
import { readSource } from '../validate.ts';
import type { FoundProblem } from '../../readers/schema/finding.ts';
import type { RemoteSource, Sources } from '../../readers/schema/source-types.ts';
import {
  fileKinds,
  kindOfFormat,
  kindOfPath,
  mappingKeysOf,
  remoteStem,
  type FileKind,
  type ReadKind,
  type TextFormat,
} from '../../readers/schema/file-kinds.ts';
import { maxBytes, type SourceFolder } from '../text.ts';

/*
 * The cache of the remote sources, in `.cache` of the data folder:
 *   {category}/{genre}/{subject}.{format}  the last good copy of a source
 *   sync.json                              the state: where and when each copy was fetched
 *   sync.lock                              the lock of a synchronisation
 * A copy is written before the state. A copy whose hash is not in the state is fetched again, so a
 * crash loses nothing.
 */

/**
 * An instant as ISO 8601 in UTC. It is published, although anyone who edits the data can change it.
 */
const instant = z.iso.datetime({ precision: 3 }).nullable();
const text = z.string().nullable();

const sourceState = z.object({
  url: z.string(),
  etag: text,
  last_modified: text,
  sha256: text,
  /** When the copy was last known to be current. Null if there is no copy. */
  good_at: instant,
  failure: text,
  /** The number of events in the copy that were not over at the last synchronisation. */
  events: z.int().default(0),
  /** The first synchronisation since which there are none, although there were before. */
  silent_since: instant.default(null),
});
export type SourceState = z.infer<typeof sourceState>;

/** The content of sync.json. */
const cacheState = z.object({
  /**
   * The start of the last synchronisation after which every source had a copy that was good within
   * a week.
   */
  last_sync: instant,
  /**
   * The start of the first synchronisation, published while `last_sync` is null, so that monitoring
   * can alert.
   */
  first_run: instant,
  sources: z.record(z.string(), sourceState),
});
export type CacheState = z.infer<typeof cacheState>;

/** The remote sources of a data folder with their cached state. */
export interface Remotes {
  readonly files: ReadonlyMap<string, RemoteFile>;
  /** The sources whose file or folder is in the repository, by the paths of their source files. */
  readonly locals: ReadonlyMap<string, LocalSource>;
  /** The start of the last synchronisation, as ISO 8601 in UTC. Null if there was none. */
  readonly lastSync: string | null;
}

/** A file or folder of the repository that is read where it is. */
export interface LocalSource {
  /** Relative to the folder that holds the data folder. */
  readonly file: string;
  readonly kind: ReadKind;
  readonly source: Sources['source'];
}

export interface RemoteFile {
  readonly path: string;
  readonly source: RemoteSource;
  /** Null if the source was never fetched from its current URL. */
  readonly state: SourceState | null;
  readonly copy: string | null;
}

/**
 * Reads the remote source files at `paths` and the cache. Reports invalid files. Uses no network.
 */
export function readRemotes(folder: SourceFolder, paths: readonly string[]): Remotes {
  const files = new Map<string, RemoteFile>();
  const locals = new Map<string, LocalSource>();
  const cache = readState(folder.data);
  for (const path of paths) {
    const source = readSource(folder, path, 'source');
    if (source === null) continue;
    const { file = '', format } = source;
    const kind = format === undefined ? kindOfPath(file) : kindOfFormat(format);
    if (kind === null) continue;
    const { mappingKeys = [] }: FileKind = fileKinds[kind];
    const keys = mappingKeysOf(source).filter((key) => !mappingKeys.includes(key));
    if (keys.length > 0) {
      folder.report({
        code: 'mapping-of-calendar',
        place: wholeFile(folder.displayPath(path)),
        keys,
      });
      continue;
    }
    if (file !== '') {
      locals.set(path, {
        file: file.replace(/\/$/, ''),
        kind,
        source,
      });
      continue;
    }
    const remote = source as RemoteSource;
    const saved = cache.sources[path];
    const state = saved?.url === remote.source ? saved : null;
    const copy = copyPath(path, remote.format);
    const isGood = state?.good_at != null && isCopyOf(folder.data, copy, state);
    files.set(path, {
      path,
      source: remote,
      state,
      copy: isGood ? copy : null,
    });
  }
  return {
    files,
    locals,
    lastSync: cache.last_sync ?? cache.first_run,
  };
}

const maxAge = 14 * day;

/**
 * Finds the sources that failed, copies that are missing or too old, and addresses that may be secret.
 * `now` is in milliseconds.
 */
export function findStale({ files }: Remotes, displayPath: DisplayPath, now: number): Problem[] {
  const problems: Problem[] = [];
  for (const file of files.values()) {
    const url = file.source.source;
    const place = wholeFile(displayPath(file.path));
    const key = doubtfulKeyOf(url);
    if (key !== null)
      problems.push({
        code: 'key-in-address',
        place,
        key,
      });
    const stale = staleOf(file, url, now);
    if (stale !== null) problems.push({ ...stale, place } as Problem);
  }
  return problems;
}

function staleOf({ state, copy }: RemoteFile, url: string, now: number): FoundProblem | null {
  const age = copy === null || state?.good_at == null ? null : now - Date.parse(state.good_at);
  // A copy from the future is as doubtful as an old one, because a clock was wrong.
  if (age !== null && Math.abs(age) > maxAge)
    return {
      code: 'source-too-old',
      url,
      age,
      most: maxAge,
    };
  if (state?.failure != null)
    return {
      code: 'source-failed',
      url,
      reason: state.failure,
      age,
    };
  if (copy === null) return { code: 'source-not-fetched', url };
  const since = state?.silent_since ?? null;
  if (since === null) return null;
  return { code: 'source-silent', url, since };
}

/** Returns the health of each remote source, as `build --json` lists it. */
export function healthOf({ files }: Remotes, displayPath: DisplayPath) {
  return Array.from(files.values(), ({ path, source, state, copy }) => ({
    file: displayPath(path),
    url: source.source,
    last_success: state?.good_at ?? null,
    events: copy === null || state === null ? 0 : state.events,
    silent_since: state?.silent_since ?? null,
  }));
}

const cacheFolder = '.cache';

/** Returns the path of a source's copy, relative to the data folder. */
export function copyPath(source: string, format: TextFormat): string {
  return `${cacheFolder}/${remoteStem(source)}.${format}`;
}

/**
 * Returns the state of the cache. A missing or damaged state counts as empty: sync then fetches all
 * copies.
 */
export function readState(data: string): CacheState {
  try {
    return cacheState.parse(JSON.parse(readRegular(statePath(data), 64 * 1024 * 1024).toString()));
  } catch {
    return {
      last_sync: null,
      first_run: null,
      sources: {},
    };
  }
}

/** Replaces the state of the cache as a whole. Throws if the disk refuses. */
export function writeState(data: string, state: CacheState): void {
  writeWhole(statePath(data), `${JSON.stringify(state, null, 2)}\n`);
}

function isCopyOf(data: string, path: string, { sha256 }: SourceState): boolean {
  const file = join(data, path);
  try {
    // A link could lead out of the cache.
    return linkBelow(data, file) === null && hash('sha256', readRegular(file, maxBytes)) === sha256;
  } catch {
    return false;
  }
}

/**
 * Locks the cache and removes temporary files of a killed process. Returns a function that releases
 * the lock. Throws the problem `sync-busy` while another process holds it, and `symbolic-link` if a
 * folder of the cache is a link.
 */
export function lockCache(data: string, displayPath: DisplayPath): () => void {
  const cache = join(data, cacheFolder);
  const lock = join(cache, 'sync.lock');
  makeFolder(cache);
  refuseLinks(data, displayPath);
  const lockResult = acquireLock(lock);
  if ('owner' in lockResult) {
    throw problemError({
      code: 'sync-busy',
      folder: displayPath(''),
      owner: lockResult.owner,
    });
  }
  removeTemporaryFiles(cache);
  return lockResult.release;
}

/**
 * Refuses linked folders of the cache, because copies would be written elsewhere. Linked files are
 * replaced.
 */
function refuseLinks(data: string, displayPath: DisplayPath): void {
  const paths = ['', ...listTree(join(data, cacheFolder)).map(({ path }) => `/${path}`)].map(
    (path) => cacheFolder + path,
  );
  const isFolder = (path: string) =>
    statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const link = paths.find(
    (path) => isFolder(join(data, path)) && linkBelow(data, join(data, path)) !== null,
  );
  if (link === undefined) return;
  throw new ProblemError([
    {
      code: 'symbolic-link',
      place: wholeFile(displayPath(link)),
      name: basename(link),
    },
  ]);
}

function removeTemporaryFiles(cache: string): void {
  for (const { path } of listTree(cache)) {
    const [name = ''] = path.split('/');
    if (name.startsWith('sync.lock-')) rmSync(join(cache, name), { recursive: true, force: true });
    else if (draft.test(path)) rmSync(join(cache, path), { force: true });
  }
}

const draft = /\.[\da-f-]+\.next$/;

function statePath(data: string): string {
  return join(data, cacheFolder, 'sync.json');
}
