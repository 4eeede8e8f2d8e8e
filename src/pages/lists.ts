import type { ListRecord } from '../api/documents.ts';
import type { ListKind } from '../api/scopes.ts';
import { html } from '../render/html.ts';
import { listPage, listsPage, rootFrom } from '../render/links.ts';
import type { ScopeSummary } from '../render/summary.ts';
import { describeNext } from './answer.ts';
import type { PageContext } from './context.ts';
import { breadcrumbs } from './genre.ts';
import { page } from './layout.ts';
import { rail, tagList } from './rail.ts';
import { listOrNothing } from './rows.ts';
import { breadcrumbData, eventData } from './structured-data.ts';
import { calendarOf, subscribe } from './subscribe.ts';
import { maxUnderWay, nowSection } from './under-way.ts';

/** The number of upcoming events on the page of a list. */
const maxListed = 200;

/** Renders the page of a country, tag or collection: its events under way and its soonest events, by month. */
export function listPageOf(
  context: PageContext,
  { kind, id, name, upcoming }: ListRecord,
  scope: ScopeSummary,
): string {
  const { locale, say, text } = context;
  const path = listPage(kind, id);
  const root = rootFrom(path);
  const style = { root, unit: 'month', hasGenre: true } as const;
  const soonest = scope.upcoming.slice(0, maxListed);
  const announced = scope.announced.slice(0, maxUnderWay).map(({ record }) => record);
  const begun = { total: scope.totals.under_way, events: scope.under_way };
  const title = kind === 'tag' ? `#${name}` : name;
  const body = html`<div class="columns">
    ${rail(context, { root, isAside: true })}
    <main id="main">
      ${breadcrumbs(context, root, [[text('lists'), listsPage]])}
      <div class="title">
        <h1><bdi>${title}</bdi> <span class="count">${locale.number(upcoming)}</span></h1>
      </div>
      <div id="list" class="list" tabindex="-1" data-unit="month">
        ${[nowSection(context, begun, style), listOrNothing(context, soonest, style, announced)]}
      </div>
      <p class="note">
        ${upcoming > soonest.length && say('listed', { n: soonest.length, total: upcoming })}
        <span id="zone">${say('utc')}</span>
      </p>
    </main>
    <aside class="side">${subscribe(context, calendarOf(scope.filters, root, scope.upcoming, upcoming))}</aside>
  </div>`;
  return page(context, {
    title: `${title}: ${text('upcomingOf', { n: upcoming })}`,
    description: describeNext(context, soonest),
    path,
    filters: scope.filters,
    data: [
      breadcrumbData(context, [
        [text('lists'), listsPage],
        [title, path],
      ]),
      ...soonest.slice(0, 20).map((event) => eventData(context, event)),
    ],
    body,
  });
}

const headings = { collection: 'collections', country: 'countries', tag: 'tags', month: 'months' } as const;

/** A list that has a page. */
type ListLink = Pick<ListRecord, 'kind' | 'id' | 'name' | 'upcoming'>;

/** Renders the page that links to the pages of all collections, countries, tags and months. */
export function listsPageOf(context: PageContext, lists: readonly ListLink[]): string {
  const { say, text, locale } = context;
  const root = rootFrom(listsPage);
  const inOrder = (ofKind: ListLink[]): ListLink[] =>
    // The ids of countries are codes.
    ofKind[0]?.kind === 'country' ? ofKind.sort((a, b) => locale.compare(a.name, b.name)) : ofKind;
  const kinds = (Object.keys(headings) as ListKind[])
    .map((kind) => [headings[kind], inOrder(lists.filter((list) => list.kind === kind))] as const)
    .filter(([, ofKind]) => ofKind.length > 0);
  const sections = kinds.map(
    ([heading, ofKind]) =>
      html`<section class="subjects">
        <h2>${say(heading)}</h2>
        ${tagList(
          context,
          root,
          ofKind.map(({ kind, id, name, upcoming }) => ({ name, path: listPage(kind, id), count: upcoming })),
        )}
      </section>`,
  );
  const described = kinds.map(([heading, ofKind]) => {
    const names = ofKind.slice(0, 5).map(({ name }) => name);
    return `${text(heading)}: ${names.join(', ')}.`;
  });
  const body = html`<main id="main" class="wide">
    <div class="title"><h1>${say('lists')}</h1></div>
    <div id="lists" tabindex="-1">${lists.length === 0 ? html`<p class="empty">${say('nothing')}</p>` : sections}</div>
  </main>`;
  return page(context, {
    title: text('lists'),
    description: described.length === 0 ? text('nothing') : described.join(' '),
    path: listsPage,
    skipTo: 'lists',
    data: [breadcrumbData(context, [[text('lists'), listsPage]])],
    body,
  });
}
