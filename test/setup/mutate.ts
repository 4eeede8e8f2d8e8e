import * as fc from 'fast-check';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Path = readonly string[];

/** Returns the path of every value in a JSON document. */
export function pathsIn(value: Json, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...path, key]))];
}

/** Replaces the value at a path, or removes it. */
export function mutate(document: Json, path: Path, value: Json | undefined): void {
  const holder = path.slice(0, -1).reduce((inner, key) => (inner as Record<string, Json>)[key] ?? null, document);
  const key = path.at(-1) ?? '';
  if (Array.isArray(holder) && value === undefined) holder.splice(Number(key), 1);
  else if (value === undefined) delete (holder as Record<string, Json>)[key];
  else (holder as Record<string, Json>)[key] = value;
}

/** Values that a document of almanac does not have at most places. */
export const foreignValue = fc.constantFrom<Json | undefined>(
  undefined,
  null,
  true,
  '',
  'x',
  '../../../../../outside/x',
  '2027-99',
  'https://example.com"<script>',
  -1,
  0.5,
  8.64e15,
  [],
  {},
  [null],
  { 'entries of a map': [['../../outside', {}]] },
);
