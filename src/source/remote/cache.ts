import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TextFormat } from '../text-formats.ts';

/**
 * What is known of remote sources, in `.cache` of the data folder: the last good copy of each at
 * `.cache/{category}/{genre}/{subject}.{format}`, and in `.cache/sync.json` where and when it came from. A copy is written
 * before the state; a copy that the state does not know yet is fetched again, so a crash between them loses nothing.
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
  /** When the copy was last known to be what the source says; null where there is none. */
  readonly good_at: string | null;
  /** What kept the last synchronisation from it; null where nothing did. */
  readonly failure: string | null;
}

const folder = '.cache';

/** Where the good copy of a source lies, relative to the data folder. */
export function copyPath(source: string, format: TextFormat): string {
  return `${folder}/${source.slice(0, -'.source.json'.length)}.${format}`;
}

/** The state of the cache; an empty one where there is none that can be read, since all of it can be fetched again. */
export function readState(data: string): CacheState {
  try {
    const state = JSON.parse(readFileSync(statePath(data), 'utf8')) as CacheState;
    if (typeof state.sources === 'object' && state.sources !== null) return state;
  } catch {
    // There is none, or it is damaged.
  }
  return { last_sync: null, last_run: null, sources: {} };
}

export function writeState(data: string, state: CacheState): void {
  writeWhole(statePath(data), `${JSON.stringify(state, null, 2)}\n`);
}

/** Replaces a good copy by a better one. */
export function writeCopy(data: string, path: string, content: Uint8Array): void {
  writeWhole(join(data, path), content);
}

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
