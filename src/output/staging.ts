import { createHash, hash, type Hash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  rmSync,
  statSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import type { ManifestEntry } from '../api/documents.ts';
import { manifestText } from '../api/manifest.ts';
import { manifestPath } from '../api/paths.ts';
import type { Content, FileChunk, FileRange, SiteFile, SiteSize } from '../api/site-file.ts';
import { isSitePath } from '../api/address.ts';
import { readAt, readBlocks } from '../system/files.ts';
import { flushToDisk } from '../system/write.ts';
import { compressFiles, encoder } from './encode.ts';
import { blockBytes, keepTime, PreviousSite } from './previous-site.ts';
import type { PublicFile } from './public.ts';

/** The staging directory, and the folder of the site that it will replace. */
export type StagingFolders = { readonly folder: string; readonly previous: string };

interface GrowingFile {
  bytes: number;
  readonly hash: Hash;
  /**
   * The stats of the previous file while it begins with the same bytes, which are then not written;
   * otherwise null.
   */
  same: Stats | null;
}

/** The folder in which a site is assembled before it replaces the previous one. */
export class StagingArea {
  readonly #folders: StagingFolders | null;
  readonly #onWrite: () => void;
  readonly #entries = new Map<string, ManifestEntry>();
  readonly #growing = new Map<string, GrowingFile>();
  readonly #encode = encoder();
  /**
   * Reused for each block that is copied, because new buffers would fill the memory until they are
   * collected.
   */
  readonly #block = Buffer.allocUnsafe(blockBytes);
  #writes = 0;
  /** Null in a dry run. */
  readonly #previous: PreviousSite | null;
  readonly #newFiles: string[] = [];
  readonly #removed = new Set<string>();
  readonly #newFolders: Set<string>;

  /**
   * Without folders, this is a dry run: files are only counted. `onWrite` is called every few
   * hundred writes.
   */
  constructor(folders: StagingFolders | null, onWrite: () => void = () => {}) {
    this.#folders = folders;
    this.#onWrite = onWrite;
    this.#previous =
      folders && new PreviousSite(folders.previous, statSync(folders.folder).mode & 0o666);
    this.#newFolders = new Set(folders === null ? [] : [folders.folder]);
  }

  /** The folders of the constructor. Null in a dry run. */
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

  /**
   * Adds the files that the staging area of another thread has written into the same folder and
   * flushed.
   */
  adopt(entries: ReadonlyMap<string, ManifestEntry>): void {
    for (const [path, entry] of entries) this.#entries.set(path, entry);
  }

  /** Adds a file. Each path can be added once. */
  add({ path, content }: SiteFile): void {
    this.write(path, this.#encode(content));
  }

  /**
   * Appends a text to files, which may be larger than the memory. Each file must be completed with
   * `isLast`.
   */
  append({ paths, content, isLast = false }: FileChunk): void {
    if (!isRange(content)) return this.#append(paths, this.#encode(content), isLast);
    const { map, start: first, end } = content;
    const size = map === undefined ? blockBytes : end - first;
    for (let start = first; start < end; start += size) {
      const length = Math.min(size, end - start);
      // In a dry run there is no file, and only the number of bytes matters.
      const file = this.#locate(content.file);
      const buffer = map === undefined ? this.#block : Buffer.alloc(length);
      const block = file === null ? Buffer.alloc(length) : readAt(file, start, length, buffer);
      this.#append(
        paths,
        map === undefined || file === null ? block : Buffer.from(map(block.toString())),
        false,
      );
    }
    if (isLast) this.#append(paths, Buffer.alloc(0), true);
  }

  /** Copies a file of the owner of the site, block by block, with its permissions. */
  copy({ path, source, mode }: PublicFile): void {
    for (const block of readBlocks(source)) this.#append([path], block, false, mode);
    this.#append([path], Buffer.alloc(0), true, mode);
    if (this.#folders !== null) chmodSync(`${this.#folders.folder}/${path}`, mode);
  }

  /** Adds a Brotli and a gzip copy next to each file if that is smaller. */
  async compress(): Promise<void> {
    if (this.#folders === null) return;
    await compressFiles(this.#entries, {
      locate: (path) => this.#locate(path) ?? path,
      write: (path, bytes) => this.write(path, bytes),
    });
  }

  /** Adds the manifest, which completes the site. */
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
    await flushToDisk(this.#newFiles.filter((file) => !this.#removed.has(file)));
    await flushToDisk([...this.#newFolders]);
  }

  /** Removes files that were only needed to make others. */
  remove(paths: Iterable<string>): void {
    for (const path of paths) {
      this.#entries.delete(path);
      const file = this.#locate(path);
      if (file === null) continue;
      rmSync(file);
      this.#removed.add(file);
    }
  }

  /** Adds a file whose bytes are known. */
  write(path: string, bytes: Buffer): void {
    assertInside(path);
    this.#entries.set(path, { bytes: bytes.length, sha256: hash('sha256', bytes) });
    const previous = this.#previous;
    if (this.#folders === null || previous === null) return;
    const target = this.#open(path, this.#folders);
    const stats = previous.find(path);
    const same = stats?.size === bytes.length && previous.hasAt(path, 0, bytes) ? stats : null;
    if (same !== null && previous.tryLink(path, target, same)) return;
    // For tens of thousands of small files, synchronous writes take a quarter of the time of
    // asynchronous ones.
    writeFileSync(target, bytes, { flag: 'wx' });
    if (same !== null) keepTime(target, same);
    this.#newFiles.push(target);
  }

  #append(paths: readonly string[], bytes: Buffer, isLast: boolean, mode?: number): void {
    for (const path of paths) {
      const file = this.#growing.get(path) ?? this.#begin(path, mode);
      this.#grow(path, file, bytes);
      file.bytes += bytes.length;
      file.hash.update(bytes);
      if (isLast) this.#complete(path, file);
    }
  }

  #begin(path: string, mode?: number): GrowingFile {
    assertInside(path);
    const same = this.#previous?.find(path, mode) ?? null;
    const file = { bytes: 0, hash: createHash('sha256'), same };
    this.#growing.set(path, file);
    if (this.#folders !== null && same === null)
      writeFileSync(this.#open(path, this.#folders), '', { flag: 'wx' });
    return file;
  }

  /** Appends bytes to a file. Writes nothing as long as the previous file has the same bytes. */
  #grow(path: string, file: GrowingFile, bytes: Buffer): void {
    const previous = this.#previous;
    if (this.#folders === null || previous === null) return;
    if (file.same !== null && previous.hasAt(path, file.bytes, bytes)) return;
    // Open the file for each part, because a site can have more such files than a process may open.
    const target = this.#open(path, this.#folders);
    if (file.same !== null) previous.copyStart(path, target, file.bytes);
    file.same = null;
    if (bytes.length > 0) appendFileSync(target, bytes);
  }

  #complete(path: string, file: GrowingFile): void {
    this.#growing.delete(path);
    const { bytes, hash: sum, same } = file;
    this.#entries.set(path, { bytes, sha256: sum.digest('hex') });
    if (this.#folders === null || this.#previous === null) return;
    const target = this.#open(path, this.#folders);
    if (same?.size === bytes && this.#previous.tryLink(path, target, same)) return;
    if (same !== null) this.#previous.copyStart(path, target, bytes);
    if (same?.size === bytes) keepTime(target, same);
    this.#newFiles.push(target);
  }

  /** Returns the path at which a file of the site can be read. Null in a dry run. */
  #locate(path: string): string | null {
    return this.#folders && `${this.#folders.folder}/${path}`;
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
    // Another thread of the build may have created it.
    mkdirSync(folder, { recursive: true });
    this.#newFolders.add(folder);
  }
}

const writesPerCall = 256;

/**
 * Last check that no path leaves the site, because ids also come from sources and previous sites.
 */
function assertInside(path: string): void {
  if (!isSitePath(path))
    throw new Error(`found the path ${JSON.stringify(path)}; expected one in the site`);
}

function isRange(content: Content | FileRange): content is FileRange {
  return typeof content === 'object' && 'file' in content;
}
