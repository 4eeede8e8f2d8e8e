import { nearest } from '../../problem/nearest.ts';
import type { FoundProblem, TextFinding } from '../finding.ts';
import type { TableMapping } from '../json/types.ts';
import type { SourceFile } from '../reading.ts';
import type { TableProblem } from './cells.ts';
import { columns, isColumn, isTableColumn, required, type Column, type TableColumn } from './columns.ts';
import { guessMapping } from './guess.ts';
import { readTemplate, unknownNames, type Template } from './template.ts';

/** The first line of a table: the names of its columns, and its offset in the text. */
interface Header {
  readonly names: readonly string[];
  readonly offset: number;
  /** Returns the offset of the name of a column in the text. */
  readonly offsetOf: (index: number) => number;
  /** The cells of some rows below it. */
  readonly sample: readonly (readonly string[])[];
}

/** What the columns of a table are. */
export interface Layout {
  /** The columns in the order of the table, null for each that is ignored. */
  readonly order: readonly (TableColumn | null)[];
  /** The title of all rows. Null if there is a column for it. */
  readonly title: Template | null;
  /** The name of the subject of all rows. Null if there is a column for it. */
  readonly subject: string | null;
}

/**
 * Returns what the columns of a table are, or null if one is unclear. A misspelt column counts as the most similar one,
 * so that one run also reports the problems of the rows.
 */
export function readHeader(header: Header, file: SourceFile, findings: TextFinding[]): Layout | null {
  const { names, offset, offsetOf } = header;
  const { mapping = {} } = file;
  const wrong = findWrongSeparator(names);
  if (wrong !== null) {
    findings.push({ problem: { code: 'bad-table', reason: wrong.reason }, offset: offset + wrong.offset });
    return null;
  }
  const title = readTemplate(mapping.title, names);
  const known = knownColumns(names, mapping, title);
  const meant = known.slice();
  const problems = problemsOfColumns(known, header, file);
  for (const { problem, index } of problems) {
    findings.push({ problem, offset: offsetOf(index) });
    if (problem.code === 'unknown-column') meant[index] = problem.nearest ?? known[index] ?? '';
  }
  // One of the columns that are unknown is probably the one that is missing.
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
  return { order, title, subject: order.includes('subject') ? null : subjectOf(file) };
}

/** Returns the index of the column that gives a field of ours. -1 if there is none. */
export function placeOf({ order, title }: Layout, column: Column): number {
  const index = order.indexOf(column);
  if (index !== -1) return index;
  if (column === 'title') return title?.find((part) => part.column !== null)?.column ?? -1;
  if (column !== 'ends') return -1;
  const time = order.indexOf('end_time');
  return time === -1 ? order.indexOf('time') : time;
}

/** Returns the indexes of the columns that hold dates. */
export function dateColumns({ order }: Layout): number[] {
  return order.flatMap((column, index) => (column === 'starts' || column === 'ends' ? index : []));
}

/** The subject that a mapping or a source file names for all rows, or null. */
function subjectOf({ mapping, name }: SourceFile): string | null {
  return mapping?.subject ?? name;
}

/** The name of a column that is ignored. */
const ignored = '';

/** Further columns are not checked. */
const maxColumns = 50;

/** Returns what each column is called here: one of ours, `ignored`, or the name in the table if it is unknown. */
function knownColumns(names: readonly string[], mapping: TableMapping, title: Template | null): string[] {
  const { columns: mapped = {}, ignore = [], subject } = mapping;
  const isOurs = (name: string): boolean =>
    isTableColumn(name) && !(name === 'subject' && subject !== undefined) && !(name === 'title' && title !== null);
  return names.map((name, index) => {
    if (Object.hasOwn(mapped, name)) return mapped[name] ?? ignored;
    if (ignore !== 'others' && ignore.includes(name)) return ignored;
    if (isOurs(name.toLowerCase())) return name.toLowerCase();
    const isUsed = title?.some(({ column }) => column === index) === true;
    return isUsed || ignore === 'others' ? ignored : name;
  });
}

interface ColumnProblem {
  readonly problem: FoundProblem;
  readonly index: number;
}

/** Finds columns that are unknown or repeated. Those that are not just misspelt are one problem, with a proposal. */
function problemsOfColumns(known: readonly string[], { names, sample }: Header, file: SourceFile): ColumnProblem[] {
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
  const { mapping } = guessMapping(
    names,
    sample,
    { ...file.mapping, subject: subjectOf(file) ?? undefined },
    file.stem,
  );
  const problem = {
    code: 'unmapped-columns',
    columns: unmapped.map((index) => names[index] ?? ''),
    mapping: JSON.stringify(mapping),
    file: file.mappingName ?? '',
  } as const;
  return [...found, { problem, index: first }];
}

/**
 * Returns what is wrong with a first line that has vertical bars or two separators between its columns, or that only
 * names the separator, as in `sep=;`. Returns null for any other line.
 */
function findWrongSeparator([first = '', ...rest]: readonly string[]): TableProblem | null {
  if (/^sep=/i.test(first)) {
    const reason =
      'a line that names the separator for a spreadsheet; expected the names of the columns; remove the line';
    return { reason, offset: 0 };
  }
  const parts = (name: string): string[] => name.toLowerCase().split(/[,;\t]/);
  if ([first, ...rest].some((name) => parts(name).filter((part) => isColumn(part.trim())).length > 1)) {
    const reason =
      'columns with two separators; expected either commas, semicolons or tabs in the whole table; replace the others';
    return { reason, offset: 0 };
  }
  const at = rest.length === 0 ? first.indexOf('|') : -1;
  if (at === -1) return null;
  const reason = 'columns separated by vertical bars; expected commas, semicolons or tabs; save the table with commas';
  return { reason, offset: at };
}
