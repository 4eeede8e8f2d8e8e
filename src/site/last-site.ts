import {
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
} from 'node:fs';
import { join } from 'node:path';
import type { InventoryEntry } from '../api/documents.ts';
import { inventoryPath } from '../api/paths.ts';

/** The site that a build is about to replace, and which of its files can be used again. */
export interface LastSite {
  /** Whether a file is there and holds just these bytes, which `entry` tells of. */
  readonly holds: (path: string, entry: InventoryEntry, bytes: Buffer) => boolean;
  readonly read: (path: string) => Buffer;
  /** Puts a file that it holds at `target` as well. */
  readonly give: (path: string, target: string) => void;
}

/**
 * The site in `folder`; null where there is none. Its files are read and compared: no time tells whether one is still as
 * it was written, since a copied tree has other times, in the order in which its files were copied. Looking up what
 * the inventory says of them, and their times, would take as long.
 */
export function openLastSite(folder: string): LastSite | null {
  const inventory = lstatSync(join(folder, inventoryPath), { throwIfNoEntry: false });
  if (inventory === undefined) return null;
  return {
    holds: (path, _, bytes) => isFileOf(`${folder}/${path}`, bytes, inventory.mode),
    read: (path) => readFileSync(join(folder, path)),
    give: (path, target) => give(join(folder, path), target),
  };
}

let buffer = Buffer.allocUnsafe(256 * 1024);

/** No link is followed, and nothing waited for; both are unknown to Windows. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Whether a file holds these bytes, and has this type and these rights: those of the file that was written last. */
function isFileOf(path: string, bytes: Buffer, mode: number): boolean {
  let file: number | null = null;
  try {
    file = openSync(path, flags);
    const stats = fstatSync(file);
    if (stats.mode !== mode || stats.size !== bytes.length) return false;
    if (bytes.length > buffer.length) buffer = Buffer.allocUnsafe(bytes.length);
    for (let length = 0, read = 0; length < bytes.length; length += read) {
      read = readSync(file, buffer, length, bytes.length - length, null);
      if (read === 0) return false;
    }
    return bytes.equals(buffer.subarray(0, bytes.length));
  } catch {
    return false;
  } finally {
    if (file !== null) closeSync(file);
  }
}

/** As a second name for the same file, which keeps the time that servers make ETags of; as a copy where there are no links. */
function give(file: string, target: string): void {
  try {
    linkSync(file, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') copyFileSync(file, target);
  }
}
