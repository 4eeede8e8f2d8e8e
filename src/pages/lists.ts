import type { ListRecord } from '../api/documents.ts';
import { groupBy } from '../catalogue/group.ts';
import { html, type Markup, type Value } from '../render/html.ts';
import { listPage, listsPage, rootFrom, searchPage } from '../render/links.ts';
import type { ScopeSummary } from '../render/summary.ts';
import type { PageContext } from './context.ts';
import { page } from './layout.ts';
import { soonestPage } from './list-page.ts';
import { tagList, type TagLink } from './strip.ts';
import type { Word } from './words/tables.ts';
import countriesByContinent from './continents.json' with { type: 'json' };

/** The number of upcoming events from which a tag has a page. */
export const fewestOfTag = 5;

/** Renders the page of a country, tag or collection. */
export function listPageOf(
  context: PageContext,
  { kind, id, name: label, upcoming }: ListRecord,
  scope: ScopeSummary,
): string {
  const path = listPage(kind, id);
  const name = kind === 'tag' ? `#${label}` : label;
  return soonestPage(context, scope, {
    path,
    name,
    total: upcoming,
    crumbs: [
      [context.text('lists'), listsPage],
      [name, path],
    ],
    strip: { isAside: true },
    rest: null,
    more: [
      {
        name: `${context.text('search')}: ${label}`,
        path: `${searchPage}?q=${encodeURIComponent(label)}`,
      },
    ],
  });
}

/**
 * Renders the page that links to the pages of all collections, countries by continent, tags and
 * months.
 */
export function listsPageOf(context: PageContext, lists: readonly ListRecord[]): string {
  const { text, locale } = context;
  const root = rootFrom(listsPage);
  const byKind = groupBy(lists, ({ kind }) => kind);
  const nameOf = ({ kind, id, name }: ListRecord) => (kind === 'month' ? locale.month(id) : name);
  const countries = (byKind.get('country') ?? []).sort((a, b) => locale.compare(a.name, b.name));
  // Continents are regions (UN M49) that Intl can name. Antarctica is a country too.
  const continents = groupBy(countries, ({ id }) => {
    const [code] = Object.entries(countriesByContinent).find(([, codes]) =>
      codes.includes(id.toUpperCase()),
    ) ?? [id];
    return locale.region(code.toUpperCase());
  });
  const link = (list: ListRecord): TagLink => {
    // The page of a month counts by the days of its reader.
    const count = list.kind === 'month' ? undefined : list.upcoming;
    return {
      name: nameOf(list),
      path: listPage(list.kind, list.id),
      count,
    };
  };
  const linksTo = (links: readonly ListRecord[]) => tagList(context, root, links.map(link));
  const section = (
    heading: Word,
    links: readonly ListRecord[] = [],
    content: Value = linksTo(links),
  ): Markup | false =>
    links.length > 0 &&
    html`<section class="subjects">
      <h2>${text(heading)}</h2>
      ${content}
    </section>`;
  const byContinent = [...continents]
    .sort(([a], [b]) => locale.compare(a, b))
    .map(
      ([continent, links]) =>
        html`<h3>${continent}</h3>
          ${linksTo(links)}`,
    );
  const body = html`<main id="main" class="wide">
    <div class="title"><h1>${text('lists')}</h1></div>
    <div id="list" tabindex="-1">
      ${lists.length === 0 && html`<p class="empty">${text('nothing')}</p>`}
      ${section('collections', byKind.get('collection'))}
      ${section('countries', countries, byContinent)} ${section('tags', byKind.get('tag'))}
      ${section('months', byKind.get('month'))}
    </div>
  </main>`;
  const described = lists
    .toSorted((a, b) => Number(a.kind === 'month') - Number(b.kind === 'month'))
    .slice(0, 8)
    .map(nameOf);
  return page(context, {
    title: text('lists'),
    description:
      described.length === 0 ? text('nothing') : `${text('lists')}: ${described.join(', ')}.`,
    path: listsPage,
    crumbs: [[text('lists'), listsPage]],
    body,
  });
}
