import type { TableMapping } from '../json/types.ts';
import { plainWords } from '../language.ts';
import type { DateOrder } from '../rules.ts';
import { nameOfSlug } from '../slug.ts';
import type { Grid } from './cells.ts';
import { orderKeys } from '../mapping.ts';
import { columnWords, kindsOf, type CellKind } from './cell-kinds.ts';
import wordLists from './column-words.json' with { type: 'json' };
import { isPlaceColumn, isTableColumn } from './columns.ts';
import { readFirstDate } from './dates.ts';
import { findOrders } from './unclear-dates.ts';

/** A mapping that a table suggests, and what is not clear about it. */
export type Guess = { readonly mapping: TableMapping; readonly doubts: readonly string[] };

type Sample = readonly (readonly string[])[];

/** The number of rows from which the meaning of columns is guessed. */
const maxSample = 200;

/**
 * Guesses what the columns of a table are, from their names and from some of its rows. Keeps what a mapping already
 * says. Columns that suggest nothing are ignored. `stem`, the name of the table, names the subject if no column does.
 * The mapping of a table whose columns and dates are ours is empty.
 */
export function guessTable({ names, body }: Pick<Grid, 'names' | 'body'>, known: TableMapping, stem: string): Guess {
  const sample = body.slice(0, maxSample).map(({ cells }) => cells);
  const isRow = names.some((name) => readFirstDate(name, 'd/m/y') !== null && name !== '');
  const doubts = isRow ? ['the first line, which looks like a row; add a line with the names of the columns'] : [];
  const isMapped = (field: string): boolean => Object.values(known.columns ?? {}).includes(field);
  const pair = known.title !== undefined || isMapped('title') ? null : pairOf(names);
  const title = known.title ?? pair?.map((index) => `{${names[index]}}`).join(' v ');
  const columns = guessColumns(names, sample, { ...known, title }, pair ?? [], doubts);
  const subject = known.subject ?? ([...columns.values()].includes('subject') ? undefined : nameOfSlug(stem));
  const dates = known.dates ?? guessDates(sample, columns, doubts);
  const given = Array.isArray(known.ignore) ? known.ignore : [];
  const rest = names.filter(
    (name, index) => !columns.has(index) && pair?.includes(index) !== true && !given.includes(name),
  );
  const ignored = [...given, ...rest];
  const isLong = ignored.length > maxIgnored && !ignored.some((name) => isTableColumn(name.toLowerCase()));
  const ignore = known.ignore === 'others' || isLong ? 'others' : ignored;
  // A column with a name of ours needs no mapping.
  const mapped = [...columns].filter(([index, field]) => names[index]?.toLowerCase() !== field);
  mapped.sort(([a], [b]) => a - b);
  const mapping = {
    ...known,
    ...(mapped.length > 0 && { columns: Object.fromEntries(mapped.map(([index, field]) => [names[index], field])) }),
    ...(dates && { dates }),
    ...(title && { title }),
    ...(subject && { subject }),
    ...(ignore.length > 0 && { ignore }),
  };
  return { mapping: orderKeys(mapping), doubts };
}

/** Returns what the columns of a table are, by their index. Leaves out those of a pair, which are in the title. */
function guessColumns(
  names: readonly string[],
  sample: Sample,
  known: TableMapping,
  pair: readonly number[],
  doubts: string[],
): Map<number, string> {
  const kinds = names.map((_, index) => kindsOf(sample.map((cells) => cells[index]?.trim() ?? '')));
  const columns = new Map(
    names.flatMap((name, index) => {
      const field = known.columns?.[name];
      return field === undefined ? [] : [[index, field] as const];
    }),
  );
  const isTaken = (field: string): boolean =>
    [...columns.values()].includes(field) || (known as Record<string, unknown>)[field] !== undefined;
  const ignored = Array.isArray(known.ignore) ? known.ignore : [];
  const isKept = (name: string): boolean => ignored.includes(name) || isNote(name);
  const isFree = (index: number): boolean =>
    !columns.has(index) && !pair.includes(index) && !isKept(names[index] ?? '');
  nameOwn(names, columns, isFree, isTaken);
  const isFreeText = (index: number): boolean =>
    isFree(index) && kinds[index]?.has('short') === true && [...kinds[index]].every((kind) => textKinds.has(kind));
  const isFreeDate = (index: number): boolean => isFree(index) && kinds[index]?.has('date') === true;
  for (const { field, kind, names: words } of columnWords) {
    if (isTaken(field)) continue;
    const fits = (index: number): boolean => isFree(index) && kinds[index]?.has(kind) === true;
    const found = findNamed(names, words, fits) ?? (field === 'starts' ? indexWhere(names, isFreeDate) : null);
    if (found !== null) columns.set(found, field);
    else if (field === 'starts') doubts.push('no column looks like a date');
  }
  if (!isTaken('title')) {
    // Prefer the subject's name (an artist) over free text as the title.
    const given = Object.values(known.columns ?? {});
    const [subject, ...others] = ['subject', 'tags', 'description'].map((field) =>
      given.includes(field) ? null : indexWhere(names, (index) => columns.get(index) === field),
    );
    const isFilled = (index: number): boolean => isFreeText(index) && kinds[index]?.has('filled') === true;
    const texts = [subject, indexWhere(names, isFilled), ...others, indexWhere(names, isFreeText)];
    const plain = texts.find((index) => index != null) ?? null;
    if (plain !== null) columns.set(plain, 'title');
    doubts.push(plain === null ? 'no column looks like a title' : `whether "${names[plain]}" is the title`);
  }
  completePlace(columns);
  return columns;
}

/** Takes the columns that have names of ours for what they say. A subject without a title is one, as calendars call it. */
function nameOwn(
  names: readonly string[],
  columns: Map<number, string>,
  isFree: (index: number) => boolean,
  isTaken: (field: string) => boolean,
): void {
  const plain = names.map((name) => name.toLowerCase());
  const hasTitle = isTaken('title') || plain.includes('title');
  for (const [index, name] of plain.entries()) {
    if (!isTableColumn(name) || !isFree(index) || isTaken(name) || (name === 'subject' && !hasTitle)) continue;
    columns.set(index, name);
  }
}

/** Whether a column is for remarks, which people do not write for the public. It is never guessed to be anything. */
function isNote(name: string): boolean {
  return plainName(name)
    .split(' ')
    .some((word) => noteWords.has(word));
}

const noteWords: ReadonlySet<string> = new Set(wordLists.notes.split(', '));

const textKinds: ReadonlySet<CellKind> = new Set(['text', 'short', 'filled', 'unique']);

/** Without its name, a place is only its address, or nothing. */
function completePlace(columns: Map<number, string>): void {
  const fields = new Set(columns.values());
  if (fields.has('location')) return;
  for (const [index, field] of columns) {
    if (field === 'address') columns.set(index, 'location');
    else if (isPlaceColumn(field) && !fields.has('address')) columns.delete(index);
  }
}

/** Returns the order of dates, or undefined if they have none, or more than one is possible. */
function guessDates(sample: Sample, columns: ReadonlyMap<number, string>, doubts: string[]): DateOrder | undefined {
  const dated = [...columns].flatMap(([index, field]) => (field === 'starts' || field === 'ends' ? index : []));
  const rows = sample.map((cells) => ({ cells, offset: 0 }));
  const { orders, example } = findOrders(rows, dated);
  if (orders.length > 1 && example !== null) {
    const readings = orders.map((order) => `${readFirstDate(example.found, order)} with "${order}"`);
    doubts.push(`the order of dates: ${example.found} is ${readings.join(', or ')}`);
  }
  return orders.length === 1 ? orders[0] : undefined;
}

/** More columns are ignored together. */
const maxIgnored = 8;

/** Returns the first column with one of these names, or else the first whose name has one of them among its words. */
function findNamed(names: readonly string[], words: readonly string[], fits: (index: number) => boolean) {
  const plain = names.map(plainName);
  for (const word of words) {
    const found = indexWhere(plain, (index) => isSame(plain[index], word) && fits(index));
    if (found !== null) return found;
  }
  for (const word of words) {
    // Short words, such as `to`, say little about a longer name.
    if (/^[a-z]{1,3}$/.test(word) && word !== 'url') continue;
    const isPart = (name: string): boolean => name.split(' ').some((part) => isSame(part, word));
    const found = indexWhere(plain, (index) => isPart(plain[index] ?? '') && fits(index));
    if (found !== null) return found;
  }
  return null;
}

function isSame(name: string | undefined, word: string): boolean {
  return name === word || name === `${word}s`;
}

function indexWhere(list: readonly unknown[], fits: (index: number) => boolean): number | null {
  const found = list.findIndex((_, index) => fits(index));
  return found === -1 ? null : found;
}

function pairOf(names: readonly string[]): readonly [number, number] | null {
  const plain = names.map(plainName);
  for (const pair of wordLists.pairs) {
    const [first = '', second = ''] = pair.split(', ');
    const found = [plain.indexOf(first), plain.indexOf(second)] as const;
    if (found.every((index) => index !== -1)) return found;
  }
  return null;
}

/** `StartDate`, `start_date`, `Début` and `Event name` → `start date`, `start date`, `debut` and `event`. */
function plainName(name: string): string {
  const words = plainWords(name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'));
  const spaced = words.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
  return spaced.replace(/ name$/, '');
}
