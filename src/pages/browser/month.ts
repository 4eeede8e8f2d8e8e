import { monthTable, titlesByDay, type GridEvent } from '../month-table.ts';
import { now, timeOf, today } from './clock.ts';
import { all, create, find, write } from './dom.ts';
import { readPage } from './feed.ts';
import { byTime, countEvents, countRows, type Row } from './list.ts';
import { locale, site, speech } from './page.ts';

/**
 * Shows a month by the days of the reader, and only the category that the address names. Returns the rows that this
 * page of the month lists. Pages go by UTC, so the first and the last of its days may have events on the pages around it.
 */
export async function monthRows(list: HTMLElement, own: readonly Row[]): Promise<Row[]> {
  const { month = '', others = '', from = '', until = '' } = list.dataset;
  const ofOthers = await Promise.all(others.split(' ').filter(Boolean).map(readPage));
  const rows = [...own, ...ofOthers.flatMap((page) => page.rows)];
  const current = now();
  const ofMonth = rows.filter(({ day, until: end }) => day.startsWith(month) && end > current);
  const chosen = new URLSearchParams(location.search).get('in') ?? '';
  const isChosen = ({ scope }: Row): boolean => chosen === '' || scope.startsWith(`${chosen}/`);
  countChips(ofMonth, chosen);
  showGrid(ofMonth.filter(isChosen));
  // The heading counted by the days of UTC.
  if (find('capped') === null)
    write(document.querySelector('h1 .count'), locale.number(countEvents(ofMonth.filter(isChosen))));
  const isOnPage = ({ day }: Row): boolean => day >= from && (until === '' || day < until);
  // The events of a category are fewer, so they are listed at once.
  return chosen === '' ? rows.filter(isOnPage) : ofMonth.filter(isChosen);
}

/** Counts the events of each category, and marks the chosen one. */
function countChips(rows: readonly Row[], chosen: string): void {
  for (const chip of all('.chips [data-in]')) {
    const { in: id = '' } = chip.dataset;
    const count = countEvents(rows.filter(({ scope }) => id === '' || scope.startsWith(`${id}/`)));
    write(chip.querySelector('.count'), locale.number(count));
    chip.hidden = count === 0 && id !== chosen;
    chip.ariaCurrent = id === chosen ? 'true' : null;
  }
}

function showGrid(rows: readonly Row[]): void {
  const table = document.querySelector<HTMLElement>('table.large');
  if (table === null) return;
  const { month = '', firsts = '' } = table.dataset;
  const inOrder = rows.toSorted(byTime);
  const titles = titlesByDay(inOrder.flatMap(eventsOf));
  const counts = countRows(rows);
  const grid = monthTable({ locale, ...speech }, { month, counts, root: site.href, firsts: firsts.split(' '), titles });
  const shown = create(grid);
  shown.dataset['shown'] = '';
  table.replaceWith(shown);
  for (const cell of all(`td[data-day="${today()}"]`)) cell.classList.add('today');
}

/** The events of a row, which may be folded into one. */
function eventsOf({ node, at, day }: Row): GridEvent[] {
  return (node.matches('.run') ? all('.e', node) : [node]).map((one) => {
    const title = one.querySelector<HTMLAnchorElement>('.t');
    return {
      day,
      subject: title?.href?.split('#')[0] ?? '',
      colour: /\bc\d\b/.exec(one.className)?.[0] ?? '',
      time: at === null ? '' : timeOf(at, one.dataset['p'] ?? 'minute'),
      label: (title?.querySelector('b') ?? title)?.textContent?.trim() ?? '',
    };
  });
}
