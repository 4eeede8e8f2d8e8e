import type { AnnouncementRecord } from '../api/documents.ts';
import { html, type Markup } from '../render/html.ts';
import { eventPage } from '../api/paths.ts';
import { genrePage, monthPage, monthsPage, rootFrom, yearPage } from '../render/links.ts';
import type { ListedEvent } from '../render/records.ts';
import { fullTitle } from '../render/subject-name.ts';
import { describeNext } from './card.ts';
import type { PageContext } from './context.ts';
import { monthAfter } from './dates.ts';
import { page } from './layout.ts';
import { monthTable, type DayTitle } from './month-table.ts';
import { maxInMonth, type DaySummary, type PageSummary } from './page-summary.ts';
import { announcedList, eventList, section } from './rows.ts';
import { tagList } from './strip.ts';

export interface Calendar extends Pick<PageSummary, 'byMonth' | 'byDay' | 'perDay'> {
  /** What is announced without a date, as far as lists go. */
  readonly announced: readonly AnnouncementRecord[];
}

/**
 * Renders the page of a month: its grid, and its events by day. A busy month lists the genres of
 * each day instead.
 *
 * @param path the path of the page, if it is not that of the month
 */
export function monthPageOf(
  context: PageContext,
  calendar: Calendar,
  month: string,
  path = monthPage(month),
): string {
  const { locale, text } = context;
  const root = rootFrom(path);
  const events = calendar.byMonth.get(month) ?? [];
  const days = [...calendar.byDay].filter(([day]) => day.startsWith(month));
  const counts = countByCategory(context, days);
  const total = counts.get('') ?? 0;
  const name = locale.month(month);
  const announced = calendar.announced.filter(({ window }) => window.until.startsWith(month));
  const style = { root, unit: 'day', hasGenre: true } as const;
  const list =
    total > maxInMonth
      ? genresByDay(context, days, calendar.perDay, root)
      : eventList(context, events, style);
  const titleOf = ({ record: { id, title, subject, category } }: ListedEvent): DayTitle => {
    return {
      colour: context.colour(category),
      name: fullTitle(title, subject.name),
      address: root + eventPage(id),
    };
  };
  const titles = new Map(days.map(([day, { first }]) => [day, first.map(titleOf)]));
  // They have events of the first and last days for readers far away.
  const around = [monthAfter(month, -1), monthAfter(month, 1)]
    .filter((one) => calendar.byMonth.has(one))
    .map(monthPage)
    .join(' ');
  const body = html`<main id="main" class="monthpage">
    <div class="title">
      <h1>${name} <span class="count">${locale.number(total)}</span></h1>
      ${steps(context, calendar, month, root)}
    </div>
    ${categoryChips(context, counts)}
    ${monthTable(context, { month, counts: calendar.perDay, root, titles })}
    <div class="agenda">
      <div
        id="list"
        class="list"
        tabindex="-1"
        data-unit="day"
        data-month="${month}"
        data-around="${around}"
      >
        ${list}
      </div>
    </div>
    ${announced.length > 0 && announcedList(context, announced, style)}
    <p class="note"><span id="zone">${text('ownZones')}</span></p>
  </main>`;
  return page(context, {
    title: `${name}: ${text('events', { n: total })}`,
    description: describeNext(context, events),
    path,
    canonical: monthPage(month),
    filters: { month },
    crumbs: [[name, monthPage(month)]],
    body,
  });
}

type Days = readonly (readonly [day: string, summary: DaySummary])[];

/** Counts the events of each category, by id, and all by an empty one. */
function countByCategory({ categoryOf }: PageContext, days: Days): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [, { genres }] of days)
    for (const [genre, count] of genres)
      for (const id of ['', categoryOf(genre)]) counts.set(id, (counts.get(id) ?? 0) + count);
  return counts;
}

function genresByDay(
  context: PageContext,
  days: Days,
  perDay: Calendar['perDay'],
  root: string,
): Markup {
  const { colour, categoryOf, nameOfGenre, locale } = context;
  const row = (day: string, genre: string, count: number): Markup => {
    return html`<li
      class="e many ${colour(categoryOf(genre))}"
      data-g="${categoryOf(genre)}/${genre}"
      data-on="${day}"
      data-count="${count}"
    >
      <a class="t" href="${root}${genrePage(genre)}"
        ><bdi>${nameOfGenre(genre)}</bdi> <span class="count">${locale.number(count)}</span></a
      >
    </li>`;
  };
  return html`${days.map(([day, { genres }]) => {
    const rows = Array.from(genres, ([genre, count]) => row(day, genre, count));
    return section(locale, 'day', day, perDay.get(day) ?? 0, html`${rows}`);
  })}`;
}

function steps(
  { locale, text }: PageContext,
  { byMonth }: Calendar,
  month: string,
  root: string,
): Markup {
  const months = [...byMonth.keys()];
  const at = months.indexOf(month);
  const [previous, next] = [months[at - 1], months[at + 1]];
  const arrow = (sign: string): Markup =>
    html`<span class="arrow" aria-hidden="true">${sign}</span>`;
  return html`<nav class="steps" aria-label="${text('months')}">
    ${previous !== undefined && html`<a href="${root}${monthPage(previous)}">${arrow('←')} ${locale.shortMonth(previous)}</a>`}
    <a href="${root}${monthsPage}">${text('today')}</a>
    ${next !== undefined && html`<a href="${root}${monthPage(next)}">${locale.shortMonth(next)} ${arrow('→')}</a>`}
  </nav>`;
}

function categoryChips(context: PageContext, counts: ReadonlyMap<string, number>): Markup {
  const { categories, locale, text, colour } = context;
  const chip = (id: string, kind: string, name: Markup): Markup =>
    html`<a
      class="${kind}"
      href="?in=${id}"
      data-in="${id}"
      ${id === '' && html` aria-current="true"`}
      >${name} <span class="count">${locale.number(counts.get(id) ?? 0)}</span></a
    > `;
  return html`<nav class="strip chips script" aria-label="${text('categories')}">
    ${chip('', 'all', html`${text('everything')}`)}${categories
      .filter(({ id }) => counts.has(id))
      .map(({ id, name }) => chip(id, colour(id), html`<bdi>${name}</bdi>`))}
  </nav>`;
}

const shownMonths = 12;

/**
 * Renders `year/`: the next twelve months that have events, with days shaded by their number of
 * events.
 */
export function yearPageOf(
  context: PageContext,
  { byMonth, perDay }: Calendar,
  total: number,
): string {
  const { text, locale } = context;
  const root = rootFrom(yearPage);
  const months = [...byMonth.keys()];
  const [shown, later] = [months.slice(0, shownMonths), months.slice(shownMonths)];
  const body = html`<main id="main" class="wide">
    <div class="title"><h1>${text('year')}</h1></div>
    ${shown.length === 0 && html`<p class="empty">${text('nothing')}</p>`}
    <div id="list" class="yearmonths" tabindex="-1">
      ${shown.map(
        (month) =>
          html`<section>
            <h2><a href="${root}${monthPage(month)}">${locale.month(month)}</a></h2>
            ${monthTable(context, { month, counts: perDay, root })}
          </section>`,
      )}
    </div>
    ${later.length > 0 && monthLinks(context, later, root)}
  </main>`;
  const title = `${text('year')}: ${text('upcomingOf', { n: total })}`;
  return page(context, { title, description: text('heatMap'), path: yearPage, body });
}

export function monthLinks(context: PageContext, months: readonly string[], root: string): Markup {
  const { locale, text } = context;
  return html`<nav class="monthlinks" aria-label="${text('months')}">
    ${tagList(
      context,
      root,
      months.map((month) => ({ name: locale.month(month), path: monthPage(month) })),
    )}
  </nav>`;
}
