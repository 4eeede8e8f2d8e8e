import type { Sources, TableMapping } from './json/types.ts';

/** The keys of a mapping, in the order in which people read them. */
const keys = ['rows', 'columns', 'dates', 'subject', 'title', 'zone', 'ignore', 'skip'] as const;

/** Returns a mapping with its keys in the order in which people read them. */
export function orderKeys(mapping: TableMapping): TableMapping {
  return Object.fromEntries(keys.filter((key) => mapping[key] !== undefined).map((key) => [key, mapping[key]]));
}

/** Returns the keys of a mapping that a remote source has. */
export function mappingKeysOf(source: Sources['source']): readonly string[] {
  return keys.filter((key) => source[key] !== undefined);
}

/** Returns the mapping in the file of a remote source. Undefined if it has none. */
export function mappingOf(source: Sources['source']): TableMapping | undefined {
  return mappingKeysOf(source).length === 0 ? undefined : source;
}
