import { isZone } from '../../catalogue/time/zone.ts';
import { readCountry } from '../country.ts';
import { slug } from '../slug.ts';
import words from './column-words.json' with { type: 'json' };
import { booleanOf } from './columns.ts';
import { isNoTime, isTimeCell, readFirstDate } from './dates.ts';

/** What the cells of a column can be. Empty cells can be anything, except in a filled column, which has none. */
export type CellKind = keyof typeof tests | 'filled' | 'unique';

/**
 * What people call the columns of a table, best first, in lower case without accents, and what their cells must be. A
 * column is the first thing that fits.
 */
export const columnWords = words.columns.map(({ field, kind, names }) => {
  return { field, kind: kind as CellKind, names: names.split(', ') };
});

const tests = {
  month: (text: string) => isDate(text, 'yyyy-mm'),
  date: (text: string) => isDate(text, 'yyyy-mm-dd'),
  time: isTimeCell,
  url: (text: string) => /^https:\/\//i.test(text),
  boolean: (text: string) => /^(?:true|false)$/.test(booleanOf(text)),
  number: (text: string) => /^[+-]?\d+(?:\.\d+)?$/.test(text),
  country: (text: string) => readCountry(text) !== null,
  zone: isZone,
  text: (): boolean => true,
  short: (text: string) => text.length <= maxTitle,
};

function isDate(text: string, example: string): boolean {
  return (['d/m/y', 'm/d/y'] as const).some((order) => (readFirstDate(text, order) ?? '').length >= example.length);
}

/** A longer text is probably a description. */
const maxTitle = 100;

/** Returns the kinds that most of the cells of a column can be. A column without text has none. */
export function kindsOf(cells: readonly string[]): Set<CellKind> {
  const filled = cells.filter((cell) => !isNoTime(cell));
  const isMost = (test: (text: string) => boolean): boolean =>
    filled.length > 0 && filled.filter(test).length >= filled.length * 0.7;
  const kinds = new Set<CellKind>((Object.keys(tests) as (keyof typeof tests)[]).filter((kind) => isMost(tests[kind])));
  if (filled.length === cells.length) kinds.add('filled');
  // Numbers are often those of rows, which change with their order.
  if (!kinds.has('number') && new Set(filled.map(slug)).size === cells.length) kinds.add('unique');
  return kinds;
}
