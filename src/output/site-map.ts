import { hash } from 'node:crypto';
import type { ManifestEntry } from '../api/documents.ts';
import { manifestText } from '../api/manifest.ts';
import { manifestPath } from '../api/paths.ts';
import {
  isRange,
  isWhole,
  type Content,
  type FileRange,
  type SiteFile,
  type SiteTarget,
} from '../api/site-file.ts';

/** A site of which nothing is written. A file is made when it is read. */
export class SiteMap implements SiteTarget {
  readonly #files = new Map<string, SiteFile>();
  /** The files that are only ranges of others. */
  readonly #parts = new Map<string, SiteFile>();

  add(file: SiteFile): void {
    const files = file.isPart === true ? this.#parts : this.#files;
    files.set(file.path, file);
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  paths(): Iterable<string> {
    return this.#files.keys();
  }

  /** Adds the manifest, for which every file is made. */
  finish(generator: string): void {
    const paths = [...this.#files.keys()];
    const content = () => {
      const entries = new Map<string, ManifestEntry>();
      for (const path of paths) {
        const bytes = this.read(path) ?? Buffer.alloc(0);
        entries.set(path, {
          bytes: bytes.length,
          sha256: hash('sha256', bytes),
        });
      }
      return manifestText(generator, entries);
    };
    this.add({ path: manifestPath, content });
  }

  /** Returns the bytes of a file, or null if there is no such file. */
  read(path: string): Buffer | null {
    const file = this.#files.get(path);
    return file === undefined ? null : this.#make(file);
  }

  #make({ content }: SiteFile): Buffer {
    const rendered = typeof content === 'function' ? content() : content;
    if (isWhole(rendered)) return toBuffer(rendered);
    const blocks: Buffer[] = [];
    for (const part of rendered) blocks.push(isRange(part) ? this.#rangeOf(part) : toBuffer(part));
    return Buffer.concat(blocks);
  }

  #rangeOf({ file: path, skip, leave, map }: FileRange): Buffer {
    const file = this.#parts.get(path) ?? this.#files.get(path);
    if (file === undefined) throw new Error(`found no file ${path}; expected it in the site`);
    const bytes = this.#make(file);
    const range = bytes.subarray(skip, bytes.length - leave);
    if (map === undefined) return range;
    return Buffer.from(map(range.toString()));
  }
}

function toBuffer(content: Content): Buffer {
  if (content instanceof Uint8Array) return Buffer.from(content);
  return Buffer.from(typeof content === 'string' ? content : content.join(''));
}
