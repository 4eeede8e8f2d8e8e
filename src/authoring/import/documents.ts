import type { SourceText, TextFinding } from '../../readers/schema/finding.ts';
import type { SourceFile, TextReading } from '../../readers/schema/reading.ts';
import type { TableMapping } from '../../readers/schema/source-types.ts';
import { openDocument, type OpenedRows } from '../../readers/documents/read-documents.ts';
import { presetOf } from '../../readers/documents/presets.ts';
import { openFolder, readFolder } from '../../readers/documents/entries.ts';
import { openTable } from '../../readers/table/cells.ts';
import type { Rows } from '../../readers/table/rows.ts';
import { readDrafts } from '../../source/draft.ts';
import { readerOf } from '../../source/text.ts';
import { guessHeader } from '../guess.ts';
import { findDay, isOfGroup, isPageDate, withDay } from './day-rule.ts';
import type { ImportedText } from './plan.ts';

type Source = Pick<ImportedText, 'text' | 'kind' | 'title'>;

/** Opens a table, a list or a folder of pages as rows, to guess what they mean. */
export function openSource(
  { text, kind, title }: Source,
  mapping: TableMapping,
): Rows | OpenedRows | TextFinding {
  if (typeof text !== 'string') return openFolder(text, title, mapping, true);
  if (kind === 'json' || kind === 'yaml' || kind === 'toml')
    return openDocument(text, kind, mapping, true);
  const findHeader = (lines: Rows['body']): number => guessHeader(lines, mapping);
  return openTable(text, { mapping, findHeader });
}

/** Returns a mapping with the preset of the theme whose pages a folder has, if it has such. */
export function withTheme(source: Source, mapping: TableMapping): TableMapping {
  if (typeof source.text === 'string' || mapping.columns !== undefined) return mapping;
  const rows = openSource(source, mapping);
  const preset = 'problem' in rows ? null : presetOf(rows.names);
  return preset === null ? mapping : { ...mapping, preset };
}

/** Reads a table, a list or a folder with a mapping. */
export async function readSource({ text, kind }: Source, file: SourceFile): Promise<TextReading> {
  if (kind === 'entries')
    return readDrafts(readFolder(text as readonly SourceText[], file), file.genre, file);
  const read = await readerOf(kind);
  return read(text as string, file);
}

/** What lists and pages say without a guess: where the rows are, and which value is the day. */
export interface KnownRows {
  readonly mapping: TableMapping;
  /** The rows without the columns that need no mapping. */
  readonly rows: Rows;
  readonly doubts: readonly string[];
}

/** Adds to a mapping what the rows of a list or folder say by themselves. */
export function describeRows(
  rows: Rows | OpenedRows,
  mapping: TableMapping,
  isFolder: boolean,
): KnownRows {
  if (!('path' in rows)) return { mapping, rows, doubts: [] };
  const located = rows.path === '' ? mapping : { ...mapping, rows: rows.path };
  const hasFileDays = rows.names.includes('{file.date}');
  const isFact = (name: string): boolean => /^\{(?!\^)/.test(name) || isOfGroup(name);
  const names = rows.names.map((name) => (isFact(name) ? '' : name));
  const day = findDay({ names, body: rows.body });
  const whole = withDay(located, day);
  const isOfFile = day.starts === null && hasFileDays && !isStartNamed(whole);
  const columns = {
    ...whole.columns,
    '{file.date}': 'starts',
  };
  const unused = day.starts === null ? [] : day.unused;
  const doubts = unused.map(
    (name) => `"${name}" is not that of the event, whose day is "${day.starts}"`,
  );
  const isOfPage = isFolder && !hasFileDays && day.starts !== null && isPageDate(day.starts);
  if (isOfPage) doubts.push(`whether "${day.starts}" is the day of the event or of its page`);
  doubts.push(...remarksAboutRows(rows));
  if (hasOnlyMidnights(rows, day.starts ?? ''))
    doubts.push(`whether "${day.starts}" has days: all its times are midnight in UTC`);
  if (isOfFile) names[rows.names.indexOf('{file.date}')] = '{file.date}';
  return {
    mapping: isOfFile ? { ...whole, columns } : whole,
    rows: { ...rows, names },
    doubts,
  };
}

/** Whether all starts are midnight in UTC, as programs write days. */
function hasOnlyMidnights({ names, body }: OpenedRows, name: string): boolean {
  const column = names.indexOf(name);
  const isMidnight = /^(?:\S+T00:00(?::00(?:\.0+)?)?Z)?$/;
  return column !== -1 && body.every(({ cells }) => isMidnight.test(cells[column] ?? ''));
}

/** Returns a sentence about the lists that the rows are from, and one about each list in them. */
function remarksAboutRows({ path, parts, lists }: OpenedRows): string[] {
  const counts = parts.map((part) => `${part.path}: ${part.count}`);
  const joined =
    counts.length === 0 ? [] : [`whether all lists have events (${counts.join(', ')})`];
  const inner = Array.from(lists, (list) => {
    const rows = path === '' ? list : `${path}.${list}`;
    return `the entries of "${list}" are no columns; "rows": "${rows}" makes each of them a row`;
  });
  return [...joined, ...inner];
}

function isStartNamed({ columns = {} }: TableMapping): boolean {
  return Object.values(columns).includes('starts');
}
