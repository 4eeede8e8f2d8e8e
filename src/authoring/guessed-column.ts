import type { TableMapping } from '../readers/schema/source-types.ts';
import type { NamedRows, Row } from '../readers/table/rows.ts';
import { kindsOf, type CellKind } from '../readers/table/cell-kinds.ts';
import { fieldNames, isNamed, readingsOf } from './column-names.ts';
import { columnWords } from '../readers/schema/column-words.ts';
import {
  isErrorValue,
  isPlaceColumn,
  isTableColumn,
  type TableColumn,
} from '../readers/table/columns.ts';
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
  /** What the column is not taken for, and why. */
  refused: Refused | null;
}

/** A field that a column could be, and why it is not taken for it. */
export interface Refused {
  readonly field: TableColumn;
  readonly reason: string;
}

const maxSample = 200;

/** Returns the columns of a table, and what a mapping already says about each. */
export function describeColumns({ names, body }: NamedRows, fixed: TableMapping): Column[] {
  // A line with one cell is a remark.
  const isRow = ({ cells }: Row) =>
    cells.length < 3 || cells.filter((cell) => cell.trim() !== '').length > 1;
  const rows = body.filter(isRow);
  const isOwnTable = Object.keys(columnWords.own).every((name) => names.includes(name));
  const ourFields: Readonly<Record<string, string>> = isOwnTable ? columnWords.own : {};
  const template = new Set(namesIn(fixed.title ?? ''));
  const ignored = new Set([fixed.ignore ?? []].flat());
  const starts = Object.entries(fixed.columns ?? {}).filter(([, field]) => field === 'starts');
  const maps = ['params', 'extra', ...starts.map(([name]) => mapOf(name))];
  return names.map((name, index) => {
    const texts = rows.map(({ cells }) => textOfCell(cells[index]));
    const cells = texts.slice(0, maxSample);
    const nameAsField = isOwnTable && isTableColumn(name) ? name : null;
    const field = fixed.columns?.[name] ?? ourFields[name] ?? nameAsField;
    return {
      name,
      cells,
      kinds: kindsOf(cells, texts.slice(maxSample)),
      readings: readingsOfKey(name, maps),
      isDecided:
        isOwnTable || name === '' || template.has(name) || ignored.has(name) || field !== null,
      field: field as TableColumn | null,
      refused: null,
    };
  });
}

/** Returns the path of the map that a value is in: `dates` of `dates.start`. */
export function mapOf(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('.')));
}

/**
 * Returns what a name says. In a map about the event, such as that of its start, a key says what it
 * says elsewhere; in that of a place, only if it is about places.
 */
function readingsOfKey(name: string, maps: readonly string[]): ReadonlySet<string> {
  const readings = readingsOf(name);
  const around = maps.find((map) => map !== '' && name.startsWith(`${map}.`));
  if (around !== undefined)
    return new Set([...readings, ...readingsOfKey(name.slice(around.length + 1), [])]);
  const map = mapOf(name);
  const isOfPlace = ['location', 'venue'].some((word) => isNamed(readingsOf(map), word));
  const inner = isOfPlace ? readingsOf(name.slice(map.length + 1)) : new Set<string>();
  const isRead = placeNames.some((word) => isNamed(inner, word));
  return isRead ? new Set([...readings, ...inner]) : readings;
}

const placeNames = fieldNames
  .filter(({ field }) => field !== 'location' && isPlaceColumn(field))
  .flatMap(({ names }) => names);

/** Returns a cell without white space and zone around it. An error value is an empty cell. */
function textOfCell(cell = ''): string {
  const text = cell.trim().replace(zoneWord, '');
  return isErrorValue(text) ? '' : text;
}

/** Takes a guessed field from a column. */
export function refuseField(column: Column, reason: string): void {
  if (column.isDecided || column.field === null) return;
  column.refused = { field: column.field, reason };
  column.field = null;
}

/** Returns the first column that has a field. */
export function columnOf(columns: readonly Column[], field: TableColumn): Column | undefined {
  return columns.find((column) => column.field === field);
}

/** Whether a column has a field. */
export function hasField(columns: readonly Column[], field: TableColumn): boolean {
  return columnOf(columns, field) !== undefined;
}
