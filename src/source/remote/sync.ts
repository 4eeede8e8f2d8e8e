import { hash } from 'node:crypto';
import { join } from 'node:path';
import { day, isoInstant } from '../../catalogue/time/time.ts';
import type { DisplayPath, Problem } from '../../problem/problem.ts';
import { orDiskProblem } from '../../system/failure.ts';
import { systemTiming } from '../../system/http.ts';
import { inParallel } from '../../system/parallel.ts';
import { writeWhole } from '../../system/write.ts';
import { listData } from '../folder.ts';
import { maxBytes } from '../text.ts';
import { copyPath, lockCache, readRemotes, readState, writeState, type RemoteFile, type SourceState } from './cache.ts';
import { fetchSource, type FetchLimits } from './fetch.ts';
import { accepted, checkContent, readCopy } from './content.ts';

export interface SyncOptions extends Pick<FetchLimits, 'timing'> {
  readonly data: string;
  readonly displayPath: DisplayPath;
  readonly now: number;
  /** Whether to accept that a calendar or table loses all its events. By default, the source then keeps its copy. */
  readonly acceptEmpty?: boolean | undefined;
  readonly onSource?: ((done: number, of: number) => void) | undefined;
}

/** Milliseconds for the whole synchronisation. Sources that are not done by then fail. */
const deadline = 600_000;

/**
 * Fetches every remote source of a data folder into its cache. A good copy is replaced only by another good one: a
 * source that fails or sends something invalid keeps its copy. Throws the problem `sync-busy` while another process
 * synchronises, and `cache-failed` if the disk fails.
 */
export async function sync(options: SyncOptions): Promise<readonly Problem[]> {
  const { data, displayPath, now, timing = systemTiming } = options;
  const listing = listData(data, displayPath);
  if (listing.remotes.length === 0) return [];
  return orDiskProblem('cache-failed', async () => {
    const release = lockCache(data, displayPath);
    const abort = new AbortController();
    const reason = `the synchronisation took longer than ${deadline / 1000} seconds`;
    const cancel = timing.schedule(deadline, () => abort.abort(new Error(reason)));
    try {
      const problems = [...listing.problems];
      const folder = { data, displayPath, report: (problem: Problem) => problems.push(problem) };
      const remotes = [...readRemotes(folder, listing.remotes).files.values()];
      let done = 0;
      const synced = await inParallel(remotes, 6, async (remote) => {
        const result = await syncOne(remote, { ...options, signal: abort.signal });
        options.onSource?.(++done, remotes.length);
        return result;
      });
      const previous = readState(data);
      const isFresh = ({ good_at: at }: SourceState): boolean => at !== null && now - Date.parse(at) <= 7 * day;
      const hasAll = problems.length === 0 && synced.every(({ state }) => isFresh(state));
      // An invalid source file may be fixed tomorrow, so its copy is kept in the state.
      const kept = problems.length > 0 ? previous.sources : {};
      writeState(data, {
        last_sync: hasAll ? isoInstant(now) : previous.last_sync,
        first_run: previous.first_run ?? isoInstant(now),
        sources: { ...kept, ...Object.fromEntries(synced.map(({ path, state }) => [path, state])) },
      });
      return synced.flatMap((source) => source.problems);
    } finally {
      cancel();
      release();
    }
  });
}

async function syncOne(remote: RemoteFile, run: SyncOptions & { signal: AbortSignal }) {
  const { path, source, state, copy } = remote;
  const { data, now } = run;
  const known = copy !== null && state !== null ? { etag: state.etag, lastModified: state.last_modified } : null;
  const limits = { timeout: 30_000, retries: 2, maxBytes, signal: run.signal, timing: run.timing ?? systemTiming };
  const result = await fetchSource(source.source, known, limits);
  const check = result.kind === 'fetched' ? await checkContent(result.content, remote, run) : accepted;
  const failure = result.kind === 'failed' ? result.reason : (check.reason ?? null);
  const before = { ...(state ?? neverFetched), url: source.source, failure };
  if (failure !== null) {
    // A copy from the future would never become too old.
    const goodAt = state?.good_at == null ? null : isoInstant(Math.min(Date.parse(state.good_at), now));
    return { path, state: { ...before, good_at: goodAt }, problems: check.problems };
  }
  const { events } = result.kind === 'unchanged' ? await readCopy(remote, data, now) : check;
  const silentSince = state?.silent_since ?? (state?.events ? isoInstant(now) : null);
  const after = { ...before, good_at: isoInstant(now), events, silent_since: events > 0 ? null : silentSince };
  if (result.kind !== 'fetched') return { path, state: after, problems: [] };
  writeWhole(join(data, copyPath(path, source.format)), result.content);
  const sha256 = hash('sha256', result.content);
  const validators = { etag: result.etag, last_modified: result.lastModified, sha256 };
  return { path, state: { ...after, ...validators }, problems: [] };
}

const neverFetched = { etag: null, last_modified: null, sha256: null, good_at: null, events: 0, silent_since: null };
