import { hash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Inventory } from '../api/documents.ts';
import { inventoryPath } from '../api/paths.ts';
import { encoder } from './encode.ts';
import { inventoryText } from './plan.ts';
import type { SiteFile } from './site-file.ts';

/** Where planned files go, and what went there. */
export interface Stage {
  readonly files: Readonly<Inventory['files']>;
  readonly add: (file: SiteFile) => void;
  readonly put: (path: string, bytes: Buffer) => void;
  /** Takes note of files that another stage has put into the same folder. */
  readonly include: (files: Readonly<Inventory['files']>) => void;
  /** Adds the inventory, which makes the site whole. Returns how much was staged. */
  readonly finish: (generator: string) => Staged;
}

export interface Staged {
  readonly files: number;
  readonly bytes: number;
  /** The bytes of the largest file. */
  readonly largest: number;
}

/** A stage in `folder`, which is there; or, where it is null, one that counts and writes nothing. */
export function openStage(folder: string | null): Stage {
  const inventory: Inventory['files'] = {};
  const write = folder === null ? () => {} : writerIn(folder);
  const encode = encoder();
  const put = (path: string, bytes: Buffer): void => {
    write(path, bytes);
    inventory[path] = { bytes: bytes.length, sha256: hash('sha256', bytes) };
  };
  return {
    files: inventory,
    add: ({ path, content }) => put(path, encode(content)),
    put,
    include: (files) => void Object.assign(inventory, files),
    finish: (generator) => {
      const last = encode(inventoryText(generator, inventory));
      write(inventoryPath, last);
      return measure([last.length, ...Object.values(inventory).map(({ bytes }) => bytes)]);
    },
  };
}

function measure(sizes: readonly number[]): Staged {
  let [bytes, largest] = [0, 0];
  for (const size of sizes) {
    bytes += size;
    largest = Math.max(largest, size);
  }
  return { files: sizes.length, bytes, largest };
}

/** Writes are synchronous: measured four times as fast as awaited ones, for tens of thousands of small files. */
function writerIn(folder: string): (path: string, bytes: Buffer) => void {
  const makeFolder = folderMaker(folder);
  return (path, bytes) => {
    const target = join(folder, path);
    makeFolder(dirname(target));
    writeFileSync(target, bytes);
  };
}

/** Makes folders that are not there yet, each once; another thread may have been faster. */
function folderMaker(root: string): (folder: string) => void {
  const made = new Set<string>([root]);
  return (folder) => {
    if (made.has(folder)) return;
    mkdirSync(folder, { recursive: true });
    made.add(folder);
  };
}
