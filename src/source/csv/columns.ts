import { eventFields, placeFields, requiredEventFields } from '#event-fields';
import { nearest } from '../../problem/nearest.ts';
import type { FoundProblem, TextFinding } from '../finding.ts';
import type { CellField, PlaceField } from '../json/cell-fields.ts';
import type { SourceFile } from '../reading.ts';
import type { Field } from '../rules.ts';
import type { TableProblem } from './cells.ts';

/** A column is the name of the subject, a field of the event, or a field of its location except the name. */
export type Column = 'subject' | CellField | PlaceField;

/** The type and the rule of each column. */
export const fields: Readonly<Record<Column, Field>> = {
  subject: { type: 'string', format: 'name' },
  ...eventFields,
  ...placeFields,
};
export const placeColumns = Object.keys(placeFields) as readonly PlaceField[];
const columns = Object.keys(fields) as readonly Column[];
export const required: readonly Column[] = ['subject', ...requiredEventFields];

export function isPlaceColumn(name: string): name is PlaceField {
  return (placeColumns as readonly string[]).includes(name);
}

/** The first line of a table: the names of its columns, and its offset in the text. */
interface Header {
  readonly names: readonly string[];
  readonly offset: number;
  /** Returns the offset of the name of a column in the text. */
  readonly offsetOf: (index: number) => number;
}

/**
 * Returns the columns in the order of the table, null for each that an import ignores. Returns null if a column is
 * unclear. A misspelt column counts as the most similar one, so that one run also reports the problems of the rows.
 */
export function readHeader(
  { names, offset, offsetOf }: Header,
  { name: subject, columns: mapped = new Map<string, string>() }: SourceFile,
  findings: TextFinding[],
): (Column | null)[] | null {
  const wrong = findWrongSeparator(names);
  if (wrong !== null) {
    findings.push({ problem: { code: 'bad-table', reason: wrong.reason }, offset: offset + wrong.offset });
    return null;
  }
  const known = names.map((name) => mapped.get(name) ?? (isColumn(name.toLowerCase()) ? name.toLowerCase() : name));
  const meant = known.slice();
  known.slice(0, maxColumns).forEach((name, index) => {
    const problem = problemOfColumn(name, known.indexOf(name) < index);
    if (problem === null) return;
    findings.push({ problem, offset: offsetOf(index) });
    if (problem.code === 'unknown-column') meant[index] = problem.nearest ?? name;
  });
  const needed = required.filter((column) => column !== 'subject' || subject === null);
  // A misspelt column is already reported as unknown.
  const missing = [
    ...needed.filter((column) => !meant.includes(column)),
    ...[...mapped.keys()].filter((name) => !names.includes(name)),
  ];
  for (const column of missing)
    findings.push({ problem: { code: 'missing-column', column, required: needed }, offset });
  const used = meant.filter((name) => name !== ignored);
  const isClear = missing.length === 0 && new Set(used).size === used.length && used.every(isColumn);
  return isClear ? meant.map((name) => (name === ignored ? null : (name as Column))) : null;
}

/** The value to which an import maps a column to ignore it. */
const ignored = '';

/** Further columns are not checked. */
const maxColumns = 50;

function isColumn(name: string): name is Column {
  return (columns as readonly string[]).includes(name);
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

function problemOfColumn(name: string, isRepeated: boolean): FoundProblem | null {
  if (name === ignored) return null;
  if (!isColumn(name)) {
    return { code: 'unknown-column', column: name, nearest: nearest(name, columns), allowed: columns };
  }
  return isRepeated ? { code: 'repeated-column', column: name } : null;
}
