import type { Inventory, InventoryEntry } from '../api/documents.ts';
import { entryText } from './inventory-text.ts';

/**
 * The entries of an inventory as they come, a line each. They lie outside of V8's heap, which those of a large site
 * would make grow by several times their own size; and another thread can be given them as they are. Plain data.
 */
export type Entries = readonly Uint8Array[];

/** Takes down entries, each path once. */
export interface Ledger {
  readonly note: (path: string, entry: InventoryEntry) => void;
  /** Takes over those of another ledger, with other paths. */
  readonly include: (entries: Entries) => void;
  readonly entries: () => Entries;
}

export function openLedger(): Ledger {
  const full: Uint8Array[] = [];
  let page = Buffer.alloc(0);
  let used = 0;
  const turn = (least: number): void => {
    if (used > 0) full.push(page.subarray(0, used));
    // Memory of its own, and none that Node shares out: it may be given away.
    page = Buffer.allocUnsafeSlow(Math.max(pageBytes, least));
    used = 0;
  };
  return {
    note: (path, entry) => {
      const line = `${entryText(path, entry)}\n`;
      // A code unit takes three bytes at the most.
      if (page.length - used < line.length * 3) turn(line.length * 3);
      used += page.write(line, used);
    },
    include: (entries) => {
      for (const one of entries) full.push(one);
    },
    entries: () => (used === 0 ? [...full] : [...full, page.subarray(0, used)]),
  };
}

const pageBytes = 64 * 1024;

/** The entries as {@link entryText} wrote them. */
export function linesOf(entries: Entries): string[] {
  return entries.flatMap(({ buffer, byteOffset, byteLength }) => {
    const lines = Buffer.from(buffer, byteOffset, byteLength).toString().split('\n');
    return lines.slice(0, -1);
  });
}

/** The entries by path, in the order of paths: what is in order is soon sorted, each time that an edit changes a few. */
export function filesIn(entries: Entries): Inventory['files'] {
  return JSON.parse(`{${linesOf(entries).sort().join(',')}}`) as Inventory['files'];
}
