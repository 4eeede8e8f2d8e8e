import { nameOfSlug } from '../../catalogue/id.ts';
import type { FoundProblem, TextFinding } from '../schema/finding.ts';
import { noReading, type SourceFile, type TextDrafts } from '../schema/reading.ts';
import type { TableMapping } from '../schema/source-types.ts';
import { maxRows, tooMany } from '../table/cells.ts';
import { readRows } from '../table/read-table.ts';
import { findLists, findRows, type RowsPath } from './find-rows.ts';
import { tableOf, type DocumentRows } from './grid.ts';
import { parseJsonDocument } from './json.ts';
import { withPreset } from './presets.ts';
import { selectDocumentRows, type Document } from './rows.ts';
import { parseToml } from './toml.ts';
import { flatten, maxTexts, selectRows, type SelectedRow } from './select.ts';
import { DocumentError, list, type Value } from './value.ts';
import { parseYaml } from './yaml.ts';

/** The parsers of documents, by the kinds of their files. */
export const parsers = {
  json: parseJsonDocument,
  yaml: parseYaml,
  toml: parseToml,
} as const;
export type DocumentFormat = keyof typeof parsers;

/** Returns a reader of texts in a format whose rows are maps, as a table. */
export function documentReader(format: DocumentFormat) {
  return (text: string, file: SourceFile): TextDrafts => {
    const rows = openDocument(text, format, file.mapping);
    return 'problem' in rows ? noReading(rows) : readDocumentRows(rows, file);
  };
}

/** Reads rows of documents as events. The file is the subject of rows that name none. */
export function readDocumentRows(rows: DocumentRows, file: SourceFile): TextDrafts {
  const { mapping, findings, warnings, unpublished } = rows;
  const name = file.name ?? nameOfSlug(file.stem);
  // An empty list has no columns.
  const reading = rows.body.length === 0 ? noReading() : readRows(rows, { ...file, mapping, name });
  return {
    ...reading,
    findings: [...findings, ...reading.findings],
    warnings: [...warnings, ...reading.warnings],
    unpublished: new Map([...unpublished, ...(reading.unpublished ?? [])]),
  };
}

/** Returns the rows of a text, or why there are none. */
export function openDocument(
  text: string,
  format: DocumentFormat,
  mapping: TableMapping | undefined,
  isSample = false,
): OpenedRows | TextFinding {
  try {
    const { documents, warnings } = parsers[format](text);
    const value = rootOf(documents);
    const isOfProgram = format === 'json';
    const document = {
      text,
      value,
      facts: new Map(),
      body: '',
      isOfProgram,
    };
    const rows = openRows([document], mapping, isSample);
    return 'problem' in rows
      ? rows
      : {
          ...rows,
          warnings: [...warnings, ...rows.warnings],
        };
  } catch (error) {
    if (error instanceof DocumentError) return error.finding;
    throw error;
  }
}

/** Returns several documents as one list. A text without any is an empty list. */
function rootOf(documents: readonly Value[]): Value {
  const filled = documents.filter(({ kind }) => kind !== 'text');
  const [first] = filled;
  return first !== undefined && filled.length === 1 ? first : list(0, filled);
}

/** Rows with the path that leads to them, which may be guessed. */
export interface OpenedRows extends DocumentRows {
  readonly path: string;
  /** The lists that the path joins, if it is guessed. */
  readonly parts: readonly RowsPath[];
  /** The lists beside it that are not read. */
  readonly aside: readonly RowsPath[];
}

/** Returns the rows of documents as a table, or why there are none. */
export function openRows(
  documents: readonly Document[],
  mapping: TableMapping | undefined,
  isSample: boolean,
): OpenedRows | TextFinding {
  const whole = mapping && withPreset(mapping);
  const [first] = documents;
  const isGuess = whole?.rows === undefined && first !== undefined && first.file === undefined;
  const isList = first?.value.kind === 'list';
  // In a folder, each map is a row. A list whose mapping says nothing else has the rows itself.
  const dated = isGuess && (isSample || !isList) ? findRows(first.value) : [];
  const paths = isGuess && !isList && dated.length === 0 ? findLists(first.value) : dated;
  // A build reads no list that may have other things than events.
  const [only] = paths.length === 1 && (isSample || dated.length > 0) ? paths : [];
  const path = whole?.rows ?? only?.path ?? '';
  const isUnclear = isGuess && !isList && only === undefined;
  const read = isUnclear ? null : selectDocumentRows(documents, path);
  if (read === null)
    return {
      problem: badRows(first?.value, path, paths),
      offset: 0,
    };
  if (read.rows.length > maxRows)
    return {
      problem: { code: 'bad-table', reason: tooMany },
      offset: 0,
    };
  const table = tableOf(read, whole, isSample);
  const unread = unreadLists(first?.value, whole);
  const counts = unread.map(({ path: at, count }) => [`rows at "${at}"`, count] as const);
  return {
    ...table,
    unpublished: new Map([...table.unpublished, ...counts]),
    path,
    parts: only?.parts ?? [],
    aside: only?.aside ?? [],
  };
}

/** Returns the lists with starts that the `rows` of a mapping leave out, except those of the past. */
function unreadLists(root: Value | undefined, mapping: TableMapping | undefined): RowsPath[] {
  const { rows = '', columns = {} } = mapping ?? {};
  if (root?.kind !== 'mapping' || rows === '') return [];
  const starts = Object.keys(columns).filter((name) => columns[name] === 'starts');
  const hasStart = ({ value }: SelectedRow) =>
    starts.some((name) => flatten(value, { cells: maxTexts }).has(name));
  return findRows(root)
    .flatMap((rowsPath) => rowsPath.parts ?? [rowsPath])
    .filter(({ path }) => !isRead(path, rows) && !formerLists.test(path))
    .filter(({ path }) => selectRows(root, path)?.some(hasStart) === true);
}

const formerLists = /^(?:past|previous|archived?|old|former|history)\b/i;

/** Whether the rows of a mapping are those at a path, or around or in them. */
function isRead(path: string, rows: string): boolean {
  const parts = path.split('.');
  return rows
    .split('.')
    .every((part, place) => /^\*$|^\{/.test(part) || part === (parts[place] ?? part));
}

function badRows(root: Value | undefined, rows: string, paths: readonly RowsPath[]): FoundProblem {
  let value = root;
  for (const key of rows === '' ? [] : rows.split('.'))
    value = value?.kind === 'mapping' ? value.entries.get(key) : undefined;
  const isNothing = value?.kind === 'text' && value.text === '';
  return {
    code: 'bad-rows',
    found: value === undefined || isNothing ? 'nothing' : kindNames[value.kind],
    rows,
    proposals: root === undefined || rows === '' ? paths : findRows(root),
  };
}

const kindNames = {
  text: 'a text',
  list: 'an array',
  mapping: 'an object',
} as const;
