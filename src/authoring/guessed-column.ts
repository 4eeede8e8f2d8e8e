import type { TableMapping } from '../readers/schema/source-types.ts';
import type { Grid, Row } from '../readers/table/cells.ts';
import { kindsOf, type CellKind } from '../readers/table/cell-kinds.ts';
import { readingsOf } from './column-names.ts';
import wordLists from '../readers/schema/column-words.json' with { type: 'json' };
import { isErrorValue, type TableColumn } from '../readers/table/columns.ts';
import { zoneWord } from '../readers/dates.ts';
import { namesIn } from '../readers/table/header.ts';

/** A column of a table while its meaning is guessed. */
export interface Column {
  readonly name: string;
  /** The cells of the sample, trimmed, without the zones at their ends. */
  readonly cells: readonly string[];
  readonly kinds: ReadonlySet<CellKind>;
  /** What the name says as a whole. */
  readonly readings: ReadonlySet<string>;
  /** Whether somebody has decided about the column, in a mapping or a template. */
  readonly isDecided: boolean;
  field: TableColumn | null;
}

const maxSample = 200;

/** Returns the columns of a table, and what a mapping already says about each. */
export function describeColumns(
  { names, body }: Pick<Grid, 'names' | 'body'>,
  known: TableMapping,
): Column[] {
  // A line with one cell is a remark.
  const isRow = ({ cells }: Row): boolean =>
    cells.length < 3 || cells.filter((cell) => cell.trim() !== '').length > 1;
  const rows = body.filter(isRow);
  const isOwnTable = Object.keys(wordLists.own).every((name) => names.includes(name));
  const own: Readonly<Record<string, string>> = isOwnTable ? wordLists.own : {};
  const template = new Set(namesIn(known.title ?? ''));
  const ignored = new Set([known.ignore ?? []].flat());
  return names.map((name, index) => {
    const cellsOf = (some: readonly Row[]): string[] =>
      some.map(({ cells }) => cells[index]?.trim().replace(zoneWord, '') ?? '');
    const cells = cellsOf(rows.slice(0, maxSample)).map((cell) => (isErrorValue(cell) ? '' : cell));
    const field = known.columns?.[name] ?? own[name] ?? null;
    return {
      name,
      cells,
      kinds: kindsOf(cells, cellsOf(rows.slice(maxSample))),
      readings: readingsOf(name),
      isDecided: name === '' || template.has(name) || ignored.has(name) || field !== null,
      field: field as TableColumn | null,
    };
  });
}

/** Whether a column has a field. */
export function hasField(columns: readonly Column[], field: TableColumn): boolean {
  return columns.some((column) => column.field === field);
}
