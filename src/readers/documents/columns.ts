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
  const isInList = (key: string): boolean => lists.has(key.replace(/\.\d+\..*/, ''));
  const keys = all.filter((key) => !isInList(key));
  // Only a guess looks at what the maps around the rows say.
  if (isSample) keys.push(...keysOfParents(rows));
  const named = Object.entries(mapping?.columns ?? {});
  const ours = mapping?.columns === undefined ? ownNames(keys, mapping) : [];
  const sources = new Map<string, string[]>();
  for (const [name, field] of [...named, ...ours, ...factsOf(rows)]) {
    const names = sources.get(field) ?? [];
    const isFact = field === 'id' && name.startsWith('{') && names.length > 0;
    if (!isFact && !names.includes(name)) sources.set(field, [...names, name]);
  }
  const columns = Array.from(sources, ([field, names]) => {
    // Without a mapping, only our names say what a column is.
    const name = mapping === undefined ? field : (names[0] ?? field);
    return { name, sources: names, field };
  });
  const taken = new Set(columns.flatMap((column) => column.sources));
  const unnamed = [...namesIn(mapping?.title ?? ''), ...keys].filter((name) => !taken.has(name));
  const rest = [...new Set(unnamed)].map((name) => ({
    name,
    sources: [name],
    field: null,
  }));
  return [...columns, ...rest];
}

/** Returns the keys that are names of ours, unless a mapping says otherwise. */
function ownNames(keys: readonly string[], mapping: TableMapping = {}) {
  const ignore = [mapping.ignore ?? []].flat().map((name) => name.toLowerCase());
  const said = Object.keys(mapping).filter((key) => key === 'title' || key === 'subject');
  const taken = new Set([...ignore, ...said]);
  return keys
    .map((key) => [key, key.toLowerCase()] as const)
    .filter(([, field]) => isTableColumn(field) && !taken.has(field));
}

/** Returns the paths of values that any row has, in order. */
export function keysOf(rows: readonly DocumentRow[]): string[] {
  const most = Math.min(maxColumns, Math.floor(maxCells / Math.max(1, rows.length)));
  const keys = new Set<string>();
  for (const { cells } of rows) {
    for (const [key, { text }] of cells) if (text !== '' && keys.size < most) keys.add(key);
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
function factsOf(rows: readonly DocumentRow[]): (readonly [name: string, field: string])[] {
  const [first] = rows;
  if (first === undefined) return [];
  const { document, keyName } = first;
  const hasId = keyName !== null || document.facts.has('id');
  const hasDays = rows.some((row) => row.document.facts.get('file.date'));
  return [
    ...(hasId ? [[`{${keyName ?? 'id'}}`, 'id'] as const] : []),
    ...(hasDays ? [['{file.date}', 'starts'] as const] : []),
  ];
}
