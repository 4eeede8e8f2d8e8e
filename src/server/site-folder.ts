import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { FetchFile } from './handler.ts';

/**
 * Returns a function that fetches published files. It reads the current state, so a new site is
 * served at once. It keeps the files that were read since its cache was last full: the handler
 * computes answers once for each of these buffers.
 */
export function fetchFrom(folder: string): FetchFile {
  const cache = new Map<string, { readonly version: string; readonly bytes: ArrayBuffer }>();
  let cachedBytes = 0;
  const read = (path: string): ArrayBuffer | null => {
    const file = join(folder, path);
    const version = versionOf(file);
    if (version === null) return null;
    const entry = cache.get(file);
    if (entry?.version === version) return entry.bytes;
    const bytes = readBytes(file);
    const size = (bytes?.byteLength ?? Infinity) + overheadBytes;
    if (bytes === null || size > maxCacheBytes) return bytes;
    if (cachedBytes + size > maxCacheBytes) {
      cache.clear();
      cachedBytes = 0;
    }
    cache.set(file, { version, bytes });
    cachedBytes += size;
    return bytes;
  };
  return async (path) => {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const bytes = read(path);
      if (bytes !== null)
        return {
          status: 200,
          headers: noHeaders,
          arrayBuffer: async () => bytes,
        };
      // A swap consists of two renames. If the first attempt came between them, the second one
      // finds the new site.
      if (attempt > 0 && existsSync(folder)) return null;
      if (attempt > 0) await delay(attempt);
    }
    return null;
  };
}

/**
 * The results that the handler caches take about five times as much memory as the bytes of the
 * lists.
 */
const maxCacheBytes = 16 * 1024 * 1024;

/** The memory that a cached file takes in addition to its bytes. */
const overheadBytes = 4096;

/** Together they take longer than a swap. */
const maxAttempts = 40;
const noHeaders = { get: () => null };

function readBytes(file: string): ArrayBuffer | null {
  return ifPresent(() => {
    const bytes = readFileSync(file);
    // Node puts several small files into one buffer, so copy these.
    if (bytes.length === bytes.buffer.byteLength) return bytes.buffer;
    return new Uint8Array(bytes).buffer;
  });
}

/**
 * Returns null if there is no such file. Throws any other error, because an unreadable file is not
 * missing.
 */
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
 * Returns a text that changes if a regular file is replaced or changed. Returns null for anything
 * else, because opening that may wait forever.
 */
function versionOf(file: string): string | null {
  const stats = ifPresent(() => statSync(file));
  if (!stats?.isFile()) return null;
  const { dev, ino, size, mtimeMs, ctimeMs } = stats;
  return [dev, ino, size, mtimeMs, ctimeMs].join(' ');
}
