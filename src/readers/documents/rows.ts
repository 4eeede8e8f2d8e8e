import type { Spot, TextFinding } from '../schema/finding.ts';
import { booleanOf } from '../table/columns.ts';
import { namesIn } from '../table/header.ts';
import { bodyText } from './body.ts';
import { flatten } from './flatten.ts';
import { selectRows, type SelectedRow } from './select.ts';
import { skipSpace, type Scalar, type Value } from './value.ts';

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
  const rows: DocumentRow[] = [];
  const warnings: TextFinding[] = [];
  let drafts = 0;
  let isEmpty = true;
  for (const document of documents) {
    const selected = selectRows(document.value, path);
    if (selected === null) continue;
    isEmpty = false;
    for (const row of selected) {
      const cells = flatten(row.value, budget);
      if (isDraft(cells)) {
        drafts++;
        continue;
      }
      for (const [key, cell] of cells) {
        if (!/\{[{%]/.test(cell.text)) continue;
        cells.set(key, { ...cell, text: '' });
        warnings.push({
          problem: { code: 'template-text', key },
          ...spotOf(document, cell),
        });
      }
      rows.push({ ...row, document, cells });
    }
  }
  return isEmpty && documents.length > 0 ? null : { rows, drafts, warnings };
}

function isDraft(cells: ReadonlyMap<string, Scalar>): boolean {
  const answer = (key: string): string => booleanOf(cells.get(key)?.text.trim() ?? '');
  const isHidden = answer('draft') === 'true' || answer('hidden') === 'true';
  return isHidden || answer('published') === 'false';
}

/**
 * Returns a cell by the name of its column: a path of the row, or in curly brackets the key of the
 * row, a fact of its file, a value of the maps around it (`{^title}`), or several of these in a
 * text (`{date} {year}`).
 */
export function cellOf(row: DocumentRow, name: string): Scalar | null {
  const cell = row.cells.get(name);
  if (cell !== undefined) return cell;
  if (!name.includes('{')) return valueNamed(row, name);
  const names = namesIn(name);
  if (name === `{${names[0]}}`) return valueNamed(row, names[0] ?? '');
  const parts = names.map((part) => valueNamed(row, part));
  if (parts.every((part) => part === null || part.text === '')) return null;
  const text = name.replace(
    /\{([^{}]*)\}/g,
    (_, part: string) => valueNamed(row, part.trim())?.text ?? '',
  );
  // Commas beside empty values.
  const whole = text.replace(/\s*,(?=\s*(?:,|$))|^[\s,]+/g, '');
  return {
    kind: 'text',
    text: whole.trim(),
    offset: parts[0]?.offset ?? row.value.offset,
  };
}

function valueNamed(row: DocumentRow, name: string): Scalar | null {
  const { document, key, keyName, parents, cells } = row;
  const { offset } = row.value;
  if (name.startsWith('^')) return valueOfParents(parents, name.slice(1).split('.'));
  if (name === 'body' && document.body !== '')
    return {
      kind: 'text',
      text: bodyText(document.body),
      offset,
    };
  const fact = document.facts.get(name);
  if (fact !== undefined)
    return {
      kind: 'text',
      text: fact,
      offset,
    };
  const isKey = name === 'key' || name === keyName;
  if (isKey && key !== null) return cells.get(name) ?? { kind: 'text', text: key, offset };
  return cells.get(name) ?? null;
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
