import { datesIn, isLasting } from '../dates.ts';
import { cellName, monthTable, type DayTitle } from '../month-table.ts';
import { today } from './clock.ts';
import { all, create, write } from './dom.ts';
import { fillList } from './list.ts';
import {
  byTime,
  countByCategory,
  countEvents,
  countOn,
  eventsIn,
  rowsIn,
  rowsOn,
  spareRows,
  withoutRepeated,
  type DayRows,
  type Row,
} from './row.ts';
import { locale, site, speech } from './page.ts';

/** Returns each event of the page of a month once. */
export function rowsOfMonth(page: ParentNode): Row[] {
  const lists = all('#list, .lasting', page).toReversed();
  return withoutRepeated([...lists.flatMap(rowsIn), ...spareRows(page)]);
}

/** Shows a month by the days of the reader, and only the category that the address names. */
export function showMonth(list: HTMLElement, rows: readonly Row[]): void {
  const { month = '' } = list.dataset;
  const category = new URLSearchParams(location.search).get('in') ?? '';
  const dates = datesIn(month);
  const { begins, running } = rowsOn(rows, {
    from: `${month}-01`,
    until: `${month}-31`,
  });
  const monthRows = [...begins, ...running.filter(({ day, last }) => !isLasting(day, last))];
  countCategories(monthRows, category);
  const visibleRows = monthRows.filter(
    ({ scope }) => category === '' || scope.startsWith(`${category}/`),
  );
  const total = countEvents(visibleRows);
  write(document.querySelector('h1 .count'), locale.number(total));
  document.title = document.title.replace(/: [^–]*/, `: ${speech.text('events', { n: total })} `);
  const days = new Map(dates.map((date) => [date, rowsOfDay(visibleRows, date)]));
  const busyDays = [...days].filter(([, onDay]) => countOn(onDay) > 0);
  const groups = busyDays.map(([key, onDay]) => {
    return {
      key,
      rows: onDay.begins.toSorted(byTime),
      running: onDay.running,
    };
  });
  fillList(list, groups, 'nothingThen');
  for (const row of all('.lasting .e'))
    row.hidden = category !== '' && row.dataset['g']?.startsWith(`${category}/`) !== true;
  showGrid(month, days);
  openDay();
}

/** An event that lasts for months stands above the days. */
function rowsOfDay(rows: readonly Row[], date: string): DayRows {
  const { begins, running } = rowsOn(rows, { from: date, until: date });
  return {
    begins,
    running: running.filter(({ day, last }) => !isLasting(day, last)),
  };
}

/** Opens the day of the address, or today, or else the first day that has events. */
export function openDay(): void {
  const days = all('#list > section.day');
  const opened =
    days.find(({ id }) => `#${id}` === location.hash) ??
    days.find(({ id }) => id === `d${today()}`) ??
    days[0];
  for (const day of days) day.classList.toggle('open', day === opened);
  for (const cell of all('.large td'))
    cell.classList.toggle('open', `d${cell.dataset['day']}` === opened?.id);
}

function countCategories(rows: readonly Row[], category: string): void {
  const counts = countByCategory(rows);
  for (const chip of all('.chips [data-in]')) {
    const { in: id = '' } = chip.dataset;
    const count = counts.get(id) ?? 0;
    write(chip.querySelector('.count'), locale.number(count));
    chip.hidden = count === 0 && id !== category;
    chip.ariaCurrent = id === category ? 'true' : null;
  }
}

function showGrid(month: string, days: ReadonlyMap<string, DayRows>): void {
  const table = document.querySelector<HTMLElement>('table.large');
  // The titles of a busy month are those of its build.
  if (table === null || document.querySelector('.many') !== null) return;
  const titles = new Map(Array.from(days, ([date, rows]) => [date, titlesOf(rows)]));
  const counts = new Map(Array.from(days, ([date, rows]) => [date, countOn(rows)]));
  const grid = {
    month,
    counts,
    root: site.href,
    titles,
  };
  const local = create(monthTable({ locale, ...speech }, grid));
  if (local.textContent !== table.textContent) table.replaceWith(local);
  markToday();
}

/** Marks the current day in the grids of months. */
export function markToday(): void {
  for (const cell of all(`td[data-day="${today()}"]`)) cell.classList.add('today');
}

function titlesOf({ begins, running }: DayRows): DayTitle[] {
  const starting = begins.toSorted(byTime).flatMap(({ node }) => eventsIn(node));
  const events = [...starting, ...running.map(({ node }) => node)];
  const names = events.map((event) => textOf(event, '.t b'));
  return events.map((event, index) => {
    const [name = '', title = textOf(event, '.t bdi')] = [names[index]];
    return {
      colour: /\bc\d\b/.exec(event.className)?.[0] ?? '',
      name: title === '' ? name : cellName(title, name, names),
      address: event.querySelector<HTMLAnchorElement>('.t')?.href ?? '',
      isRunning: index >= starting.length,
      isPostponed: event.querySelector('s.w') !== null,
    };
  });
}

function textOf(row: HTMLElement, selector: string): string {
  return row.querySelector(selector)?.textContent ?? '';
}
