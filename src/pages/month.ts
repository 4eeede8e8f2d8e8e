import type { AnnouncementRecord } from '../api/documents.ts';
import type { SiteFile } from '../api/site-file.ts';
import { describeDates } from './answer.ts';
import type { PageContext } from './context.ts';
import { monthAfter } from './dates.ts';
import { html, type Markup } from '../render/html.ts';
import { page } from './layout.ts';
import { pager, pagesOfDays, type ListPage } from './list-pages.ts';
import { monthTable, type Overview } from './month-table.ts';
import { monthPage, monthsPage, rootFrom } from '../render/links.ts';
import type { ListedEvent } from '../render/records.ts';
import { announcedList, eventList } from './rows.ts';
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
  readonly overview: Overview;
  /** What is announced for it, or for a longer period that ends with it. */
  readonly announced: readonly AnnouncementRecord[];
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
  const { locale, say, text } = context;
  const { month, total, events, counts, firsts, announced } = content;
  const { path, number, pages, shown } = monthly;
  const root = rootFrom(path);
  const name = locale.month(month);
  const { titles, ofCategories } = content.overview;
  const body = html`<main id="main" class="wide">
    <div class="monthhead">
      <h1>${name} <span class="count">${locale.number(total)}</span></h1>
      ${steps(context, content, root)}
    </div>
    ${categoryChips(context, ofCategories)} ${monthTable(context, { month, counts, root, firsts, titles })}
    ${total > events.length && html`<p class="note" id="capped">${say('capped', { n: events.length })}</p>`}
    <div id="list" class="list" tabindex="-1" data-unit="day" ${reachOf(content, monthly)}>
      ${eventList(context, shown, { root, unit: 'day', hasGenre: true })}
    </div>
    ${announced.length > 0 && announcedList(context, announced, { root, hasGenre: true })}
    ${pages > 1 && pager(context, monthly, root)}
    <p class="note"><span id="zone">${say('utc')}</span></p>
  </main>`;
  const ofPages = number > 1 ? `, ${text('pageOf', { page: number, pages })}` : '';
  return page(context, {
    title: `${name}: ${text('events', { n: total })}${ofPages}`,
    description: describeDates(context, shown),
    path,
    canonical: monthPage(month, number),
    ...(content.hasDocuments && { filters: { month } }),
    data: [breadcrumbData(context, [[name, monthPage(month)]])],
    view: 'month',
    body,
  });
}

/** Links to the month before it, to that of today and to the one after it. */
function steps({ locale, say, attribute }: PageContext, { month, previous, next }: Month, root: string): Markup {
  const nameOf = (to: string): string =>
    to.slice(0, 4) === month.slice(0, 4) ? locale.shortMonth(to) : locale.shortMonthYear(to);
  const arrow = (sign: string): Markup => html`<span class="arrow" aria-hidden="true">${sign}</span>`;
  return html`<nav class="steps" ${attribute('aria-label', 'months')}>
    ${previous !== null && html`<a href="${root}${monthPage(previous)}">${arrow('←')} ${nameOf(previous)}</a>`}
    <a href="${root}${monthsPage}">${say('today')}</a>
    ${next !== null && html`<a href="${root}${monthPage(next)}">${nameOf(next)} ${arrow('→')}</a>`}
  </nav>`;
}

/** Renders the choices of a category, with the number of its events. The script filters the month. */
function categoryChips(
  { categories, locale, say, attribute, colour }: PageContext,
  counts: Overview['ofCategories'],
): Markup {
  const sum = [...counts.values()].reduce((total, count) => total + count, 0);
  const chip = (id: string, kind: string, name: Markup, count: number): Markup =>
    html`<a class="${kind}" href="?in=${id}" data-in="${id}" ${id === '' && html` aria-current="true"`}
      >${name}<span class="count">${locale.number(count)}</span></a
    > `;
  return html`<nav class="chips script" ${attribute('aria-label', 'categories')}>
    ${chip('', 'all', say('everything'), sum)}${categories
      .filter(({ id }) => counts.has(id))
      .map(({ id, name }) => chip(id, colour(id), html`<bdi>${name}</bdi>`, counts.get(id) ?? 0))}
  </nav>`;
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
