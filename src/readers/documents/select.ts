import type { Mapping, Value } from './value.ts';

/** A map that is a row, the maps around it, and the key that it is under. */
export interface SelectedRow {
  readonly value: Mapping;
  /** The nearest first. */
  readonly parents: readonly Mapping[];
  /** Null if it is in a list. */
  readonly key: string | null;
  /** What the path calls the key: `id` for `{id}`. Null if it has no name. */
  readonly keyName: string | null;
}

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
  let steps: Step[] = [
    { value: root, parents: [], key: null, keyName: null, isEntry: path === '' },
  ];
  for (const part of path === '' ? [] : path.split('.')) {
    steps = steps.flatMap((step) => stepsInto(step, part));
    if (steps.length === 0) return null;
  }
  const entries = steps.flatMap(spread);
  const rows = entries.filter(isRow);
  // A list of texts is no list of rows. Keys may have such lists beside those of rows.
  const hasOthers = entries.some(({ value }) => value.kind !== 'text' || value.text !== '');
  const isWhole = rows.length === entries.length || /[*{]/.test(path);
  return isWhole || !hasOthers ? rows : null;
}

function isRow(step: Step): step is Step & { readonly value: Mapping } {
  return step.value.kind === 'mapping' && step.isEntry;
}

/** Returns the entries of a list in its place. */
function spread(step: Step): readonly Step[] {
  const { value } = step;
  if (value.kind !== 'list') return [step];
  return value.items.map((item) => ({
    ...step,
    value: item,
    isEntry: true,
  }));
}

function stepsInto(step: Step, part: string): readonly Step[] {
  const entries = spread(step);
  const isEach = part === '*' && step.value.kind === 'list';
  return isEach ? entries : entries.flatMap((entry) => stepInto(entry, part));
}

function stepInto({ value, parents, key, keyName }: Step, part: string): readonly Step[] {
  if (value.kind !== 'mapping') return [];
  const around = [value, ...parents];
  const named = /^\{(\w+)\}$/.exec(part);
  if (part !== '*' && named === null) {
    const inner = value.entries.get(part);
    return inner === undefined
      ? []
      : [{ value: inner, parents: around, key, keyName, isEntry: false }];
  }
  const steps = Array.from(value.entries, ([name, inner]) => {
    return {
      value: inner,
      parents: around,
      key: name,
      keyName: named?.[1] ?? null,
      isEntry: true,
    };
  });
  return steps.filter((inner) => inner.value.kind !== 'text');
}
