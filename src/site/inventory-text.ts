import type { Inventory, InventoryEntry } from '../api/documents.ts';

/** An inventory of entries that {@link entryText} wrote, in any order. */
export function inventoryText(generator: string, entries: readonly string[]): string {
  // The quotation mark after a path sorts before all that a path may hold: so entries sort as their paths do.
  return `{"generator":${JSON.stringify(generator)},"files":{${entries.toSorted().join(',')}}}\n`;
}

/** The entry of a file in an inventory. */
export function entryText(path: string, { bytes, sha256 }: InventoryEntry): string {
  return `${JSON.stringify(path)}:{"bytes":${bytes},"sha256":"${sha256}"}`;
}

/** How large the file of an entry is. */
export function bytesIn(entry: string): number {
  return Number.parseInt(entry.slice(entry.lastIndexOf(beforeBytes) + beforeBytes.length), 10);
}

const beforeBytes = '{"bytes":';

/** The inventory in a text; null where it holds none of a site that almanac built. */
export function parseInventory(text: string): Inventory | null {
  try {
    const inventory: unknown = JSON.parse(text);
    return isInventory(inventory) ? inventory : null;
  } catch {
    return null;
  }
}

/** Whether a value that was parsed is the inventory of a site that almanac built. */
export function isInventory(value: unknown): value is Inventory {
  if (!(value instanceof Object && 'generator' in value && 'files' in value)) return false;
  const { generator, files } = value;
  return typeof generator === 'string' && generator.startsWith('almanac/') && files instanceof Object;
}

/** What an inventory lists, by path. */
export interface Listed {
  readonly has: (path: string) => boolean;
}

/**
 * Looks into the text of an inventory as almanac writes one: its files in the order of their paths, no white space.
 * Null where it is written in another way. Nothing is kept but the text and where its entries begin: parsed, the
 * inventory of a large site would take five times as much memory.
 */
export function lookInto(text: string): Listed | null {
  const starts = entriesIn(text);
  if (starts === null) return null;
  return { has: (path) => isEntry(text, starts, path) };
}

const head = /^\{"generator":"almanac\/[^"\\]*","files":\{/;
// eslint-disable-next-line no-control-regex -- a text in JSON has none
const entry = /"([^"\\\u0000-\u001f]+)":\{"bytes":(?:0|[1-9]\d*),"sha256":"[0-9a-f]{64}"\}/y;
const tail = '}}\n';

/** Where each entry begins; null where there is anything else. */
function entriesIn(text: string): Uint32Array | null {
  const begin = head.exec(text)?.[0].length;
  if (begin === undefined) return null;
  const starts: number[] = [];
  let last = '';
  for (let start = begin; ; start = entry.lastIndex + 1) {
    entry.lastIndex = start;
    const path = entry.exec(text)?.[1];
    if (path === undefined || path <= last) return null;
    starts.push(start);
    last = path;
    if (text[entry.lastIndex] !== ',') break;
  }
  return text.slice(entry.lastIndex) === tail ? Uint32Array.from(starts) : null;
}

/** Whether a path has an entry. */
function isEntry(text: string, starts: Uint32Array, path: string): boolean {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const start = starts[middle] ?? 0;
    const found = text.slice(start + 1, text.indexOf('"', start + 1));
    if (found === path) return true;
    if (found < path) low = middle + 1;
    else high = middle;
  }
  return false;
}
