import { dateAfter, monthAfter } from '../dates.ts';
import { countDays, heatMap, unpackStarts, weeks } from '../heat.ts';
import { monthPage } from '../../render/links.ts';
import { monthTable } from '../month-table.ts';
import { namedRanges, type Range } from '../search/dates.ts';
import { dayOf, today } from './clock.ts';
import { all, create, find, put, write } from './dom.ts';
import { arrange, rowsIn, type Row } from './list.ts';
import { kind, locale, notify, site, speech } from './page.ts';

const months = new Map<string, Promise<Row[]>>();

/** The number of events of each day of the reader, as far as the heat map goes. */
let counts: ReadonlyMap<string, number> = new Map();
let chosen = '';

/** Makes the heat map, the chips and the picker of dates work. They choose which days the list shows. */
export function startViews(list: HTMLElement, ownRows: () => readonly Row[]): void {
  const place = find('heat');
  const { starts, first } = place?.dataset ?? {};
  if (place === null || starts === undefined || first === undefined) return;
  counts = countDays(unpackStarts(starts), dayOf);
  const show = (): void => put(place, heatMap({ locale, ...speech }, counts, today(), chosenDay()));
  const choose = (day: string): void => {
    if (day !== chosen) history.pushState(null, '', day === '' ? location.pathname : `?day=${day}`);
    void open(day);
  };
  const open = async (day: string): Promise<void> => {
    chosen = day;
    markChosen();
    show();
    await showDays(list, ownRows, day);
  };
  const isHome = list.dataset['unit'] === 'day';
  place.addEventListener('click', ({ target }) => {
    const day = target instanceof HTMLElement ? target.dataset['day'] : undefined;
    if (day === undefined) return;
    if (isHome) choose(day === chosen ? '' : day);
    else location.assign(new URL(`?day=${day}`, site));
    place.querySelector<HTMLElement>(`[data-day="${day}"]`)?.focus();
  });
  place.addEventListener('keydown', (event) => moveInGrid(place, event));
  countChips();
  show();
  showGrids(counts, place.dataset['root'], dateAfter(first, weeks * 7));
  if (isHome) startChoices(choose, open);
}

/** Makes the chips and the picker of dates of the home page work, and the history of the browser. */
function startChoices(choose: (day: string) => void, open: (day: string) => Promise<void>): void {
  for (const chip of all('.chips a')) {
    chip.addEventListener('click', (event) => {
      event.preventDefault();
      choose(chip.dataset['when'] ?? '');
    });
  }
  const picker = find('day') as HTMLInputElement | null;
  picker?.addEventListener('change', () => choose(picker.value));
  picker?.addEventListener('click', () => picker.showPicker());
  const inAddress = (): string => new URLSearchParams(location.search).get('day') ?? (kind === 'today' ? 'today' : '');
  addEventListener('popstate', () => void open(inAddress()));
  if (inAddress() !== '') void open(inAddress());
}

/** Shows the grids of months that end before a date again, with the days of the reader. */
function showGrids(perDay: ReadonlyMap<string, number>, root = site.href, end = '9999'): void {
  for (const table of all('table.month:not(.large)')) {
    const { month = '', firsts = '' } = table.dataset;
    if (monthAfter(month, 1) > end) continue;
    const days = { month, counts: perDay, root, firsts: firsts.split(' ') };
    const grid = monthTable({ locale, ...speech }, days);
    table.replaceWith(create(grid));
  }
  for (const cell of all(`td[data-day="${today()}"]`)) cell.classList.add('today');
}

/** The dates of a choice: a name, or a date. Null stands for all. */
function rangeOf(choice: string): Range | null {
  if (/^\d{4}-\d\d-\d\d$/.test(choice) && !Number.isNaN(Date.parse(choice))) return { from: choice, until: choice };
  return namedRanges[choice]?.(today()) ?? null;
}

function chosenDay(): string | null {
  const range = rangeOf(chosen);
  return range !== null && range.from === range.until ? range.from : null;
}

function markChosen(): void {
  // A chosen range is always listed completely, and has only the events that begin on its days.
  for (const note of all('.note > [data-w=listed], .rest')) note.hidden = chosen !== '';
  for (const chip of all('.chips a')) {
    if (chip.dataset['when'] === chosen) chip.setAttribute('aria-current', 'true');
    else chip.removeAttribute('aria-current');
  }
}

/** The numbers of the chips, which change at midnight. */
export function countChips(): void {
  for (const chip of all('.chips a')) {
    const range = rangeOf(chip.dataset['when'] ?? '');
    if (range === null) continue;
    let sum = 0;
    for (const [day, count] of counts) if (day >= range.from && day <= range.until) sum += count;
    write(chip.querySelector('.count'), locale.number(sum));
  }
}

/** Shows the days of a choice, from the page itself as far as it goes, otherwise from the pages of their months. */
async function showDays(list: HTMLElement, ownRows: () => readonly Row[], choice: string): Promise<void> {
  const range = rangeOf(choice);
  const own = ownRows();
  notify('days', null);
  if (range === null) return arrange(list, own);
  const isIn = ({ day }: Row): boolean => day >= range.from && day <= range.until;
  const reach = list.dataset['until'] ?? '';
  if (reach === '' || dateAfter(range.until) < reach)
    return arrange(list, own.filter(isIn), speech.text('nothingThen'));
  list.ariaBusy = 'true';
  try {
    const rows = await rowsOfMonths(range);
    if (choice === chosen) arrange(list, rows.filter(isIn), speech.text('nothingThen'));
  } catch {
    const again = { label: speech.text('again'), run: () => void showDays(list, ownRows, choice) };
    notify('days', speech.text('failed'), again);
  }
  list.ariaBusy = null;
}

/** Reads the pages of the months of a range. Pages go by UTC, so the reader's first day may begin in another month. */
async function rowsOfMonths({ from, until }: Range): Promise<Row[]> {
  const last = dateAfter(until).slice(0, 7);
  const wanted: string[] = [];
  for (let month = dateAfter(from, -1).slice(0, 7); month <= last; month = monthAfter(month, 1)) wanted.push(month);
  return (await Promise.all(wanted.map(async (month) => rowsOfPage(monthPage(month))))).flat();
}

/** Reads the rows of a page of the site, once; none if there is no such page. Links lead to the same places from here. */
export async function rowsOfPage(path: string): Promise<Row[]> {
  const known = months.get(path) ?? readPage(path);
  months.set(path, known);
  known.catch(() => months.delete(path));
  return known;
}

async function readPage(path: string): Promise<Row[]> {
  const address = new URL(path, site);
  const response = await fetch(address);
  if (response.status === 404) return [];
  if (!response.ok) throw new Error(`${response.status}`);
  const other = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const link of all('#list a', other))
    link.setAttribute('href', new URL(link.getAttribute('href') ?? '', address).href);
  const list = other.getElementById('list');
  return list === null ? [] : rowsIn(list).map((row) => ({ ...row, node: document.adoptNode(row.node) }));
}

function moveInGrid(grid: HTMLElement, event: KeyboardEvent): void {
  const from = event.target instanceof HTMLElement ? event.target.dataset['day'] : undefined;
  const right = document.dir === 'rtl' ? -7 : 7;
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: right,
    ArrowLeft: -right,
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: 28,
    PageUp: -28,
  };
  const step = steps[event.key] ?? 0;
  if (from === undefined || step === 0) return;
  const target = grid.querySelector<HTMLButtonElement>(`[data-day="${dateAfter(from, step)}"]:not(:disabled)`);
  event.preventDefault();
  if (target === null || target.offsetParent === null) return;
  for (const cell of all('[tabindex="0"]', grid)) cell.tabIndex = -1;
  target.tabIndex = 0;
  target.focus();
}
