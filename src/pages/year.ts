import { html, type Markup } from '../render/html.ts';
import { monthPage, rootFrom, yearPage } from '../render/links.ts';
import type { PageContext } from './context.ts';
import { monthIn } from './dates.ts';
import { page } from './layout.ts';
import { monthTable } from './month-table.ts';
import type { Calendar } from './month.ts';
import { maxClocks } from './page-summary.ts';
import { tagList } from './strip.ts';

const shownMonths = 12;

/**
 * Renders `year/`: the next twelve months that have events, with days shaded by their number of
 * events.
 */
export function yearPageOf(context: PageContext, calendar: Calendar, total: number): string {
  const { text, locale, today } = context;
  const { byMonth, perDay } = calendar;
  const root = rootFrom(yearPage);
  const months = [...byMonth.keys()];
  const first = firstMonth(months, today);
  const visibleMonths =
    first === undefined ? [] : months.slice(months.indexOf(first)).slice(0, shownMonths);
  const otherMonths = months.filter((month) => !visibleMonths.includes(month));
  const body = html`<main id="main" class="wide">
    <div class="title"><h1>${text('year')}</h1></div>
    <p class="${visibleMonths.length === 0 ? 'empty' : 'note'}">
      ${text(visibleMonths.length === 0 ? 'nothing' : 'preview')}
    </p>
    <div id="list" class="yearmonths" tabindex="-1" ${clocksOf(calendar)}>
      ${visibleMonths.map(
        (month) =>
          html`<section>
            <h2><a href="${root}${monthPage(month)}">${locale.month(month)}</a></h2>
            ${monthTable(context, { month, counts: perDay, root })}
          </section>`,
      )}
    </div>
    ${otherMonths.length > 0 && monthLinks(context, otherMonths, root)}
  </main>`;
  const title = `${text('year')}: ${text('upcomingOf', { n: total })}`;
  return page(context, {
    title,
    description: text('heatMap'),
    path: yearPage,
    body,
  });
}

/** Returns the current month, or the next that has events, or the last. */
export function firstMonth(months: readonly string[], today: string): string | undefined {
  const current = monthIn(today);
  return months.find((month) => month >= current) ?? months.at(-1);
}

/**
 * What the script needs to count events by the days of its reader: how many of each day have no
 * clock time, and when the others begin and end, as differences in base 36.
 */
function clocksOf({ byDay, clocks }: Calendar): Markup | false {
  if (clocks.starts.length > maxClocks) return false;
  const dated = Array.from(byDay, ([day, summary]) => `${day} ${summary.dated}`);
  return html`data-dated="${dated.join()}" data-starts="${differences(clocks.starts)}"
  data-ends="${differences(clocks.ends)}"`;
}

function differences(instants: readonly number[]): string {
  const sorted = instants.toSorted((a, b) => a - b);
  return sorted.map((at, index) => (at - (sorted[index - 1] ?? 0)).toString(36)).join(' ');
}

export function monthLinks(context: PageContext, months: readonly string[], root: string): Markup {
  const { locale, text } = context;
  const links = months.map((month) => ({
    name: locale.month(month),
    path: monthPage(month),
  }));
  return html`<nav class="monthlinks" aria-label="${text('months')}">
    ${tagList(context, root, links)}
  </nav>`;
}
