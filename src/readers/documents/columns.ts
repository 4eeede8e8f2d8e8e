import { groupBy } from '../../catalogue/group.ts';
import type { TableMapping } from '../schema/source-types.ts';
import { isTableColumn } from '../table/columns.ts';
import { namesIn } from '../table/header.ts';
import type { DocumentRow } from './rows.ts';

/** A column of a table of documents. */
export interface DocumentColumn {
  /** Its name in the table: the first of its sources. */
  readonly name: string;
  /** The values that it can come from. The first that a row has counts. */
  readonly sources: readonly string[];
  /** What it is, such as `starts`. Null if the mapping does not say it. */
  readonly field: string | null;
}

/** Further values of rows are no columns. A cell takes memory although most rows may lack it. */
const [maxColumns, maxCells] = [500, 5_000_000];

/**
 * Returns the columns of rows: those that the mapping names, or that it needs, and all others. The
 * id of a file or key, and the day in the name of a file, need not be named.
 */
export function columnsOf(
  rows: readonly DocumentRow[],
  mapping: TableMapping | undefined,
  isSample: boolean,
): DocumentColumn[] {
  const all = keysOf(rows);
  const lists = listsIn(all);
  const keys = all.filter((key) => !lists.has(key.replace(/\.\d+\..*/, '')));
  // Only a guess looks at what the maps around the rows say.
  if (isSample) keys.push(...keysOfParents(rows));
  // A guess names each key, as `title` and `Title` may be in different rows.
  const ours = isSample ? {} : ownNames(keys, mapping);
  const named = Object.entries(mapping?.columns ?? ours);
  const hasId = named.some(([, field]) => field === 'id');
  const facts = factsOf(rows, mapping).filter(([, field]) => field !== 'id' || !hasId);
  const byField = groupBy([...named, ...facts], ([, field]) => field);
  const columns = Array.from(byField, ([field, pairs]): DocumentColumn => {
    const sources = [...new Set(pairs.map(([name]) => name))];
    // Without a mapping, only our names say what a column is.
    const name = mapping === undefined ? field : (sources[0] ?? field);
    return { name, sources, field };
  });
  const taken = new Set(columns.flatMap((column) => column.sources));
  const names = new Set([...namesIn(mapping?.title ?? ''), ...keys]);
  const rest = [...names].filter((name) => !taken.has(name));
  for (const name of rest)
    columns.push({
      name,
      sources: [name],
      field: null,
    });
  return columns;
}

/** Returns the keys that are names of ours, unless a mapping says otherwise. */
function ownNames(keys: readonly string[], mapping: TableMapping = {}): Record<string, string> {
  const ignore = [mapping.ignore ?? []].flat().map((name) => name.toLowerCase());
  const fixed = Object.keys(mapping).filter((key) => key === 'title' || key === 'subject');
  const taken = new Set([...ignore, ...fixed]);
  const pairs = keys.map((key) => [key, key.toLowerCase()] as const);
  return Object.fromEntries(pairs.filter(([, field]) => isTableColumn(field) && !taken.has(field)));
}

/** Returns the paths of values that any row has, in order. */
export function keysOf(rows: readonly DocumentRow[]): string[] {
  const most = Math.min(maxColumns, Math.floor(maxCells / Math.max(1, rows.length)));
  const keys = new Set<string>();
  for (const { cells } of rows) {
    for (const [key, cell] of cells) {
      if (cell.text !== '' && keys.size < most) keys.add(key);
    }
  }
  return [...keys];
}

/** Returns the lists with several maps among the keys of rows. Their entries are no columns. */
export function listsIn(keys: readonly string[]): Set<string> {
  return new Set(keys.flatMap((key) => /^(.*?)\.1\./.exec(key)?.[1] ?? []));
}

/** Returns the names of the texts in the maps around rows, such as `{^title}`. */
function keysOfParents(rows: readonly DocumentRow[]): Set<string> {
  const entries = rows.flatMap(({ parents }) => parents.flatMap((parent) => [...parent.entries]));
  const texts = entries.filter(([, value]) => value.kind === 'text' && value.text !== '');
  return new Set(texts.map(([key]) => `{^${key}}`));
}

/** Returns what rows are called, and the day in the names of files, as columns. */
function factsOf(rows: readonly DocumentRow[], mapping: TableMapping | undefined) {
  const keyName = rows[0]?.keyName ?? null;
  const hasId = keyName !== null || rows[0]?.document.facts.has('id') === true;
  const hasDays = rows.some(({ document }) => document.facts.get('file.date'));
  const ignored = new Set([mapping?.ignore ?? []].flat());
  const facts: [name: string, field: string][] = [];
  if (hasId) facts.push([`{${keyName ?? 'id'}}`, 'id']);
  if (hasDays) facts.push(['{file.date}', 'starts']);
  return facts.filter(([name]) => !ignored.has(name));
}
