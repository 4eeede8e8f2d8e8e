import { hash } from 'node:crypto';
import { linkSync, lstatSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { ManifestEntry } from '../api/documents.ts';
import { manifestText } from '../api/manifest.ts';
import { manifestPath } from '../api/paths.ts';
import type { SiteFile } from '../api/site-file.ts';
import { flushToDisk, listTree } from '../system/files.ts';
import { compressFiles } from './compress.ts';
import { encoder } from './encode.ts';
import { isKept } from './replaceable.ts';

/** The size of a finished site. */
export interface SiteSize {
  readonly files: number;
  readonly bytes: number;
  /** Bytes of the largest file. */
  readonly largest: number;
}

/** Where to stage a site, and the site that it will replace. */
export interface StagingFolders {
  readonly folder: string;
  readonly previous: string;
}

/** The folder in which a site is put together before it replaces the previous one. */
export class StagingArea {
  readonly #folders: StagingFolders | null;
  readonly #onWrite: () => void;
  readonly #entries = new Map<string, ManifestEntry>();
  readonly #encode = encoder();
  readonly #fileMode: number;
  readonly #newFiles: string[] = [];
  readonly #newFolders: Set<string>;

  /** Without folders, files are counted and nothing is written: a dry run. `onWrite` is called from time to time. */
  constructor(folders: StagingFolders | null, onWrite: () => void = () => {}) {
    this.#folders = folders;
    this.#onWrite = onWrite;
    this.#fileMode = folders === null ? 0 : statSync(folders.folder).mode & 0o666;
    this.#newFolders = new Set(folders === null ? [] : [folders.folder]);
  }

  has(path: string): boolean {
    return this.#entries.has(path);
  }

  /** Adds a file. Each path can be added once. */
  add({ path, content }: SiteFile): void {
    this.#write(path, this.#encode(content));
  }

  /** Takes over files of the previous site that others put there, unless the new site has a file of that name. */
  carryOver(keep: readonly string[]): void {
    const previous = this.#folders?.previous;
    if (previous === undefined || keep.length === 0) return;
    for (const { path, kind } of listTree(previous)) {
      if (kind === 'file' && isKept(path, keep) && !this.has(path))
        this.#write(path, readFileSync(join(previous, path)));
    }
  }

  /** Adds a Brotli and a gzip copy next to each file that gets smaller by it. */
  async compress(): Promise<void> {
    const folder = this.#folders?.folder;
    if (folder === undefined) return;
    const read = (path: string): Buffer => readFileSync(join(folder, path));
    await compressFiles(this.#entries, read, (path, bytes) => this.#write(path, bytes));
  }

  /** Adds the manifest, which makes the site whole. */
  finish(generator: string): SiteSize {
    this.add({ path: manifestPath, content: manifestText(generator, this.#entries) });
    let [bytes, largest] = [0, 0];
    for (const entry of this.#entries.values()) {
      bytes += entry.bytes;
      largest = Math.max(largest, entry.bytes);
    }
    return { files: this.#entries.size, bytes, largest };
  }

  /** Waits until all that is new is on the disk. Files that were linked are there already. */
  async flush(): Promise<void> {
    await flushToDisk(this.#newFiles);
    await flushToDisk([...this.#newFolders]);
  }

  #write(path: string, bytes: Buffer): void {
    this.#entries.set(path, { bytes: bytes.length, sha256: hash('sha256', bytes) });
    if (this.#folders === null) return;
    if (this.#entries.size % filesPerCall === 0) this.#onWrite();
    const target = `${this.#folders.folder}/${path}`;
    const previous = `${this.#folders.previous}/${path}`;
    this.#makeFolder(target.slice(0, target.lastIndexOf('/')));
    const same = this.#statIfSame(previous, bytes);
    if (same?.nlink === 1 && tryLink(previous, target)) return;
    // Synchronous writes took a quarter of the time of awaited ones for tens of thousands of small files.
    writeFileSync(target, bytes, { flag: 'wx' });
    // Half a millisecond more: a time that is rounded down must not become that of the millisecond before.
    if (same !== null) utimesSync(target, same.mtime, (Math.floor(same.mtimeMs) + 0.5) / 1000);
    this.#newFiles.push(target);
  }

  #makeFolder(folder: string): void {
    if (this.#newFolders.has(folder)) return;
    this.#makeFolder(folder.slice(0, folder.lastIndexOf('/')));
    mkdirSync(folder);
    this.#newFolders.add(folder);
  }

  /** The stats of a previous file that holds the same bytes, with the permissions that a new file would have. */
  #statIfSame(file: string, bytes: Buffer): Stats | null {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (!stats?.isFile() || stats.size !== bytes.length || (stats.mode & 0o777) !== this.#fileMode) return null;
    return readFileSync(file).equals(bytes) ? stats : null;
  }
}

const filesPerCall = 256;

/**
 * Takes over an unchanged file by a hard link, so that its modification time stays, from which servers derive its ETag,
 * and nothing is written. The caller links only files without other links: they may belong to a backup. Returns false
 * if the file system refuses: the file is then written, with the same modification time.
 */
function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch {
    return false;
  }
}
