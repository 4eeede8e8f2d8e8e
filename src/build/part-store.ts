import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../system/write.ts';

/** Where the machines of a build put their parts: a shared folder or a bucket. */
export interface PartStore {
  /** Its name for the user. */
  readonly name: string;
  /** Returns the names of the files at its top. A store that does not exist yet is empty. */
  readonly list: () => Promise<readonly string[]>;
  /** Returns null if there is no such file. */
  readonly read: (name: string) => Promise<Buffer | null>;
  /** Writes a file atomically. */
  readonly write: (name: string, bytes: Buffer) => Promise<void>;
}

/** The store in a folder that all machines share. */
export function folderStore(folder: string, name: string): PartStore {
  return {
    name,
    list: async () => orIfMissing([], () => readdirSync(folder)),
    read: async (file) => orIfMissing(null, () => readFileSync(join(folder, file))),
    write: async (file, bytes) => writeWhole(join(folder, file), bytes),
  };
}

function orIfMissing<T>(otherwise: T, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return otherwise;
    throw error;
  }
}
