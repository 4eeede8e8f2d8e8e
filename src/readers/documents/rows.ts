import type { Spot, TextFinding } from '../schema/finding.ts';
import { booleanOf } from '../table/columns.ts';
import { namesIn } from '../table/header.ts';
import { bodyText } from './front-matter.ts';
import { flatten, selectRows, type SelectedRow } from './select.ts';
import { scalar, skipSpace, type Scalar, type Value } from './value.ts';

/** A document of a source: the whole of a file, or the front matter of a page. */
export interface Document {
  /** The path of its file in a folder. Absent if the source is one file. */
  readonly file?: string;
  readonly text: string;
  readonly value: Value;
  /** What the file says besides, by the names of its columns, such as `{file.date}`. */
  readonly facts: ReadonlyMap<string, string>;
  /** What follows the front matter of a page. */
  readonly body: string;
  /** Whether programs write it, and not people: seconds are then as they are written. */
  readonly isOfProgram?: boolean;
}

/** A row of a document, with its values by their paths. */
export interface DocumentRow extends SelectedRow {
  readonly document: Document;
  readonly cells: Map<string, Scalar>;
}

export interface SelectedRows {
  readonly rows: readonly DocumentRow[];
  /** The number of rows that are drafts or hidden. */
  readonly drafts: number;
  readonly warnings: readonly TextFinding[];
}

/** Aliases repeat values, so a small text can have many cells. */
const maxCells = 5_000_000;

/** Returns the rows of documents. Null if `rows` of the mapping leads nowhere. */
export function selectDocumentRows(
  documents: readonly Document[],
  path: string,
): SelectedRows | null {
  const budget = { cells: maxCells };
  const selected = documents.map((document) => {
    return {
      document,
      rows: selectRows(document.value, path),
    };
  });
  if (documents.length > 0 && selected.every(({ rows }) => rows === null)) return null;
  const all = selected.flatMap(({ document, rows }) =>
    (rows ?? []).map((row) => ({
      ...row,
      document,
      cells: flatten(row.value, budget),
    })),
  );
  const rows = all.filter((row) => !isDraft(row));
  return {
    rows,
    drafts: all.length - rows.length,
    warnings: rows.flatMap(emptyTemplates),
  };
}

/** Whether a row says that it is not for the public. */
function isDraft({ cells }: DocumentRow): boolean {
  const answer = (key: string) => booleanOf(cells.get(key)?.text.trim() ?? '');
  return (
    draftNames.some((key) => answer(key) === 'true') ||
    answer('published') === 'false' ||
    answer('build.render') === 'false' ||
    cells.get('build.render')?.text === 'never'
  );
}

/** The last one is Hugo's name for pages that are parts of others. */
const draftNames = ['draft', 'hidden', 'unlisted', 'headless'];

/** Leaves out the values that only a site generator can fill, and returns a warning about each. */
function emptyTemplates({ document, cells }: DocumentRow): TextFinding[] {
  const warnings: TextFinding[] = [];
  for (const [key, cell] of cells) {
    if (!/\{[{%]/.test(cell.text)) continue;
    cells.set(key, { ...cell, text: '' });
    const problem = {
      code: 'template-text',
      key,
    } as const;
    warnings.push({
      problem,
      ...spotOf(document, cell),
    });
  }
  return warnings;
}

/**
 * Returns a cell by the name of its column: a path of the row, or in curly brackets the key of the
 * row, a fact of its file, a value of the maps around it (`{^title}`), or several of these in a
 * text (`{date} {year}`).
 */
export function cellOf(row: DocumentRow, name: string): Scalar | null {
  const cell = row.cells.get(name);
  if (cell !== undefined || !name.includes('{')) return cell ?? null;
  const names = namesIn(name);
  const values = names.map((part) => valueNamed(row, part));
  if (name === `{${names[0]}}`) return values[0] ?? null;
  if (values.every((value) => value === null || value.text === '')) return null;
  const texts = values.map((value) => value?.text ?? '');
  const text = name.replace(/\{[^{}]*\}/g, () => texts.shift() ?? '');
  // Commas beside empty values.
  const whole = text.replace(/\s*,(?=\s*(?:,|$))|^[\s,]+/g, '');
  return scalar(whole.trim(), values[0]?.offset ?? row.value.offset);
}

function valueNamed(row: DocumentRow, name: string): Scalar | null {
  const { document, keys, keyName, parents, cells } = row;
  if (name.startsWith('^')) return valueOfParents(parents, name.slice(1).split('.'));
  const isBody = name === 'body' && document.body !== '';
  const fact = isBody ? bodyText(document.body) : document.facts.get(name);
  if (fact !== undefined) return scalar(fact, row.value.offset);
  const key = name === 'key' || name === keyName ? keys[0] : undefined;
  const cell = cells.get(name) ?? null;
  return cell === null && key !== undefined ? scalar(key, row.value.offset) : cell;
}

function valueOfParents(parents: SelectedRow['parents'], path: readonly string[]): Scalar | null {
  for (const parent of parents) {
    let value: Value | undefined = parent;
    for (const key of path) value = value?.kind === 'mapping' ? value.entries.get(key) : undefined;
    if (value?.kind === 'text') return value;
  }
  return null;
}

/** Returns the place of a value: of its first character that is no white space. */
export function spotOf({ file, text }: Document, value: Value): Spot {
  const { offset } = value;
  // Nothing is where its key is, and not on the next line.
  const isEmpty = value.kind === 'text' && value.text === '';
  const place = isEmpty ? offset : skipSpace(text, offset);
  return file === undefined ? { offset: place } : { file, offset: place };
}
