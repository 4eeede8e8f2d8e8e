import { isZone } from '../../catalogue/time/zone.ts';
import { readCountry } from '../schema/country.ts';
import { plainWords } from '../../catalogue/text.ts';
import { attendances, readChoice, statuses, type DateOrder } from '../schema/rules.ts';
import { slug } from '../../catalogue/id.ts';
import { isPersonal } from '../contacts.ts';
import type { Row, RowFinding } from './rows.ts';
import { columnWords, wordSet } from '../schema/column-words.ts';
import { booleanOf, isErrorValue, visibilityOf } from './columns.ts';
import { isNoTime, isTimeCell, readEpochs, readFirstDate } from '../dates.ts';

/**
 * The kinds that the cells of a column can have. Empty cells fit every kind, except in a filled
 * column.
 *
 * - `dated` and `timed`: some cells are dates or times
 * - `personal`: some cell has an e-mail address, a telephone number or an address with a secret
 * - `text`: what people may read, so neither personal nor a number, an amount, a boolean or a state
 */
export type CellKind =
  | keyof typeof tests
  | 'filled'
  | 'unique'
  | 'dated'
  | 'timed'
  | 'personal'
  | 'text'
  | 'short';

const tests = {
  month: (text: string) => isDate(text, 'yyyy-mm'),
  date: isDateCell,
  epoch: (text: string) => readEpochs(text) !== null,
  time: isTimeCell,
  url: (text: string) => /^https:\/\//i.test(text),
  boolean: isBoolean,
  number: (text: string) => /^[+-]?\d+(?:\.\d+)?$/.test(text),
  country: (text: string) => readCountry(text) !== null,
  // Abbreviations are refused where they are read.
  zone: (text: string) => isZone(text) || Object.hasOwn(columnWords.zones, text.toUpperCase()),
  rule: (text: string) => /^(?:RRULE:)?FREQ=/i.test(text),
  status: (text: string) => readChoice(text, statuses) !== null,
  attendance: (text: string) => readChoice(text, attendances) !== null,
  visibility: (text: string) => visibilityOf(text) !== null,
};

/** Of these, every cell must be understood: an unread one could mean that the event is off. */
const strict: ReadonlySet<string> = new Set(['status', 'boolean', 'visibility', 'attendance']);

/** Of these, a cell that cannot be read is only left out. */
const lax: ReadonlySet<string> = new Set(['url', 'country']);

const usualShare = 0.7;

/** Returns the share of cells that must be of a kind. */
function shareOf(kind: string): number {
  if (strict.has(kind)) return 1;
  return lax.has(kind) ? 0.5 : usualShare;
}

/**
 * Returns the kinds that most of the cells of a column can be. A column without text has none.
 *
 * @param rest further cells, in which only what is personal is looked for
 */
export function kindsOf(
  cells: readonly string[],
  rest: readonly string[] = [],
): ReadonlySet<CellKind> {
  const filled = cells.filter((cell) => !isNoTime(cell) && !isErrorValue(cell));
  const kinds = new Set<CellKind>();
  if (filled.length === 0) return kinds;
  const isMost = (test: (text: string) => boolean, share = usualShare) =>
    filled.filter(test).length >= filled.length * share;
  for (const [kind, test] of Object.entries(tests)) {
    if (isMost(test, shareOf(kind))) kinds.add(kind as CellKind);
  }
  if (filled.length === cells.length) kinds.add('filled');
  if (filled.some(tests.month)) kinds.add('dated');
  if (filled.some(tests.time)) kinds.add('timed');
  // Numbers often count the rows, so they change with the order of the rows.
  const isUnique = new Set(filled.map(slug)).size === cells.length;
  if (!kinds.has('number') && isUnique) kinds.add('unique');
  if (filled.some(isPersonal) || rest.some(isPersonal)) kinds.add('personal');
  else if (isMost(isText)) kinds.add('text');
  if (kinds.has('text') && isMost(isShort)) kinds.add('short');
  return kinds;
}

/** Whether a text is a date, in any order, that is at least as precise as an example. */
export function isDate(text: string, example: string): boolean {
  return (['d/m/y', 'm/d/y'] as const).some(
    (order) => (readFirstDate(text, order) ?? '').length >= example.length,
  );
}

/** Whether a text is a date with a day, in any order, or two of them. */
export function isDateCell(text: string): boolean {
  return isDate(text.trim(), 'yyyy-mm-dd');
}

function isText(cell: string): boolean {
  const isNumber = amount.test(cell) || tests.epoch(cell);
  const isState = isBoolean(cell) || busyStates.has(plainWords(cell));
  return !isNumber && !isState && !/^\w+:\/\/\S+$/.test(cell);
}

/** A count, a price or a share: `12`, `12 €`, `$5.00`, `CHF 60`, `20 %`. */
const amount =
  /^(?:[$€£¥]|(?:eur|usd|gbp|chf|cad|aud|jpy) )? ?[+-]?\d[\d.,' ]*(?:,-+)? ?(?:[$€£¥%]|eur|usd|gbp|chf|euros?|dollars?|円)?$/i;
const busyStates = wordSet(columnWords.busyStates);

function isBoolean(text: string): boolean {
  return /^(?:true|false)$/.test(booleanOf(text));
}

const maxTitle = 100;

function isShort(text: string): boolean {
  return text.length <= maxTitle && !/^[a-z]{2}\.?$/i.test(text);
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
  const counts = {
    'd.m.y': 0,
    'd/m/y': 0,
    'm/d/y': 0,
  };
  let example: DateOrders['example'] = null;
  for (const [row, { cells }] of rows.entries()) {
    for (const column of columns) {
      const cell = cells[column]?.trim() ?? '';
      if (!yearLast.test(cell) || readFirstDate(cell, 'iso') !== null) continue;
      // No locale writes the month first with dots.
      const isDotted = cell.includes('.');
      if (readFirstDate(cell, 'd.m.y') !== null) counts[isDotted ? 'd.m.y' : 'd/m/y']++;
      if (!isDotted && readFirstDate(cell, 'm/d/y') !== null) counts['m/d/y']++;
      // Both orders read the same date of 5/5/2027.
      const isSame =
        example && readFirstDate(example.found, 'd/m/y') === readFirstDate(example.found, 'm/d/y');
      if (isSame !== false) example = { found: cell, column, row };
    }
  }
  const most = Math.max(...Object.values(counts));
  const names = Object.keys(counts) as (keyof typeof counts)[];
  const orders = names.filter((order) => most > 0 && counts[order] === most);
  return { orders, example };
}

/** `05.06.2027`, `5/6/2027`, `Sa, 05.06.2027`, `05.–07.06.2027` */
const yearLast = /^(?:\p{L}+[.,]{0,2} )?\d\d?(?:\.? ?(?:[-–—~]|bis|to|au|al) ?\d\d?)?[-/.] ?\d/u;

/** Returns the problem of a table whose mapping does not say the order of its dates, or nothing. */
export function findingsOfOrders({ orders, example }: DateOrders, file: string): RowFinding[] {
  if (example === null || orders.length === 0) return [];
  const readings = orders.map((order) => ({
    order,
    date: readFirstDate(example.found, order) ?? 'no date',
  }));
  const problem = {
    code: 'unclear-dates',
    found: example.found,
    readings,
    file,
  } as const;
  return [{ problem, row: example.row, column: example.column }];
}
