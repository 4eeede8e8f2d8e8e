import type { SiteFile } from '../api/site-file.ts';
import type { PageContext } from './context.ts';
import { datesIn, monthAfter, weekdayOf } from './dates.ts';
import { html, type Markup } from '../render/html.ts';
import { page } from './layout.ts';
import { pageOfDay, pager, pagesOfDays, type ListPage } from './list-pages.ts';
import { monthPage, rootFrom } from '../render/links.ts';
import type { ListedEvent } from '../render/records.ts';
import { eventList } from './rows.ts';
import { breadcrumbData } from './structured-data.ts';

/** The maximum number of events on the pages of a month. It bounds the memory of a build. */
export const maxInMonth = 10_000;

/** What the pages of a month show. */
export interface Month {
  /** Such as `2027-03`. */
  readonly month: string;
  /** Whether it has documents of its own. A time near midnight may be in another month where the event happens. */
  readonly hasDocuments: boolean;
  /** The number of all of its events. */
  readonly total: number;
  /** The soonest of them. */
  readonly events: readonly ListedEvent[];
  /** The number of events of each day. */
  readonly counts: ReadonlyMap<string, number>;
  /** The first day of each of its pages. */
  readonly firsts: readonly string[];
  /** The last page of the calendar month before it, and the first page of the one after it, if they have events. */
  readonly before: string | null;
  readonly after: string | null;
  /** The nearest months before and after it that have events. */
  readonly previous: string | null;
  readonly next: string | null;
}

/**
 * Renders the pages of a month: its grid, and its events by day.
 *
 * @param path the path of the only page to render, if it is not that of the month
 */
export function* monthPages(context: PageContext, content: Month, path?: string): Generator<SiteFile> {
  const { month, events } = content;
  const pages = pagesOfDays(events, (number) => monthPage(month, number));
  for (const listPage of path === undefined ? pages : pages.slice(0, 1)) {
    const at = path ?? monthPage(month, listPage.number);
    yield { path: `${at}index.html`, content: monthPageOf(context, content, { ...listPage, path: at }) };
  }
}

/** A page of a month. */
interface MonthPage extends ListPage {
  readonly path: string;
}

function monthPageOf(context: PageContext, content: Month, monthly: MonthPage): string {
  const { service, locale, say, text } = context;
  const { month, total, events, counts, firsts, previous, next } = content;
  const { path, number, pages, shown } = monthly;
  const root = rootFrom(path);
  const name = locale.month(month);
  const link = (to: string | null): Markup | false =>
    to !== null && html`<a href="${root}${monthPage(to)}">${locale.month(to)}</a>`;
  const body = html`<main id="main" class="wide">
    <div class="monthhead">
      <h1>${name} <span class="count">${locale.number(total)}</span></h1>
      <p class="steps">${link(previous)} ${link(next)}</p>
    </div>
    ${monthTable(context, { month, counts, root, firsts, isLarge: true })}
    ${total > events.length && html`<p class="note">${say('capped', { n: events.length })}</p>`}
    <div id="list" class="list" tabindex="-1" data-unit="day" ${reachOf(content, monthly)}>
      ${eventList(context, shown, { root, unit: 'day', hasGenre: true })}
    </div>
    ${pages > 1 && pager(context, monthly, root)}
    <p class="note"><span id="zone">${say('utc')}</span></p>
  </main>`;
  const ofPages = number > 1 ? `, ${text('pageOf', { page: number, pages })}` : '';
  return page(context, {
    title: `${name}${ofPages}: ${service.name}`,
    description: `${name}${ofPages}: ${text('events', { n: total })}. ${service.name}`,
    path,
    canonical: monthPage(month, number),
    ...(content.hasDocuments && { filters: { month } }),
    data: [breadcrumbData(context, [[name, monthPage(month)]])],
    view: 'month',
    body,
  });
}

/**
 * The days that a page lists, from `data-from` until the day before `data-until`, and the other pages that have some of
 * the month. The days of a reader begin earlier or later than in UTC.
 */
function reachOf({ month, firsts, before, after }: Month, { number, pages, pathOf }: MonthPage): Markup {
  const first = firsts[number - 1] ?? '';
  const [beforeMonth, afterMonth] = [before && `${month}-01`, after && `${monthAfter(month, 1)}-01`];
  const from = number === 1 ? beforeMonth : first;
  const until = firsts.find((one, index) => index >= number && one > first) ?? afterMonth;
  const own = Array.from({ length: pages }, (_, index) => pathOf(index + 1)).filter((_, index) => index + 1 !== number);
  const others = [before, ...own, after].filter((one) => one !== null).join(' ');
  return html` data-month="${month}" data-from="${from}" data-until="${until}" data-others="${others}"`;
}

/** The days of a month. */
interface Grid {
  readonly month: string;
  /** The number of events of each day. */
  readonly counts: ReadonlyMap<string, number>;
  readonly root: string;
  /** The first day of each page of the month. */
  readonly firsts: readonly string[];
  readonly isLarge?: boolean;
}

/** Renders the days of a month as a table, with the number of events of each. A day links to the page that lists it. */
export function monthTable(
  { locale, text }: Pick<PageContext, 'locale' | 'text'>,
  { month, counts, root, firsts, isLarge = false }: Grid,
): Markup {
  const dates = datesIn(month);
  const [first = `${month}-01`] = dates;
  const cells: (string | null)[] = [...Array.from({ length: weekdayOf(first) }, () => null), ...dates];
  const weeks = Array.from({ length: Math.ceil(cells.length / 7) }, (_, n) => cells.slice(n * 7, n * 7 + 7));
  // 1 January 2024 was a Monday.
  const weekdays = Array.from({ length: 7 }, (_, n) => `2024-01-0${n + 1}`);
  return html`<table
    class="month${isLarge && ' large'}"
    data-month="${month}"
    ${firsts.length > 1 && html` data-firsts="${firsts.join(' ')}"`}
  >
    <caption class="sr">
      ${locale.month(month)}
    </caption>
    <thead>
      <tr>
        ${weekdays.map((day) => html`<th scope="col" abbr="${locale.weekday(day)}">${isLarge ? locale.shortWeekday(day) : ([...locale.weekday(day)][0] ?? '')}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${weeks.map(
        (week) =>
          html`<tr>
            ${week.map((date) => html`<td${date !== null && html` data-day="${date}"`}>${date !== null && dayCell(date)}</td>`)}
          </tr> `,
      )}
    </tbody>
  </table>`;

  function dayCell(date: string): Markup {
    const count = counts.get(date) ?? 0;
    const number = +date.slice(8);
    if (count === 0) return html`<span>${number}</span>`;
    const address = root + monthPage(month, pageOfDay(date, firsts));
    return html`<a href="${address}#d${date}" title="${text('events', { n: count })}"
      >${number} <b>${locale.number(count)}</b></a
    >`;
  }
}
