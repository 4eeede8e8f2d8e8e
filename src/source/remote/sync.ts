import { hash } from 'node:crypto';
import { join } from 'node:path';
import { day, isoInstant } from '../../catalogue/time/time.ts';
import { compareProblems, wholeFile, type DisplayPath, type Problem } from '../../problem/problem.ts';
import { orDiskProblem } from '../../system/failure.ts';
import { systemTiming } from '../../system/http.ts';
import { inParallel } from '../../system/parallel.ts';
import { writeWhole } from '../../system/write.ts';
import { listData, type DataListing } from '../folder.ts';
import { maxBytes } from '../text.ts';
import {
  ageOf,
  copyPath,
  hasCache,
  lockCache,
  readRemotes,
  readState,
  writeState,
  type RemoteFile,
  type SourceState,
} from './cache.ts';
import { fetchSource, type FetchLimits } from './fetch.ts';
import { accepted, checkContent } from './content.ts';

export interface SyncOptions extends Pick<FetchLimits, 'timing'> {
  readonly data: string;
  readonly displayPath: DisplayPath;
  readonly now: number;
  readonly timeout?: number | undefined;
  readonly retries?: number | undefined;
  /** Milliseconds for the whole synchronisation, by default ten minutes. Sources that are not done by then fail. */
  readonly deadline?: number | undefined;
  /** Whether to accept that a calendar or table loses all its events. By default, the source then keeps its copy. */
  readonly acceptEmpty?: boolean | undefined;
  readonly onSource?: ((done: number, of: number) => void) | undefined;
}

interface SyncedSource {
  readonly file: string;
  readonly url: string;
  readonly status: 'fetched' | 'unchanged' | 'failed';
  readonly hasCopy: boolean;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

export interface SyncReport {
  /** The start of the last synchronisation after which every source had a good copy, as ISO 8601 in UTC. */
  readonly lastSync: string | null;
  readonly sources: readonly SyncedSource[];
  readonly problems: readonly Problem[];
}

const concurrency = 6;

/**
 * Fetches every remote source of a data folder into its cache. A good copy is replaced only by another good one: a
 * source that fails or sends something invalid keeps its copy. Throws the problem `sync-busy` while another process
 * synchronises, and `cache-failed` if the disk fails.
 */
export async function sync(options: SyncOptions): Promise<SyncReport> {
  const { data, displayPath, now } = options;
  const listing = listData(data, displayPath);
  if (listing.remotes.length === 0 && !hasCache(data)) {
    const problems = listing.problems.toSorted(compareProblems);
    return { lastSync: problems.length === 0 ? isoInstant(now) : null, sources: [], problems };
  }
  return orDiskProblem('cache-failed', async () => {
    const release = lockCache(data, displayPath);
    try {
      return await syncAll(options, listing);
    } finally {
      release();
    }
  });
}

async function syncAll(options: SyncOptions, listing: DataListing): Promise<SyncReport> {
  const { data, displayPath, now, deadline = defaultDeadline, timing = systemTiming } = options;
  const problems = [...listing.problems];
  const folder = { data, displayPath, report: (problem: Problem) => problems.push(problem) };
  const remotes = readRemotes(folder, listing.remotes);
  const abort = new AbortController();
  const reason = `the synchronisation took longer than ${deadline / 1000} seconds`;
  const cancel = timing.schedule(deadline, () => abort.abort(new Error(reason)));
  try {
    let done = 0;
    const synced = await inParallel([...remotes.files.values()], concurrency, async (remote) => {
      const result = await syncOne(remote, { ...options, signal: abort.signal });
      options.onSource?.(++done, remotes.files.size);
      return result;
    });
    const previous = readState(data);
    const hasAll = problems.length === 0 && synced.every(({ state }) => isFresh(state, now));
    const lastSync = hasAll ? isoInstant(now) : previous.last_sync;
    // An invalid source file may be fixed tomorrow, so its copy is kept in the state.
    const kept = problems.length > 0 ? previous.sources : {};
    const sources = { ...kept, ...Object.fromEntries(synced.map(({ path, state }) => [path, state])) };
    const firstRun = previous.first_run ?? isoInstant(now);
    writeState(data, { last_sync: lastSync, first_run: firstRun, sources });
    return { lastSync, sources: synced.map(({ source }) => source), problems: problems.sort(compareProblems) };
  } finally {
    cancel();
  }
}

function isFresh({ good_at }: SourceState, now: number): boolean {
  return good_at !== null && now - Date.parse(good_at) <= 7 * day;
}

const defaultDeadline = 600_000;

type Synced = { readonly path: string; readonly state: SourceState; readonly source: SyncedSource };

async function syncOne(remote: RemoteFile, run: SyncOptions & { signal: AbortSignal }): Promise<Synced> {
  const { path, source, state, copy } = remote;
  const { data, displayPath, now } = run;
  const known = copy !== null && state !== null ? { etag: state.etag, lastModified: state.last_modified } : null;
  const { timeout = 30_000, retries = 2, signal, timing } = run;
  const limits = { timeout, retries, signal, maxBytes, ...(timing && { timing }) };
  const result = await fetchSource(source.source, known, limits);
  const common = { file: displayPath(path), url: source.source };
  const check = result.kind === 'fetched' ? await checkContent(result.content, remote, run) : accepted;
  const isSecret = result.kind === 'fetched' && result.isInside;
  const { problems, warnings } = isSecret ? accepted : check;
  const reason = result.kind === 'failed' ? result.reason : check.reason;
  if (reason !== null) {
    const before = { ...(state ?? neverFetched), url: source.source, good_at: notAfter(state?.good_at, now) };
    const age = copy === null ? null : ageOf(before, now);
    const failure: Problem = { code: 'source-failed', place: wholeFile(common.file), url: common.url, reason, age };
    const failed = { status: 'failed', hasCopy: copy !== null, problems: [failure, ...problems], warnings } as const;
    return { path, state: { ...before, failure: reason }, source: { ...common, ...failed } };
  }
  const after = { ...(state ?? neverFetched), url: source.source, good_at: isoInstant(now), failure: null };
  const good = { ...common, hasCopy: true, problems, warnings };
  if (result.kind !== 'fetched') return { path, state: after, source: { ...good, status: 'unchanged' } };
  writeWhole(join(data, copyPath(path, source.format)), result.content);
  const sha256 = hash('sha256', result.content);
  const validators = { etag: result.etag, last_modified: result.lastModified, sha256 };
  return { path, state: { ...after, ...validators }, source: { ...good, status: 'fetched' } };
}

const neverFetched = { etag: null, last_modified: null, sha256: null, good_at: null, failure: null };

/** Returns an instant, but at most `now`, because a copy from the future would never become too old. */
function notAfter(instant: string | null | undefined, now: number): string | null {
  return instant == null ? null : isoInstant(Math.min(Date.parse(instant), now));
}
