import { html, type Markup } from './html.ts';
import { grouped, monthAfter, monthName, monthTitle, plural } from './dates.ts';

/** The number of events in each month, such as `2027-01`. */
export type MonthCounts = ReadonlyMap<string, number>;

/** The number of months with a bar of their own. A last bar without a column counts all later events. */
const monthsShown = 12;

/** One bar of the strip: a month, or all later ones. */
interface Bar {
  /** `2027-01` for a month, `2027-01-on` for that month and all later ones. */
  readonly month: string;
  readonly label: string;
  readonly short: string;
  readonly count: number;
  /** Whether there may be more events than `count`. */
  readonly isLeast: boolean;
}

/**
 * Renders a bar for each month, beginning with the first that has events. Each bar is a link to its month. If `reach` is
 * not null, there may be more events than counted from that month on.
 */
export function monthStrip(
  counts: MonthCounts,
  chosen: string | null,
  linkTo: (month: string | null) => string,
  reach: string | null = null,
): Markup {
  const bars = barsOf(counts, reach);
  const highest = Math.max(1, ...bars.filter(({ month }) => !isOpen(month)).map(({ count }) => count));
  return html`<ol class="strip">
    ${bars.map(
      (bar) =>
        html`<li>
          <a
            href="${linkTo(bar.month === chosen ? null : bar.month)}"
            data-month="${bar.month}"
            data-count="${bar.count}"
            ${bar.month === chosen && html` aria-current="true"`}
            ><span class="sr">${bar.label}: ${inWords(bar)}</span>
            <span class="count" aria-hidden="true">${inShort(bar)}</span
            >${!isOpen(bar.month) && column(bar.count / highest)}<span class="name" aria-hidden="true"
              >${bar.short}</span
            ></a
          >
        </li>`,
    )}
  </ol>`;
}

/** Whether a date is in the month or months of a bar. */
export function isIn(month: string, date: string): boolean {
  return isOpen(month) ? date >= month.slice(0, 7) : date.startsWith(month);
}

export function isOpen(month: string): boolean {
  return month.endsWith('-on');
}

/** `2027-01` as `January 2027`, `2027-01-on` as `From January 2027 on`. */
function barTitle(month: string): string {
  return isOpen(month) ? `From ${monthTitle(month)} on` : monthTitle(month);
}

function inWords({ count, isLeast }: Bar): string {
  if (isLeast && count === 0) return 'not known';
  return `${isLeast ? 'at least ' : ''}${plural(count, 'event')}`;
}

function inShort({ count, isLeast }: Bar): string {
  return isLeast && count === 0 ? '?' : `${grouped(count)}${isLeast ? '+' : ''}`;
}

function column(share: number): Markup {
  const height = Math.round(share * 100) / 100;
  return html`<svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
    <rect width="1" height="${height}" y="${1 - height}" />
  </svg>`;
}

function barsOf(counts: MonthCounts, reach: string | null): Bar[] {
  if (counts.size === 0) return [];
  const first = firstOf(counts);
  const shown = Array.from({ length: monthsShown }, (_, n) => monthAfter(first, n));
  const bars = shown.map((month, n) => ({
    month,
    label: barTitle(month),
    short: monthName(month).slice(0, 3) + (n === 0 || month.endsWith('-01') ? ` ’${month.slice(2, 4)}` : ''),
    count: counts.get(month) ?? 0,
    isLeast: reach !== null && month >= reach,
  }));
  const rest = `${monthAfter(first, monthsShown)}-on`;
  const count = [...counts].reduce((sum, [month, n]) => sum + (isIn(rest, month) ? n : 0), 0);
  const isLeast = reach !== null;
  return count === 0 && !isLeast
    ? bars
    : [...bars, { month: rest, label: barTitle(rest), short: 'Later', count, isLeast }];
}

function firstOf(counts: MonthCounts): string {
  return [...counts.keys()].reduce((first, month) => (month < first ? month : first), '9999-12');
}
