import { chmodSync, copyFileSync, linkSync, lstatSync, readFileSync, statSync, utimesSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { Inventory } from '../api/documents.ts';
import { inventoryPath } from '../api/paths.ts';
import { readListed } from './claim.ts';

/** The site that a build is about to replace, and which of its files can be used again. */
export interface LastSite {
  /** Whether a file is there as almanac wrote it, and holds just this. */
  readonly holds: (path: string, entry: Inventory['files'][string]) => boolean;
  readonly read: (path: string) => Buffer;
  /** Puts a file that it holds at `target` as well. */
  readonly give: (path: string, target: string) => void;
}

/**
 * The site in `folder`; null where almanac built none there. No file of a site has changed after its inventory, which
 * is written last: one that has is not what was written, and nor is any where the clock has been turned back since.
 *
 * @param witness a file or folder that was made just now, for the time as the file system has it
 */
export function openLastSite(folder: string, witness: string): LastSite | null {
  const listed = readListed(folder);
  const last = statsOf(join(folder, inventoryPath));
  const now = statsOf(witness);
  if (listed === null || last === null || now === null || last.ctimeMs > now.ctimeMs) return null;
  return {
    holds: (path, { bytes, sha256 }) => {
      const known = listed.entryOf(path);
      if (known?.sha256 !== sha256 || known.bytes !== bytes) return false;
      const stats = statsOf(join(folder, path));
      return stats !== null && stats.isFile() && stats.size === bytes && isUntouched(stats, last);
    },
    read: (path) => readFileSync(join(folder, path)),
    give: (path, target) => give(join(folder, path), target),
  };
}

/** Whether none of these files of a site has changed after its inventory. */
export function isAsSealed(folder: string, paths: readonly string[]): boolean {
  const last = statsOf(join(folder, inventoryPath));
  return paths.every((path) => {
    const stats = statsOf(join(folder, path));
    return last !== null && stats !== null && isUntouched(stats, last);
  });
}

/**
 * Makes the inventory the latest of a site's files again: those that the site before held as well changed, to the file
 * system, when that one was cleared away.
 */
export function seal(folder: string): void {
  const inventory = join(folder, inventoryPath);
  try {
    chmodSync(inventory, statSync(inventory).mode);
  } catch {
    // Some file systems have no rights to set. The next build then writes every file.
  }
}

/** Makes the inventory older than every file, so that the next build trusts none of them. */
export function unseal(folder: string): void {
  utimesSync(join(folder, inventoryPath), 0, 0);
}

function isUntouched({ ctimeMs, mtimeMs }: Stats, last: Stats): boolean {
  return ctimeMs <= last.ctimeMs && mtimeMs <= last.mtimeMs;
}

/** As a second name for the same file, which keeps the time that servers make ETags of; as a copy where there are no links. */
function give(file: string, target: string): void {
  try {
    linkSync(file, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') copyFileSync(file, target);
  }
}

function statsOf(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}
