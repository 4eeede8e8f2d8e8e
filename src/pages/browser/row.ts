import { dateAfter } from '../dates.ts';
import type { Range } from '../search/ranges.ts';
import { clockOfRow, dayOf } from './clock.ts';
import { all } from './dom.ts';

/** A row of a list: one event, or several that are folded into one. */
export interface Row {
  readonly node: HTMLElement;
  /** The start, in milliseconds since the Unix epoch. Null if only the date is real. */
  readonly at: number | null;
  /** The date of the event, in the reader's zone if the time is known. */
  readonly day: string;
  /** The last date on which it is on. */
  readonly last: string;
  readonly until: number;
  /** When it is over, if the source says so. */
  readonly over: number | null;
  readonly count: number;
  /** `{category}/{genre}` */
  readonly scope: string;
  /** Whether it had begun when the page was built. */
  readonly isUnderWay: boolean;
}

/**
 * Reads the rows of a list that have a time or a date, in this document or in another page of the
 * site.
 */
export function rowsIn(list: ParentNode): Row[] {
  return all('.e:is([data-on], :has(time:not([data-as])))', list)
    .filter((node) => !node.parentElement?.closest('.e'))
    .map(readRow);
}

function readRow(node: HTMLElement): Row {
  const { on = '', until, over, count } = node.dataset;
  const at = on === '' ? Date.parse(node.querySelector('time')?.dateTime ?? '') : null;
  const end =
    until === undefined
      ? Date.parse(`${on === '' ? '1970-01-01' : dateAfter(on)}T12:00Z`)
      : Date.parse(until);
  const overAt = over === undefined ? null : Date.parse(over);
  const clock = clockOfRow(node);
  const day = at === null ? on : dayOf(at, clock);
  const last = at === null ? node.dataset['end'] : overAt !== null && dayOf(overAt - 1, clock);
  return {
    node,
    at,
    day,
    last: last && last > day ? last : day,
    until: at ?? end,
    over: overAt,
    count: count === undefined ? Math.max(1, node.querySelectorAll('.e').length) : Number(count),
    scope: node.closest<HTMLElement>('[data-g]')?.dataset['g'] ?? '',
    isUnderWay: node.closest('.now') !== null,
  };
}

/** Returns the rows of a page that readers without a script do not see. */
export function spareRows(page: ParentNode): Row[] {
  const spare = [...page.querySelectorAll<HTMLTemplateElement>('template.spare')];
  // Links in a template have no base.
  return spare.flatMap(({ content }) => rowsIn(document.importNode(content, true)));
}

/** What is on on some days: what begins on them, and what began before. */
export interface DayRows {
  readonly begins: readonly Row[];
  readonly running: readonly Row[];
}

/** Returns what is on from one day to another. Each event is in it once. */
export function rowsOn(rows: readonly Row[], { from, until }: Range): DayRows {
  const begins = rows.filter(({ day }) => day >= from && day <= until);
  const before = rows.filter(({ day }) => day < from);
  const running = before.flatMap(partsOf).filter(({ last }) => last >= from);
  return { begins, running };
}

export function countOn({ begins, running }: DayRows): number {
  return countEvents(begins) + countEvents(running);
}

function partsOf(row: Row): Row[] {
  return row.node.matches('.run') ? eventsIn(row.node).map(readRow) : [row];
}

/** Returns the rows of single events: those within a row, if it folds several into one. */
export function eventsIn(row: HTMLElement): HTMLElement[] {
  return row.matches('.run') ? all('.e', row) : [row];
}

/** Returns the name of the event of a row, with that of its subject. */
export function nameIn(row: HTMLElement): string {
  const texts = ['.t b', '.t bdi'].map((part) => row.querySelector(part)?.textContent ?? '');
  return texts.filter((text) => text !== '').join(': ');
}

export function countEvents(rows: readonly Row[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}

/** Drops rows whose events are all in other rows. Folded rows win, because they hold several. */
export function withoutRepeated(rows: readonly Row[]): Row[] {
  const visible = new Set<string>();
  return rows
    .toSorted((a, b) => b.count - a.count)
    .filter(({ node, day }) => {
      const links = [...node.querySelectorAll<HTMLAnchorElement>('a.t')].map(({ href }) => href);
      const keys =
        links.length === 0
          ? [node.id]
          : links.map((link) => `${link} ${node.matches('.many') ? day : ''}`);
      const isRepeated = keys.every((key) => visible.has(key));
      for (const key of keys) visible.add(key);
      return !isRepeated;
    });
}

/** Within a day, dates come first. */
export function byTime(a: Row, b: Row): number {
  if (a.day !== b.day) return a.day < b.day ? -1 : 1;
  return (a.at ?? 0) - (b.at ?? 0);
}

/** Counts the events of each category, by id, and all by an empty one. */
export function countByCategory(rows: readonly Row[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { scope, count } of rows) {
    const [category = ''] = scope.split('/');
    for (const key of ['', category]) counts.set(key, (counts.get(key) ?? 0) + count);
  }
  return counts;
}
