import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identityOf } from '../site/identity.ts';
import type { FetchFile, Published } from './handler.ts';

/**
 * Fetches published files from a folder, each as it is at the moment it is asked for, so that a site swapped in by a
 * build is served from then on. A path that is a link, a folder or spelt in other letter case than the file is not there.
 */
export function fetchIn(folder: string): FetchFile {
  const kept = keepFiles();
  return async (path) => {
    const file = join(folder, path);
    const known = kept.get(file);
    if (known !== null) return found(known);
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const before = identityOf(folder);
      const version = versionOf(file);
      const bytes = readPublished(folder, path);
      // One that changed while it was read is read again the next time.
      if (bytes !== null && version !== null && versionOf(file) === version) kept.put(file, { bytes, version });
      if (bytes !== null) return found(bytes);
      // A build by another process swaps with two renames: what is not there counts only if one site stood throughout.
      if (before !== null && identityOf(folder) === before) break;
      await delay(attempt);
    }
    return missing;
  };
}

const mostAttempts = 40;
const noHeaders = new Headers();
const missing: Published = { status: 404, headers: noHeaders, arrayBuffer: async () => new ArrayBuffer(0) };

function found(bytes: ArrayBuffer): Published {
  return { status: 200, headers: noHeaders, arrayBuffer: async () => bytes };
}

function readPublished(folder: string, path: string): ArrayBuffer | null {
  try {
    const file = join(folder, path);
    if (realpathSync.native(file) !== join(realpathSync.native(folder), path)) return null;
    // Bytes of its own, where Node puts small files together.
    return new Uint8Array(readFileSync(file)).buffer;
  } catch {
    return null;
  }
}

/** A file as it was read. */
interface Kept {
  readonly bytes: ArrayBuffer;
  readonly version: string;
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
  const forget = (file: string): void => {
    size -= files.get(file)?.bytes.byteLength ?? 0;
    files.delete(file);
  };
  const put = (file: string, kept: Kept): void => {
    forget(file);
    files.set(file, kept);
    size += kept.bytes.byteLength;
    for (const oldest of files.keys()) {
      if (size <= mostKept) break;
      forget(oldest);
    }
  };
  const get = (file: string): ArrayBuffer | null => {
    const kept = files.get(file);
    if (kept === undefined) return null;
    if (kept.version === versionOf(file)) put(file, kept);
    else forget(file);
    return files.get(file)?.bytes ?? null;
  };
  return { get, put };
}

/** In bytes. What is made of a list to answer from takes up to four times as much. */
const mostKept = 16 * 1024 * 1024;

/** What tells a file at a path from the next one there; null where there is none. */
function versionOf(file: string): string | null {
  try {
    const { dev, ino, size, mtimeMs, ctimeMs } = statSync(file);
    return [dev, ino, size, mtimeMs, ctimeMs].join(' ');
  } catch {
    return null;
  }
}
