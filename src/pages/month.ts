import type { PageContext } from './context.ts';
import { datesIn, weekdayOf } from './dates.ts';
import { html, type Markup } from '../render/html.ts';
import { page } from './layout.ts';
import { monthPage, rootFrom } from '../render/links.ts';
import type { ListedEvent } from '../render/records.ts';
import { eventList } from './rows.ts';
import { breadcrumbData } from './structured-data.ts';

/** The maximum number of events on the page of a month. */
export const maxInMonth = 500;

/** What the page of a month shows. */
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
  /** The months before and after it that have events. */
  readonly previous: string | null;
  readonly next: string | null;
}

/**
 * Renders the page of a month: its grid, and its events by day.
 *
 * @param path the path of the page, if it is not that of the month
 */
export function monthPageOf(context: PageContext, content: Month, path = monthPage(content.month)): string {
  const { service, locale, say, text } = context;
  const { month, total, events, counts, previous, next } = content;
  const root = rootFrom(path);
  const name = locale.month(month);
  const link = (to: string | null, rel: string): Markup | false =>
    to !== null && html`<a rel="${rel}" href="${root}${monthPage(to)}">${locale.month(to)}</a>`;
  const body = html`<main id="main" class="wide">
    <div class="monthhead">
      <h1>${name} <span class="count">${locale.number(total)}</span></h1>
      <p class="steps">${link(previous, 'prev')} ${link(next, 'next')}</p>
    </div>
    ${monthTable(context, month, counts, '', true)}
    ${total > events.length && html`<p class="note">${say('capped', { n: events.length })}</p>`}
    <div id="list" class="list" tabindex="-1" data-unit="day" data-month="${month}">
      ${eventList(context, events, { root, unit: 'day', hasGenre: true })}
    </div>
    <p class="note"><span id="zone">${say('utc')}</span></p>
  </main>`;
  return page(context, {
    title: `${name}: ${service.name}`,
    description: `${name}: ${text('events', { n: total })}. ${service.name}`,
    path,
    canonical: monthPage(month),
    ...(content.hasDocuments && { filters: { month } }),
    data: [breadcrumbData(context, [[name, monthPage(month)]])],
    view: 'month',
    body,
  });
}

/**
 * Renders the days of a month as a table, with the number of events of each.
 *
 * @param root where the page of the month is; empty on that page itself
 */
export function monthTable(
  { locale, text }: Pick<PageContext, 'locale' | 'text'>,
  month: string,
  counts: ReadonlyMap<string, number>,
  root: string,
  isLarge = false,
): Markup {
  const dates = datesIn(month);
  const [first = `${month}-01`] = dates;
  const cells: (string | null)[] = [...Array.from({ length: weekdayOf(first) }, () => null), ...dates];
  const weeks = Array.from({ length: Math.ceil(cells.length / 7) }, (_, n) => cells.slice(n * 7, n * 7 + 7));
  const address = root === '' ? '' : `${root}${monthPage(month)}`;
  // 1 January 2024 was a Monday.
  const weekdays = Array.from({ length: 7 }, (_, n) => `2024-01-0${n + 1}`);
  return html`<table class="month${isLarge && ' large'}" data-month="${month}">
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
    return html`<a href="${address}#d${date}" title="${text('events', { n: count })}"
      >${number} <b>${locale.number(count)}</b></a
    >`;
  }
}
