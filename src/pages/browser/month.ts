import { maxTitles, monthTable, type DayTitle } from '../month-table.ts';
import { groupBy } from '../../catalogue/group.ts';
import { today } from './clock.ts';
import { all, create, write } from './dom.ts';
import { readPage } from './feed.ts';
import {
  arrange,
  byTime,
  countBy,
  countByCategory,
  countEvents,
  eventsIn,
  nameIn,
  type Row,
} from './list.ts';
import { locale, site, speech } from './page.ts';

/**
 * Shows a month by the days of the reader, and only the category that the address names. Pages go
 * by the dates of the places, so the first and the last of its days may have events on the pages
 * around it.
 */
export async function showMonth(list: HTMLElement, own: readonly Row[]): Promise<void> {
  const { month = '', around = '' } = list.dataset;
  const chosen = new URLSearchParams(location.search).get('in') ?? '';
  const pages = await Promise.all(around.split(' ').filter(Boolean).map(readPage)).catch(() => []);
  const rows = [...own, ...pages.flatMap((page) => page.rows)];
  const current = Date.now();
  const ofMonth = rows.filter(({ day, until }) => day.startsWith(month) && until > current);
  countChips(ofMonth, chosen);
  const shown = ofMonth.filter(({ scope }) => chosen === '' || scope.startsWith(`${chosen}/`));
  const total = locale.number(countEvents(shown));
  write(document.querySelector('h1 .count'), total);
  document.title = document.title.replace(
    /: [^–]*/,
    `: ${speech.text('events', { n: countEvents(shown) })} `,
  );
  arrange(list, shown, { hasBegun: true });
  showGrid(month, shown);
  openDay();
}

/** Opens the day of the address, or today, or else the first day that has events. */
export function openDay(): void {
  const days = all('#list > section.day');
  const wanted = [location.hash.slice(1), `d${today()}`];
  const day =
    wanted.map((id) => days.find((one) => one.id === id)).find((one) => one !== undefined) ??
    days[0];
  for (const one of days) one.classList.toggle('open', one === day);
  for (const cell of all('.large td'))
    cell.classList.toggle('open', `d${cell.dataset['day']}` === day?.id);
}

function countChips(rows: readonly Row[], chosen: string): void {
  const counts = countByCategory(rows);
  for (const chip of all('.chips [data-in]')) {
    const { in: id = '' } = chip.dataset;
    const count = counts.get(id) ?? 0;
    write(chip.querySelector('.count'), locale.number(count));
    chip.hidden = count === 0 && id !== chosen;
    chip.ariaCurrent = id === chosen ? 'true' : null;
  }
}

function showGrid(month: string, rows: readonly Row[]): void {
  const table = document.querySelector<HTMLElement>('table.large');
  // The titles of a busy month are those of its build.
  if (table === null || rows.some(({ node }) => node.matches('.many'))) return;
  const days = [...groupBy(rows.toSorted(byTime), ({ day }) => day)];
  const titles = new Map(
    days.map(([day, ofDay]) => [day, ofDay.flatMap(titlesOf).slice(0, maxTitles)]),
  );
  const counts = countBy(rows, ({ day }) => [day]);
  table.replaceWith(
    create(monthTable({ locale, ...speech }, { month, counts, root: site.href, titles })),
  );
  for (const cell of all(`td[data-day="${today()}"]`)) cell.classList.add('today');
}

function titlesOf({ node }: Row): DayTitle[] {
  return eventsIn(node).map((one) => ({
    colour: /\bc\d\b/.exec(one.className)?.[0] ?? '',
    name: nameIn(one),
    address: one.querySelector<HTMLAnchorElement>('.t')?.href ?? '',
  }));
}
