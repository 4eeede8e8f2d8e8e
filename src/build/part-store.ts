import type { ManifestEntry } from '../api/documents.ts';
import type { CataloguePlan } from './options.ts';
import type { GenresResult } from './threads.ts';
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { removeLeftovers } from '../system/leftovers.ts';
import { draftPattern, writeWhole } from '../system/write.ts';

/** One part of a build. It counts from 1. */
export interface PartNumber {
  readonly number: number;
  readonly of: number;
}

/** What builds the parts: the version of almanac, and those of the time zones and languages that Node.js knows. */
export interface Builder {
  readonly generator: string;
  readonly zones: string;
}

/** What all parts of one build have in common. */
export interface BuildIdentity extends Builder {
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** Hashes. */
  readonly options: string;
  readonly sources: string;
}

/** A part of a build as it is stored. */
export interface StoredPart extends BuildIdentity {
  readonly part: PartNumber;
  /** In the order in which the packs hold them. */
  readonly files: Readonly<Record<string, ManifestEntry>>;
  /** The hashes of the packs. */
  readonly packs: readonly string[];
}

/** What the build knows about a part besides its files. */
export interface PartContent {
  readonly catalogue: CataloguePlan;
  readonly result: GenresResult;
}

/** A part with its content, and the hash of both. */
export type Part = StoredPart & { readonly content: PartContent; readonly sha256: string };

/** A shared store has a document for each part, and every part is listed in a problem about missing ones. */
export const maxParts = 10_000;

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
