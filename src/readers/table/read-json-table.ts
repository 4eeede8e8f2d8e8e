import type { JsonPath, TextFinding } from '../schema/finding.ts';
import { describeType, maxExplainedCharacters, parseJson } from '../schema/json-parse.ts';
import { findTextProblems, locateIn } from '../schema/json-syntax.ts';
import type { TableMapping } from '../schema/source-types.ts';
import { maxRows, tooMany } from './cells.ts';
import { namesIn } from './header.ts';
import { tableReader } from './read-table.ts';
import type { ContainerOptions, Rows } from './rows.ts';

/**
 * Reads a list of objects as a table: each is a row, and paths such as `teams.home.name` are the
 * columns.
 */
export const readJsonTable = tableReader(openList);

type JsonObject = Readonly<Record<string, unknown>>;

/** Returns the rows of a list of objects, or why there are none. */
export function openList(
  text: string,
  { mapping = {} }: Pick<ContainerOptions, 'mapping'>,
): Rows | TextFinding {
  const value = parseJson(text);
  if (value === undefined)
    return findTextProblems(text)[0] ?? { problem: badRows(value, ''), offset: 0 };
  const path = mapping.rows === undefined ? [] : mapping.rows.split('.');
  const rows = valueAt(value, path);
  if (!isRows(rows))
    return { problem: { ...badRows(rows, path.join('.')), proposal: findRows(value) }, offset: 0 };
  if (rows.length > maxRows) return { problem: { code: 'bad-table', reason: tooMany }, offset: 0 };
  const flat = rows.map((row) => flatten(row, '', new Map(), 0));
  const names = columnsOf(flat, mapping);
  const body = flat.map((row) => ({ cells: names.map((name) => row.get(name) ?? '') }));
  let locate: ReturnType<typeof locateIn> | undefined;
  const spotOf: Rows['spotOf'] = (row, column) => {
    if (text.length > maxExplainedCharacters) return { offset: 0 };
    locate ??= locateIn(text);
    const list = path.map(keyOf);
    if (row === null) return { offset: locate(list) };
    const keys = column === undefined ? [] : names[column]?.split('.').map(keyOf);
    return { offset: locate([...list, row, ...(keys ?? [])]) };
  };
  return { names, above: 0, body, spotOf };
}

function badRows(found: unknown, rows: string) {
  return { code: 'bad-rows', found: describeType(found), rows, proposal: null } as const;
}

/**
 * Returns the columns of a list. It may lack some that the mapping names, because no object has
 * them just now.
 */
function columnsOf(
  rows: readonly ReadonlyMap<string, string>[],
  { columns = {}, title }: TableMapping,
): string[] {
  const names = new Set([...Object.keys(columns), ...namesIn(title ?? '')]);
  const most = names.size + Math.min(maxColumns, Math.floor(maxCells / rows.length));
  for (const row of rows) for (const name of row.keys()) if (names.size < most) names.add(name);
  return [...names];
}

/**
 * Further columns that the mapping does not name are ignored. A cell takes memory although most
 * rows may lack it.
 */
const [maxColumns, maxCells] = [500, 5_000_000];

/** Deeper values, and further entries of a list of objects, are not columns. */
const [maxDepth, maxEntries] = [6, 10];

/**
 * Adds the values in an object by their paths, as texts. A list of texts or numbers becomes one
 * text.
 */
function flatten(
  value: unknown,
  path: string,
  into: Map<string, string>,
  depth: number,
): Map<string, string> {
  if (typeof value === 'string') return into.set(path, value);
  if (typeof value === 'number' || typeof value === 'boolean') return into.set(path, String(value));
  if (typeof value !== 'object' || value === null) return into;
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object'))
    return into.set(path, value.join(', '));
  const entries = Array.isArray(value)
    ? Object.entries(value).slice(0, maxEntries)
    : Object.entries(value);
  if (depth < maxDepth) {
    for (const [key, inner] of entries)
      flatten(inner, path === '' ? key : `${path}.${key}`, into, depth + 1);
  }
  return into;
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let inner = value;
  for (const key of path)
    inner = isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined;
  return inner;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null;
}

function isRows(value: unknown): value is readonly JsonObject[] {
  return Array.isArray(value) && value.every((row) => isObject(row) && !Array.isArray(row));
}

function findRows(value: unknown, path = '', depth = 0): string | null {
  if (isRows(value) && value.length > 0) return path;
  if (!isObject(value) || Array.isArray(value) || depth > 2) return null;
  for (const [key, inner] of Object.entries(value)) {
    const found = findRows(inner, path === '' ? key : `${path}.${key}`, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

function keyOf(key: string): JsonPath[number] {
  return /^\d+$/.test(key) ? Number(key) : key;
}
