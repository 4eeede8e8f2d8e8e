import { day as dayLength } from '../../catalogue/time/time.ts';
import { wallAt } from '../../catalogue/time/zone.ts';
import type { FoundProblem, SourceText, TextFinding } from '../../readers/schema/finding.ts';
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
import { fileDay, findDay, isOfGroup, isPageDate, withDay } from './day-rule.ts';
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
  readonly questions: readonly FoundProblem[];
}

/**
 * Adds to a mapping what the rows of a list or folder say by themselves.
 *
 * @param zone the zone of the events, or null
 */
export function describeRows(
  rows: Rows | OpenedRows,
  mapping: TableMapping,
  isFolder: boolean,
  zone: string | null,
): KnownRows {
  if (!('path' in rows)) return { mapping, rows, doubts: [], questions: [] };
  const located = rows.path === '' ? mapping : { ...mapping, rows: rows.path };
  const isFact = (name: string): boolean => /^\{(?!\^|file\.date)/.test(name) || isOfGroup(name);
  const names = rows.names.map((name) => (isFact(name) ? '' : name));
  const isNamed = Object.values(mapping.columns ?? {}).includes('starts');
  const ignored = [mapping.ignore ?? []].flat();
  const day = isNamed ? noDay : findDay({ names, body: rows.body }, ignored);
  const [start = ''] = day.starts;
  const unused = start === '' ? [] : day.unused;
  const pageDays = isFolder ? day.starts.filter(isPageDate) : [];
  const doubts = [
    ...unused.map((name) => `"${name}" is not that of the event, whose day is "${start}"`),
    ...pageDays.map((name) => `whether "${name}" is the day of the event or of its page`),
    ...remarksAboutRows(rows),
  ];
  const midnight = zoneOfMidnights(rows, start, zone);
  if (midnight !== null)
    doubts.push(`whether "${start}" has days: all its times are midnight in ${midnight}`);
  const isUnused = (name: string): boolean =>
    name === fileDay && !day.starts.includes(name) && !isNamed;
  return {
    mapping: withDay(located, day),
    rows: { ...rows, names: names.map((name) => (isUnused(name) ? '' : name)) },
    doubts,
    questions: day.unclear === null ? [] : [{ code: 'unclear-days', start, column: day.unclear }],
  };
}

const noDay = { starts: [], unused: [], unclear: null };

/** Returns the zone in which all starts are midnight, as programs write days, or null. */
function zoneOfMidnights(
  { names, body }: OpenedRows,
  name: string,
  zone: string | null,
): string | null {
  const column = names.indexOf(name);
  const cells = body.map((row) => row.cells[column] ?? '').filter((cell) => cell !== '');
  const areInstants = cells.length > 0 && cells.every((cell) => instant.test(cell));
  const isMidnight = (place: string): boolean =>
    cells.every((cell) => wallAt(place, Date.parse(cell)) % dayLength === 0);
  const places = ['UTC', zone].filter((place) => place !== null);
  return areInstants ? (places.find(isMidnight) ?? null) : null;
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;

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
