import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { FetchFile } from './handler.ts';

export interface FolderOptions {
  /** Returns milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** Whether to serve links, and paths in other letter case on file systems that ignore it. */
  readonly followsLinks: boolean;
}

/** Returns a function that fetches published files. It reads the current state, so a new site is served at once. */
export function fetchFrom(folder: string, { now, followsLinks }: FolderOptions): FetchFile {
  const cache = new FileCache();
  const read = (path: string): ArrayBuffer | null => {
    const file = join(folder, path);
    const version = versionOf(file);
    if (version === null) return null;
    const cached = cache.get(file, version.id);
    if (cached !== null) return cached;
    const bytes = followsLinks || isRegularPath(folder, path) ? readBytes(file) : null;
    // A file that changed a moment ago may change again within one tick of the file system's clock.
    if (bytes !== null && now() - version.changed > clockTick) cache.set(file, version.id, bytes);
    return bytes;
  };
  return async (path) => {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const bytes = read(path);
      if (bytes !== null) return { status: 200, headers: noHeaders, arrayBuffer: async () => bytes };
      // A swap consists of two renames. If the first attempt came between them, the second one finds the new site.
      if (attempt > 0 && existsSync(folder)) return null;
      if (attempt > 0) await delay(attempt);
    }
    return null;
  };
}

/** Together they take longer than a swap. */
const maxAttempts = 40;

/** Milliseconds; longer than the resolution of the clock of any file system. */
const clockTick = 2000;
const noHeaders = { get: () => null };

function isRegularPath(folder: string, path: string): boolean {
  return ifPresent(() => realpathSync.native(join(folder, path)) === join(realpathSync.native(folder), path)) ?? false;
}

function readBytes(file: string): ArrayBuffer | null {
  return ifPresent(() => {
    const bytes = readFileSync(file);
    // Node puts several small files into one buffer, so copy these.
    return bytes.length === bytes.buffer.byteLength ? bytes.buffer : new Uint8Array(bytes).buffer;
  });
}

/** Returns null if there is no such file. Throws any other error, because an unreadable file is not missing. */
function ifPresent<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (missingCodes.has((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

const missingCodes = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP']);

/**
 * Returns a value that changes if a regular file is replaced or changed, and when it did so last, in milliseconds since
 * the Unix epoch. Returns null for anything else, because opening that may wait forever.
 */
function versionOf(file: string): { readonly id: string; readonly changed: number } | null {
  const stats = ifPresent(() => statSync(file));
  if (!stats?.isFile()) return null;
  const { dev, ino, size, mtimeMs, ctimeMs } = stats;
  return { id: [dev, ino, size, mtimeMs, ctimeMs].join(' '), changed: ctimeMs };
}

/** The files that were read since it was last full. The handler computes answers once for each of these buffers. */
class FileCache {
  readonly #files = new Map<string, { readonly id: string; readonly bytes: ArrayBuffer }>();
  #bytes = 0;

  get(file: string, id: string): ArrayBuffer | null {
    const cached = this.#files.get(file);
    return cached?.id === id ? cached.bytes : null;
  }

  set(file: string, id: string, bytes: ArrayBuffer): void {
    const size = bytes.byteLength + overheadBytes;
    if (size > maxCacheBytes) return;
    if (this.#bytes + size > maxCacheBytes) {
      this.#files.clear();
      this.#bytes = 0;
    }
    this.#files.set(file, { id, bytes });
    this.#bytes += size;
  }
}

/** The results that the handler caches take about five times as much memory as the bytes of the lists. */
const maxCacheBytes = 16 * 1024 * 1024;

/** The memory that a cached file takes in addition to its bytes. */
const overheadBytes = 4096;
