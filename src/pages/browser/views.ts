import { dateAfter, monthAfter } from '../dates.ts';
import { heatMap, weeks } from '../heat.ts';
import { monthTable } from '../month-table.ts';
import type { Range } from '../search/dates.ts';
import { today } from './clock.ts';
import { all, create, put, write } from './dom.ts';
import { locale, site, speech } from './page.ts';

/** The number of events by day of the reader. */
export type DayCounts = ReadonlyMap<string, number>;

/** Makes the cells of the heat map work: they say their day, arrow keys move between them, a click chooses one. */
export function startHeatMap(place: HTMLElement, choose: (day: string) => void): void {
  const dayAt = ({ target }: Event): string | undefined =>
    target instanceof HTMLElement ? target.dataset['day'] : undefined;
  const describe = (event: Event): void => {
    const day = dayAt(event);
    const cell = event.target as HTMLElement;
    if (day !== undefined) write(place.querySelector('.readout'), cell.ariaLabel ?? '');
  };
  const clear = (): void => write(place.querySelector('.readout'), '');
  place.addEventListener('pointerover', describe);
  place.addEventListener('focusin', describe);
  place.addEventListener('pointerleave', clear);
  place.addEventListener('focusout', clear);
  place.addEventListener('keydown', (event) => moveInGrid(place, event));
  place.addEventListener('click', (event) => {
    const day = dayAt(event);
    if (day !== undefined) choose(day);
  });
}

/** Shows the heat map from today on. The focus stays on its day. */
export function showHeatMap(place: HTMLElement, counts: DayCounts, chosen: Range | null): void {
  const focused = document.activeElement;
  const day = place.contains(focused) ? (focused as HTMLElement).dataset['day'] : undefined;
  put(place, heatMap({ locale, ...speech }, counts, today(), chosen));
  if (day !== undefined) place.querySelector<HTMLElement>(`[data-day="${day}"]`)?.focus();
}

/** Shows the small grids of months as far as the heat map reaches, with the days of the reader. */
export function showGrids(counts: DayCounts, { first, root = site.href }: DOMStringMap = {}): void {
  const end = first === undefined ? '9999' : dateAfter(first, weeks * 7);
  for (const table of all('table.month:not(.large)')) {
    const { month = '', firsts = '' } = table.dataset;
    if (monthAfter(month, 1) > end) continue;
    const grid = monthTable({ locale, ...speech }, { month, counts, root, firsts: firsts.split(' ') });
    table.replaceWith(create(grid));
  }
  for (const cell of all(`td[data-day="${today()}"]`)) cell.classList.add('today');
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
