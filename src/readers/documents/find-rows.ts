import words from '../schema/column-words.json' with { type: 'json' };
import { readTime } from '../dates.ts';
import { isDateCell } from '../table/cell-kinds.ts';
import { plainWords } from '../schema/plain-words.ts';
import { selectRows, type SelectedRow } from './select.ts';
import type { Value } from './value.ts';

/** A path that leads to rows with dates, and their number. */
export interface RowsPath {
  readonly path: string;
  readonly count: number;
  /** The paths that it joins. */
  readonly parts?: readonly RowsPath[];
}

/** Lists deeper than this are not looked for. */
const maxDepth = 3;

/**
 * Returns the paths that lead to rows with dates: to lists, to the list under each key (`*`), or to
 * the map under each key (`{id}`). The outermost ones only.
 */
export function findRows(root: Value, prefix = '', depth = 0): RowsPath[] {
  const here = rowsAt(root, '');
  if (root.kind === 'list' && isDated(here)) return [withInner({ path: prefix, rows: here })];
  if (depth === maxDepth) return [];
  const parts = root.kind === 'list' ? ['*'] : partsOf(root);
  const paths = parts.flatMap((part) => {
    const path = joinPath(prefix, part);
    const rows = rowsAt(root, part);
    if (part !== '*' && isDated(rows)) return [withInner({ path, rows })];
    // The entries of a list, and all lists under keys, look alike.
    const inner = root.kind === 'list' ? root.items[0] : innerOf(root, part);
    return inner === undefined ? [] : findRows(inner, path, depth + 1);
  });
  // Lists under all keys, such as years, or upcoming and past, are one.
  const isEach = paths.length > 1 && paths.length === parts.length && areSiblings(paths, prefix);
  if (!isEach) return paths;
  const count = paths.reduce((sum, inner) => sum + inner.count, 0);
  return [{ path: prefix === '' ? '*' : `${prefix}.*`, count, parts: paths }];
}

/** Returns the path to dated rows, or to the list in each of them if only its entries have titles. */
function withInner({ path, rows }: { path: string; rows: readonly SelectedRow[] }): RowsPath {
  const [first] = rows;
  const lists = [...(first?.value.entries ?? [])].filter(([, value]) => value.kind === 'list');
  for (const [key] of rows.some(hasTitle) ? [] : lists) {
    const inner = rows.flatMap(({ value }) => rowsAt(value, key));
    if (inner.some(hasTitle) && inner.some(hasTime))
      return {
        path: joinPath(path || '*', key),
        count: inner.length,
      };
  }
  return { path, count: rows.length };
}

/** Whether a row has a text under a key for titles. */
function hasTitle({ value }: SelectedRow): boolean {
  return [...value.entries].some(
    ([key, cell]) => cell.kind === 'text' && titleNames.has(plainKey(key)),
  );
}

/** Whether a row has a date or a time of day. */
function hasTime({ value }: SelectedRow): boolean {
  return [...value.entries.values()].some(
    (cell) => cell.kind === 'text' && (isDateCell(cell.text) || readTime(cell.text) !== null),
  );
}

function joinPath(prefix: string, part: string): string {
  return prefix === '' ? part : `${prefix}.${part}`;
}

function innerOf(root: Value, part: string): Value | undefined {
  const inner = root.kind === 'mapping' ? root.entries.get(part) : undefined;
  return inner?.kind === 'list' ? inner.items[0] : inner;
}

function partsOf(root: Value): string[] {
  if (root.kind !== 'mapping') return [];
  const named = [...root.entries].filter(([, value]) => value.kind !== 'text');
  const maps = named.filter(([, value]) => value.kind === 'mapping');
  const isKeyed = maps.length > 1 && maps.length === root.entries.size;
  return isKeyed ? ['{id}'] : named.map(([name]) => name);
}

function rowsAt(root: Value, path: string): readonly SelectedRow[] {
  return selectRows(root, path) ?? [];
}

function areSiblings(paths: readonly RowsPath[], prefix: string): boolean {
  const depth = prefix === '' ? 1 : prefix.split('.').length + 1;
  return paths.every(({ path }) => path.split('.').length === depth);
}

/** Whether half of some rows have a date, or a value under a key for one. */
function isDated(rows: readonly SelectedRow[]): boolean {
  const sample = rows.slice(0, 50);
  const dated = sample.filter(({ value }) =>
    [...value.entries].some(([key, cell]) => cell.kind === 'text' && isDate(key, cell.text)),
  );
  return dated.length > 0 && dated.length * 2 >= sample.length;
}

function isDate(key: string, text: string): boolean {
  return isDateCell(text) || (text !== '' && startNames.has(plainKey(key)));
}

function plainKey(key: string): string {
  return plainWords(key.replace(/[-_]+/g, ' '));
}

const startNames: ReadonlySet<string> = new Set(words.days.starts.split(', '));
const titles = words.columns.find(({ field }) => field === 'title');
const titleNames: ReadonlySet<string> = new Set(titles?.names.split(', '));
