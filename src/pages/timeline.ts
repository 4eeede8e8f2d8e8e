import { html, type Markup } from '../render/html.ts';
import type { ListedEvent } from '../render/records.ts';
import type { PageContext } from './context.ts';
import { isoDay } from './rows.ts';

/** The number of dates from which, and up to which, a line of years helps. */
const [fewest, most] = [3, 60];
/** The maximum number of years that have labels. */
const maxLabels = 7;

/** Renders a line of years with a dot for each date. The list below it says the same. */
export function timeline({ locale }: PageContext, upcoming: readonly ListedEvent[]): Markup | null {
  const days = upcoming.map(({ record }) => Date.parse(isoDay(record)));
  const [first = 0, last = 0] = [days[0], days.at(-1)];
  const years = yearsBetween(first, last);
  if (days.length < fewest || days.length > most || years.length < 3) return null;
  const place = (at: number): string => {
    const share = 1 + (98 * (at - first)) / (last - first);
    return `${(locale.isRightToLeft ? 100 - share : share).toFixed(1)}%`;
  };
  const step = Math.ceil(years.length / maxLabels);
  const labels = years.filter((_, index) => index % step === 0);
  return html`<svg class="years" width="100%" height="44" aria-hidden="true">
    <line x1="1%" x2="99%" y1="14" y2="14" />
    ${labels.map((year) => html`<text x="${place(Date.UTC(year, 0))}" y="38" text-anchor="middle">${String(year)}</text>`)}
    ${days.map((at, index) => html`<circle cx="${place(at)}" cy="14" r="${index === 0 ? 7 : 5}" />`)}
  </svg>`;
}

/** The years that begin between two instants. */
function yearsBetween(first: number, last: number): number[] {
  const from = new Date(first).getUTCFullYear() + 1;
  const until = new Date(last).getUTCFullYear();
  return Array.from({ length: Math.max(0, until - from + 1) }, (_, index) => from + index);
}
