import { nearest } from '../../problem/nearest.ts';
import type { FoundProblem } from '../schema/finding.ts';
import type { TableMapping } from '../schema/source-types.ts';
import type { SourceFile } from '../schema/reading.ts';
import {
  columns as ourColumns,
  isTableColumn,
  required,
  type Column,
  type TableColumn,
} from './columns.ts';
import type { Row, RowFinding, Rows } from './rows.ts';

export interface Layout {
  /** The columns in the order of the table, null for each that is ignored. */
  readonly order: readonly (TableColumn | null)[];
  readonly read: readonly (readonly [TableColumn, number])[];
  readonly title: Template | null;
  readonly subject: string | null;
}

/**
 * Returns the index of the row that names most of the columns that a mapping names or that are
 * ours. Default: 0.
 */
export function findHeader(rows: readonly Row[], mapping: TableMapping | undefined): number {
  const { columns: mapped = {}, title = '', ignore = [] } = mapping ?? {};
  const wanted = [Object.keys(mapped), namesIn(title), ignore].flat();
  const names = new Set(wanted.map((name) => name.toLowerCase()));
  const isName = (cell: string) => names.has(cell) || isTableColumn(cell);
  const counts = rows.map(
    ({ cells }) => cells.filter((cell) => isName(cell.trim().toLowerCase())).length,
  );
  const most = Math.max(0, ...counts);
  // Without a mapping, a title or an event may have one such word.
  return most < (mapping === undefined ? 2 : 1) ? 0 : counts.indexOf(most);
}

/**
 * Returns the meanings of the columns, or null if one is unclear. With a mapping, new columns only
 * cause a doubt, as next week's export may have one more.
 */
export function readHeader(
  { names }: Rows,
  file: SourceFile,
  findings: RowFinding[],
  doubts: RowFinding[],
) {
  const { mapping = {} } = file;
  const text = mapping.title;
  const places = namesIn(text ?? '').map((name) => [name, names.indexOf(name)] as const);
  const title = text === undefined ? null : { text, columns: new Map(places) };
  const ignore = Array.isArray(mapping.ignore) ? mapping.ignore : [];
  const wanted = [...Object.keys(mapping.columns ?? {}), ...namesIn(mapping.title ?? '')];
  for (const column of wanted) {
    if (!ignore.includes(column)) continue;
    const problem = {
      code: 'used-and-ignored',
      column,
      file: file.mappingName ?? '',
    } as const;
    findings.push({ problem, row: null });
  }
  const meanings = knownColumns(names, mapping, title);
  for (const { problem, index } of problemsOfColumns(meanings, names, file)) {
    const isDoubt = problem.code === 'unmapped-columns' && file.mapping !== undefined;
    (isDoubt ? doubts : findings).push({
      problem,
      row: null,
      column: index,
    });
  }
  // Do not also report a missing column: an unknown one is probably it.
  if (findings.length > 0) return null;
  const filled: Partial<Record<Column, unknown>> = { title, subject: subjectOf(file) };
  const needed = required.filter((column) => filled[column] == null);
  const absent = wanted.filter((name) => !names.includes(name));
  const mappedFields = new Set([...meanings, ...absent.map((name) => mapping.columns?.[name])]);
  for (const column of [...needed.filter((name) => !mappedFields.has(name)), ...absent]) {
    const namesake = names.find((name) => name.toLowerCase() === column) ?? null;
    const similar = nearest(column, names);
    const problem = {
      code: 'missing-column',
      column,
      required: needed,
      names,
      namesake,
      nearest: similar,
    } as const;
    findings.push({ problem, row: null });
  }
  if (findings.length > 0) return null;
  const order = meanings.map((column) => (column === ignored ? null : column));
  // A table may have many times more columns than are read.
  const read = order.flatMap((column, index) =>
    column === null ? [] : [[column, index] as const],
  );
  return {
    order,
    read,
    title,
    subject: order.includes('subject') ? null : subjectOf(file),
  };
}

/** Returns the index of the column that gives a field of ours. Undefined if there is none. */
export function placeOf({ order, title }: Layout, column: Column): number | undefined {
  const columns = column === 'ends' ? endColumns : [column];
  const places = columns.map((name) => order.indexOf(name));
  if (column === 'title' && title !== null) places.push(...title.columns.values());
  return places.find((index) => index !== -1);
}

/** The columns that can give an end, best first. */
const endColumns = ['ends', 'end_time', 'time', 'starts'] as const;

function subjectOf({ mapping, name }: SourceFile): string | null {
  return mapping?.subject ?? name;
}

/** A column that is not read on purpose. */
const ignored = '';

const maxColumns = 50;

/** Returns the meaning of each column, or null for a column that nobody has decided about. */
function knownColumns(
  names: readonly string[],
  mapping: TableMapping,
  title: Template | null,
): (TableColumn | typeof ignored | null)[] {
  const { columns: mapped = {}, ignore = [], subject } = mapping;
  // A mapping that names columns publishes only those: a later one may be private.
  const isClosed = mapping.columns !== undefined || (title?.columns.size ?? 0) > 0;
  const isOurs = (name: string): name is TableColumn =>
    !isClosed &&
    isTableColumn(name) &&
    !(name === 'subject' && subject !== undefined) &&
    !(name === 'title' && title !== null);
  const unread = new Set(Array.isArray(ignore) ? ignore.map((name) => name.toLowerCase()) : []);
  return names.map((name) => {
    // Spreadsheets export empty columns.
    if (name === '' || unread.has(name.toLowerCase())) return ignored;
    if (Object.hasOwn(mapped, name)) return (mapped[name] ?? ignored) as TableColumn;
    const lowerName = name.toLowerCase();
    if (isOurs(lowerName)) return lowerName;
    return title?.columns.has(name) === true || ignore === 'others' ? ignored : null;
  });
}

type ColumnProblem = { readonly problem: FoundProblem; readonly index: number };

function problemsOfColumns(
  meanings: readonly (string | null)[],
  names: readonly string[],
  file: SourceFile,
): ColumnProblem[] {
  const used = [...meanings.slice(0, maxColumns).entries()].filter(([, name]) => name !== ignored);
  const unknown = used.filter(([, name]) => name === null);
  const repeated = used.flatMap(([index, column]): ColumnProblem[] => {
    const first = meanings.indexOf(column);
    if (column === null || first === index) return [];
    const isNamesake = names[first] === names[index];
    const problem = {
      code: 'repeated-column',
      column: isNamesake ? (names[index] ?? column) : column,
    } as const;
    return [{ problem, index }];
  });
  const [first] = unknown;
  if (first === undefined) return repeated;
  const columns = unknown.map(([index]) => names[index] ?? '');
  const proposals =
    file.mapping === undefined ? columns.flatMap((name) => nearest(name, ourColumns) ?? []) : [];
  const problem = {
    code: 'unmapped-columns',
    columns,
    proposals,
    file: file.mappingName ?? '',
    isMapped: file.mapping !== undefined,
  } as const;
  return [...repeated, { problem, index: first[0] }];
}

/** A text with the cells of some columns in it, such as `{Home} v {Away}`. */
export interface Template {
  readonly text: string;
  /**
   * The names in curly brackets, and the indexes of these columns. -1 if the table has no such
   * column.
   */
  readonly columns: ReadonlyMap<string, number>;
}

const placeholder = /\{([^{}]*)\}/g;

/** Returns the names in curly brackets. */
export function namesIn(text: string): string[] {
  return Array.from(text.matchAll(placeholder), ([, name = '']) => name.trim());
}

/** Returns the text for a row, with single spaces. It is empty if all its cells are. */
export function fillTemplate({ text, columns }: Template, cells: readonly string[]): string {
  const cellOf = (name: string) => cells[columns.get(name.trim()) ?? -1] ?? '';
  if (columns.size > 0 && [...columns.keys()].every((name) => cellOf(name).trim() === ''))
    return '';
  const filled = text.replace(placeholder, (_, name: string) => cellOf(name));
  return filled.replace(/\s+/g, ' ').trim();
}
