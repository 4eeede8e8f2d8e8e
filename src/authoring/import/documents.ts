import { day as dayLength } from '../../catalogue/time/time.ts';
import { wallAt } from '../../catalogue/time/zone.ts';
import type { FoundProblem, TextFinding } from '../../readers/schema/finding.ts';
import type { TableMapping } from '../../readers/schema/source-types.ts';
import { openDocument, type OpenedRows } from '../../readers/documents/read-documents.ts';
import { presetOf } from '../../readers/documents/presets.ts';
import { openFolder } from '../../readers/documents/entries.ts';
import type { SourceFile } from '../../readers/schema/reading.ts';
import { plural } from '../../problem/text.ts';
import { readerOf } from '../../source/text.ts';
import { openTable } from '../../readers/table/cells.ts';
import type { NamedRows, Rows } from '../../readers/table/rows.ts';
import { guessHeader } from '../guess.ts';
import { columnWords, wordSet } from '../../readers/schema/column-words.ts';
import { isOuter } from '../column-names.ts';
import { dayOfClocks, fileDay, findDay, isPageDate, startKey, type DayRule } from '../start.ts';
import type { ImportedText, ImportOptions } from './plan.ts';

type Source = Pick<ImportedText, 'text' | 'kind' | 'title'>;

/** Opens a table, a list or a folder of pages as rows, to guess what they mean. */
export function openSource(
  { text, kind, title }: Source,
  mapping: TableMapping,
): Rows | OpenedRows | TextFinding {
  if (typeof text !== 'string') return openFolder(text, title, mapping, true);
  if (kind === 'json' || kind === 'yaml' || kind === 'toml')
    return openDocument(text, kind, mapping, true);
  const findHeader = (lines: Rows['body']) => guessHeader(lines, mapping);
  return openTable(text, { mapping, findHeader });
}

/** Returns a mapping with the preset of the theme whose pages a folder has, if it has such. */
export function withTheme(source: Source, mapping: TableMapping): TableMapping {
  if (typeof source.text === 'string' || mapping.columns !== undefined) return mapping;
  const rows = openSource(source, mapping);
  const preset = 'problem' in rows ? null : presetOf(rows.names);
  return preset === null ? mapping : { ...mapping, preset };
}

/** Reads a file as a build does in a genre that says nothing but its zone. */
export async function readImported(
  { text, kind }: ImportedText,
  { now, zone }: ImportOptions,
  file: Pick<SourceFile, 'stem'> & Partial<SourceFile>,
) {
  const read = await readerOf(kind);
  const genre = {
    id: 'genre',
    name: '',
    category: '',
    zone,
  };
  return read(text, { genre, now, name: null, url: null, ...file });
}

/**
 * Returns what the rows of a list or folder say without a guess: a mapping with the place of the
 * rows and the day, the rows without the columns that need no mapping, doubts and questions.
 *
 * @param zone the zone of the events, or null
 */
export function describeRows(
  rows: Rows | OpenedRows,
  mapping: TableMapping,
  isFolder: boolean,
  zone: string | null,
) {
  const questions: FoundProblem[] = [];
  if (!('path' in rows))
    return {
      mapping,
      rows,
      doubts: [],
      questions,
    };
  const located = rows.path === '' ? mapping : { ...mapping, rows: rows.path };
  const names = rows.names.map((name) => (isFact(name) ? '' : name));
  const isNamed = Object.values(mapping.columns ?? {}).includes('starts');
  const day = isNamed ? noDay : findDay({ ...rows, names }, [mapping.ignore ?? []].flat());
  const [start = ''] = day.starts;
  const unused = start === '' ? [] : day.unused;
  const pageDays = isFolder ? day.starts.filter(isPageDate) : [];
  for (const name of day.unclear)
    questions.push({
      code: 'unclear-days',
      start,
      column: name,
    });
  const midnight = ['UTC', zone ?? 'UTC'].find((place) => hasMidnights(rows, start, place));
  const column = names.indexOf(fileDay);
  if (column !== -1 && !isNamed && !day.starts.includes(fileDay)) names[column] = '';
  const doubts = [
    ...unused.map((name) => remarkOnDay(name, start)),
    ...pageDays.map((name) => `whether "${name}" is the day of the event or of its page`),
    ...remarksAboutRows(rows),
  ];
  if (midnight !== undefined)
    doubts.push(`whether "${start}" has days: all its times are midnight in ${midnight}`);
  return {
    mapping: withDay(located, day),
    rows: { ...rows, names },
    doubts,
    questions,
  };
}

/** Returns a mapping with the day of a list or folder, unless it names one. */
function withDay(mapping: TableMapping, { starts, unused }: DayRule): TableMapping {
  const { columns = {}, ignore = [] } = mapping;
  if (starts.length === 0 || ignore === 'others') return mapping;
  const ignoredDays = unused.filter((name) => !Object.hasOwn(columns, name));
  const ignored = [...new Set([...ignore, ...ignoredDays])];
  const days = Object.fromEntries(starts.map((name) => [name, 'starts'] as const));
  return {
    ...mapping,
    columns: { ...columns, ...days },
    ...(ignored.length > 0 && { ignore: ignored }),
  };
}

/**
 * Returns the questions about a list or folder that a mapping leaves open: a day beside a start time
 * that has a day too, and a title that is only a label.
 *
 * @param answers the columns that the user has named, or an earlier mapping
 */
export function questionsAboutRows(
  rows: NamedRows,
  { columns = {}, title }: TableMapping,
  answers: ReadonlySet<string>,
): FoundProblem[] {
  const columnOf = (field: string) =>
    Object.keys(columns).find((name) => columns[name] === field) ?? '';
  const questions: FoundProblem[] = [];
  const start = columnOf('starts');
  const clock = dayOfClocks(rows);
  if (clock !== undefined && clock !== start && !answers.has(start))
    questions.push({
      code: 'unclear-start',
      columns: [start, clock],
      epoch: null,
    });
  const label = columnOf('title');
  if (title === undefined && isLabel(label) && !answers.has(label)) {
    const isOpen = (name: string) => name !== '' && columns[name] === undefined;
    questions.push({
      code: 'unclear-title',
      columns: [...rows.names.filter(isOpen), label],
    });
  }
  return questions;
}

function isLabel(name: string): boolean {
  return labelNames.has(startKey(name));
}

const labelNames = wordSet(columnWords.days.labels);

/** Says why a day is not published beside the start. */
function remarkOnDay(name: string, start: string): string {
  return name === 'end.date'
    ? `"${name}" is the day after the last one, so days that last longer end on their first: write the last days into a column of their own`
    : `"${name}" is not that of the event, whose day is "${start}"`;
}

/** Whether a column needs no mapping: the id of a page, or the label of a group. */
function isFact(name: string): boolean {
  return /^\{(?!\^|file\.date)/.test(name) || (isOuter(name) && isLabel(name));
}

const noDay = {
  starts: [],
  unused: [],
  unclear: [],
};

/** Whether all starts are midnight in a zone, as programs write days. */
function hasMidnights({ names, body }: Rows, start: string, zone: string): boolean {
  const column = names.indexOf(start);
  const isMidnight = (text: string) =>
    text === '' ||
    // A time with an offset is no day of UTC.
    (instant.test(text) &&
      (zone !== 'UTC' || text.endsWith('Z')) &&
      wallAt(zone, Date.parse(text)) % dayLength === 0);
  return column !== -1 && body.every(({ cells }) => isMidnight(cells[column] ?? ''));
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;

/** Returns a sentence about the lists that the rows are from, and one about each list in them. */
function remarksAboutRows({ path, parts, aside, lists }: OpenedRows): string[] {
  const counts = parts.map((part) => `${part.path}: ${part.count}`);
  const joined =
    counts.length === 0 ? [] : [`whether all lists have events (${counts.join(', ')})`];
  const inner = Array.from(lists, (list) => {
    const rows = path === '' ? list : `${path}.${list}`;
    return `the entries of "${list}" are no columns; "rows": "${rows}" makes each of them a row`;
  });
  const unread = aside.map(
    ({ path: other, count }) =>
      `"${other}" (${plural(count, 'row')}) is not read; "rows": "${other}" would read it`,
  );
  return [...joined, ...unread, ...inner];
}
