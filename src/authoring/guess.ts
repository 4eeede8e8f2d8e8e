import { nameOfSlug } from '../catalogue/id.ts';
import type { FoundProblem } from '../readers/schema/finding.ts';
import type { TableMapping } from '../readers/schema/source-types.ts';
import { abbreviations, type DateOrder } from '../readers/schema/rules.ts';
import type { NamedRows, Row, Rows } from '../readers/table/rows.ts';
import { findOrders, isDate, isDateCell } from '../readers/table/cell-kinds.ts';
import { fieldNames, isCalled, isNote, isOuter, readingsOf, zoneOfName } from './column-names.ts';
import { columnWords, plainName, wordSet } from '../readers/schema/column-words.ts';
import { isTableColumn } from '../readers/table/columns.ts';
import { guessFields, joinFields } from './guess-fields.ts';
import { isWithheldTitle, questionsAbout, remarksAbout } from './guess-doubts.ts';
import {
  columnOf,
  describeColumns,
  hasField,
  mapOf,
  refuseField,
  type Column,
} from './guessed-column.ts';
import { day } from '../catalogue/time/time.ts';
import { readFirstDate, zoneWord } from '../readers/dates.ts';
import { namesIn } from '../readers/table/header.ts';

/** A guessed mapping of a table, and what could not be decided. */
export interface Guess {
  /** Names every column that is published, and ignores all others. */
  readonly mapping: TableMapping;
  /** Sentences about columns that are not published, but could be. */
  readonly doubts: readonly string[];
  /** The columns that are not published. */
  readonly unpublished: readonly string[];
  /** Questions that somebody must answer before the table can be read. */
  readonly problems: readonly FoundProblem[];
}

/**
 * Guesses what the columns of a table are, from their names and their cells. Keeps what a mapping
 * already says. A column is taken only for what its whole name says, and only if its cells fit;
 * everything else is not published. `stem`, the name of the table, names the subject if no column
 * does.
 */
export function guessTable(
  table: NamedRows,
  fixed: TableMapping,
  stem: string,
  isList = false,
): Guess {
  // The title, which two columns may make up.
  const pair = fixed.title === undefined ? pairOf(table) : null;
  const title = fixed.title ?? pair?.map((name) => `{${name}}`).join(' v ');
  const entitled = { ...fixed, ...(title && { title }) };

  // The fields, by names and cells.
  const columns = describeColumns(table, entitled);
  guessFields(columns, entitled);
  if (isList) joinFields(columns, entitled);
  const template = title ?? fallbackTitle(columns);
  const hasTitle = template !== null || hasField(columns, 'title');

  // What must be answered, and what is doubtful.
  const problems = questionsAbout(columns, hasTitle);
  const doubts = table.names.some(isDateCell)
    ? ['the first line, which looks like a row: add the names of the columns']
    : [];
  const { zone, ...zoneDoubts } = settleZone(columns, fixed);
  problems.push(...zoneDoubts.problems);
  refuseOtherEnds(columns);
  refuseEndsOfSeries(columns);
  doubts.push(
    ...zoneDoubts.doubts,
    ...zonesInCells(table, columns),
    ...remarksAbout(columns, hasTitle),
  );

  // What holds for all rows.
  const dates = fixed.dates ?? guessDates(columns);
  const hasSubject = hasField(columns, 'subject');
  const subject = fixed.subject ?? (hasSubject ? undefined : nameOfSlug(stem));

  // The columns that are published, and all others.
  const used = new Set(namesIn(template ?? ''));
  const isUnused = ({ name, field }: Column) =>
    name !== '' && !isOuter(name) && field === null && !used.has(name);
  const unpublished = columns.filter(isUnused).map(({ name }) => name);
  const guessed = columns.flatMap(({ name, field }) => (field === null ? [] : [[name, field]]));
  // The mapping of a table may have columns that today's export does not have.
  const mapped = {
    ...fixed.columns,
    ...Object.fromEntries(guessed),
  };
  // Of two columns of one name, neither can be ignored.
  const unmapped = unpublished.filter((name) => !Object.hasOwn(mapped, name));
  const ignore = ignoredBy(fixed, unmapped);
  const mapping = {
    ...(zone !== null && { zone }),
    ...fixed,
    ...(guessed.length > 0 && { columns: mapped }),
    ...(dates && { dates }),
    ...(subject && { subject }),
    ...(template !== null && { title: template }),
    ...(ignore.length > 0 && { ignore }),
  };
  return {
    mapping,
    doubts,
    unpublished,
    problems,
  };
}

function ignoredBy({ ignore = [] }: TableMapping, unpublished: readonly string[]) {
  if (ignore === 'others') return ignore;
  return [...new Set([...ignore, ...unpublished])];
}

/**
 * Makes a title of a column that is published anyway: of the subject, such as an artist, of its
 * kind, or of the place. Returns a template, or null if a column is the title or none is.
 */
function fallbackTitle(columns: readonly Column[]): string | null {
  if (hasField(columns, 'title') || columns.some(isWithheldTitle)) return null;
  for (const field of ['subject', 'tags'] as const) {
    const column = columns.find((other) => other.field === field && !other.isDecided);
    if (column === undefined || !column.kinds.has('short')) continue;
    column.field = 'title';
    return null;
  }
  const place = columnOf(columns, 'location');
  const isRival = ({ name, kinds, field, isDecided }: Column) =>
    field === null && (!isDecided || name === '') && kinds.has('short') && !isNote(name);
  return place === undefined || columns.some(isRival) ? null : `{${place.name}}`;
}

/** A zone that the name of a column ends with, such as `Time (ET)`. Null: nobody knows it. */
interface NamedZone {
  readonly column: string;
  readonly word: string;
  readonly zone: string | null;
}

/** Returns the zone that the name of the start or of its time ends with, or null. */
function zoneOfStart(columns: readonly Column[]): NamedZone | null {
  for (const field of ['time', 'starts'] as const) {
    const column = columnOf(columns, field)?.name ?? '';
    const zoneInName = zoneOfName(column);
    if (zoneInName !== null) return { column, ...zoneInName };
  }
  return null;
}

/** Returns the zone of a table by the name of its start, and what is not clear about it. */
function settleZone(columns: readonly Column[], { zone: fixed }: TableMapping) {
  const named = zoneOfStart(columns);
  const start = fixed === undefined ? named : null;
  refuseOtherZones(columns, start, fixed ?? null);
  const problems: FoundProblem[] = [];
  if (start !== null && start.zone === null) {
    const { column, word } = start;
    problems.push({ code: 'unclear-zone', column, word });
  }
  return { zone: start?.zone ?? null, doubts: doubtsOfZone(named, fixed), problems };
}

function isNo(cell: string): boolean {
  return /^(?:|false|no|none|never|once|nein|nie|einmalig|non|jamais|unique|nunca|-)$/i.test(cell);
}

/** Drops ends of which some are those of a series, where another column says that it repeats. */
function refuseEndsOfSeries(columns: readonly Column[]): void {
  const ends = columnOf(columns, 'ends');
  const starts = columnOf(columns, 'starts');
  // Nobody can read what it says in words.
  const repeats = columns.find(
    ({ field, readings }) => field !== 'repeat' && isCalled(readings, 'repeat'),
  );
  const weekdays = columns.find(({ name }) => weekdayNames.has(plainName(name)));
  const series = repeats ?? weekdays;
  if (ends === undefined || series === undefined) return;
  const dates = guessDates(columns) ?? 'iso';
  const dayOf = (cell = '') => Date.parse(readFirstDate(cell, dates)?.slice(0, 10) ?? '');
  const isOfSeries = (cell: string, row: number) => {
    const length = dayOf(cell) - dayOf(starts?.cells[row]);
    // What lasts some days may say its first weekday.
    return length >= (repeats === undefined ? 7 : 1) * day && !isNo(series.cells[row] ?? '');
  };
  if (ends.cells.some(isOfSeries))
    refuseField(ends, `"${series.name}" says that some events repeat, so it may end the series`);
}

const weekdayNames = wordSet(columnWords.weekdays);

function isEnd({ field }: Column): boolean {
  return field === 'ends' || field === 'end_time';
}

/** Drops an end in the settings of a page, whose start is not there: it may be that of the page. */
function refuseOtherEnds(columns: readonly Column[]): void {
  const starts = columns.filter(({ field }) => field === 'starts');
  const maps = new Set(starts.map(({ name }) => mapOf(name)));
  for (const column of columns.filter(isEnd)) {
    const isSetting = /^(?:params|extra)\./.test(column.name);
    if (isSetting && !maps.has(mapOf(column.name)))
      refuseField(column, 'the start is in another map');
  }
}

/**
 * Drops what names another zone than the start: a row has one zone. The zone in the name of the
 * start counts above a column of zones.
 */
function refuseOtherZones(
  columns: readonly Column[],
  start: NamedZone | null,
  fixedZone: string | null,
): void {
  for (const column of columns) {
    const zoneInName = isEnd(column) ? zoneOfName(column.name) : null;
    if (zoneInName !== null && zoneInName.zone !== (start?.zone ?? fixedZone))
      refuseField(column, 'its name has another time zone than the start');
    if (column.field === 'zone' && start !== null)
      refuseField(column, `the name of "${start.column}" already says a time zone`);
  }
}

function doubtsOfZone(named: NamedZone | null, fixed: string | undefined): string[] {
  if (named === null || named.zone === (fixed ?? 'UTC')) return [];
  const { column, word, zone } = named;
  if (zone === word) return [];
  if (fixed !== undefined) return [`whether "${column}" is in ${fixed}, and not in ${word}`];
  return zone === null ? [] : [`whether the ${word} of "${column}" is ${zone}`];
}

/** Returns a sentence about each zone that cells of the start or the time name, as in `14:00 EST`. */
function zonesInCells({ body }: Pick<Rows, 'body'>, columns: readonly Column[]): string[] {
  const words = new Set<string>();
  for (const [index, { field }] of columns.entries()) {
    if (field !== 'starts' && field !== 'time') continue;
    for (const { cells } of body) {
      const [, word = ''] = zoneWord.exec(cells[index]?.trim() ?? '') ?? [];
      if (Object.hasOwn(abbreviations, word)) words.add(word);
    }
  }
  return Array.from(words, (word) => `whether ${word} is ${abbreviations[word]} in its rows`);
}

function guessDates(columns: readonly Column[]): DateOrder | undefined {
  const dated = columns.filter(({ field }) => field === 'starts' || field === 'ends');
  const [first] = dated;
  const rows = (first?.cells ?? []).map((_, row) => ({
    cells: dated.map(({ cells }) => cells[row] ?? ''),
  }));
  const { orders } = findOrders(rows, [...dated.keys()]);
  return orders.length === 1 ? orders[0] : undefined;
}

/**
 * Returns the names of the two columns that make up a title, such as `Home` and `Away`, or null. Of
 * two columns of one name, as a merged header gives them, it takes the one that is filled.
 */
function pairOf({ names, body }: NamedRows): readonly string[] | null {
  const share = (name: string) => {
    const place = names.indexOf(name);
    return body.filter(({ cells }) => isFilled(cells[place])).length / body.length;
  };
  const fullest = (plain: string): string | undefined => {
    const twins = names.filter((name) => plainName(name).replace(/ (?:name|\d)$/, '') === plain);
    const alike = names.filter((name) => [plain, `${plain} name`].includes(plainName(name)));
    return [...alike, ...twins].toSorted((a, b) => share(b) - share(a))[0];
  };
  for (const pair of columnWords.pairs) {
    const pairNames = pair.split(', ').flatMap((plain) => fullest(plain) ?? []);
    const areFilled = pairNames.every((name) => share(name) >= 0.7);
    if (pairNames.length === 2 && areFilled) return pairNames;
  }
  return null;
}

/**
 * Returns the index of the line that names the columns: it has names that people use, and dates
 * below one of them.
 */
export function guessHeader(rows: readonly Row[], fixed: TableMapping): number {
  const mapped = new Set(Object.keys(fixed.columns ?? {}));
  const dated = rows.map(({ cells }) => cells.map((cell) => isDate(cell.trim(), 'yyyy-mm')));
  const scores = rows.slice(0, maxHeader).map(({ cells }, line) => {
    const isAboveDates = (cell: string, column: number) => {
      if (!isFilled(cell) || dated[line]?.[column] !== false) return false;
      return hasDatesBelow(rows, dated, line, column);
    };
    const isName = (cell: string) => mapped.has(cell.trim()) || isColumnName(cell);
    const names = cells.filter(isName).length;
    const filled = cells.filter(isFilled).length;
    return names + Number(cells.some(isAboveDates)) + filled / 1000;
  });
  return Math.max(0, scores.indexOf(Math.max(...scores)));
}

const maxHeader = 20;

function isFilled(cell: string | undefined): boolean {
  return cell !== undefined && cell.trim() !== '';
}

function isColumnName(cell: string): boolean {
  if (isTableColumn(cell.trim())) return true;
  const readings = readingsOf(cell.trim());
  return fieldNames.some(({ names }) => names.some((word) => readings.has(word)));
}

/** Whether more than half of the cells below a line are dates. */
function hasDatesBelow(
  rows: readonly Row[],
  dated: readonly (readonly boolean[])[],
  line: number,
  column: number,
): boolean {
  const filled = rows.slice(line + 1).filter((row) => isFilled(row.cells[column])).length;
  const dates = dated.slice(line + 1).filter((row) => row[column] === true).length;
  return dates * 2 > filled;
}
