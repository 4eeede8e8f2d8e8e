import type { CategoryRecord, ChangesDocument } from '../api/documents.ts';
import type { Totals } from '../catalogue/model.ts';
import { html, type Markup } from '../render/html.ts';
import { categoryPage, changesPage } from '../render/links.ts';
import type { ListedEvent } from '../render/records.ts';
import { describeNext } from './card.ts';
import { changeList, inOrder } from './changes.ts';
import type { PageContext } from './context.ts';
import { dateAfter } from './dates.ts';
import { page } from './layout.ts';
import { monthLinks } from './month.ts';
import { listOrNothing } from './rows.ts';
import { strip } from './strip.ts';
import { datasetData, siteData } from './structured-data.ts';
import { subscribeTo } from './subscribe.ts';
import { linksToScopes, nowSection, type UnderWay } from './under-way.ts';

/** What the home page shows. */
export interface Home {
  readonly totals: Totals;
  readonly categories: readonly CategoryRecord[];
  /** The soonest events. */
  readonly soonest: readonly ListedEvent[];
  readonly underWay: UnderWay;
  /** The number of events under way of each category, by id. */
  readonly underWayCounts: ReadonlyMap<string, number>;
  /** What changed. Null if the site has no log. */
  readonly log: ChangesDocument | null;
  /** The months that have a page, in order. */
  readonly months: readonly string[];
}

/** The number of events in the page itself, and of the whole days that it shows even if they have more, up to a limit. */
const onHome = { least: 60, days: 3, most: 160 };

const recentChanges = 5;

/** Renders `index.html`: what is next, by day. */
export function homePage(context: PageContext, home: Home): string {
  const { service, text, has } = context;
  const { totals, soonest, months } = home;
  const counts = `${text('upcomingOf', { n: totals.upcoming })}, ${text('subjects', { n: totals.subjects })}.`;
  const listed = firstDays(soonest);
  const style = { root: '', unit: 'day', hasGenre: true, hasDots: true } as const;
  const rest = linksToScopes(context, home.underWay.total, home.underWayCounts, '', home.categories, categoryPage);
  const last = totals.upcoming <= listed.length ? '' : (listed.at(-1)?.record.date ?? '');
  const body = html`<main id="main" class="columns">
    <div class="title">
      <h1>${service.tagline === null ? text('comingUp') : html`<bdi>${service.tagline}</bdi>`}</h1>
      ${subscribeTo(context, service.name, {}, soonest, totals.upcoming)}
    </div>
    <p id="status" class="sr" role="status"></p>
    ${strip(context, { root: '', counts: countsOf(home), total: totals.upcoming, hasDays: true })}
    <div class="content">
      <div id="list" class="list" tabindex="-1" data-unit="day" data-until="${last}" data-total="${totals.upcoming}">
        ${nowSection(context, home.underWay, style, rest)} ${listOrNothing(context, listed, style)}
      </div>
      <p class="note"><button type="button" id="save" hidden>${text('saveCalendar')}</button></p>
      <p class="note" id="reach">
        ${totals.upcoming > listed.length && text('listed', { n: listed.length, total: totals.upcoming })}
        <button type="button" class="script" id="more">${text('moreDays')}</button>
      </p>
      ${has('month') && months.length > 0 && monthLinks(context, months, '')}
      <p class="note"><span id="zone">${text('ownZones')}</span></p>
      ${recent(context, home)}
    </div>
  </main>`;
  return page(context, {
    title: service.tagline ?? text('comingUp'),
    description: `${describeNext(context, soonest)} ${counts}`,
    path: '',
    filters: {},
    data: [siteData(context), datasetData(context, `${counts} ${service.license}`)],
    view: 'list',
    attributes: html` data-page="home"`,
    body,
  });
}

function recent(context: PageContext, { log }: Home): Markup | null {
  if (!context.has('tool') || log === null || log.changes.length === 0) return null;
  return html`<section class="recent">
    <h2>${context.text('recentChanges')}</h2>
    ${changeList(context, inOrder(log.changes).slice(0, recentChanges), '')}
    <p><a href="${changesPage}">${context.text('allChanges')}</a></p>
  </section>`;
}

/** Returns the soonest events: at least the first whole days, because the day of the build has begun. */
function firstDays(soonest: readonly ListedEvent[]): readonly ListedEvent[] {
  const [first] = soonest;
  if (first === undefined) return [];
  const end = dateAfter(first.record.date, onHome.days + 1);
  const inDays = soonest.slice(0, onHome.most).filter(({ record }) => record.date < end);
  return soonest.slice(0, Math.max(onHome.least, inDays.length));
}

export function countsOf({ categories }: Pick<Home, 'categories'>): Map<string, number> {
  return new Map(categories.map(({ id, upcoming }) => [id, upcoming]));
}
