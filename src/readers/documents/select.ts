import { scalar, type Mapping, type Scalar, type Value } from './value.ts';

/** A map that is a row, the maps around it, and the keys that it is under. */
export interface SelectedRow {
  readonly value: Mapping;
  /** The nearest first, like the keys. */
  readonly parents: readonly Mapping[];
  /** The keys that `*` or `{id}` of the path stand for. */
  readonly keys: readonly string[];
  /** What the path calls the nearest key: `id` for `{id}`. Null if it has no name. */
  readonly keyName: string | null;
}

/** A value that a path leads to. */
interface Step extends Omit<SelectedRow, 'value'> {
  readonly value: Value;
  /** Whether it is in a list, under a key that `*` or `{id}` stands for, or the whole document. */
  readonly isEntry: boolean;
}

/**
 * Returns the rows at a path. Its parts, separated by dots, are keys, or `*` for the value under
 * each key or in each entry, or such as `{id}` for the maps under each key, which is then their id.
 * Lists on the way stand for all of their entries. Returns null if nothing is there.
 */
export function selectRows(root: Value, path: string): SelectedRow[] | null {
  const parts = path === '' ? [] : path.split('.');
  const whole = {
    value: root,
    parents: [],
    keys: [],
    keyName: null,
    isEntry: path === '',
  };
  const ends: Step[] = [];
  follow(whole, parts, ends);
  if (ends.length === 0) return null;
  const values = ends.flatMap(spread);
  const rows = values.filter(isRow);
  // A list of texts is no list of rows. Keys may have such lists beside those of rows.
  const hasOthers = values.some(({ value }) => value.kind !== 'text' || value.text !== '');
  const isWhole = rows.length === values.length || /[*{]/.test(path);
  return isWhole || !hasOthers ? rows : null;
}

function isRow(step: Step): step is Step & { readonly value: Mapping } {
  return step.value.kind === 'mapping' && step.isEntry;
}

/** Returns the entries of a list in its place. */
function spread(step: Step): Step[] {
  if (step.value.kind !== 'list') return [step];
  return step.value.items.map((value) => ({
    ...step,
    value,
    isEntry: true,
  }));
}

/** Adds the values at the end of a path to `ends`. */
function follow(step: Step, parts: readonly string[], ends: Step[]): void {
  const [part, ...rest] = parts;
  const { value, keys } = step;
  if (part === undefined) ends.push(step);
  else if (value.kind === 'list') {
    const inner = part === '*' ? rest : parts;
    for (const entry of spread(step)) follow(entry, inner, ends);
  } else if (value.kind === 'mapping') {
    const parents = [value, ...step.parents];
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    const isEach = part === '*' || name !== undefined;
    for (const [key, inner] of value.entries) {
      const around = { value: inner, parents };
      if (isEach && inner.kind !== 'text') {
        const keyName = name ?? null;
        follow(
          {
            ...around,
            keys: [key, ...keys],
            keyName,
            isEntry: true,
          },
          rest,
          ends,
        );
      } else if (key === part)
        follow(
          {
            ...step,
            ...around,
            isEntry: false,
          },
          rest,
          ends,
        );
    }
  }
}

/** Deeper values, and further entries of a list of maps, are not columns. */
const [maxDepth, maxEntries] = [6, 10];

/** The most values of a row in which a date or a title is looked for. */
export const maxTexts = 200;

/**
 * Returns the values in a map by their paths, such as `location.name`. A list of texts becomes one
 * text. `budget` counts the values that all rows may have, because aliases repeat values.
 */
export function flatten(row: Mapping, budget: { cells: number }): Map<string, Scalar> {
  const cells = new Map<string, Scalar>();
  const add = (value: Value, path: string, depth: number): void => {
    budget.cells--;
    if (budget.cells < 0) return;
    const text = textOf(value);
    if (text !== null) cells.set(path, text);
    else if (depth < maxDepth)
      for (const [key, inner] of entriesOf(value)) add(inner, joinPath(path, key), depth + 1);
  };
  add(row, '', 0);
  return cells;
}

/** Returns a text, or the texts of a list as one. Null for other values. */
function textOf(value: Value): Scalar | null {
  if (value.kind !== 'list') return value.kind === 'text' ? value : null;
  const texts = value.items.filter((item) => item.kind === 'text');
  if (texts.length < value.items.length) return null;
  const filled = texts.map(({ text }) => text).filter((text) => text !== '');
  return scalar(filled.join(', '), value.offset);
}

function entriesOf(value: Value): Iterable<readonly [string, Value]> {
  if (value.kind === 'mapping') return value.entries;
  const items = value.kind === 'list' ? value.items.slice(0, maxEntries) : [];
  return items.map((item, index) => [String(index), item] as const);
}

export function joinPath(path: string, part: string): string {
  return path === '' ? part : `${path}.${part}`;
}
