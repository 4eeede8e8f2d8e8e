import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identityOf } from '../system/files.ts';
import type { FetchFile, Published } from './handler.ts';

/** How files are fetched from a folder. */
export interface FolderOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Whether a link is a file of the site, and a path that is spelt in other letter case, where the system takes it. */
  readonly followsLinks: boolean;
}

/**
 * Fetches published files from a folder, each as it is at the moment it is asked for, so that a site swapped in by a
 * build is served from then on.
 */
export function fetchIn(folder: string, { now, followsLinks }: FolderOptions): FetchFile {
  const kept = keepFiles();
  /** Whether there was no site for longer than any swap takes: then nobody waits for the next one. */
  let isAway = false;
  return async (path) => {
    const file = join(folder, path);
    const known = kept.get(file);
    if (known !== null) return found(known);
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const before = identityOf(folder);
      const version = versionOf(file);
      const bytes = version !== null && (followsLinks || isItself(folder, path)) ? read(file) : null;
      if (version !== null && bytes !== null) {
        // Written to a moment ago, it may be written to again within one tick of the file system's clock.
        if (now() - version.changed > settled) kept.put(file, { bytes, version });
        return found(bytes);
      }
      // A build by another process swaps with two renames: what is not there counts only if one site stood throughout.
      isAway &&= before === null;
      if (before === null ? isAway : identityOf(folder) === before) return null;
      await delay(attempt);
    }
    isAway = identityOf(folder) === null;
    return null;
  };
}

const mostAttempts = 40;

/** In milliseconds; coarser than any clock of a file system. */
const settled = 2000;
const noHeaders = { get: () => null };

function found(bytes: ArrayBuffer): Published {
  return { status: 200, headers: noHeaders, arrayBuffer: async () => bytes };
}

/** Whether a path leads to the file of that name, not by a link and in its letter case. */
function isItself(folder: string, path: string): boolean {
  try {
    return realpathSync.native(join(folder, path)) === join(realpathSync.native(folder), path);
  } catch {
    return false;
  }
}

function read(file: string): ArrayBuffer | null {
  try {
    // Bytes of its own, where Node puts small files together.
    return new Uint8Array(readFileSync(file)).buffer;
  } catch {
    return null;
  }
}

/** What tells a file at a path from the next one there. */
interface Version {
  readonly text: string;
  /** When it, or what is known of it, was changed: milliseconds since 1970. */
  readonly changed: number;
}

/** A file as it was read. */
interface Kept {
  readonly bytes: ArrayBuffer;
  /** What it was before it was read: where another one came in between, it is read again. */
  readonly version: Version;
}

interface KeptFiles {
  /** The bytes of a file, where it is kept as it is now. */
  readonly get: (file: string) => ArrayBuffer | null;
  readonly put: (file: string, kept: Kept) => void;
}

/** Keeps the files that were asked for last. */
function keepFiles(): KeptFiles {
  const files = new Map<string, Kept>();
  let size = 0;
  const sizeOf = ({ bytes }: Kept): number => bytes.byteLength + overhead;
  const forget = (file: string): void => {
    const kept = files.get(file);
    if (kept !== undefined) size -= sizeOf(kept);
    files.delete(file);
  };
  const put = (file: string, kept: Kept): void => {
    forget(file);
    if (sizeOf(kept) > mostKept) return;
    files.set(file, kept);
    size += sizeOf(kept);
    while (size > mostKept) forget(files.keys().next().value ?? '');
  };
  const get = (file: string): ArrayBuffer | null => {
    const kept = files.get(file);
    if (kept === undefined) return null;
    if (kept.version.text !== versionOf(file)?.text) {
      forget(file);
      return null;
    }
    put(file, kept);
    return kept.bytes;
  };
  return { get, put };
}

/** In bytes. What the handler makes of lists to answer from them takes some five times as much. */
const mostKept = 16 * 1024 * 1024;

/** What a file takes beside its bytes. */
const overhead = 4096;

/** Null where there is no plain file: to open what is something else may wait for ever. */
function versionOf(file: string): Version | null {
  try {
    const stats = statSync(file);
    if (!stats.isFile()) return null;
    const { dev, ino, size, mtimeMs, ctimeMs } = stats;
    return { text: [dev, ino, size, mtimeMs, ctimeMs].join(' '), changed: ctimeMs };
  } catch {
    return null;
  }
}
