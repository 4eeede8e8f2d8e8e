import { basename } from 'node:path';
import { isoInstant } from '../../catalogue/time/time.ts';
import { inParallel } from '../../system/parallel.ts';
import { compareProblems, printable, wholeFile, type Problem, type DisplayPath } from '../../problem/problem.ts';
import { diskProblem } from '../../system/failure.ts';
import { readOutline, type Outline } from '../outline.ts';
import type { Suspect } from '../json/read-source.ts';
import { placeAll } from '../place-findings.ts';
import { decode, mostBytes } from '../text.ts';
import { remoteStem } from '../subject-files.ts';
import { loadReaders, type TextReaders } from '../readers.ts';
import {
  claimCache,
  copyPath,
  hasCache,
  isCopyOf,
  readState,
  writeCopy,
  writeState,
  type SourceState,
} from './cache.ts';
import { fetchSource, type FetchLimits } from './fetch.ts';
import { ageOf, readRemotes, type RemoteFile } from './remotes.ts';

export interface SyncOptions extends Omit<FetchLimits, 'maxBytes'> {
  readonly data: string;
  readonly displayPath: DisplayPath;
  /** The start of the synchronisation, in milliseconds since 1970. */
  readonly now: number;
  readonly onSource?: ((done: number, of: number) => void) | undefined;
}

/** What came of one source. */
export interface SyncedSource {
  /** Its source file, as problems name it. */
  readonly file: string;
  readonly url: string;
  readonly status: 'fetched' | 'unchanged' | 'failed';
  /** Whether there is a good copy, this one or an earlier one. */
  readonly hasCopy: boolean;
  /** Why it failed: its own problems where what it sent is invalid. */
  readonly problems: readonly Problem[];
}

export interface SyncReport {
  readonly lastSync: string | null;
  readonly sources: readonly SyncedSource[];
  /** What is wrong with the data folder itself: with its names, and with the source files. */
  readonly problems: readonly Problem[];
}

/** How many sources are fetched at a time. */
const concurrency = 6;

/**
 * Fetches every remote source of a data folder into its cache. A good copy is replaced only by another one: a source
 * that cannot be reached, or that sends something invalid, keeps what it has. Throws the problem `sync-busy` while
 * another process does the same, `cache-failed` where the disk refuses.
 */
export async function sync(options: SyncOptions): Promise<SyncReport> {
  const { data, displayPath } = options;
  const outline = readOutline(data, displayPath);
  // Where there is nothing to keep, and nothing to forget, no cache is made.
  if (outline.remotes.length === 0 && !hasCache(data)) {
    const problems = outline.problems.toSorted(compareProblems);
    return { lastSync: problems.length === 0 ? isoInstant(options.now) : null, sources: [], problems };
  }
  try {
    const release = claimCache(data, displayPath);
    try {
      return await syncAll(options, outline);
    } finally {
      release();
    }
  } catch (error) {
    throw diskProblem(error, 'cache-failed');
  }
}

async function syncAll(options: SyncOptions, outline: Outline): Promise<SyncReport> {
  const { data, now } = options;
  const remotes = readRemotes(data, outline.remotes);
  const problems = [...outline.problems, ...(await explain(remotes.suspects, options))].sort(compareProblems);
  const all = [...remotes.files.values()];
  const readers = await loadReaders(all.map(({ source }) => source.format));
  let done = 0;
  const synced = await inParallel(all, concurrency, async (file) => {
    const result = await syncOne(file, readers, options);
    options.onSource?.(++done, all.length);
    return result;
  });
  const started = isoInstant(now);
  const last = readState(data);
  const isWhole = problems.length === 0 && synced.every(({ source }) => source.hasCopy);
  const lastSync = isWhole ? started : last.last_sync;
  // What could not be read may be a source that is mended tomorrow: its copy stays known.
  const unread = problems.length > 0 ? last.sources : {};
  const sources = { ...unread, ...Object.fromEntries(synced.map(({ path, state }) => [path, state])) };
  writeState(data, { last_sync: lastSync, last_run: started, sources });
  return { lastSync, sources: synced.map(({ source }) => source), problems };
}

/** What is wrong with the source files that cannot be read, as a check tells it. */
async function explain(suspects: readonly Suspect[], { data, displayPath }: SyncOptions): Promise<readonly Problem[]> {
  if (suspects.length === 0) return [];
  const { explainSuspects } = await import('../json/explain.ts');
  return explainSuspects(data, suspects, displayPath);
}

interface Synced {
  readonly path: string;
  readonly state: SourceState;
  readonly source: SyncedSource;
}

async function syncOne(remote: RemoteFile, readers: TextReaders, options: SyncOptions): Promise<Synced> {
  const { path, source, state, copy } = remote;
  const url = source.source;
  const isKnown = copy !== null && state !== null && isCopyOf(options.data, copy, state);
  const known = isKnown ? { etag: state.etag, lastModified: state.last_modified } : null;
  const result = await fetchSource(url, known, { ...options, maxBytes: mostBytes });
  const problems = result.kind === 'fetched' ? findInvalid(result.content, remote, readers, options) : [];
  const common = { file: options.displayPath(path), url };
  if (result.kind === 'failed' || problems.length > 0) {
    const reason = result.kind === 'failed' ? result.reason : 'what it sends is invalid';
    const place = wholeFile(common.file);
    const age = copy === null ? null : ageOf(state, options.now);
    const failure: Problem = { code: 'source-failed', place, url, reason, age };
    return {
      path,
      state: { ...(state ?? unknown), url, failure: reason },
      source: { ...common, status: 'failed', hasCopy: copy !== null, problems: [failure, ...problems] },
    };
  }
  const goodAt = { url, good_at: isoInstant(options.now), failure: null };
  if (result.kind === 'fetched') {
    const sha256 = writeCopy(options.data, copyPath(path, source.format), result.content);
    const validators = { etag: result.etag, last_modified: result.lastModified, sha256 };
    return {
      path,
      state: { ...goodAt, ...validators },
      source: { ...common, status: 'fetched', hasCopy: true, problems },
    };
  }
  return {
    path,
    state: { ...(state ?? unknown), ...goodAt },
    source: { ...common, status: 'unchanged', hasCopy: true, problems },
  };
}

const unknown = { etag: null, last_modified: null, sha256: null, good_at: null };

/** What is wrong with what a source sent; the problems name its address, the line and the column. */
function findInvalid(content: Uint8Array, remote: RemoteFile, readers: TextReaders, options: SyncOptions): Problem[] {
  const { source, path } = remote;
  const place = wholeFile(source.source);
  const text = decode(Buffer.from(content));
  if (typeof text !== 'string') return [{ ...text, place }];
  const file = {
    stem: basename(remoteStem(path)),
    genre: { id: 'genre', name: '', category: '' },
    now: options.now,
    name: source.name ?? null,
    url: source.url ?? null,
  };
  try {
    const findings = readers[source.format]?.(text, file).findings ?? [];
    return placeAll(findings, text, source.source).sort(compareProblems).slice(0, mostReported);
  } catch (error) {
    // A reader that fails at what one source sent does not keep the others from being fetched.
    return [{ code: 'unexpected', place, reason: printable(String(error)) }];
  }
}

/** Of one source, so that a feed of nonsense does not drown the others. */
const mostReported = 20;
