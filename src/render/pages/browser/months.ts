import { html } from '../html.ts';
import type { ShownEvent } from '../event-list.ts';
import { monthStrip, type MonthCounts } from '../month-strip.ts';
import { addressOf, type Choice } from './choice.ts';
import type { Gathered } from './documents.ts';
import { element, put } from './dom.ts';

const months = element('months');
const firstMonths = countsIn(months);

/** Without filters the strip counts the whole catalogue, like the build; otherwise the events that were read. */
export function showMonths(wanted: readonly ShownEvent[], { reach }: Gathered, choice: Choice): void {
  const { category, genre, search: words, month: chosen } = choice;
  const isAll = category === null && genre === null && words === '';
  const counts = isAll && reach !== null ? firstMonths : monthCounts(wanted);
  const from = isAll || reach === null || counts.size === 0 ? null : reach.slice(0, 7);
  const focused = months.querySelector<HTMLElement>(':focus')?.dataset['month'];
  const strip = monthStrip(counts, chosen, (month) => addressOf({ ...choice, month }), from);
  const caption = html`<p class="caption">+ and ? stand where there may be more.</p>`;
  put(months, html`${strip}${from !== null && caption}`);
  if (focused !== undefined) months.querySelector<HTMLElement>(`[data-month="${focused}"]`)?.focus();
}

/** Removes the strip, when no list could be read. */
export function clearMonths(): void {
  put(months, html``);
}

function monthCounts(shown: readonly ShownEvent[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { day } of shown) counts.set(day.slice(0, 7), (counts.get(day.slice(0, 7)) ?? 0) + 1);
  return counts;
}

/** Reads the counts of a strip from the page. */
function countsIn(strip: HTMLElement): MonthCounts {
  const bars = [...strip.querySelectorAll<HTMLElement>('[data-month]')];
  return new Map(bars.map(({ dataset }) => [dataset['month'] ?? '', Number(dataset['count'])]));
}
