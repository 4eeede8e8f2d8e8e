import { minute } from '../../catalogue/time/time.ts';
import { dateAfter } from '../dates.ts';
import { monthTable } from '../month-table.ts';
import { dayOf, isAtPlace } from './clock.ts';
import { all, create } from './dom.ts';
import { markToday } from './month.ts';
import { locale, site, speech } from './page.ts';

/** Counts the events of the year by the days of the reader. */
export function showYear(list: HTMLElement): void {
  const { dated, starts = '', ends = '' } = list.dataset;
  const isCounted = dated !== undefined && !isAtPlace;
  showCounts(isCounted ? countsOf(dated, starts, ends) : countsOfBuild());
  if (dated === undefined) withoutCounts();
  markToday();
}

/** There are too many clock times to count, so the days say only which they are. */
function withoutCounts(): void {
  for (const cell of all('td[data-day] > a'))
    cell.ariaLabel = locale.monthDay(cell.parentElement?.dataset['day'] ?? '');
}

/** Reads the counts by the days of the places. */
function countsOfBuild(): ReadonlyMap<string, number> {
  const cells = all('td[data-count]');
  return new Map(cells.map(({ dataset }) => [dataset['day'] ?? '', Number(dataset['count'])]));
}

function showCounts(counts: ReadonlyMap<string, number>): void {
  for (const table of all('table.month')) {
    const month = table.querySelector<HTMLElement>('[data-day]')?.dataset['day']?.slice(0, 7) ?? '';
    const grid = { month, counts, root: site.href };
    table.replaceWith(create(monthTable({ locale, ...speech }, grid)));
  }
}

/** Counts events by day: those with a date alone as they are, the others by the reader's clock. */
function countsOf(dated: string, starts: string, ends: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const entry of dated.split(',')) counts.set(entry.slice(0, 10), Number(entry.slice(11)));
  // One more event is on from the day of each start, and one less after the day of each end.
  const steps = new Map<string, number>();
  const step = (day: string, by: number): void => void steps.set(day, (steps.get(day) ?? 0) + by);
  for (const at of instantsOf(starts)) step(dayOf(at), 1);
  for (const at of instantsOf(ends)) step(dateAfter(dayOf(at)), -1);
  const days = [...steps.keys()].sort();
  let [day, running] = [days[0] ?? '', 0];
  for (const end = days.at(-1) ?? ''; day < end; day = dateAfter(day)) {
    running += steps.get(day) ?? 0;
    if (running > 0) counts.set(day, (counts.get(day) ?? 0) + running);
  }
  return counts;
}

/** Reads instants that are written as differences in minutes, in base 36. */
function instantsOf(text: string): number[] {
  let at = 0;
  return Array.from(text.matchAll(/\w+/g), ([difference]) => {
    at += parseInt(difference, 36);
    return at * minute;
  });
}
