import { basename } from 'node:path';
import { isoInstant } from '../../catalogue/time/time.ts';
import { compareProblems, printable, wholeFile, type DisplayPath, type Problem } from '../../problem/problem.ts';
import { diskProblem } from '../../system/failure.ts';
import { inParallel } from '../../system/parallel.ts';
import { maxProblemsPerSource, type TextFinding } from '../finding.ts';
import { listData, type DataListing } from '../folder.ts';
import { placeAll } from '../positions.ts';
import { loadReader } from '../reader.ts';
import { remoteStem } from '../subject-files.ts';
import { decode, maxBytes } from '../text.ts';
import {
  ageOf,
  copyPath,
  hasCache,
  isCopyOf,
  lockCache,
  readRemotes,
  readState,
  writeCopy,
  writeState,
  type RemoteFile,
  type SourceState,
} from './cache.ts';
import { fetchSource, type FetchLimits } from './fetch.ts';

export interface SyncOptions extends Omit<FetchLimits, 'maxBytes'> {
  readonly data: string;
  readonly displayPath: DisplayPath;
  /** The start of the synchronisation, in milliseconds since the Unix epoch. */
  readonly now: number;
  /** Called after each source with the number of sources done and the number of all. */
  readonly onSource?: ((done: number, of: number) => void) | undefined;
}

/** The result for one source. */
export interface SyncedSource {
  /** The path of its source file, as problems show it. */
  readonly file: string;
  readonly url: string;
  readonly status: 'fetched' | 'unchanged' | 'failed';
  /** Whether there is a good copy, from this synchronisation or an earlier one. */
  readonly hasCopy: boolean;
  /** Why it failed. If the fetched text is invalid, this includes what is wrong with it. */
  readonly problems: readonly Problem[];
  /** What is wrong with the events that are left out of the fetched text. */
  readonly warnings: readonly Problem[];
}

export interface SyncReport {
  /** The start of the last synchronisation after which every source had a good copy, as ISO 8601 in UTC. */
  readonly lastSync: string | null;
  readonly sources: readonly SyncedSource[];
  /** What is wrong with the names in the data folder and with the source files. */
  readonly problems: readonly Problem[];
}

/** How many sources are fetched at the same time. */
const concurrency = 6;

/**
 * Fetches every remote source of a data folder into its cache. A good copy is replaced only by another good one: a
 * source that fails or sends something invalid keeps its copy. Throws the problem `sync-busy` while another process
 * synchronises, and `cache-failed` if the disk refuses.
 */
export async function sync(options: SyncOptions): Promise<SyncReport> {
  const { data, displayPath, now } = options;
  const listing = listData(data, displayPath);
  if (listing.remotes.length === 0 && !hasCache(data)) {
    const problems = listing.problems.toSorted(compareProblems);
    return { lastSync: problems.length === 0 ? isoInstant(now) : null, sources: [], problems };
  }
  try {
    const release = lockCache(data, displayPath);
    try {
      return await syncAll(options, listing);
    } finally {
      release();
    }
  } catch (error) {
    throw diskProblem(error, 'cache-failed');
  }
}

async function syncAll(options: SyncOptions, listing: DataListing): Promise<SyncReport> {
  const { data, displayPath, now } = options;
  const problems = [...listing.problems];
  const folder = { data, displayPath, report: (problem: Problem) => problems.push(problem) };
  const remotes = await readRemotes(folder, listing.remotes);
  let done = 0;
  const synced = await inParallel([...remotes.files.values()], concurrency, async (remote) => {
    const result = await syncOne(remote, options);
    options.onSource?.(++done, remotes.files.size);
    return result;
  });
  const previous = readState(data);
  const hasAll = problems.length === 0 && synced.every(({ source }) => source.hasCopy);
  const lastSync = hasAll ? isoInstant(now) : previous.last_sync;
  // An invalid source file may be fixed tomorrow, so its copy is kept in the state.
  const kept = problems.length > 0 ? previous.sources : {};
  const sources = { ...kept, ...Object.fromEntries(synced.map(({ path, state }) => [path, state])) };
  writeState(data, { last_sync: lastSync, last_run: isoInstant(now), sources });
  return { lastSync, sources: synced.map(({ source }) => source), problems: problems.sort(compareProblems) };
}

interface Synced {
  readonly path: string;
  readonly state: SourceState;
  readonly source: SyncedSource;
}

async function syncOne(remote: RemoteFile, options: SyncOptions): Promise<Synced> {
  const { path, source, state, copy } = remote;
  const { data, displayPath, now } = options;
  const isKnown = copy !== null && state !== null && isCopyOf(data, copy, state);
  const known = isKnown ? { etag: state.etag, lastModified: state.last_modified } : null;
  const result = await fetchSource(source.source, known, { ...options, maxBytes });
  const common = { file: displayPath(path), url: source.source };
  const before = { ...(state ?? neverFetched), url: source.source };
  const { problems, warnings } =
    result.kind === 'fetched' ? await checkContent(result.content, remote, now) : { problems: [], warnings: [] };
  if (result.kind === 'failed' || problems.length > 0) {
    const reason = result.kind === 'failed' ? result.reason : 'what it sends is invalid';
    const age = copy === null ? null : ageOf(state, now);
    const failure: Problem = { code: 'source-failed', place: wholeFile(common.file), url: common.url, reason, age };
    const failed = { status: 'failed', hasCopy: copy !== null, problems: [failure, ...problems], warnings } as const;
    return { path, state: { ...before, failure: reason }, source: { ...common, ...failed } };
  }
  const after = { ...before, good_at: isoInstant(now), failure: null };
  const good = { ...common, hasCopy: true, problems, warnings };
  if (result.kind === 'unchanged') return { path, state: after, source: { ...good, status: 'unchanged' } };
  const sha256 = writeCopy(data, copyPath(path, source.format), result.content);
  const validators = { etag: result.etag, last_modified: result.lastModified, sha256 };
  return { path, state: { ...after, ...validators }, source: { ...good, status: 'fetched' } };
}

const neverFetched = { etag: null, last_modified: null, sha256: null, good_at: null };

/** Returns what is wrong with a fetched text. The problems show the source's address, with line and column. */
async function checkContent(
  content: Uint8Array,
  { source, path }: RemoteFile,
  now: number,
): Promise<Pick<SyncedSource, 'problems' | 'warnings'>> {
  const place = wholeFile(source.source);
  const text = decode(Buffer.from(content), () => source.source);
  if (typeof text !== 'string') return { problems: [text], warnings: [] };
  const genre = { id: 'genre', name: '', category: '' };
  const { name = null, url = null } = source;
  try {
    const read = await loadReader(source.format);
    const file = { stem: basename(remoteStem(path)), genre, now, name, url, isLenient: true };
    const { findings, warnings } = read(text, file);
    const placed = (found: readonly TextFinding[]): Problem[] =>
      placeAll(found, text, source.source).sort(compareProblems).slice(0, maxProblemsPerSource);
    return { problems: placed(findings), warnings: placed(warnings) };
  } catch (error) {
    // A reader that fails on one source must not stop the others.
    return { problems: [{ code: 'unexpected', place, reason: printable(String(error)) }], warnings: [] };
  }
}
