import { hash } from 'node:crypto';
import { basename, join } from 'node:path';
import { isDrop, lossRule } from '../../catalogue/loss.ts';
import { day, isoInstant } from '../../catalogue/time/time.ts';
import {
  compareProblems,
  printable,
  wholeFile,
  type DisplayPath,
  type Problem,
} from '../../problem/problem.ts';
import { readRegular } from '../../system/files.ts';
import { runWithin } from '../../system/deadline.ts';
import { orDiskProblem } from '../../system/failure.ts';
import { systemTiming } from '../../system/http.ts';
import { inParallel } from '../../system/parallel.ts';
import { writeWhole } from '../../system/write.ts';
import { maxProblemsPerSource, placeAll } from '../../readers/schema/finding.ts';
import { listData } from '../folder.ts';
import { mappingOf } from '../../readers/schema/reading.ts';
import { fileKinds, kindOfFormat, remoteStem } from '../../readers/schema/file-kinds.ts';
import { decode, decodeTable, maxBytes, readerOf } from '../text.ts';
import {
  copyPath,
  lockCache,
  readRemotes,
  readState,
  writeState,
  type RemoteFile,
  type SourceState,
} from './cache.ts';
import { fetchSource, type FetchLimits } from './fetch.ts';

export interface SyncOptions extends Pick<FetchLimits, 'timing'> {
  readonly data: string;
  readonly displayPath: DisplayPath;
  readonly now: number;
  /**
   * Whether to accept that a source loses many of its events. By default, it then keeps its copy.
   */
  readonly acceptLoss?: boolean | undefined;
  /** The share of the events of a source that may be lost, in per cent. */
  readonly maxLoss?: number | undefined;
  /** Milliseconds of work for the text of one source. */
  readonly readingTime?: number | undefined;
  readonly onSource?: ((done: number, of: number) => void) | undefined;
}

/** Milliseconds for the whole synchronisation. Sources that are not done by then fail. */
const deadline = 600_000;

/** Reading takes linear time, so that only a fault of a reader needs the last wall. */
const maxReadingTime = 60_000;

/**
 * Fetches every remote source of a data folder into its cache. A good copy is replaced only by
 * another good one: a source that fails or sends something invalid keeps its copy. Throws the
 * problem `sync-busy` while another process synchronises, and `cache-failed` if the disk fails.
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
      const folder = {
        data,
        displayPath,
        report: (problem: Problem) => problems.push(problem),
      };
      const remotes = [...readRemotes(folder, listing.remotes).files.values()];
      let done = 0;
      const synced = await inParallel(remotes, 6, async (remote) => {
        const result = await syncOne(remote, {
          ...options,
          signal: abort.signal,
        });
        options.onSource?.(++done, remotes.length);
        return result;
      });
      const previous = readState(data);
      const isFresh = ({ good_at: at }: SourceState) =>
        at !== null && now - Date.parse(at) <= 7 * day;
      const hasAll = problems.length === 0 && synced.every(({ state }) => isFresh(state));
      // An invalid source file may be fixed tomorrow, so its copy is kept in the state.
      const keptSources = problems.length > 0 ? previous.sources : {};
      writeState(data, {
        last_sync: hasAll ? isoInstant(now) : previous.last_sync,
        first_run: previous.first_run ?? isoInstant(now),
        sources: {
          ...keptSources,
          ...Object.fromEntries(synced.map(({ path, state }) => [path, state])),
        },
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
  const isCached = copy !== null && state !== null;
  const validators = isCached ? { etag: state.etag, lastModified: state.last_modified } : null;
  const result = await fetchSource(source.source, validators, {
    timeout: 30_000,
    retries: 2,
    maxBytes,
    signal: run.signal,
    timing: run.timing ?? systemTiming,
  });
  const check =
    result.kind === 'fetched' ? await checkContent(result.content, remote, run) : accepted;
  const failure = result.kind === 'failed' ? result.reason : (check.reason ?? null);
  const before: SourceState = {
    ...(state ?? neverFetched),
    url: source.source,
    failure,
  };
  if (failure !== null) {
    // A copy from the future would never become too old.
    const goodAt =
      state?.good_at == null ? null : isoInstant(Math.min(Date.parse(state.good_at), now));
    return {
      path,
      state: { ...before, good_at: goodAt },
      problems: check.problems,
    };
  }
  const { events } = result.kind === 'unchanged' ? await readCopy(remote, run) : check;
  const silentSince = state?.silent_since ?? (state?.events ? isoInstant(now) : null);
  const after = {
    ...before,
    good_at: isoInstant(now),
    events,
    silent_since: events > 0 ? null : silentSince,
  };
  if (result.kind === 'fetched') {
    writeWhole(join(data, copyPath(path, source.format)), result.content);
    after.etag = result.etag;
    after.last_modified = result.lastModified;
    after.sha256 = hash('sha256', result.content);
  }
  return {
    path,
    state: after,
    problems: [],
  };
}

const neverFetched = {
  etag: null,
  last_modified: null,
  sha256: null,
  good_at: null,
  events: 0,
  silent_since: null,
};

interface ContentReport {
  readonly problems: readonly Problem[];
  /** The number of events that are not over. */
  readonly events: number;
  /** Why the text may not replace the copy. */
  readonly reason?: string;
}

const accepted: ContentReport = { problems: [], events: 0 };

/** Checks a fetched text by itself and against its copy. */
async function checkContent(
  bytes: Uint8Array,
  remote: RemoteFile,
  run: SyncOptions,
): Promise<ContentReport> {
  const content = await readContent(bytes, remote, run);
  if (content.reason !== undefined) return content;
  if (content.problems.length > 0)
    return {
      ...content,
      reason: 'its content is invalid',
    };
  if (remote.copy === null || run.acceptLoss === true) return content;
  const { maxLoss = lossRule.maxLoss } = run;
  const before = remote.state?.events ?? 0;
  if (content.events > 0 && !isDrop(before, content.events, maxLoss)) return content;
  // Some may be over by now.
  const { events } = await readCopy(remote, run);
  const accept = 'accept this with almanac build --sync --accept-loss';
  if (content.events === 0) {
    const reason = `it no longer has events, but its copy has ${events}; ${accept}`;
    return events === 0 ? content : { ...content, reason };
  }
  const reason = `it fell from ${events} events to ${content.events}; ${accept}`;
  return isDrop(events, content.events, maxLoss)
    ? {
        ...content,
        reason,
      }
    : content;
}

/** Reads the copy of a source. */
async function readCopy(remote: RemoteFile, run: SyncOptions): Promise<ContentReport> {
  const { copy } = remote;
  return copy === null
    ? accepted
    : readContent(readRegular(join(run.data, copy), maxBytes), remote, run);
}

/**
 * Reads the content that the source file at a path refers to. Problems show the address. What takes
 * too long is ended, and is the reason why it may not replace the copy.
 */
export async function readContent(
  bytes: Uint8Array,
  { path, source }: Pick<RemoteFile, 'path' | 'source'>,
  { now, readingTime = maxReadingTime }: Pick<SyncOptions, 'now' | 'readingTime'>,
): Promise<ContentReport> {
  const { format, name = null, url = null, source: address } = source;
  const place = wholeFile(address);
  // The build, which reads the copy again, warns of what is doubtful in it.
  const kind = kindOfFormat(format);
  const decodeText = 'isOurs' in fileKinds[kind] ? decode : decodeTable;
  const text = decodeText(Buffer.from(bytes), () => address);
  if (typeof text !== 'string') return refused(text);
  if (kind !== 'page' && htmlPage.test(text))
    return refused({
      code: 'page-answered',
      place,
      isSignIn: signIn.test(text),
    });
  const file = {
    stem: basename(remoteStem(path)),
    genre: anyGenre,
    name,
    url,
    mapping: mappingOf(source),
    mappingName: basename(path),
    isLenient: true,
    now,
  };
  try {
    const read = await readerOf(kind);
    const { subjects, findings } = runWithin(readingTime, () => read(text, file));
    const problems = placeAll(findings, text, address)
      .sort(compareProblems)
      .slice(0, maxProblemsPerSource);
    const current = subjects.flatMap((subject) =>
      [subject.upcoming, subject.under_way, subject.cancelled, subject.announced].flat(),
    );
    return {
      problems,
      events: current.length,
    };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      const reason = `reading it took longer than ${readingTime / 1000} seconds`;
      return { ...accepted, reason };
    }
    // A reader that fails on one source must not stop the others.
    return refused({
      code: 'unexpected',
      place,
      reason: printable(String(error)),
    });
  }
}

const anyGenre = {
  id: 'genre',
  name: '',
  category: '',
};

function refused(problem: Problem): ContentReport {
  return {
    problems: [problem],
    events: 0,
  };
}

const htmlPage = /^\s*<(?:!doctype html|html|head|body)\b/i;
const signIn =
  /<input\b[^>]{0,500}\btype\s*=\s*["']?password|accounts\.google\.com\/|login\.(?:microsoftonline|live)\.com\//i;
