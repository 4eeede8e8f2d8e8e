import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identityOf } from '../system/files.ts';
import type { FetchFile } from './handler.ts';

/** How files are fetched from a folder. */
export interface FolderOptions {
  /** Returns milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** Whether to serve links, and paths in other letter case on file systems that ignore it. */
  readonly followsLinks: boolean;
}

/**
 * Fetches published files from a folder as they are at the time of each request, so that a new site is served as soon as
 * a build swaps it in.
 */
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
      // Another process swaps the site with two renames, so a file is missing only if the site was the same all the time.
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

/** Milliseconds; more than the resolution of any file system's clock. */
const clockTick = 2000;
const noHeaders = { get: () => null };

/** Whether a path leads to the file of exactly that name, without links. */
function isRegularPath(folder: string, path: string): boolean {
  return ifPresent(() => realpathSync.native(join(folder, path)) === join(realpathSync.native(folder), path)) ?? false;
}

function readBytes(file: string): ArrayBuffer | null {
  // Copied, because Node puts several small files into one buffer.
  return ifPresent(() => new Uint8Array(readFileSync(file)).buffer);
}

/** Returns null if there is no such file. Throws any other error: a file that cannot be read is not a missing one. */
function ifPresent<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (missingCodes.has((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

const missingCodes = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP']);

/** The state of a file. */
interface Version {
  /** Differs if the file was replaced or changed. */
  readonly id: string;
  /** When the file or its metadata changed last, in milliseconds since the Unix epoch. */
  readonly changed: number;
}

/** Returns null if there is no regular file: opening anything else may wait forever. */
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

/** Keeps the files that were requested most recently. */
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

/** What the handler computes from lists takes about five times as much memory as their bytes. */
const maxCacheBytes = 16 * 1024 * 1024;

/** The memory that a cached file takes besides its bytes. */
const overheadBytes = 4096;

function sizeOf({ bytes }: CachedFile): number {
  return bytes.byteLength + overheadBytes;
}
