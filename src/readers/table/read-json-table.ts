import type { JsonPath, TextFinding } from '../schema/finding.ts';
import { describeType, maxExplainedCharacters, parseJson } from '../schema/json-parse.ts';
import { findTextProblems, locateIn } from '../schema/json-syntax.ts';
import type { TableMapping } from '../schema/source-types.ts';
import type { SourceFile, TextReading } from '../schema/reading.ts';
import { maxRows, tooMany, type Grid } from './cells.ts';
import { namesIn } from './header.ts';
import { noReading, readGrid } from './read-table.ts';

/**
 * Reads a list of objects as a table: each is a row, and paths such as `teams.home.name` are the
 * columns.
 */
export function readJsonTable(text: string, file: SourceFile): TextReading {
  const grid = openList(text, file.mapping ?? {});
  if ('problem' in grid) return noReading(grid);
  const { subjects, findings, warnings, doubts } = readGrid(grid, file);
  const placed = (list: readonly TextFinding[]): TextFinding[] =>
    list.map(({ offset, firstOffset, ...finding }) => {
      const first = firstOffset !== undefined && { firstOffset: grid.offsetOf(firstOffset) };
      return { ...finding, offset: grid.offsetOf(offset), ...first };
    });
  return {
    subjects: subjects.map((subject) => ({ ...subject, offset: grid.offsetOf(subject.offset) })),
    findings: placed(findings),
    warnings: placed(warnings),
    doubts: placed(doubts),
  };
}

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * `offset` combines row and column until `offsetOf` resolves it to a text position: only a few are
 * ever reported.
 */
type List = Grid & { readonly offsetOf: (code: number) => number };

/** Returns the rows of a list of objects, or why there are none. */
export function openList(text: string, mapping: TableMapping): List | TextFinding {
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
  const span = names.length + 1;
  const cellsOf = (row: ReadonlyMap<string, string>): string[] =>
    names.map((name) => row.get(name) ?? '');
  const body = flat.map((row, index) => ({ cells: cellsOf(row), offset: (index + 1) * span }));
  let locate: ReturnType<typeof locateIn> | undefined;
  const offsetOf = (code: number): number => {
    if (text.length > maxExplainedCharacters) return 0;
    locate ??= locateIn(text);
    const row = Math.floor(code / span) - 1;
    const keys = names[(code % span) - 1]?.split('.').map(keyOf) ?? [];
    return locate(row < 0 ? path.map(keyOf) : [...path.map(keyOf), row, ...keys]);
  };
  return {
    names,
    offset: 0,
    above: 0,
    body,
    offsetOfCell: (offset, column) => offset + column + 1,
    offsetOf,
  };
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
