import { createHash, hash, type Hash } from 'node:crypto';
import {
  appendFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { join } from 'node:path';
import type { ManifestEntry } from '../api/documents.ts';
import { manifestText } from '../api/manifest.ts';
import { manifestPath } from '../api/paths.ts';
import type { Content, FilePart, FileRange, SiteFile } from '../api/site-file.ts';
import { listTree, readAt } from '../system/files.ts';
import { flushToDisk } from '../system/write.ts';
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

/** The staging directory, and the folder of the site that it will replace. */
export interface StagingFolders {
  readonly folder: string;
  readonly previous: string;
}

/** A file that is written in parts. */
interface GrowingFile {
  bytes: number;
  readonly hash: Hash;
  /** The stats of the previous file as long as it begins with the same bytes, so that nothing is written; else null. */
  same: Stats | null;
}

/** The folder in which a site is assembled before it replaces the previous one. */
export class StagingArea {
  readonly #folders: StagingFolders | null;
  readonly #onWrite: () => void;
  readonly #entries = new Map<string, ManifestEntry>();
  /** The files that are not complete yet. */
  readonly #growing = new Map<string, GrowingFile>();
  readonly #encode = encoder();
  /** For what is copied from file to file: new memory for each block would pile up until it is collected. */
  readonly #block = Buffer.allocUnsafe(blockBytes);
  #writes = 0;
  readonly #fileMode: number;
  readonly #newFiles: string[] = [];
  readonly #newFolders: Set<string>;

  /** Without folders, this is a dry run: files are counted, not written. `onWrite` is called from time to time. */
  constructor(folders: StagingFolders | null, onWrite: () => void = () => {}) {
    this.#folders = folders;
    this.#onWrite = onWrite;
    this.#fileMode = folders === null ? 0 : statSync(folders.folder).mode & 0o666;
    this.#newFolders = new Set(folders === null ? [] : [folders.folder]);
  }

  /** The folders that it was made with. Null in a dry run. */
  get folders(): StagingFolders | null {
    return this.#folders;
  }

  /** The files so far, by path. */
  get entries(): ReadonlyMap<string, ManifestEntry> {
    return this.#entries;
  }

  has(path: string): boolean {
    return this.#entries.has(path);
  }

  /** Takes over the files that another staging area with the same folders has written and flushed. */
  adopt(entries: ReadonlyMap<string, ManifestEntry>): void {
    for (const [path, entry] of entries) this.#entries.set(path, entry);
  }

  /** Adds a file. Each path can be added once. */
  add({ path, content }: SiteFile): void {
    this.write(path, this.#encode(content));
  }

  /** Appends a text to files, which may be larger than the memory. Each file must be completed with `isLast`. */
  append({ paths, content, isLast = false }: FilePart): void {
    if (!isRange(content)) return this.#append(paths, this.#encode(content), isLast);
    for (let start = content.start; start < content.end; start += blockBytes) {
      const length = Math.min(blockBytes, content.end - start);
      // In a dry run there is no file. Only the number of bytes matters then.
      const folder = this.#folders?.folder;
      const block =
        folder === undefined ? Buffer.alloc(length) : readAt(`${folder}/${content.file}`, start, length, this.#block);
      this.#append(paths, block, false);
    }
  }

  /** Copies files of other programs from the previous site, unless the new site has a file of that name. */
  carryOver(keep: readonly string[]): void {
    const previous = this.#folders?.previous;
    if (previous === undefined || keep.length === 0) return;
    for (const { path, kind } of listTree(previous)) {
      if (kind === 'file' && isKept(path, keep) && !this.has(path))
        this.write(path, readFileSync(join(previous, path)));
    }
  }

  /** Adds a Brotli and a gzip copy next to each file if that is smaller. */
  async compress(): Promise<void> {
    const folder = this.#folders?.folder;
    if (folder === undefined) return;
    await compressFiles(this.#entries, {
      folder,
      write: (path, bytes) => this.write(path, bytes),
      append: (paths, bytes, isLast) => this.#append(paths, bytes, isLast),
    });
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

  /** Waits until all new files and folders are on the disk. Linked files already are. */
  async flush(): Promise<void> {
    await flushToDisk(this.#newFiles);
    await flushToDisk([...this.#newFolders]);
  }

  /** Adds a file whose bytes are known. */
  write(path: string, bytes: Buffer): void {
    this.#entries.set(path, { bytes: bytes.length, sha256: hash('sha256', bytes) });
    if (this.#folders === null) return;
    const target = this.#open(path, this.#folders);
    const previous = `${this.#folders.previous}/${path}`;
    const stats = this.#statPrevious(previous);
    const same = stats?.size === bytes.length && readFileSync(previous).equals(bytes) ? stats : null;
    if (same?.nlink === 1 && tryLink(previous, target)) return;
    // For tens of thousands of small files, synchronous writes take a quarter of the time of asynchronous ones.
    writeFileSync(target, bytes, { flag: 'wx' });
    if (same !== null) keepTime(target, same);
    this.#newFiles.push(target);
  }

  #append(paths: readonly string[], bytes: Buffer, isLast: boolean): void {
    for (const path of paths) {
      const file = this.#growing.get(path) ?? this.#begin(path);
      if (this.#folders !== null) this.#grow(path, file, bytes, this.#folders);
      file.bytes += bytes.length;
      file.hash.update(bytes);
      if (isLast) this.#complete(path, file);
    }
  }

  #begin(path: string): GrowingFile {
    const same = this.#folders && this.#statPrevious(`${this.#folders.previous}/${path}`);
    const file = { bytes: 0, hash: createHash('sha256'), same };
    this.#growing.set(path, file);
    if (this.#folders !== null && same === null) writeFileSync(this.#open(path, this.#folders), '', { flag: 'wx' });
    return file;
  }

  /** Appends bytes to a file. Writes nothing as long as the previous file has the same bytes. */
  #grow(path: string, file: GrowingFile, bytes: Buffer, folders: StagingFolders): void {
    const previous = `${folders.previous}/${path}`;
    if (file.same !== null && hasAt(previous, file.bytes, bytes)) return;
    // Open the file for each part, because a site can have more such files than a process may open.
    const target = this.#open(path, folders);
    if (file.same !== null) copyStart(previous, target, file.bytes);
    file.same = null;
    if (bytes.length > 0) appendFileSync(target, bytes);
  }

  #complete(path: string, file: GrowingFile): void {
    this.#growing.delete(path);
    const { bytes, hash: sum, same } = file;
    this.#entries.set(path, { bytes, sha256: sum.digest('hex') });
    if (this.#folders === null) return;
    const [target, previous] = [this.#open(path, this.#folders), `${this.#folders.previous}/${path}`];
    if (same?.size === bytes && same.nlink === 1 && tryLink(previous, target)) return;
    if (same !== null) copyStart(previous, target, bytes);
    if (same?.size === bytes) keepTime(target, same);
    this.#newFiles.push(target);
  }

  /** Returns the path at which to write a file, and creates its folder. */
  #open(path: string, { folder }: StagingFolders): string {
    if (++this.#writes % writesPerCall === 0) this.#onWrite();
    const target = `${folder}/${path}`;
    this.#makeFolder(target.slice(0, target.lastIndexOf('/')));
    return target;
  }

  #makeFolder(folder: string): void {
    if (this.#newFolders.has(folder)) return;
    this.#makeFolder(folder.slice(0, folder.lastIndexOf('/')));
    // Another thread of the build may have made it.
    mkdirSync(folder, { recursive: true });
    this.#newFolders.add(folder);
  }

  /** Returns the stats of a previous file if it has the permissions of a new file, or null. */
  #statPrevious(file: string): Stats | null {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    return stats?.isFile() && (stats.mode & 0o777) === this.#fileMode ? stats : null;
  }
}

const writesPerCall = 256;

function isRange(content: Content | FileRange): content is FileRange {
  return typeof content === 'object' && 'file' in content;
}

/** Whether a file has these bytes at an offset. */
function hasAt(file: string, offset: number, bytes: Buffer): boolean {
  return readAt(file, offset, bytes.length).equals(bytes);
}

/** Creates a file with the first bytes of another one. */
function copyStart(from: string, to: string, bytes: number): void {
  writeFileSync(to, '', { flag: 'wx' });
  for (let offset = 0; offset < bytes; offset += blockBytes) {
    appendFileSync(to, readAt(from, offset, Math.min(blockBytes, bytes - offset)));
  }
}

const blockBytes = 1024 ** 2;

/** Sets the modification time of an unchanged file, from which servers derive its ETag. */
function keepTime(file: string, { mtime, mtimeMs }: Stats): void {
  // Add half a millisecond, so that rounding down cannot give the previous millisecond.
  utimesSync(file, mtime, (Math.floor(mtimeMs) + 0.5) / 1000);
}

/**
 * Reuses an unchanged file with a hard link. Nothing is written, and the modification time, from which servers derive
 * the ETag, stays the same. The caller links only files that have no other links, because those may belong to a backup.
 * Returns false if the file system refuses. The caller then writes the file, with the same modification time.
 */
function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch {
    return false;
  }
}
