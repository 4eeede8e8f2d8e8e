import type { ListRecord } from '../api/documents.ts';
import { groupBy } from '../catalogue/group.ts';
import { html, type Markup } from '../render/html.ts';
import { listPage, listsPage, rootFrom } from '../render/links.ts';
import type { ScopeSummary } from '../render/summary.ts';
import type { PageContext } from './context.ts';
import { page } from './layout.ts';
import { soonestLayout } from './list-layout.ts';
import { tagList } from './strip.ts';
import { breadcrumbData } from './structured-data.ts';

/** The countries of each continent (UN M49). The codes are ISO 3166-1, and the keys are regions that Intl can name. */
const countriesByContinent = {
  '002':
    'AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW IO KE KM LR LS LY MA MG ML MR MU MW MZ NA ' +
    'NE NG RE RW SC SD SH SL SN SO SS ST SZ TD TF TG TN TZ UG YT ZA ZM ZW',
  '019':
    'AG AI AR AW BB BL BM BO BQ BR BS BV BZ CA CL CO CR CU CW DM DO EC FK GD GF GL GP GS GT GY HN HT JM KN KY LC MF ' +
    'MQ MS MX NI PA PE PM PR PY SR SV SX TC TT US UY VC VE VG VI',
  '142':
    'AE AF AM AZ BD BH BN BT CN CY GE HK ID IL IN IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN MO MV MY NP OM PH PK ' +
    'PS QA SA SG SY TH TJ TL TM TR TW UZ VN YE',
  '150':
    'AD AL AT AX BA BE BG BY CH CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MK MT ' +
    'NL NO PL PT RO RS RU SE SI SJ SK SM UA VA',
  '009': 'AS AU CC CK CX FJ FM GU HM KI MH MP NC NF NR NU NZ PF PG PN PW SB TK TO TV UM VU WF WS',
} as const;

/** Returns the continent of a country, as a region that Intl can name. Antarctica is both. */
function continentOf(country: string): string {
  return Object.entries(countriesByContinent).find(([, codes]) => codes.includes(country))?.[0] ?? country;
}

/** The number of upcoming events from which a tag has a page. */
export const fewestOfTag = 5;

/** Renders the page of a country, tag or collection. */
export function listPageOf(
  context: PageContext,
  { kind, id, name: own, upcoming }: ListRecord,
  scope: ScopeSummary,
): string {
  const path = listPage(kind, id);
  const name = kind === 'tag' ? `#${own}` : own;
  return soonestLayout(context, scope, {
    path,
    name,
    total: upcoming,
    crumbs: [
      [context.text('lists'), listsPage],
      [name, path],
    ],
    strip: { isAside: true },
    hasDots: true,
    rest: null,
  });
}

type ListLink = Pick<ListRecord, 'kind' | 'id' | 'name' | 'upcoming'>;

/** Renders the page that links to the pages of all collections, countries by continent, tags and months. */
export function listsPageOf(context: PageContext, lists: readonly ListLink[]): string {
  const { text } = context;
  const root = rootFrom(listsPage);
  const byKind = groupBy(lists, ({ kind }) => kind);
  const sectionOf = (heading: 'collections' | 'tags' | 'months', links: readonly ListLink[] = []): Markup | false =>
    links.length > 0 &&
    html`<section class="subjects">
      <h2>${text(heading)}</h2>
      ${linksTo(context, links, root)}
    </section>`;
  const body = html`<main id="main" class="wide">
    <div class="title"><h1>${text('lists')}</h1></div>
    <div id="lists" tabindex="-1">
      ${lists.length === 0 && html`<p class="empty">${text('nothing')}</p>`}
      ${sectionOf('collections', byKind.get('collection'))} ${countries(context, byKind.get('country') ?? [], root)}
      ${sectionOf('tags', byKind.get('tag'))} ${sectionOf('months', byKind.get('month'))}
    </div>
  </main>`;
  const described = lists.slice(0, 8).map(({ name }) => name);
  return page(context, {
    title: text('lists'),
    description: described.length === 0 ? text('nothing') : `${text('lists')}: ${described.join(', ')}.`,
    path: listsPage,
    skipTo: 'lists',
    data: [breadcrumbData(context, [[text('lists'), listsPage]])],
    body,
  });
}

function countries(context: PageContext, all: readonly ListLink[], root: string): Markup | false {
  const { locale, text } = context;
  const continents = groupBy(all, ({ id }) => locale.region(continentOf(id.toUpperCase())));
  const inOrder = [...continents].sort(([a], [b]) => locale.compare(a, b));
  return (
    all.length > 0 &&
    html`<section class="subjects">
      <h2>${text('countries')}</h2>
      ${inOrder.map(
        ([continent, links]) =>
          html`<h3>${continent}</h3>
            ${linksTo(
              context,
              links.sort((a, b) => locale.compare(a.name, b.name)),
              root,
            )}`,
      )}
    </section>`
  );
}

function linksTo(context: PageContext, links: readonly ListLink[], root: string): Markup {
  const counted = links.map(({ kind, id, name, upcoming }) => ({ name, path: listPage(kind, id), count: upcoming }));
  return tagList(context, root, counted);
}
