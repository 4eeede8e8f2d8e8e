import { createHash, hash, type Hash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  rmSync,
  statSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import type { ManifestEntry } from '../api/documents.ts';
import { manifestText } from '../api/manifest.ts';
import { manifestPath } from '../api/paths.ts';
import {
  isRange,
  isWhole,
  type FileRange,
  type Parts,
  type SiteFile,
  type SiteSize,
  type SiteTarget,
} from '../api/site-file.ts';
import { isSitePath } from '../api/address.ts';
import { readAt } from '../system/files.ts';
import { flushToDisk } from '../system/write.ts';
import { compressFiles, encoder } from './encode.ts';
import { blockBytes, keepTime, PreviousSite } from './previous-site.ts';

/** The staging directory, and the folder of the site that it will replace. */
type StagingFolders = { readonly folder: string; readonly previous: string };

interface GrowingFile {
  readonly path: string;
  bytes: number;
  readonly hash: Hash;
  /**
   * The stats of the previous file while it begins with the same bytes, which are then not written;
   * otherwise null.
   */
  same: Stats | null;
}

/** The folder in which a site is assembled before it replaces the previous one. */
export class StagingArea implements SiteTarget {
  readonly #folders: StagingFolders | null;
  readonly #onWrite: () => void;
  readonly #entries = new Map<string, ManifestEntry>();
  /** The files that are only ranges of others, until the site is complete. */
  readonly #parts = new Map<string, ManifestEntry>();
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

  /** The files so far, by path. */
  get entries(): ReadonlyMap<string, ManifestEntry> {
    return this.#entries;
  }

  has(path: string): boolean {
    return this.#entries.has(path);
  }

  paths(): Iterable<string> {
    return this.#entries.keys();
  }

  /** Writes a file. Makes its content if that is a function. Each path can be added once. */
  add({ path, content, isPart = false, mode }: SiteFile): void {
    // Ids also come from sources and previous sites.
    if (!isSitePath(path))
      throw new Error(`found the path ${JSON.stringify(path)}; expected one in the site`);
    const rendered = typeof content === 'function' ? content() : content;
    const entry = isWhole(rendered)
      ? this.#write(path, this.#encode(rendered))
      : this.#writeParts(path, rendered, mode);
    if (mode !== undefined && this.#folders !== null)
      chmodSync(`${this.#folders.folder}/${path}`, mode);
    (isPart ? this.#parts : this.#entries).set(path, entry);
  }

  /** Adds a Brotli and a gzip copy next to each file if that is smaller. */
  async compress(): Promise<void> {
    if (this.#folders === null) return;
    await compressFiles(this.#entries, {
      locate: (path) => this.#locate(path) ?? path,
      write: (path, bytes) => this.add({ path, content: bytes }),
    });
  }

  /** Removes the files that were only ranges of others, and adds the manifest. */
  finish(generator: string): SiteSize {
    for (const path of this.#parts.keys()) {
      const file = this.#locate(path);
      if (file !== null) rmSync(file);
    }
    this.#parts.clear();
    this.add({
      path: manifestPath,
      content: manifestText(generator, this.#entries),
    });
    let bytes = 0;
    let largest = 0;
    for (const entry of this.#entries.values()) {
      bytes += entry.bytes;
      largest = Math.max(largest, entry.bytes);
    }
    return {
      files: this.#entries.size,
      bytes,
      largest,
    };
  }

  /** Waits until all new files and folders are on the disk. Linked files already are. */
  async flush(): Promise<void> {
    await flushToDisk(this.#newFiles.filter((file) => existsSync(file)));
    await flushToDisk([...this.#newFolders]);
  }

  /** Writes a file whose bytes are in memory. */
  #write(path: string, bytes: Buffer): ManifestEntry {
    const entry = {
      bytes: bytes.length,
      sha256: hash('sha256', bytes),
    };
    const previous = this.#previous;
    if (this.#folders === null || previous === null) return entry;
    const target = this.#open(path, this.#folders);
    const stats = previous.find(path);
    const unchanged = stats?.size === bytes.length && previous.hasAt(path, 0, bytes) ? stats : null;
    if (unchanged !== null && previous.tryLink(path, target, unchanged)) return entry;
    // For tens of thousands of small files, synchronous writes take a quarter of the time of
    // asynchronous ones.
    writeFileSync(target, bytes, { flag: 'wx' });
    if (unchanged !== null) keepTime(target, unchanged);
    this.#newFiles.push(target);
    return entry;
  }

  /** Writes a file that may be larger than the memory, part by part. */
  #writeParts(path: string, parts: Parts, mode?: number): ManifestEntry {
    const file = this.#begin(path, mode);
    for (const part of parts) {
      const blocks = isRange(part) ? this.#blocksOf(part) : [this.#encode(part)];
      for (const bytes of blocks) this.#grow(file, bytes);
    }
    return this.#complete(file);
  }

  /** Reads a range block by block, or in one piece to change it. */
  *#blocksOf({ file: path, skip, leave, map }: FileRange): Generator<Buffer> {
    const size = (this.#entries.get(path) ?? this.#parts.get(path))?.bytes ?? 0;
    const end = size - leave;
    const step = map === undefined ? blockBytes : end - skip;
    // In a dry run there is no file, and only the number of bytes matters.
    const file = this.#locate(path);
    for (let start = skip; start < end; start += step) {
      const length = Math.min(step, end - start);
      const buffer = map === undefined ? this.#block : Buffer.alloc(length);
      const block = file === null ? Buffer.alloc(length) : readAt(file, start, length, buffer);
      yield map === undefined || file === null ? block : Buffer.from(map(block.toString()));
    }
  }

  #begin(path: string, mode?: number): GrowingFile {
    const previousFile = this.#previous?.find(path, mode) ?? null;
    const file = {
      path,
      bytes: 0,
      hash: createHash('sha256'),
      same: previousFile,
    };
    if (this.#folders !== null && previousFile === null)
      writeFileSync(this.#open(path, this.#folders), '', { flag: 'wx' });
    return file;
  }

  /** Appends bytes to a file. Writes nothing as long as the previous file has the same bytes. */
  #grow(file: GrowingFile, bytes: Buffer): void {
    const { path, bytes: offset } = file;
    file.bytes += bytes.length;
    file.hash.update(bytes);
    const previous = this.#previous;
    if (this.#folders === null || previous === null) return;
    if (file.same !== null && previous.hasAt(path, offset, bytes)) return;
    const target = this.#open(path, this.#folders);
    if (file.same !== null) previous.copyStart(path, target, offset);
    file.same = null;
    if (bytes.length > 0) appendFileSync(target, bytes);
  }

  #complete({ path, bytes, hash: sum, same: previousFile }: GrowingFile): ManifestEntry {
    const entry = {
      bytes,
      sha256: sum.digest('hex'),
    };
    const previous = this.#previous;
    if (this.#folders === null || previous === null) return entry;
    const target = this.#open(path, this.#folders);
    if (previousFile?.size === bytes && previous.tryLink(path, target, previousFile)) return entry;
    if (previousFile !== null) previous.copyStart(path, target, bytes);
    if (previousFile?.size === bytes) keepTime(target, previousFile);
    this.#newFiles.push(target);
    return entry;
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
    mkdirSync(folder, { recursive: true });
    this.#newFolders.add(folder);
  }
}

const writesPerCall = 256;
