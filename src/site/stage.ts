import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InventoryEntry } from '../api/documents.ts';
import { inventoryPath } from '../api/paths.ts';
import { encoder } from './encode.ts';
import { bytesIn, inventoryText } from './inventory-text.ts';
import type { LastSite } from './last-site.ts';
import { linesOf, openLedger, type Entries } from './ledger.ts';
import type { SiteFile } from './site-file.ts';

/** Where planned files go, and what went there. */
export interface Stage {
  /** Each path once. */
  readonly add: (file: SiteFile) => void;
  readonly put: (path: string, bytes: Buffer) => void;
  /** What was staged so far. */
  readonly staged: () => StagedFiles;
  /** Takes note of files that another stage has put into the same folder. */
  readonly include: (files: StagedFiles) => void;
  /** The bytes of a file that was staged. */
  readonly read: (path: string) => Buffer;
  /** Adds the inventory, which makes the site whole. Returns how much was staged. */
  readonly finish: (generator: string) => Staged;
}

/** Staged files; plain data. */
export interface StagedFiles {
  readonly entries: Entries;
  /** Those that the last site holds as they are. As long as nothing has changed, they are left there. */
  readonly kept: readonly string[];
}

export interface Staged {
  readonly files: number;
  readonly bytes: number;
  /** The bytes of the largest file. */
  readonly largest: number;
  /** Whether the last site is the very same; then nothing was written. */
  readonly isUnchanged: boolean;
}

/** Where files are staged. */
export interface Staging {
  readonly folder: string;
  /** What need not be written again; null where there is none. */
  readonly last: LastSite | null;
  /** Whether the new site is known to differ from the last one; all stages of a site share the knowledge. */
  readonly isChanged: () => boolean;
  readonly change: () => void;
}

/** A stage in a folder; or, where `staging` is null, one that counts and writes nothing. */
export function openStage(staging: Staging | null): Stage {
  const ledger = openLedger();
  const kept: string[] = [];
  const store = staging === null ? () => {} : storeIn(staging, kept);
  const encode = encoder();
  const put = (path: string, bytes: Buffer): void => {
    const entry = { bytes: bytes.length, sha256: hash('sha256', bytes) };
    ledger.note(path, entry);
    store(path, bytes, entry);
  };
  return {
    add: ({ path, content }) => put(path, encode(content)),
    put,
    staged: () => ({ entries: ledger.entries(), kept }),
    include: (others) => {
      ledger.include(others.entries);
      for (const path of others.kept) kept.push(path);
    },
    read: (path) => readStaged(staging, path),
    finish: (generator) => {
      const entries = linesOf(ledger.entries());
      const inventory = Buffer.from(inventoryText(generator, entries));
      const isUnchanged = staging !== null && !staging.isChanged() && isInventoryOf(staging.last, inventory);
      if (staging !== null && !isUnchanged) {
        giveAll(staging, kept);
        write(join(staging.folder, inventoryPath), inventory);
      }
      return { ...measure([inventory.length, ...entries.map(bytesIn)]), isUnchanged };
    },
  };
}

/** Every file that was staged is held by the last site; it is the same if it has no others, and was built by the same. */
function isInventoryOf(last: LastSite | null, inventory: Buffer): boolean {
  return last?.read(inventoryPath).equals(inventory) ?? false;
}

function measure(sizes: readonly number[]): Pick<Staged, 'files' | 'bytes' | 'largest'> {
  let [bytes, largest] = [0, 0];
  for (const size of sizes) {
    bytes += size;
    largest = Math.max(largest, size);
  }
  return { files: sizes.length, bytes, largest };
}

type Store = (path: string, bytes: Buffer, entry: InventoryEntry) => void;

/** What the last site holds is kept back until something has changed, and then given; all else is written. */
function storeIn({ folder, last, isChanged, change }: Staging, kept: string[]): Store {
  const targetOf = targetsIn(folder);
  return (path, bytes, entry) => {
    if (last?.holds(path, entry, bytes) !== true) {
      change();
      write(targetOf(path), bytes);
    } else if (isChanged()) last.give(path, targetOf(path));
    else kept.push(path);
  };
}

function giveAll({ folder, last }: Staging, kept: string[]): void {
  const targetOf = targetsIn(folder);
  for (const path of kept.splice(0)) last?.give(path, targetOf(path));
}

/** Writes are synchronous: measured four times as fast as awaited ones, for tens of thousands of small files. */
function write(target: string, bytes: Buffer): void {
  try {
    writeFileSync(target, bytes, { flag: 'wx' });
  } catch (error) {
    // Never into a file that is there: it may be one of the last site's by another name.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    unlinkSync(target);
    writeFileSync(target, bytes, { flag: 'wx' });
  }
}

/** Paths in a folder, with the folders on the way made. Files of one folder come one after the other, mostly. */
function targetsIn(root: string): (path: string) => string {
  let made = root;
  return (path) => {
    const target = `${root}/${path}`;
    const folder = target.slice(0, target.lastIndexOf('/'));
    if (folder !== made) mkdirSync(folder, { recursive: true });
    made = folder;
    return target;
  };
}

function readStaged(staging: Staging | null, path: string): Buffer {
  try {
    return readFileSync(join(staging?.folder ?? '', path));
  } catch (error) {
    if (staging?.last == null) throw error;
    return staging.last.read(path);
  }
}
