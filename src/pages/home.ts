import type { AnnouncementRecord } from '../api/documents.ts';
import { html, type Markup } from '../render/html.ts';
import { categoryPage } from '../render/links.ts';
import type { ListedEvent } from '../render/records.ts';
import type { Summary } from '../render/summary.ts';
import { describeNext } from './card.ts';
import type { PageContext } from './context.ts';
import { dateAfter } from './dates.ts';
import { listPage, recentRows, upcomingCounts } from './list-page.ts';
import { monthLinks } from './year.ts';
import { announcedList, listOrNothing, type ListStyle } from './rows.ts';
import { tagList } from './strip.ts';
import { datasetData, siteData } from './structured-data.ts';
import { linksToScopes, maxUnderWay, nowSection } from './under-way.ts';

/**
 * The number of events in the page itself, and of the whole days that it shows even if they have
 * more, up to a limit.
 */
const onHome = { least: 50, days: 3, most: 160 };

/**
 * Renders `index.html`: what is next, by day.
 *
 * @param months those that have a page, in order
 * @param recent the events that were on since the day before and are over
 */
export function homePage(
  context: PageContext,
  summary: Summary,
  months: readonly string[],
  recent: readonly ListedEvent[],
): string {
  const { service, text } = context;
  const { totals, categories, everything, scopes } = summary;
  const { upcoming, under_way: underWay } = everything;
  const announced = everything.announced.map(({ record }) => record);
  const total = totals.upcoming;
  const described = `${text('upcomingOf', { n: total })}, ${text('subjects', { n: totals.subjects })}.`;
  const listed = firstDays(upcoming);
  const isPart = total > listed.length;
  const style = {
    root: '',
    unit: 'day',
    hasGenre: true,
  } as const;
  const begun = everything.totals.under_way;
  const links = categories.map(({ id, name }) => {
    const count = scopes.find(({ filters }) => filters.category === id)?.totals.under_way ?? 0;
    return { name, path: categoryPage(id), count };
  });
  const onNow = {
    total: begun,
    events: underWay.slice(0, maxUnderWay),
    rest: linksToScopes(context, '', begun, links),
  };
  const last = isPart ? (listed.at(-1)?.record.date ?? '') : '';
  return listPage(context, {
    path: '',
    title: service.tagline ?? text('comingUp'),
    description: `${describeNext(context, upcoming)} ${described}`,
    name: service.name,
    heading:
      service.tagline === null ? html`${text('comingUp')}` : html`<bdi>${service.tagline}</bdi>`,
    filters: {},
    upcoming,
    total,
    crumbs: [],
    strip: { counts: upcomingCounts(summary), total: total + begun },
    listAttributes: html` data-unit="day" data-until="${last}" data-total="${total}"`,
    list: html`${nowSection(context, onNow, style)}
    ${listed.length === 0 && announced.length > 0 ? html`<p class="empty">${text('nothingDated')}</p>` : listOrNothing(context, listed, style)}`,
    below: html`${announced.length > 0 && announcedOnHome(context, announced, style)}
      ${recentRows(context, recent, style)}
      <p id="status" class="sr" role="status"></p>
      <p class="note"><button type="button" id="save" hidden>${text('saveCalendar')}</button></p>
      <p class="note" id="reach" ${!isPart && html` hidden`}>
        ${isPart && text('listed', { n: listed.length, total })}
        <button type="button" class="script" id="more">${text('moreDays')}</button>
      </p>
      ${context.hasAllPages && months.length > 0 && monthLinks(context, months, '')}`,
    data: [siteData(context), datasetData(context, `${described} ${service.license}`)],
  });
}

/** Renders the first of what is announced, and the categories that have the rest. */
function announcedOnHome(
  context: PageContext,
  announced: readonly AnnouncementRecord[],
  style: ListStyle,
): Markup {
  const visible = announced.slice(0, maxAnnounced);
  const list = announcedList(context, visible, style);
  if (visible.length === announced.length) return list;
  const ids = new Set(announced.map(({ category }) => category));
  const links = context.categories
    .filter(({ id }) => ids.has(id))
    .map(({ id, name }) => ({ name, path: categoryPage(id) }));
  const listed = context.text('listed', {
    n: visible.length,
    total: announced.length,
  });
  return html`${list}
    <p class="note">${listed} ${context.text('later')}</p>
    ${context.hasGenrePages && tagList(context, '', links)}`;
}

/** The number of announcements on the home page. */
const maxAnnounced = 5;

/**
 * Returns the soonest events: at least the first whole days, because the day of the build has
 * begun.
 */
function firstDays(soonest: readonly ListedEvent[]): readonly ListedEvent[] {
  const [first] = soonest;
  if (first === undefined) return [];
  const end = dateAfter(first.record.date, onHome.days + 1);
  const soon = soonest.slice(0, onHome.most).filter(({ record }) => record.date < end);
  return soonest.slice(0, Math.max(onHome.least, soon.length));
}
