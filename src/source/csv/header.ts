import { nearest } from '../../problem/nearest.ts';
import type { FoundProblem, TextFinding } from '../finding.ts';
import type { TableMapping } from '../json/types.ts';
import type { SourceFile } from '../reading.ts';
import { columns, isColumn, isTableColumn, required, type Column, type TableColumn } from './columns.ts';
import type { Grid } from './cells.ts';
import { namesIn, readTemplate, unknownNames, type Template } from './template.ts';

export interface Layout {
  /** The columns in the order of the table, null for each that is ignored. */
  readonly order: readonly (TableColumn | null)[];
  /** The columns that are not ignored, with their indexes. */
  readonly read: readonly (readonly [TableColumn, number])[];
  /** The title of all rows. Null if there is a column for it. */
  readonly title: Template | null;
  /** The name of the subject of all rows. Null if there is a column for it. */
  readonly subject: string | null;
}

/** Returns what the columns are, or null if one is unclear. A misspelt one counts as the most similar one. */
export function readHeader(grid: Grid, file: SourceFile, findings: TextFinding[]): Layout | null {
  const { names, offset, offsetOfCell } = grid;
  const { mapping = {} } = file;
  const ours = (name: string) => name.split(/[,;\t|]/).filter((part) => isColumn(part.trim().toLowerCase()));
  if (names.some((name) => ours(name).length > 1)) {
    const reason = 'columns with two separators; expected one in the whole table; replace the others';
    findings.push({ problem: { code: 'bad-table', reason }, offset });
    return null;
  }
  const title = readTemplate(mapping.title, names);
  const ignore = Array.isArray(mapping.ignore) ? mapping.ignore : [];
  for (const column of [...Object.keys(mapping.columns ?? {}), ...namesIn(mapping.title ?? '')]) {
    if (!ignore.includes(column)) continue;
    findings.push({ problem: { code: 'used-and-ignored', column, file: file.mappingName ?? '' }, offset });
  }
  if (findings.length > 0) return null;
  const known = knownColumns(names, mapping, title);
  const meant = known.slice();
  const problems = problemsOfColumns(known, grid, file);
  for (const { problem, index } of problems) {
    findings.push({ problem, offset: offsetOfCell(offset, index) });
    if (problem.code === 'unknown-column') meant[index] = problem.nearest ?? known[index] ?? '';
  }
  // Do not also report a missing column: an unknown one is probably it.
  if (problems.some(({ problem }) => problem.code === 'unmapped-columns')) return null;
  const needed = required.filter(
    (column) => !(column === 'title' && title !== null) && !(column === 'subject' && subjectOf(file) !== null),
  );
  // A misspelt column is already reported as unknown.
  const absent = [...Object.keys(mapping.columns ?? {}), ...unknownNames(title)].filter(
    (name) => !names.includes(name),
  );
  const missing = [...needed.filter((column) => !meant.includes(column)), ...absent];
  for (const column of missing)
    findings.push({ problem: { code: 'missing-column', column, required: needed }, offset });
  const used = meant.filter((name) => name !== ignored);
  if (missing.length > 0 || new Set(used).size < used.length || !used.every(isTableColumn)) return null;
  const order = meant.map((name) => (name === ignored ? null : (name as TableColumn)));
  // A table may have many times more columns than are read.
  const read = order.flatMap((column, index) => (column === null ? [] : [[column, index] as const]));
  return { order, read, title, subject: order.includes('subject') ? null : subjectOf(file) };
}

/** Returns the index of the column that gives a field of ours. -1 if there is none. */
export function placeOf({ order, title }: Layout, column: Column): number {
  const index = order.indexOf(column);
  if (index !== -1) return index;
  if (column === 'title') return title?.find((part) => part.column !== null)?.column ?? -1;
  if (column !== 'ends') return -1;
  const times = ['end_time', 'time', 'starts'] as const;
  return order.indexOf(times.find((time) => order.includes(time)) ?? 'starts');
}

/** Returns the indexes of the columns that hold dates. */
export function dateColumns({ order }: Layout): number[] {
  return order.flatMap((column, index) => (column === 'starts' || column === 'ends' ? index : []));
}

function subjectOf({ mapping, name }: SourceFile): string | null {
  return mapping?.subject ?? name;
}

const ignored = '';

/** Further columns are not checked. */
const maxColumns = 50;

/** Returns what each column is called here: one of ours, `ignored`, or the name in the table if it is unknown. */
function knownColumns(names: readonly string[], mapping: TableMapping, title: Template | null): string[] {
  const { columns: mapped = {}, ignore = [], subject } = mapping;
  const isOurs = (name: string): boolean =>
    isTableColumn(name) && !(name === 'subject' && subject !== undefined) && !(name === 'title' && title !== null);
  const unread = new Set(Array.isArray(ignore) ? ignore.map((one) => one.toLowerCase()) : []);
  return names.map((name, index) => {
    if (unread.has(name.toLowerCase())) return ignored;
    if (Object.hasOwn(mapped, name)) return mapped[name] ?? ignored;
    if (isOurs(name.toLowerCase())) return name.toLowerCase();
    const isUsed = title?.some(({ column }) => column === index) === true;
    return isUsed || ignore === 'others' ? ignored : name;
  });
}

type ColumnProblem = { readonly problem: FoundProblem; readonly index: number };

/** Finds columns that are unknown or repeated. Those that are not just misspelt are one problem, with a proposal. */
function problemsOfColumns(known: readonly string[], grid: Grid, file: SourceFile): ColumnProblem[] {
  const { names } = grid;
  const found: ColumnProblem[] = [];
  const unmapped: number[] = [];
  known.slice(0, maxColumns).forEach((name, index) => {
    if (name === ignored) return;
    if (isTableColumn(name)) {
      if (known.indexOf(name) < index) found.push({ problem: { code: 'repeated-column', column: name }, index });
      return;
    }
    const alike = nearest(name, columns);
    const isMisspelt = file.mapping === undefined ? alike !== null : name !== names[index];
    if (isMisspelt) {
      found.push({ problem: { code: 'unknown-column', column: name, nearest: alike, allowed: columns }, index });
    } else unmapped.push(index);
  });
  const [first] = unmapped;
  if (first === undefined) return found;
  const unknown = unmapped.map((index) => names[index] ?? '');
  const problem = { code: 'unmapped-columns', columns: unknown, file: file.mappingName ?? '' } as const;
  return [...found, { problem, index: first }];
}
