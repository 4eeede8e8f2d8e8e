import { html, type Markup } from './html.ts';
import { grouped, monthAfter, monthName, monthTitle } from './dates.ts';

/** How many events there are in each month, such as `2027-01`. */
export type MonthCounts = ReadonlyMap<string, number>;

/** The months shown apart; what lies behind them stands together. */
const monthsShown = 12;

/** What one bar of the strip stands for. */
interface Bar {
  /** `2027-01` for a month, `2027-01-on` for all from there on. */
  readonly month: string;
  readonly label: string;
  readonly short: string;
  readonly count: number;
}

/** A bar for each month from the first with events on: where the events lie, each a link to its month. */
export function monthStrip(
  counts: MonthCounts,
  chosen: string | null,
  linkTo: (month: string | null) => string,
): Markup {
  const bars = barsOf(counts);
  const most = Math.max(1, ...bars.filter(({ month }) => !isOpen(month)).map(({ count }) => count));
  return html`<ol class="strip">
    ${bars.map(
      ({ month, label, short, count }) =>
        html`<li>
          <a
            href="${linkTo(month === chosen ? null : month)}"
            data-month="${month}"
            data-count="${count}"
            ${month === chosen && html` aria-current="true"`}
            ><span class="sr">${label}: ${grouped(count)} ${count === 1 ? 'event' : 'events'}</span>
            <span class="count" aria-hidden="true">${grouped(count)}</span
            ><svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
              <rect width="1" height="${height(count, most)}" y="${1 - height(count, most)}" /></svg
            ><span class="name" aria-hidden="true">${short}</span></a
          >
        </li>`,
    )}
  </ol>`;
}

/** Whether a date lies in the month, or the months, that a bar stands for. */
export function isIn(month: string, date: string): boolean {
  return isOpen(month) ? date >= month.slice(0, 7) : date.startsWith(month);
}

export function isOpen(month: string): boolean {
  return month.endsWith('-on');
}

/** `2027-01` as `January 2027`, `2027-01-on` as `From January 2027 on`. */
export function barTitle(month: string): string {
  return isOpen(month) ? `From ${monthTitle(month)} on` : monthTitle(month);
}

function barsOf(counts: MonthCounts): Bar[] {
  if (counts.size === 0) return [];
  const first = firstOf(counts);
  const shown = Array.from({ length: monthsShown }, (_, n) => monthAfter(first, n));
  const bars = shown.map((month, n) => ({
    month,
    label: barTitle(month),
    short: monthName(month).slice(0, 3) + (n === 0 || month.endsWith('-01') ? ` ’${month.slice(2, 4)}` : ''),
    count: counts.get(month) ?? 0,
  }));
  const rest = `${monthAfter(first, monthsShown)}-on`;
  const count = [...counts].reduce((sum, [month, n]) => sum + (isIn(rest, month) ? n : 0), 0);
  return count === 0 ? bars : [...bars, { month: rest, label: barTitle(rest), short: 'Later', count }];
}

function firstOf(counts: MonthCounts): string {
  return [...counts.keys()].reduce((first, month) => (month < first ? month : first), '9999-12');
}

/** Cut at the most of a month: what is later may be more than any of them. */
function height(count: number, most: number): number {
  return Math.round(Math.min(1, count / most) * 100) / 100;
}
