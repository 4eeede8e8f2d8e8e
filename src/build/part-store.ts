import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { removeLeftovers } from '../system/leftovers.ts';
import { draftPattern, writeWhole } from '../system/write.ts';

/** Where the machines of a build put their parts: a shared folder or a bucket. */
export interface PartStore {
  /** Its name for the user. */
  readonly name: string;
  /** Returns the names of the files at its top. A store that does not exist yet is empty. */
  readonly list: () => Promise<readonly string[]>;
  /** Returns null if there is no such file, or if it has more than `maxBytes`. */
  readonly read: (name: string, maxBytes: number) => Promise<Buffer | null>;
  /** Writes a file atomically. */
  readonly write: (name: string, bytes: Buffer) => Promise<void>;
}

/** The store in a folder that all machines share. */
export function folderStore(folder: string, name: string): PartStore {
  return {
    name,
    list: async () => orIfMissing([], () => readdirSync(folder)),
    read: async (file, maxBytes) => orIfMissing(null, () => readRegular(join(folder, file), maxBytes)),
    write: async (file, bytes) => {
      const path = join(folder, file);
      writeWhole(path, bytes);
      removeLeftovers(dirname(path), draftPattern, path);
    },
  };
}

/** Reads a file. Returns null if it is a link, a folder or a device, or has more than `maxBytes`. */
function readRegular(path: string, maxBytes: number): Buffer | null {
  if (!lstatSync(path).isFile()) return null;
  // Something else may take its place now. Opening a FIFO would wait for a writer.
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    return stats.isFile() && stats.size <= maxBytes ? readFileSync(file) : null;
  } finally {
    closeSync(file);
  }
}

function orIfMissing<T>(otherwise: T, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return otherwise;
    throw error;
  }
}
