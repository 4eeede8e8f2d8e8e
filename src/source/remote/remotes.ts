import { join } from 'node:path';
import { wholeFile, type Problem, type DisplayPath } from '../../problem/problem.ts';
import { readSource, type Suspect } from '../json/read-source.ts';
import { remoteShape, type RemoteSource } from '../json/validate.ts';
import { copyPath, isInCache, readState, type SourceState } from './cache.ts';

/** The remote sources of a data folder and their good copies, as the cache has them. */
export interface Remotes {
  /** By the path of the source file, relative to the data folder. */
  readonly files: ReadonlyMap<string, RemoteFile>;
  readonly suspects: readonly Suspect[];
  /** ISO 8601 UTC: the last synchronisation that reached every source or kept its copy; null where none did. */
  readonly lastSync: string | null;
}

export interface RemoteFile {
  readonly path: string;
  readonly source: RemoteSource;
  /** What the cache knows of this very address; null where it was never asked. */
  readonly state: SourceState | null;
  /** Where its good copy lies, relative to the data folder; null where there is none. */
  readonly copy: string | null;
}

/** Reads the remote source files at `paths` and what the cache knows of them. No network. */
export function readRemotes(data: string, paths: readonly string[]): Remotes {
  const suspects: Suspect[] = [];
  const files = new Map<string, RemoteFile>();
  const cache = readState(data);
  for (const path of paths) {
    const source = readSource(join(data, path), remoteShape);
    if (source === null) suspects.push({ path, shape: remoteShape });
    else {
      const known = cache.sources[path];
      const state = known?.url === source.source ? known : null;
      const copy = copyPath(path, source.format);
      const isGood = state?.good_at != null && isInCache(data, copy);
      files.set(path, { path, source, state, copy: isGood ? copy : null });
    }
  }
  return { files, suspects, lastSync: cache.last_sync ?? cache.last_run };
}

/** What a build says of its remote sources. */
export interface Freshness {
  /** What makes it fail: a copy that is too old, a source that was never asked. */
  readonly problems: readonly Problem[];
  /** What it goes on with: sources that failed and kept their copy, or never had one. */
  readonly warnings: readonly Problem[];
}

/** Judges the copies. `now` and `maxAge` in milliseconds. */
export function judgeRemotes({ files }: Remotes, displayPath: DisplayPath, now: number, maxAge: number): Freshness {
  const [problems, warnings]: [Problem[], Problem[]] = [[], []];
  for (const { path, source, state, copy } of files.values()) {
    const place = wholeFile(displayPath(path));
    const url = source.source;
    const age = copy === null ? null : ageOf(state, now);
    if (age !== null && age > maxAge) problems.push({ code: 'source-too-old', place, url, age, most: maxAge });
    else if (state?.failure != null) warnings.push({ code: 'source-failed', place, url, reason: state.failure, age });
    else if (copy === null) problems.push({ code: 'source-not-fetched', place, url });
  }
  return { problems, warnings };
}

/** How long ago a copy was known to be what the source says, in milliseconds; null where it never was. */
export function ageOf(state: SourceState | null, now: number): number | null {
  return state?.good_at == null ? null : Math.max(0, now - Date.parse(state.good_at));
}
