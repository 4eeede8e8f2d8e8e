import type { Mapping, Scalar, Value } from './value.ts';

/** Deeper values, and further entries of a list of maps, are not columns. */
const [maxDepth, maxEntries] = [6, 10];

/**
 * Returns the values in a map by their paths, such as `location.name`. A list of texts becomes one
 * text. `budget` counts the values that all rows may have, because aliases repeat values.
 */
export function flatten(row: Mapping, budget: { cells: number }): Map<string, Scalar> {
  const cells = new Map<string, Scalar>();
  addCells(row, '', 0, cells, budget);
  return cells;
}

function addCells(
  value: Value,
  path: string,
  depth: number,
  cells: Map<string, Scalar>,
  budget: { cells: number },
): void {
  budget.cells--;
  if (budget.cells < 0) return;
  if (value.kind === 'text') {
    cells.set(path, value);
    return;
  }
  const joined = value.kind === 'list' ? joinTexts(value.items) : null;
  if (joined !== null) {
    cells.set(path, {
      kind: 'text',
      text: joined,
      offset: value.offset,
    });
    return;
  }
  if (depth >= maxDepth) return;
  const entries =
    value.kind === 'list'
      ? value.items.slice(0, maxEntries).map((item, index) => [String(index), item] as const)
      : value.entries;
  for (const [key, inner] of entries)
    addCells(inner, path === '' ? key : `${path}.${key}`, depth + 1, cells, budget);
}

/** Returns the texts of a list, joined. Null if one of its entries is no text. */
function joinTexts(items: readonly Value[]): string | null {
  const texts = items.map((item) => (item.kind === 'text' ? item.text : null));
  return texts.includes(null) ? null : texts.filter((text) => text !== '').join(', ');
}
