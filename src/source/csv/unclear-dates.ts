import type { FoundProblem } from '../finding.ts';
import type { DateOrder } from '../rules.ts';
import type { Row } from './cells.ts';
import { readFirstDate } from './dates.ts';

/** The orders in which the dates of a table can be read, best first. Empty if no date depends on the order. */
export interface DateOrders {
  readonly orders: readonly DateOrder[];
  /** The first date whose reading depends on the order, its column, and the offset of its row. */
  readonly example: { readonly found: string; readonly column: number; readonly offset: number } | null;
}

/** Finds the orders in which most of the dates of a table that are numbers can be read, with the year last. */
export function findOrders(rows: readonly Row[], columns: readonly number[]): DateOrders {
  const counts = { 'd.m.y': 0, 'd/m/y': 0, 'm/d/y': 0 };
  let example: DateOrders['example'] = null;
  for (const { cells, offset } of rows) {
    for (const column of columns) {
      const found = cells[column]?.trim() ?? '';
      if (!yearLast.test(found) || readFirstDate(found, 'iso') !== null) continue;
      // Nobody writes the month first with dots.
      const isDotted = found.includes('.');
      if (readFirstDate(found, 'd.m.y') !== null) counts[isDotted ? 'd.m.y' : 'd/m/y']++;
      if (!isDotted && readFirstDate(found, 'm/d/y') !== null) counts['m/d/y']++;
      // Both orders read the same date of 5/5/2027.
      const isSame = example && readFirstDate(example.found, 'd/m/y') === readFirstDate(example.found, 'm/d/y');
      if (isSame !== false) example = { found, column, offset };
    }
  }
  const most = Math.max(...Object.values(counts));
  const orders =
    most === 0 ? [] : (Object.keys(counts) as (keyof typeof counts)[]).filter((order) => counts[order] === most);
  return { orders, example };
}

const yearLast = /^(?:\p{L}+[.,]{0,2} )?\d\d?[-/.] ?\d/u;

/** Returns the problem of a table whose mapping does not say the order of its dates, or null. */
export function problemOfOrders({ orders, example }: DateOrders, file: string): FoundProblem | null {
  if (example === null || orders.length === 0) return null;
  const readings = orders.map((order) => ({ order, date: readFirstDate(example.found, order) ?? '' }));
  return { code: 'unclear-dates', found: example.found, readings, file };
}
