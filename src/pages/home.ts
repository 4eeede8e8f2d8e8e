import type { AnnouncementRecord, CategoryRecord, ChangesDocument } from '../api/documents.ts';
import { describeNext } from './answer.ts';
import { changeList } from './changes.ts';
import type { Totals } from '../catalogue/model.ts';
import type { PageContext } from './context.ts';
import { heatMap, isApart, monthLinks, packStarts, type Starts } from './heat.ts';
import { dateAfter } from './dates.ts';
import { html, type Markup } from '../render/html.ts';
import { page, type Page } from './layout.ts';
import { categoryPage, changesPage, eventPage, monthPage, rootFrom, todayPage, yearPage } from '../render/links.ts';
import { monthTable } from './month-table.ts';
import { rail } from './rail.ts';
import { monthAddress, reach } from './reach.ts';
import type { ListedEvent } from '../render/records.ts';
import { isoDay, listOrNothing, nameOf } from './rows.ts';
import { datasetData, eventData, siteData } from './structured-data.ts';
import { calendarOf, subscribe } from './subscribe.ts';
import { linksToScopes, nowSection, type CountedUnderWay } from './under-way.ts';
import type { Word } from './words/words.ts';

/** What the home page shows. */
export interface Home {
  readonly totals: Totals;
  readonly categories: readonly CategoryRecord[];
  /** The soonest events. */
  readonly soonest: readonly ListedEvent[];
  readonly underWay: CountedUnderWay;
  readonly starts: Starts;
  /** The number of events that start on each day, in UTC. */
  readonly perDay: ReadonlyMap<string, number>;
  /** What changed. Null if the site has no log. */
  readonly log: ChangesDocument | null;
  /** The months that have a page, in order. */
  readonly months: readonly string[];
  /** What is announced without a date, as far as lists go. */
  readonly announced: readonly AnnouncementRecord[];
  /** The first day of each page of each month. */
  readonly firsts: ReadonlyMap<string, readonly string[]>;
  /** The months that have documents. */
  readonly documented: ReadonlySet<string>;
}

/** The number of events in the page itself, and of the whole days that it shows even if they have more, up to a limit. */
const onHome = { least: 100, days: 3, most: 160 };

/** The number of changes on the home page. */
const recentChanges = 5;

/** Renders `index.html`: what is next, by day. */
export function homePage(context: PageContext, home: Home): string {
  const { service, text } = context;
  const { totals } = home;
  const counts = `${text('upcomingOf', { n: totals.upcoming })}, ${text('subjects', { n: totals.subjects })}.`;
  const data = [
    siteData(context),
    datasetData(context, `${counts} ${service.license}`),
    ...home.soonest.slice(0, 10).map((event) => eventData(context, event)),
  ];
  return listPage(context, home, {
    title: service.tagline ?? text('comingUp'),
    description: `${describeNext(context, home.soonest)} ${counts}`,
    path: '',
    filters: {},
    data,
    view: 'list',
  });
}

/** Renders `today/`: the home page, on which the script opens the events of today. */
export function todayHome(context: PageContext, home: Home): string {
  const attributes = html` data-open="today"`;
  return listPage(context, home, {
    title: context.text('today'),
    description: describeNext(context, home.soonest),
    path: todayPage,
    canonical: '',
    view: 'list',
    attributes,
  });
}

function listPage(context: PageContext, home: Home, head: Omit<Page, 'body'>): string {
  const root = rootFrom(head.path ?? '');
  const { service, say, has } = context;
  const listed = firstDays(home.soonest);
  const last = listed.at(-1);
  const reached = {
    shown: listed.length,
    total: home.totals.upcoming,
    last: last === undefined ? '' : isoDay(last.record),
    months: has('month') ? home.months : [],
    addressOf: monthAddress(root),
    root,
  };
  const rest = linksToScopes(context, home.underWay, root, home.categories, categoryPage);
  const style = { root, unit: 'day', hasGenre: true } as const;
  const body = html`<div class="columns">
    ${rail(context, { root, counts: countsOf(home), total: home.totals.upcoming })}
    <main id="main">
      <div class="title">
        <h1${service.tagline === null && html` class="idle"`}>${service.tagline === null ? say('comingUp') : html`<bdi>${service.tagline}</bdi>`}</h1>
        <p class="actions" id="choice">
          <button type="button" data-do="copy">${say('copyLink')}</button>
          <button type="button" data-do="save">${say('saveCalendar')}</button>
          <button type="button" data-do="clear">${say('clear')} <span aria-hidden="true">×</span></button>
        </p>
      </div>
      <p id="status" class="sr" role="status"></p>
      ${chips(context, root)}
      ${heatPart(context, home, root)}
      <div id="list" class="list" tabindex="-1" data-unit="day" data-until="${lastDay(home, listed)}">
        ${nowSection(context, home.underWay, style, rest)}
        ${listOrNothing(context, listed, style)}
      </div>
      <p class="note" id="reach" data-total="${home.totals.upcoming}">${reach(context, reached)}</p>
      <p class="note"><span id="zone">${say('utc')}</span></p>
      ${has('month') && html`<noscript>${monthLinks(context, home.months, root)}</noscript>`}
    </main>
    ${nextCard(context, listed, root)}
    <aside class="side">
      ${subscribe(context, calendarOf({}, root, home.soonest, home.totals.upcoming))}
      ${
        has('tool') &&
        home.log !== null &&
        home.log.changes.length > 0 &&
        html`<section class="recent">
          <h2>${say('recentChanges')}</h2>
          ${changeList(context, home.log.changes.slice(0, recentChanges), root)}
          <p><a href="${root}${changesPage}">${say('allChanges')}</a></p>
        </section>`
      }
    </aside>
  </div>`;
  return page(context, { ...head, body });
}

/** Returns the soonest events: at least the first whole days, because the day of the build has begun. */
function firstDays(soonest: readonly ListedEvent[]): readonly ListedEvent[] {
  const [first] = soonest;
  if (first === undefined) return [];
  const end = dateAfter(isoDay(first.record), onHome.days + 1);
  const inDays = soonest.slice(0, onHome.most).filter(({ record }) => isoDay(record) < end);
  return soonest.slice(0, Math.max(onHome.least, inDays.length));
}

/** The day up to which the list is complete, empty if it is the whole catalogue. */
function lastDay({ totals }: Home, listed: readonly ListedEvent[]): string {
  const last = listed.at(-1);
  return last === undefined || totals.upcoming <= listed.length ? '' : isoDay(last.record);
}

export function countsOf({ categories }: Pick<Home, 'categories'>): Map<string, number> {
  return new Map(categories.map(({ id, upcoming }) => [id, upcoming]));
}

/** The event that the reader waits for next. The script counts down to it. */
function nextCard(context: PageContext, events: readonly ListedEvent[], root: string): Markup {
  const { say, has, locale } = context;
  const [soonest] = events;
  if (soonest === undefined) return html``;
  const isSameDay = ({ record }: ListedEvent): boolean => isoDay(record) === isoDay(soonest.record);
  // Within a day, a time comes before what has none.
  const next = events.find((event) => event.record.time_known && isSameDay(event)) ?? soonest;
  const { record, ownUrl } = next;
  const name = nameOf(record);
  const address = has('subject') ? root + eventPage(record.id) : ownUrl;
  return html`<section class="next" id="next" aria-labelledby="next-title">
    <h2 id="next-title">${say('next')}</h2>
    <p class="what" dir="auto">${address === null ? name : html`<a href="${address}">${name}</a>`}</p>
    <p class="count"></p>
    <p class="when">${locale.longDate(isoDay(record))}</p>
  </section>`;
}

/** Renders the choices of dates, such as today. Only the script knows which dates these are. */
function chips({ say, attribute }: PageContext, root: string): Markup {
  const chip = (when: string, word: Word): Markup =>
    html`<a
      href="${root || './'}${when && `?on=${when}`}"
      data-when="${when}"
      ${when === '' && html` aria-current="true"`}
      >${say(word)} <span class="count"></span
    ></a>`;
  return html`<nav class="chips script" ${attribute('aria-label', 'dates')}>
    ${chip('', 'upcoming')}${chip('today', 'today')}${chip('tomorrow', 'tomorrow')}${chip('week', 'thisWeek')}${chip('weekend', 'weekend')}
    <label>${say('pickDate')} <input id="day" type="date" /></label>
  </nav>`;
}

function heatPart(context: PageContext, { starts, soonest }: Home, root: string): Markup {
  const [first] = soonest;
  if (first === undefined || !context.has('month')) return html``;
  // The cells are a third of the page, and need the script: it renders them at once.
  return html`<div
    id="heat"
    class="heatmap script"
    data-starts="${startsIn(packStarts(starts))}"
    data-first="${isoDay(first.record)}"
    data-root="${root}"
  ></div>`;
}

/** Returns what a page has of the packed starts. */
function startsIn(packed: string): string {
  return isApart(packed) ? '' : packed;
}

/** Renders `year/`: every month that has events, with the number of each day. */
export function yearHome(context: PageContext, { starts, months, firsts, perDay: counts, totals }: Home): string {
  const { text, locale } = context;
  const root = rootFrom(yearPage);
  const shown = months.slice(0, 24);
  const [first] = [...counts.keys()].sort();
  const body = html`<main id="main" class="wide">
    <h1>${context.say('year')}</h1>
    ${first === undefined ? html`<p class="empty">${context.say('nothing')}</p>` : html`<div id="heat" class="heatmap" data-starts="${startsIn(packStarts(starts))}" data-first="${first}" data-root="${root}">${heatMap(context, counts, first)}</div>`}
    <div id="list" class="yearmonths" tabindex="-1">
      ${shown.map(
        (month) =>
          html`<section>
            <h2><a href="${root}${monthPage(month)}">${locale.month(month)}</a></h2>
            ${monthTable(context, { month, counts, root, firsts: firsts.get(month) ?? [] })}
          </section>`,
      )}
    </div>
  </main>`;
  const title = `${text('year')}: ${text('upcomingOf', { n: totals.upcoming })}`;
  return page(context, { title, description: text('heatMap'), path: yearPage, body, view: 'year' });
}
