import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identityOf } from '../system/files.ts';
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
    const known = cache.get(file, version);
    if (known !== null) return known;
    const bytes = followsLinks || isRegularPath(folder, path) ? readBytes(file) : null;
    // A file that changed a moment ago may change again within one tick of the file system's clock.
    if (bytes !== null && now() - version.changed > clockTick) cache.set(file, version, bytes);
    return bytes;
  };
  /** Whether the site was missing for longer than a swap takes, so that requests no longer wait for it. */
  let isMissing = false;
  return async (path) => {
    let previousSite: string | null | undefined;
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const bytes = read(path);
      if (bytes !== null) return { status: 200, headers: noHeaders, arrayBuffer: async () => bytes };
      // A swap consists of two renames, so a file is missing only if the site did not change in the meantime.
      const site = identityOf(folder);
      isMissing &&= site === null;
      if (site === null ? isMissing : site === previousSite) return null;
      if (attempt > 0) await delay(attempt);
      previousSite = site;
    }
    isMissing = identityOf(folder) === null;
    return null;
  };
}

const maxAttempts = 40;

/** Milliseconds; longer than the resolution of the clock of any file system. */
const clockTick = 2000;
const noHeaders = { get: () => null };

/** Whether a path names a file without links and in the exact letter case. */
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

interface Version {
  /** A value that changes if the file is replaced or changed. */
  readonly id: string;
  /** When the file or its metadata changed last, in milliseconds since the Unix epoch. */
  readonly changed: number;
}

/** Returns the state of a regular file, or null for anything else, because opening that may wait forever. */
function versionOf(file: string): Version | null {
  const stats = ifPresent(() => statSync(file));
  if (!stats?.isFile()) return null;
  const { dev, ino, size, mtimeMs, ctimeMs } = stats;
  return { id: [dev, ino, size, mtimeMs, ctimeMs].join(' '), changed: ctimeMs };
}

interface CachedFile {
  readonly bytes: ArrayBuffer;
  readonly id: string;
}

class FileCache {
  readonly #files = new Map<string, CachedFile>();
  #bytes = 0;

  /** Returns the bytes of a file if they are cached and up to date. */
  get(file: string, { id }: Version): ArrayBuffer | null {
    const cached = this.#files.get(file);
    if (cached === undefined) return null;
    this.#remove(file, cached);
    if (cached.id !== id) return null;
    this.#add(file, cached);
    return cached.bytes;
  }

  set(file: string, { id }: Version, bytes: ArrayBuffer): void {
    const cached = { bytes, id };
    if (sizeOf(cached) > maxCacheBytes) return;
    this.#add(file, cached);
    for (const [oldest, other] of this.#files) {
      if (this.#bytes <= maxCacheBytes) break;
      this.#remove(oldest, other);
    }
  }

  #add(file: string, cached: CachedFile): void {
    this.#files.set(file, cached);
    this.#bytes += sizeOf(cached);
  }

  #remove(file: string, cached: CachedFile): void {
    this.#files.delete(file);
    this.#bytes -= sizeOf(cached);
  }
}

/** The results that the handler caches take about five times as much memory as the bytes of the lists. */
const maxCacheBytes = 16 * 1024 * 1024;

/** The memory that a cached file takes in addition to its bytes. */
const overheadBytes = 4096;

function sizeOf({ bytes }: CachedFile): number {
  return bytes.byteLength + overheadBytes;
}
