import { isZone } from '../../catalogue/time/zone.ts';
import type { TableMapping } from '../json/types.ts';
import { isTableColumn } from './columns.ts';
import { columnWords, pairWords, type CellKind } from './column-words.ts';
import { readDate, readTime } from './dates.ts';
import { findOrders } from './unclear-dates.ts';

/** A mapping that a table suggests, and what is not clear about it. */
export interface Guess {
  readonly mapping: TableMapping;
  readonly doubts: readonly string[];
}

/** The cells of some rows. */
type Sample = readonly (readonly string[])[];

/**
 * Guesses what the columns of a table are, from their names and from some of its rows. Keeps what a mapping already
 * says. Columns that suggest nothing are ignored. `stem`, the name of the table, names the subject if no column does.
 */
export function guessMapping(names: readonly string[], sample: Sample, known: TableMapping, stem: string): Guess {
  const columns: Record<string, string> = { ...known.columns };
  const kinds = names.map((_, index) => kindsOf(sample.map((cells) => cells[index]?.trim() ?? '')));
  const isTaken = (field: string): boolean =>
    Object.values(columns).includes(field) || (known as Record<string, unknown>)[field] !== undefined;
  const pair = isTaken('title') ? null : pairOf(names);
  const isFree = (index: number): boolean =>
    !Object.hasOwn(columns, names[index] ?? '') && pair?.includes(index) !== true;
  for (const { field, kind, words } of columnWords) {
    if (!isTableColumn(field) || isTaken(field) || (field === 'title' && pair !== null)) continue;
    const fits = (index: number): boolean => isFree(index) && kinds[index]?.has(kind) === true;
    const found = findNamed(names, words, fits) ?? (field === 'starts' ? indexWhere(names, fits) : null);
    if (found !== null) columns[names[found] ?? ''] = field;
  }
  if (!isTaken('title') && pair === null) {
    const plain = indexWhere(names, (index) => isFree(index) && kinds[index]?.size === 1 && kinds[index].has('text'));
    if (plain !== null) columns[names[plain] ?? ''] = 'title';
  }
  const title = pair?.map((index) => `{${names[index]}}`).join(' v ');
  const subject = isTaken('subject') ? undefined : nameFrom(stem);
  const ignored = Array.isArray(known.ignore) ? known.ignore : [];
  const rest = [...ignored, ...names.filter((name, index) => isFree(index) && !ignored.includes(name))];
  return withDates({ ...known, columns, ...(title && { title }), ...(subject && { subject }) }, rest, names, sample);
}

/** Adds the order of dates and the columns to ignore. */
function withDates(known: TableMapping, rest: readonly string[], names: readonly string[], sample: Sample): Guess {
  const doubts: string[] = [];
  const { columns = {} } = known;
  const dated = names.flatMap((name, index) => (['starts', 'ends'].includes(columns[name] ?? '') ? index : []));
  const rows = sample.map((cells) => ({ cells, offset: 0 }));
  const { orders, example } = findOrders(rows, dated);
  if (known.dates === undefined && orders.length > 1 && example !== null) {
    const readings = orders.map((order) => `${readDate(example.found, order)} with "${order}"`);
    doubts.push(`the order of dates: ${example.found} is ${readings.join(', or ')}`);
  }
  for (const field of ['starts', 'title'] as const) {
    const isGiven = Object.values(columns).includes(field) || (field === 'title' && known.title !== undefined);
    if (!isGiven) doubts.push(`no column looks like ${field}`);
  }
  const dates = known.dates ?? (orders.length === 1 ? orders[0] : undefined);
  const ignore =
    known.ignore === 'others' || rest.length > maxIgnored ? 'others' : rest.length > 0 ? [...rest] : undefined;
  // A column with a name of ours needs no mapping.
  const others = Object.entries(columns).filter(([name, field]) => name.toLowerCase() !== field);
  const named = { ...known, columns: Object.fromEntries(others) };
  return { mapping: { ...named, ...(dates && { dates }), ...(ignore && { ignore }) }, doubts };
}

/** More columns are ignored together. */
const maxIgnored = 8;

/** `board-games` → `Board games`. */
function nameFrom(stem: string): string {
  return stem.charAt(0).toUpperCase() + stem.slice(1).replaceAll(/[-_]+/g, ' ');
}

/** Returns the first column with one of these names, or else the first whose name has one of them among its words. */
function findNamed(
  names: readonly string[],
  words: readonly string[],
  fits: (index: number) => boolean,
): number | null {
  const plain = names.map(plainName);
  for (const word of words) {
    const found = indexWhere(plain, (index) => plain[index] === word && fits(index));
    if (found !== null) return found;
  }
  for (const word of words) {
    const found = indexWhere(plain, (index) => plain[index]?.split(' ').includes(word) === true && fits(index));
    if (found !== null) return found;
  }
  return null;
}

function indexWhere(list: readonly unknown[], fits: (index: number) => boolean): number | null {
  const found = list.findIndex((_, index) => fits(index));
  return found === -1 ? null : found;
}

/** Returns the two columns whose names are those of opponents, or null. */
function pairOf(names: readonly string[]): readonly [number, number] | null {
  const plain = names.map(plainName);
  for (const [first, second] of pairWords) {
    const found = [plain.indexOf(first), plain.indexOf(second)] as const;
    if (found.every((index) => index !== -1)) return found;
  }
  return null;
}

/** `StartDate`, `start_date` and `Début` → `start date`, `start date` and `debut`. */
function plainName(name: string): string {
  const words = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase();
  return words.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}

const tests: Readonly<Record<CellKind, (text: string) => boolean>> = {
  date: (text) =>
    (['d/m/y', 'm/d/y'] as const).some((order) => (readDate(text, order) ?? '').length >= 'yyyy-mm-dd'.length),
  time: (text) => readTime(text) !== null || /^(?:tb[adc]|[-?]|\d.*\d.*[-–].*\d)$/i.test(text),
  url: (text) => /^https?:\/\//i.test(text),
  boolean: (text) =>
    /^(?:true|false|wahr|falsch|vrai|faux|verdadero|falso|yes|no|ja|nein|oui|non|s[ií]|[01xyn])$/i.test(text),
  number: (text) => /^[+-]?\d+(?:\.\d+)?$/.test(text),
  country: (text) => /^[A-Z]{2}$/.test(text),
  zone: isZone,
  slug: (text) => /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text),
  text: () => true,
};

/** Returns the kinds that most of the cells of a column can be. A column without text has none. */
function kindsOf(cells: readonly string[]): Set<CellKind> {
  const filled = cells.filter((cell) => cell !== '');
  const isMost = (test: (text: string) => boolean): boolean =>
    filled.length > 0 && filled.filter(test).length >= filled.length * 0.7;
  return new Set((Object.keys(tests) as CellKind[]).filter((kind) => isMost(tests[kind])));
}
