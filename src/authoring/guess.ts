import type { TableMapping } from '../readers/schema/source-types.ts';
import { plainWords } from '../readers/schema/plain-words.ts';
import { abbreviations, readChoice, statuses, type DateOrder } from '../readers/schema/rules.ts';
import { nameOfSlug } from '../catalogue/id.ts';
import type { Row, Rows } from '../readers/table/rows.ts';
import {
  columnWords,
  findOrders,
  isDate,
  isDateCell,
  kindsOf,
  type CellKind,
} from '../readers/table/cell-kinds.ts';
import wordLists from '../readers/schema/column-words.json' with { type: 'json' };
import type { FoundProblem } from '../readers/schema/finding.ts';
import { booleanOf, isPlaceColumn, isTableColumn } from '../readers/table/columns.ts';
import { findDateFault, zoneWord } from '../readers/dates.ts';
import { namesIn } from '../readers/table/header.ts';

/** A guessed mapping of a table, its unclear points, and why it has no start. */
export type Guess = Readonly<{
  mapping: TableMapping;
  doubts: readonly string[];
  problem: FoundProblem | null;
}>;

interface Columns {
  readonly names: readonly string[];
  readonly plain: readonly string[];
  /** Without the abbreviations of zones at their ends. */
  readonly cells: readonly (readonly string[])[];
  readonly kinds: readonly ReadonlySet<CellKind>[];
  readonly fields: Map<number, string>;
  /**
   * Whether a column may be guessed to be something: it has no meaning yet, is not ignored and has
   * no notes.
   */
  readonly isFree: (index: number) => boolean;
  readonly pair: readonly number[];
}

const maxSample = 200;

/**
 * Guesses what the columns of a table are, from their names and from some of its rows. Keeps what a
 * mapping already says. Columns that suggest nothing are ignored. `stem`, the name of the table,
 * names the subject if no column does. The mapping of a table whose columns and dates are ours is
 * empty.
 */
export function guessTable(
  table: Pick<Rows, 'names' | 'body'>,
  known: TableMapping,
  stem: string,
): Guess {
  const { names } = table;
  const doubts = names.some(isDateCell)
    ? ['the first line, which looks like a row: add the names of the columns']
    : [];
  const columns = describeColumns(table, known);
  const paired = known.title ?? columns.pair.map((index) => `{${names[index]}}`).join(' v ');
  guessColumns(columns, paired === '' ? known : { ...known, title: paired }, doubts);
  const { fields } = columns;
  const indexOf = byField(fields);
  const place = indexOf.get('location');
  const title =
    paired !== '' || indexOf.has('title') || place === undefined ? paired : `{${names[place]}}`;
  const subject = known.subject ?? (indexOf.has('subject') ? undefined : nameOfSlug(stem));
  const dates = known.dates ?? guessDates(columns);
  const ignore = known.ignore === 'others' ? known.ignore : ignoreOthers(columns, known, doubts);
  // A column with a name of ours needs no mapping.
  const mapped = [...fields].filter(([index, field]) => names[index]?.toLowerCase() !== field);
  const named = mapped
    .toSorted(([a], [b]) => a - b)
    .map(([index, field]) => [names[index], field] as const);
  const zone = guessZone(table, fields, doubts);
  const mapping = {
    ...(zone && { zone }),
    ...known,
    ...(mapped.length > 0 && { columns: { ...known.columns, ...Object.fromEntries(named) } }),
    ...(dates && { dates }),
    ...(subject && { subject }),
    ...(title && { title }),
    ...(ignore.length > 0 && { ignore }),
  };
  return { mapping, doubts, problem: indexOf.has('starts') ? null : findNearest(columns) };
}

function describeColumns(
  { names, body }: Pick<Rows, 'names' | 'body'>,
  known: TableMapping,
): Columns {
  // A line with one cell is a remark.
  const isRow = ({ cells }: Row): boolean =>
    cells.length < 3 || cells.filter((cell) => cell.trim() !== '').length > 1;
  const sample = body.slice(0, maxSample).filter(isRow);
  const cells = names.map((_, index) =>
    sample.map((row) => row.cells[index]?.trim().replace(zoneWord, '') ?? ''),
  );
  const isTitled =
    known.title !== undefined || Object.values(known.columns ?? {}).includes('title');
  const pair = isTitled
    ? namesIn(known.title ?? '').map((name) => names.indexOf(name))
    : pairOf(names);
  const own = Object.keys(wordLists.own).every((name) => names.includes(name)) ? wordLists.own : {};
  const said: Readonly<Record<string, string>> = { ...own, ...known.columns };
  const fields = new Map(
    names.flatMap((name, index) => (said[name] === undefined ? [] : [[index, said[name]]])),
  );
  const isFree = (index: number): boolean => {
    const name = names[index] ?? '';
    const isKept =
      name === '' || noteWords.test(plainName(name)) || [known.ignore].flat().includes(name);
    return !isKept && !fields.has(index) && !pair.includes(index);
  };
  return {
    names,
    plain: names.map(plainName),
    cells,
    kinds: cells.map(kindsOf),
    fields,
    isFree,
    pair,
  };
}

/**
 * Returns the columns to ignore. Those that could be the start as well are in no list, so that
 * every check asks again until somebody decides.
 */
function ignoreOthers(columns: Columns, known: TableMapping, doubts: string[]) {
  const { names, plain, cells, kinds, fields, isFree, pair } = columns;
  const isRival = (index: number): boolean =>
    isFree(index) && kinds[index]?.has('date') === true && !otherDates.test(plain[index] ?? '');
  const isChosen = names.some(
    (name) => known.columns?.[name] === 'starts' || /^starts(?:_local)?$/i.test(name),
  );
  const rivals = isChosen ? [] : [...names.keys()].filter(isRival);
  const quote = (indexes: readonly number[]): string =>
    indexes.map((index) => `"${names[index]}"`).join(' or ');
  const { starts = -1, time } = Object.fromEntries(byField(fields));
  if (rivals.length > 0)
    doubts.push(`whether "${names[starts]}" is the start, or ${quote(rivals)}`);
  const times = [...names.keys()].filter(
    (index) => isFree(index) && kinds[index]?.has('time') === true,
  );
  const clocks = times.filter((index) => /\b(?:utc|gmt|local)\b/i.test(names[index] ?? ''));
  const unclear = time === undefined ? times : clocks.length > 0 ? [time, ...clocks] : [];
  if (unclear.length > 0) doubts.push(`whether ${quote(unclear)} is the time`);
  for (const [index, column] of cells.entries()) {
    const isDoubtful = (cell: string): boolean =>
      doubtfulWords.has(readChoice(cell, statuses) ?? plainWords(cell)) ||
      (doubtfulWords.has(plain[index] ?? '') && booleanOf(cell) === 'true');
    const count = fields.has(index) ? 0 : column.filter(isDoubtful).length;
    if (count > 0)
      doubts.push(
        `whether to publish rows that "${names[index]}" marks as private, drafts or cancelled: ${count}`,
      );
  }
  const given = Array.isArray(known.ignore) ? known.ignore : [];
  const isOpen = (index: number): boolean =>
    !fields.has(index) && !pair.includes(index) && !rivals.includes(index);
  const others = names.filter(
    (name, index) => name !== '' && isOpen(index) && !given.includes(name),
  );
  const ignored = [...given, ...others];
  const isShort = ignored.length <= 8 || ignored.some((name) => isTableColumn(name.toLowerCase()));
  return isShort || rivals.length > 0 ? ignored : 'others';
}

function findNearest(columns: Columns): FoundProblem {
  const { names, cells } = columns;
  const words = columnWords.find(({ field }) => field === 'starts')?.names ?? [];
  const found = findNamed({ ...columns, isFree: () => true }, words, () => true);
  const wrong = (cells[found ?? -1] ?? []).filter((cell) => cell !== '' && !isDateCell(cell));
  const column = found === null ? null : (names[found] ?? '');
  const reason = findDateFault(wrong[0] ?? '', 'd/m/y');
  return {
    code: 'no-dates',
    names: names.filter((name) => name !== ''),
    column,
    cells: wrong.slice(0, 3),
    reason,
  };
}

/**
 * Returns the index of the line that names the columns: it has names that people use, and dates
 * below one of them.
 */
export function guessHeader(rows: readonly Row[], known: TableMapping): number {
  const ours = new Set([
    ...Object.keys(known.columns ?? {}),
    ...columnWords.flatMap((one) => one.names),
  ]);
  const isName = (cell: string): boolean =>
    [cell.trim(), plainName(cell)].some((one) => ours.has(one) || isTableColumn(one));
  const isFilled = (cell = ''): boolean => cell.trim() !== '';
  const dated = rows.map(({ cells }) => cells.map((cell) => isDate(cell.trim(), 'yyyy-mm')));
  const scores = rows.slice(0, maxHeader).map(({ cells }, index) => {
    const isAboveDates = cells.some((cell, column) => {
      const filled = rows.slice(index + 1).filter((row) => isFilled(row.cells[column])).length;
      const dates = dated.slice(index + 1).filter((row) => row[column] === true).length;
      return isFilled(cell) && dated[index]?.[column] === false && dates * 2 > filled;
    });
    return (
      cells.filter(isName).length + (isAboveDates ? 1 : 0) + cells.filter(isFilled).length / 1000
    );
  });
  return Math.max(0, scores.indexOf(Math.max(...scores)));
}

const maxHeader = 20;

function guessColumns(columns: Columns, known: TableMapping, doubts: string[]): void {
  const { names, plain, kinds, fields, isFree } = columns;
  const isTaken = (field: string): boolean =>
    [...fields.values()].includes(field) || (known as Record<string, unknown>)[field] !== undefined;
  const isOf = (kind: CellKind) => (index: number) => kinds[index]?.has(kind) === true;
  const given = new Set(fields.values());
  const hasTitle = isTaken('title') || names.some((name) => name.toLowerCase() === 'title');
  for (const [index, written] of names.entries()) {
    const name = written.toLowerCase();
    // A subject without a title is one, as calendars call it.
    if (
      !isTableColumn(name) ||
      !isFree(index) ||
      isTaken(name) ||
      (name === 'subject' && !hasTitle)
    )
      continue;
    if (name === 'status' && !isOf('status')(index)) continue;
    fields.set(index, name);
    if (name === 'id' && isOf('number')(index))
      doubts.push('whether a row keeps its "id", a number, in every export');
  }
  for (const { field, kind, names: words } of columnWords) {
    if (isTaken(field)) continue;
    const isStart = (index: number): boolean =>
      isOf(kind)(index) && !otherDates.test(plain[index] ?? '');
    const fits = field === 'starts' ? isStart : isOf(kind);
    let found =
      findNamed(columns, words, fits) ??
      findNamed(columns, words, isOf(kind === 'time' ? 'timed' : kind));
    const dated = [(index: number) => isStart(index) && isOf('date')(index), isOf('date')];
    if (field === 'starts')
      found ??= findFirst(columns, dated) ?? findNamed(columns, words, isOf('dated'));
    if (found !== null) fields.set(found, field);
  }
  if (!isTaken('title')) {
    const isShort = (index: number): boolean =>
      isOf('short')(index) && [...(kinds[index] ?? [])].every((kind) => textKinds.has(kind));
    const isFilled = (index: number): boolean => isOf('filled')(index) && isShort(index);
    // Prefer the subject's name (an artist) over free text as the title.
    const indexOf = (field: string): number | undefined =>
      given.has(field) ? undefined : [...fields].find(([, one]) => one === field)?.[0];
    const texts = [
      indexOf('subject'),
      findIndex(columns, isFilled),
      indexOf('tags'),
      findIndex(columns, isShort),
    ];
    const last = texts.find((index) => index != null) ?? null;
    if (last !== null) fields.set(last, 'title');
    doubts.push(
      last === null ? 'no column looks like a title' : `whether "${names[last]}" is the title`,
    );
  }
  // Without its name, a place is nothing.
  if (isTaken('location')) return;
  for (const [index, field] of fields) if (isPlaceColumn(field)) fields.delete(index);
}

/**
 * Returns the zone that the column of the start or the time names, such as `Time (ET)`, or that its
 * cells end with.
 */
function guessZone(
  { names, body }: Pick<Rows, 'names' | 'body'>,
  fields: Columns['fields'],
  doubts: string[],
) {
  for (const [at] of [...fields].filter(([, field]) => field === 'starts' || field === 'time')) {
    const name = names[at] ?? '';
    if (/\b(?:utc|gmt)\b/i.test(name)) return 'UTC';
    const texts = [name, ...body.slice(0, maxSample).map(({ cells }) => cells[at]?.trim() ?? '')];
    const [found = ''] = texts.flatMap((text) => zoneWord.exec(text)?.[1] ?? []);
    const zone = abbreviations[found];
    if (zone !== undefined) doubts.push(`whether the ${found} of "${name}" is ${zone}`);
    else if (/\([A-Z]{2,4}T\)$/.test(name))
      doubts.push(`the time zone of "${name}": name it with --zone`);
    if (zone !== undefined) return zone;
  }
  return null;
}

const byField = (fields: Columns['fields']) =>
  new Map(Array.from(fields, ([index, field]) => [field, index]));
const otherDates = new RegExp(`\\b(?:${wordLists.otherDates})\\b`);
const noteWords = new RegExp(`(?:^| )(?:${wordLists.notes.replaceAll(', ', '|')})(?: |$)`);
const doubtfulWords: ReadonlySet<string> = new Set(wordLists.doubtful.split(', '));
const textKinds: ReadonlySet<CellKind> = new Set(['text', 'short', 'filled', 'unique', 'status']);

function guessDates({ cells, fields }: Columns): DateOrder | undefined {
  const dated = [...fields].flatMap(([index, field]) =>
    field === 'starts' || field === 'ends' ? [cells[index] ?? []] : [],
  );
  const rows = (dated[0] ?? []).map((_, row) => ({
    cells: dated.map((column) => column[row] ?? ''),
    offset: 0,
  }));
  const { orders } = findOrders(rows, [...dated.keys()]);
  return orders.length === 1 ? orders[0] : undefined;
}

/**
 * Returns the first free column with one of these names, or else the first with one of them among
 * its words.
 */
function findNamed(
  columns: Columns,
  words: readonly string[],
  fits: (index: number) => boolean,
): number | null {
  const { plain } = columns;
  const isSame = (name: string | undefined, word: string): boolean =>
    name === word || name === `${word}s`;
  // Short words, such as `to`, say little about a longer name.
  const long = words.filter(
    (word) => !/^[a-z]{1,3}$/.test(word) || word === 'url' || word === 'end',
  );
  const tests = [
    ...words.map((word) => (index: number) => isSame(plain[index], word)),
    ...long.map(
      (word) => (index: number) =>
        plain[index]?.split(' ').some((part) => isSame(part, word)) === true,
    ),
  ].map((isNamed) => (index: number) => isNamed(index) && fits(index));
  return findFirst(columns, tests);
}

function findFirst(
  columns: Columns,
  tests: readonly ((index: number) => boolean)[],
): number | null {
  const test = tests.find((one) => findIndex(columns, one) !== null);
  return test === undefined ? null : findIndex(columns, test);
}

function findIndex({ names, isFree }: Columns, fits: (index: number) => boolean): number | null {
  return [...names.keys()].find((index) => isFree(index) && fits(index)) ?? null;
}

function pairOf(names: readonly string[]): readonly number[] {
  const plain = names.map(plainName);
  const pairs = wordLists.pairs.map((pair) => pair.split(', ').map((name) => plain.indexOf(name)));
  return pairs.find((pair) => !pair.includes(-1)) ?? [];
}

/**
 * `StartDate`, `start_date`, `Début` and `Event name` → `start date`, `start date`, `debut` and
 * `event`.
 */
function plainName(name: string): string {
  const words = plainWords(name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'));
  const spaced = words.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
  return spaced.replace(/ name$/, '');
}
