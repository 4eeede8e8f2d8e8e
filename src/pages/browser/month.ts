import { now } from './clock.ts';
import { readPage } from './feed.ts';
import { countRows, type Row } from './list.ts';
import { showGrids } from './views.ts';

/**
 * Shows the grid of a month by the days of the reader. Returns the rows of the days that this page of the month lists.
 * Pages go by UTC, so the first and the last of these days may have events on the pages before and after it.
 */
export async function monthRows(list: HTMLElement, own: readonly Row[]): Promise<Row[]> {
  const { month = '', others = '', from = '', until = '' } = list.dataset;
  const ofOthers = await Promise.all(others.split(' ').filter(Boolean).map(readPage));
  const rows = [...own, ...ofOthers.flatMap((page) => page.rows)];
  const current = now();
  showGrids(countRows(rows.filter(({ day, until: end }) => day.startsWith(month) && end > current)));
  return rows.filter(({ day }) => day >= from && (until === '' || day < until));
}
