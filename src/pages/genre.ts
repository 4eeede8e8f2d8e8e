import { listLimit } from '../api/paths.ts';
import type { Category, Genre } from '../catalogue/model.ts';
import type { SiteFile } from '../api/site-file.ts';
import { describeNext } from './answer.ts';
import type { PageContext } from './context.ts';
import { html, type Markup } from '../render/html.ts';
import { page } from './layout.ts';
import { pager, pagesOf, type ListPage } from './list-pages.ts';
import { categoryPage, genrePage, rootFrom, subjectPage, underWayPage } from '../render/links.ts';
import { rail } from './rail.ts';
import type { GenreRecords, ListedEvent } from '../render/records.ts';
import { listOrNothing } from './rows.ts';
import { breadcrumbData, eventData } from './structured-data.ts';
import { calendarOf, followButton, subscribe } from './subscribe.ts';
import { maxUnderWay, nowSection } from './under-way.ts';

/** The maximum number of subjects that a page of a genre lists by name. */
const maxSubjects = 1000;

/** Renders the pages of a genre: every upcoming event, by month, and every event under way if there are many. */
export function* genrePages(context: PageContext, category: Category, summary: GenreRecords): Generator<SiteFile> {
  yield* upcomingPages(context, category, summary);
  if (summary.under_way.length > maxUnderWay) yield* underWayPages(context, category, summary);
}

function* upcomingPages(context: PageContext, category: Category, summary: GenreRecords): Generator<SiteFile> {
  const { genre, upcoming, under_way, announced, members } = summary;
  const { text, say, has } = context;
  const title = text('upcomingOf', { n: upcoming.length });
  const begun = { total: under_way.length, events: under_way.slice(0, maxUnderWay) };
  for (const listPage of pagesOf(upcoming, (number) => genrePage(genre.id, number))) {
    const { number, pages, shown } = listPage;
    // What has no date yet follows all that has one.
    const undated = number === pages ? announced.slice(0, listLimit) : [];
    const root = rootFrom(genrePage(genre.id, number));
    const style = { root, unit: 'month', hasGenre: false } as const;
    const rest = html`<p class="note">
      <a href="${root}${underWayPage(genre.id)}">${say('allOnNow', { n: under_way.length })}</a>
    </p>`;
    const list = html`<div id="list" class="list" tabindex="-1" data-unit="month">
        ${[number === 1 && nowSection(context, begun, style, rest), listOrNothing(context, shown, style, undated)]}
      </div>
      ${pages > 1 && pager(context, listPage, root)}`;
    const subjects =
      number === 1 && has('subject') && subjectList(context, genre, members, countBySubject(upcoming), root);
    yield genrePageOf(context, category, summary, { ...listPage, title, list, subjects });
  }
}

function* underWayPages(context: PageContext, category: Category, summary: GenreRecords): Generator<SiteFile> {
  const { genre, under_way } = summary;
  const { text } = context;
  const title = `${text('onNow')}, ${text('events', { n: under_way.length })}`;
  for (const listPage of pagesOf(under_way, (number) => underWayPage(genre.id, number))) {
    const { number, shown } = listPage;
    const root = rootFrom(underWayPage(genre.id, number));
    const style = { root, unit: 'month', hasGenre: false } as const;
    const begun = { total: under_way.length, events: shown };
    const list = html`<div id="list" class="list" tabindex="-1" data-unit="month">
      ${nowSection(context, begun, style, pager(context, listPage, root))}
    </div>`;
    const crumbs = [[genre.name, genrePage(genre.id)]] as const;
    yield genrePageOf(context, category, summary, { ...listPage, title, list, crumbs });
  }
}

/** The parts in which the pages of a genre differ. */
interface GenrePage extends ListPage {
  readonly title: string;
  /** The list, with links to the pages before and after it. */
  readonly list: Markup;
  readonly subjects?: Markup | false;
  /** The links to the pages between it and that of the category. */
  readonly crumbs?: readonly Crumb[];
}

function genrePageOf(
  context: PageContext,
  category: Category,
  { genre, upcoming, members }: GenreRecords,
  { number, pages, pathOf, shown, title: listed, list, subjects = false, crumbs = [] }: GenrePage,
): SiteFile {
  const { locale, say, text, colour } = context;
  const path = pathOf(number);
  const root = rootFrom(path);
  const title = `${genre.name} (${category.name}): ${listed}${number > 1 ? `, ${text('pageOf', { page: number, pages })}` : ''}`;
  const body = html`<div class="columns">
    ${rail(context, { root, category: category.id, genre: genre.id })}
    <main id="main">
      ${breadcrumbs(context, root, [[category.name, categoryPage(category.id)], ...crumbs])}
      <div class="title ${colour(category.id)}">
        <h1><bdi>${genre.name}</bdi> <span class="count">${locale.number(upcoming.length)}</span></h1>
        ${followButton(context, `g/${genre.id}`, genre.name)}
      </div>
      ${list}
      <p class="note"><span id="zone">${say('utc')}</span></p>
      ${subjects}
    </main>
    <aside class="side">${subscribe(context, calendarOf({ genre: genre.id }, root, upcoming, upcoming.length))}</aside>
  </div>`;
  const content = page(context, {
    title,
    description: `${describeNext(context, upcoming)} ${listed}, ${text('subjects', { n: members.length })}.`,
    path,
    filters: { genre: genre.id },
    data: [
      breadcrumbData(context, [
        [category.name, categoryPage(category.id)],
        [genre.name, genrePage(genre.id)],
      ]),
      ...shown.slice(0, 20).map((event) => eventData(context, event)),
    ],
    body,
  });
  return { path: `${path}index.html`, content };
}

type Crumb = readonly [name: string, path: string];

/** Links to the pages above a page. */
export function breadcrumbs({ service, has, attribute }: PageContext, root: string, crumbs: readonly Crumb[]): Markup {
  return html`${
    has('category') &&
    html`<nav class="crumbs" ${attribute('aria-label', 'youAreHere')}>
      <ol>
        <li>
          <a href="${root}"><bdi>${service.name}</bdi></a>
        </li>
        ${crumbs.map(
          ([name, path]) =>
            html`<li>
              <a href="${root}${path}"><bdi>${name}</bdi></a>
            </li>`,
        )}
      </ol>
    </nav>`
  }`;
}

function countBySubject(events: readonly ListedEvent[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { record } of events) counts.set(record.subject.id, (counts.get(record.subject.id) ?? 0) + 1);
  return counts;
}

function subjectList(
  { locale, say }: PageContext,
  genre: Genre,
  members: GenreRecords['members'],
  counts: ReadonlyMap<string, number>,
  root: string,
): Markup {
  return html`<section class="subjects">
    <h2>${say('subjectsTitle')}</h2>
    <ul class="tags">
      ${members.slice(0, maxSubjects).map(
        ({ id, name }) =>
          html`<li>
            <a href="${root}${subjectPage(genre.id, id)}"
              ><bdi>${name}</bdi
              >${counts.has(id) && html` <span class="count">${locale.number(counts.get(id) ?? 0)}</span>`}</a
            >
          </li> `,
      )}
    </ul>
  </section>`;
}
