import type { AnnouncementRecord } from '../api/documents.ts';
import { html, type Markup } from '../render/html.ts';
import { eventPage } from '../api/paths.ts';
import { genrePage, monthPage, monthsPage, rootFrom } from '../render/links.ts';
import type { ListedEvent } from '../render/records.ts';
import { describeNext } from './card.ts';
import type { PageContext } from './context.ts';
import { dateAfter, datesIn, datesOn, isLasting, monthAfter, monthIn } from './dates.ts';
import { page } from './layout.ts';
import { cellName, monthTable, type DayTitle } from './month-table.ts';
import { maxInMonth, type DaySummary, type EventOnDay, type PageSummary } from './page-summary.ts';
import { lastDayOf } from './row-time.ts';
import { agenda, announcedList, eventRow, section, type ListStyle } from './rows.ts';

type Summaries = Pick<PageSummary, 'byMonth' | 'byDay' | 'perDay' | 'lasting' | 'clocks'>;

export interface Calendar extends Summaries {
  /** What is announced without a date, as far as lists go. */
  readonly announced: readonly AnnouncementRecord[];
}

/** What a page says of a month. */
interface MonthContent {
  readonly root: string;
  readonly days: readonly (readonly [day: string, summary: DaySummary])[];
  /** The events on its days, in order of their starts. */
  readonly events: readonly ListedEvent[];
  /** The events that are on all through it, and those on for longer than a month. */
  readonly whole: readonly ListedEvent[];
  readonly lasting: readonly ListedEvent[];
  /** Events of the days around it, which are its own for readers far away. */
  readonly around: readonly ListedEvent[];
  /** Whether there are too many events to list. */
  readonly isBusy: boolean;
}

/** The maximum number of months in advance that have a page only for what lasts until then. */
const maxMonths = 24;

/** Returns the months that have a page, in order: events are on in them. */
export function monthsOf(
  { service, today }: PageContext,
  { byDay, lasting }: Pick<PageSummary, 'byDay' | 'lasting'>,
): readonly string[] {
  const months = new Set([...byDay.keys()].map(monthIn));
  const first = monthIn(dateAfter(today, -service.pastDays));
  const last = monthAfter(monthIn(today), maxMonths);
  for (const { record } of lasting) {
    const until = monthIn(lastDayOf(record));
    let month = monthIn(record.date);
    if (month < first) month = first;
    for (; month <= until && month <= last; month = monthAfter(month, 1)) months.add(month);
  }
  return [...months].sort();
}

function monthContent(calendar: Calendar, month: string, root: string): MonthContent {
  const dates = datesIn(month);
  const [from = '', until = ''] = [dates[0], dates.at(-1)];
  const listed = calendar.byMonth.get(month) ?? [];
  const isOn = ({ record }: ListedEvent) =>
    datesOn(record.date, lastDayOf(record)).some((day) => day.startsWith(month));
  const isWhole = ({ record }: ListedEvent) => record.date <= from && lastDayOf(record) >= until;
  const lasting = calendar.lasting.filter(
    ({ record }) => record.date <= until && lastDayOf(record) >= from,
  );
  const events = listed.filter(isOn);
  const short = events.filter(({ record }) => !isLasting(record.date, lastDayOf(record)));
  return {
    root,
    days: [...calendar.byDay].filter(([day]) => day.startsWith(month)),
    events,
    whole: [...short, ...lasting].filter(isWhole),
    lasting: lasting.filter((event) => !isWhole(event)),
    around: listed.filter((event) => !isOn(event)),
    isBusy: listed.length > maxInMonth,
  };
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
  const content = monthContent(calendar, month, root);
  const counts = countByCategory(context, content);
  const total = counts.get('') ?? 0;
  const name = locale.month(month);
  const announced = calendar.announced.filter(({ window }) => window.until.startsWith(month));
  const { events, days, around, isBusy } = content;
  const open = days.find(([day]) => day === context.today) ?? days[0];
  const style = {
    root,
    unit: 'day',
    hasGenre: true,
    openDay: open?.[0],
  } as const;
  const titles = new Map(
    days.map(([day, summary]) => [day, titlesOf(context, summary.first, root)] as const),
  );
  const list = isBusy
    ? genresByDay(context, content, { perDay: calendar.perDay, openDay: style.openDay })
    : agenda(context, events, datesIn(month), style);
  const body = html`<main id="main" class="monthpage">
    <div class="title">
      <h1>${name} <span class="count">${locale.number(total)}</span></h1>
      ${steps(context, calendar, month, root)}
    </div>
    ${counts.size > 2 && categoryChips(context, counts)} ${lastingLists(context, content, style)}
    ${monthTable(context, {
      month,
      counts: calendar.perDay,
      root,
      titles,
    })}
    <div class="agenda">
      <div id="list" class="list" tabindex="-1" data-unit="day" data-month="${month}">${list}</div>
    </div>
    ${!isBusy && spareRows(context, around, style)}
    ${announced.length > 0 && announcedList(context, announced, style)}
    <p class="note"><span id="zone">${text('ownZones')}</span></p>
  </main>`;
  const upcoming = events.filter(({ record }) => record.date >= context.today);
  return page(context, {
    title: `${name}: ${text('events', { n: total })}`,
    description: describeNext(context, upcoming),
    path,
    canonical: monthPage(month),
    // The interface has no lists of the past.
    ...(upcoming.length > 0 && { filters: { month } }),
    crumbs: [[name, monthPage(month)]],
    body,
  });
}

/** Renders rows that the script of the page needs and that readers without it do not see. */
function spareRows(
  context: PageContext,
  events: readonly ListedEvent[],
  style: ListStyle,
): Markup | false {
  const rows = events.map(({ record }) => eventRow(context, record, { ...style, isExtra: true }));
  return rows.length > 0 && html`<template class="spare">${rows}</template>`;
}

function lastingLists(
  context: PageContext,
  { whole, lasting, isBusy }: MonthContent,
  style: ListStyle,
): Markup | false {
  if (isBusy) return false;
  const group = (word: 'allMonth' | 'alsoOn', events: readonly ListedEvent[]): Markup | false => {
    const rows = events.map(({ record }) =>
      eventRow(context, record, {
        ...style,
        runsOn: record.date,
        isExtra: true,
      }),
    );
    return (
      rows.length > 0 &&
      html`<h2>${context.text(word)}</h2>
        <ol>
          ${rows}
        </ol>`
    );
  };
  const groups = [group('allMonth', whole), group('alsoOn', lasting)];
  return groups.some(Boolean) && html`<section class="list lasting">${groups}</section>`;
}

function titlesOf(
  { colour }: PageContext,
  first: readonly EventOnDay[],
  root: string,
): readonly DayTitle[] {
  const subjects = first.map(({ record }) => record.subject.name);
  return first.map(({ record, isRunning }) => ({
    colour: colour(record.category),
    name: cellName(record.title, record.subject.name, subjects),
    address: root + eventPage(record.id),
    isRunning,
    isPostponed: record.status === 'postponed',
  }));
}

/** Counts the events of each category, by id, and all by an empty one. */
function countByCategory(
  { categoryOf }: PageContext,
  { days, events, isBusy }: MonthContent,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (category: string, count: number): void => {
    for (const id of ['', category]) counts.set(id, (counts.get(id) ?? 0) + count);
  };
  if (isBusy) {
    for (const [, { genres }] of days)
      for (const [genre, count] of genres) add(categoryOf(genre), count);
    return counts;
  }
  for (const { record } of events) add(record.category, 1);
  return counts;
}

function genresByDay(
  context: PageContext,
  { days, root }: MonthContent,
  { perDay, openDay }: Pick<Calendar, 'perDay'> & Pick<ListStyle, 'openDay'>,
): Markup {
  const { colour, categoryOf, nameOfGenre, locale } = context;
  const row = (day: string, genre: string, count: number) => {
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
  return html`${days.map(([day, summary]) => {
    const rows = Array.from(summary.genres, ([genre, count]) => row(day, genre, count));
    return section(context, 'day', {
      key: day,
      count: perDay.get(day) ?? 0,
      rows: html`${rows}`,
      isOpen: day === openDay,
    });
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
  const arrow = (sign: string) => html`<span class="arrow" aria-hidden="true">${sign}</span>`;
  return html`<nav class="steps" aria-label="${text('months')}">
    ${previous !== undefined && html`<a href="${root}${monthPage(previous)}">${arrow('←')} ${locale.shortMonth(previous)}</a>`}
    <a href="${root}${monthsPage}">${text('today')}</a>
    ${next !== undefined && html`<a href="${root}${monthPage(next)}">${locale.shortMonth(next)} ${arrow('→')}</a>`}
  </nav>`;
}

function categoryChips(context: PageContext, counts: ReadonlyMap<string, number>): Markup {
  const { categories, locale, text, colour } = context;
  const chip = (id: string, kind: string, name: Markup) =>
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
