import {
  appendFileSync,
  linkSync,
  lstatSync,
  utimesSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { readAt } from '../system/files.ts';

/** The site that a build replaces. Its unchanged files are reused. */
export class PreviousSite {
  readonly #folder: string;
  readonly #fileMode: number;

  /** @param fileMode the permissions of new files; a file with other permissions is not reused */
  constructor(folder: string, fileMode: number) {
    this.#folder = folder;
    this.#fileMode = fileMode;
  }

  /**
   * Returns the stats of a file that can be reused, or null. `mode`: its permissions, unless they
   * are the default.
   */
  find(path: string, mode = this.#fileMode): Stats | null {
    const stats = lstatSync(`${this.#folder}/${path}`, { throwIfNoEntry: false });
    if (stats?.isFile() && (stats.mode & 0o777) === mode) return stats;
    return null;
  }

  /** Whether a file has these bytes at an offset. */
  hasAt(path: string, offset: number, bytes: Buffer): boolean {
    return readAt(`${this.#folder}/${path}`, offset, bytes.length).equals(bytes);
  }

  /** Creates a file with the first bytes of a file of the previous site. */
  copyStart(path: string, to: string, bytes: number): void {
    writeFileSync(to, '', { flag: 'wx' });
    for (let offset = 0; offset < bytes; offset += blockBytes) {
      appendFileSync(
        to,
        readAt(`${this.#folder}/${path}`, offset, Math.min(blockBytes, bytes - offset)),
      );
    }
  }

  /**
   * Reuses an unchanged file as a hard link. Nothing is written, and the modification time, from
   * which servers derive the ETag, stays the same. A file with other links is not linked, because
   * they may belong to a backup. Returns false if the file is not linked. The caller then writes
   * it, with the same modification time.
   */
  tryLink(path: string, to: string, { nlink }: Stats): boolean {
    if (nlink !== 1) return false;
    try {
      linkSync(`${this.#folder}/${path}`, to);
      return true;
    } catch {
      return false;
    }
  }
}

/** The number of bytes that are copied at a time. */
export const blockBytes = 1024 ** 2;

/** Sets the modification time of an unchanged file, from which servers derive its ETag. */
export function keepTime(file: string, { mtime, mtimeMs }: Stats): void {
  // Add half a millisecond, so that rounding down cannot give the previous millisecond.
  utimesSync(file, mtime, (Math.floor(mtimeMs) + 0.5) / 1000);
}
