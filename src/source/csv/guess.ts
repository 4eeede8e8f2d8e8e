import { isZone } from '../../catalogue/time/zone.ts';
import type { TableMapping } from '../json/types.ts';
import type { DateOrder } from '../rules.ts';
import { isPlaceColumn, isTableColumn } from './columns.ts';
import { columnWords, pairWords, type CellKind } from './column-words.ts';
import { isTimeCell, readDate } from './dates.ts';
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
  const doubts: string[] = [];
  const isMapped = (field: string): boolean => Object.values(known.columns ?? {}).includes(field);
  const pair = known.title !== undefined || isMapped('title') ? null : pairOf(names);
  const title = known.title ?? pair?.map((index) => `{${names[index]}}`).join(' v ');
  const columns = guessColumns(names, sample, { ...known, title }, pair ?? [], doubts);
  const subject = known.subject ?? ([...columns.values()].includes('subject') ? undefined : nameFrom(stem));
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
  const mapping = {
    ...known,
    columns: Object.fromEntries(mapped.sort(([a], [b]) => a - b).map(([index, field]) => [names[index] ?? '', field])),
    ...(dates && { dates }),
    ...(title && { title }),
    ...(subject && { subject }),
    ...(ignore.length > 0 && { ignore }),
  };
  return { mapping, doubts };
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
  const isFree = (index: number): boolean => !columns.has(index) && !pair.includes(index);
  const isText = (index: number): boolean =>
    kinds[index]?.has('text') === true && [...kinds[index]].every((kind) => kind === 'text' || kind === 'filled');
  const isFreeDate = (index: number): boolean => isFree(index) && kinds[index]?.has('date') === true;
  for (const { field, kind, words } of columnWords) {
    if (!isTableColumn(field) || isTaken(field)) continue;
    const fits = (index: number): boolean => isFree(index) && kinds[index]?.has(kind) === true;
    const found = findNamed(names, words, fits) ?? (field === 'starts' ? indexWhere(names, isFreeDate) : null);
    if (found !== null) columns.set(found, field);
    else if (field === 'starts') doubts.push('no column looks like a date');
  }
  if (!isTaken('title')) {
    const plain = indexWhere(names, (index) => isFree(index) && isText(index));
    if (plain !== null) columns.set(plain, 'title');
    doubts.push(plain === null ? 'no column looks like a title' : `whether "${names[plain]}" is the title`);
  }
  completePlace(columns);
  return columns;
}

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
  const { orders, example } = findOrders(
    sample.map((cells) => ({ cells, offset: 0 })),
    dated,
  );
  if (orders.length > 1 && example !== null) {
    const readings = orders.map((order) => `${readDate(example.found, order)} with "${order}"`);
    doubts.push(`the order of dates: ${example.found} is ${readings.join(', or ')}`);
  }
  return orders.length === 1 ? orders[0] : undefined;
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
    // Short words, such as `to`, say little about a longer name.
    if (/^[a-z]{1,3}$/.test(word)) continue;
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

const tests: Readonly<Record<Exclude<CellKind, 'filled'>, (text: string) => boolean>> = {
  month: (text) => isDate(text, 'yyyy-mm'),
  date: (text) => isDate(text, 'yyyy-mm-dd'),
  time: isTimeCell,
  url: (text) => /^https:\/\//i.test(text),
  boolean: (text) =>
    /^(?:true|false|wahr|falsch|vrai|faux|verdadero|falso|yes|no|ja|nein|oui|non|s[ií]|[01xyn])$/i.test(text),
  number: (text) => /^[+-]?\d+(?:\.\d+)?$/.test(text),
  country: (text) => /^[A-Z]{2}$/.test(text),
  zone: isZone,
  slug: (text) => /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text),
  text: () => true,
};

/** Whether a text is a date that is at least as precise as an example. */
function isDate(text: string, example: string): boolean {
  return (['d/m/y', 'm/d/y'] as const).some((order) => (readDate(text, order) ?? '').length >= example.length);
}

/** Returns the kinds that most of the cells of a column can be. A column without text has none. */
function kindsOf(cells: readonly string[]): Set<CellKind> {
  const filled = cells.filter((cell) => cell !== '');
  const isMost = (test: (text: string) => boolean): boolean =>
    filled.length > 0 && filled.filter(test).length >= filled.length * 0.7;
  const kinds = (Object.keys(tests) as (keyof typeof tests)[]).filter((kind) => isMost(tests[kind]));
  return new Set<CellKind>(filled.length >= cells.length * 0.9 ? [...kinds, 'filled'] : kinds);
}
