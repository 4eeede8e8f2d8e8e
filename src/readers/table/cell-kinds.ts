import { isZone } from '../../catalogue/time/zone.ts';
import { readCountry } from '../schema/country.ts';
import { readChoice, statuses, type DateOrder } from '../schema/rules.ts';
import { slug } from '../../catalogue/id.ts';
import type { Row, RowFinding } from './rows.ts';
import words from '../schema/column-words.json' with { type: 'json' };
import { booleanOf } from './columns.ts';
import { isNoTime, isTimeCell, readFirstDate } from '../dates.ts';

/**
 * The kinds that the cells of a column can have. Empty cells fit every kind, except in a filled
 * column.
 */
export type CellKind = keyof typeof tests | 'filled' | 'unique' | 'dated' | 'timed' | 'status';

/**
 * What people call the columns of a table, best first, in lower case without accents, and what
 * their cells must be. A column is the first thing that fits.
 */
export const columnWords = words.columns.map(({ field, kind, names }) => {
  return { field, kind: kind as CellKind, names: names.split(', ') };
});

const tests = {
  month: (text: string) => isDate(text, 'yyyy-mm'),
  date: isDateCell,
  time: isTimeCell,
  url: (text: string) => /^https:\/\//i.test(text),
  boolean: (text: string) => /^(?:true|false)$/.test(booleanOf(text)),
  number: (text: string) => /^[+-]?\d+(?:\.\d+)?$/.test(text),
  country: (text: string) => readCountry(text) !== null,
  // Abbreviations are refused where they are read.
  zone: (text: string) => isZone(text) || Object.hasOwn(words.zones, text.toUpperCase()),
  text: (): boolean => true,
  short: (text: string) => text.length <= maxTitle && !/^[a-z]{2}\.?$/i.test(text),
};

export function isDate(text: string, example: string): boolean {
  return (['d/m/y', 'm/d/y'] as const).some(
    (order) => (readFirstDate(text, order) ?? '').length >= example.length,
  );
}

/** Whether a text is a date with a day, in any order, or two of them. */
export function isDateCell(text: string): boolean {
  return isDate(text.trim(), 'yyyy-mm-dd');
}

const maxTitle = 100;

/** Returns the kinds that most of the cells of a column can be. A column without text has none. */
export function kindsOf(cells: readonly string[]): Set<CellKind> {
  const filled = cells.filter((cell) => !isNoTime(cell));
  const isMost = (test: (text: string) => boolean): boolean =>
    filled.length > 0 && filled.filter(test).length >= filled.length * 0.7;
  const kinds = new Set<CellKind>(
    (Object.keys(tests) as (keyof typeof tests)[]).filter((kind) => isMost(tests[kind])),
  );
  if (filled.length === cells.length) kinds.add('filled');
  if (filled.some(tests.month)) kinds.add('dated');
  if (filled.some(tests.time)) kinds.add('timed');
  // A column "Estado" may also be a part of a country.
  if (filled.some((cell) => readChoice(cell, statuses) !== null)) kinds.add('status');
  // Numbers often count the rows, so they change with the order of the rows.
  if (!kinds.has('number') && new Set(filled.map(slug)).size === cells.length) kinds.add('unique');
  return kinds;
}

/**
 * The orders in which the dates of a table can be read, best first. Empty if no date depends on the
 * order.
 */
export interface DateOrders {
  readonly orders: readonly DateOrder[];
  /** The first date whose reading depends on the order, its column and its row. */
  readonly example: {
    readonly found: string;
    readonly column: number;
    readonly row: number;
  } | null;
}

/**
 * Finds the orders in which most of the dates of a table that are numbers can be read, with the
 * year last.
 */
export function findOrders(rows: readonly Row[], columns: readonly number[]): DateOrders {
  const counts = { 'd.m.y': 0, 'd/m/y': 0, 'm/d/y': 0 };
  let example: DateOrders['example'] = null;
  for (const [row, { cells }] of rows.entries()) {
    for (const column of columns) {
      const found = cells[column]?.trim() ?? '';
      if (!yearLast.test(found) || readFirstDate(found, 'iso') !== null) continue;
      // No locale writes the month first with dots.
      const isDotted = found.includes('.');
      if (readFirstDate(found, 'd.m.y') !== null) counts[isDotted ? 'd.m.y' : 'd/m/y']++;
      if (!isDotted && readFirstDate(found, 'm/d/y') !== null) counts['m/d/y']++;
      // Both orders read the same date of 5/5/2027.
      const isSame =
        example && readFirstDate(example.found, 'd/m/y') === readFirstDate(example.found, 'm/d/y');
      if (isSame !== false) example = { found, column, row };
    }
  }
  const most = Math.max(...Object.values(counts));
  const names = Object.keys(counts) as (keyof typeof counts)[];
  const orders = names.filter((order) => most > 0 && counts[order] === most);
  return { orders, example };
}

const yearLast = /^(?:\p{L}+[.,]{0,2} )?\d\d?[-/.] ?\d/u;

/** Returns the problem of a table whose mapping does not say the order of its dates, or nothing. */
export function findingsOfOrders({ orders, example }: DateOrders, file: string): RowFinding[] {
  if (example === null || orders.length === 0) return [];
  const readings = orders.map((order) => ({
    order,
    date: readFirstDate(example.found, order) ?? 'no date',
  }));
  const problem = { code: 'unclear-dates', found: example.found, readings, file } as const;
  return [{ problem, row: example.row, column: example.column }];
}
