import { listLimit } from '../api/paths.ts';
import type { SiteFile } from '../api/site-file.ts';
import { countEach } from '../catalogue/group.ts';
import type { Category, Genre } from '../catalogue/model.ts';
import { html, type Markup } from '../render/html.ts';
import { categoryPage, genrePage, rootFrom, subjectPage, underWayPage } from '../render/links.ts';
import type { GenreRecords, ListedEvent } from '../render/records.ts';
import { describeNext } from './card.ts';
import type { PageContext } from './context.ts';
import { listLayout } from './list-layout.ts';
import { listOrNothing } from './rows.ts';
import { maxUnderWay, nowSection } from './under-way.ts';

/** The maximum number of subjects that a page of a genre lists by name. */
const maxSubjects = 1000;

/** The number of events on one page of a list. */
const perPage = 500;

/** Renders the pages of a genre: every upcoming event, by month, and every event under way if there are many. */
export function* genrePages(context: PageContext, category: Category, summary: GenreRecords): Generator<SiteFile> {
  yield* upcomingPages(context, category, summary);
  if (summary.under_way.length > maxUnderWay) yield* underWayPages(context, category, summary);
}

function* upcomingPages(context: PageContext, category: Category, summary: GenreRecords): Generator<SiteFile> {
  const { genre, upcoming, under_way: underWay, announced, members } = summary;
  const { text, has } = context;
  const title = text('upcomingOf', { n: upcoming.length });
  const begun = { total: underWay.length, events: underWay.slice(0, maxUnderWay) };
  for (const listPage of pagesOf(upcoming, (number) => genrePage(genre.id, number))) {
    const { number, pages, shown } = listPage;
    // What has no date yet follows all that has one.
    const undated = number === pages ? announced.slice(0, listLimit) : [];
    const root = rootFrom(genrePage(genre.id, number));
    const style = { root, unit: 'month', hasGenre: false, hasDots: false } as const;
    const rest = html`<p class="note">
      <a href="${root}${underWayPage(genre.id)}">${text('allOnNow', { n: underWay.length })}</a>
    </p>`;
    const list = html`${number === 1 && nowSection(context, begun, style, rest)}
    ${listOrNothing(context, shown, style, undated)}`;
    const subjects =
      number === 1 &&
      has('subject') &&
      subjectList(context, genre, members, countEach(upcoming.map(({ record }) => record.subject.id)), root);
    const below = html`${pages > 1 && pager(context, listPage, root)} ${subjects}`;
    yield genrePageOf(context, category, summary, { ...listPage, title, list, below });
  }
}

function* underWayPages(context: PageContext, category: Category, summary: GenreRecords): Generator<SiteFile> {
  const { genre, under_way: underWay } = summary;
  const { text } = context;
  const title = `${text('onNow')}, ${text('events', { n: underWay.length })}`;
  for (const listPage of pagesOf(underWay, (number) => underWayPage(genre.id, number))) {
    const { number, shown } = listPage;
    const root = rootFrom(underWayPage(genre.id, number));
    const style = { root, unit: 'month', hasGenre: false, hasDots: false } as const;
    const begun = { total: underWay.length, events: shown };
    const list = nowSection(context, begun, style, pager(context, listPage, root));
    yield genrePageOf(context, category, summary, { ...listPage, title, list });
  }
}

/** A page of a list that goes on over several pages. */
interface ListPage {
  /** From 1. */
  readonly number: number;
  readonly pages: number;
  readonly shown: readonly ListedEvent[];
  readonly pathOf: (number: number) => string;
}

/** Splits a list into pages, at least one. */
function pagesOf(events: readonly ListedEvent[], pathOf: ListPage['pathOf']): ListPage[] {
  const pages = Math.max(1, Math.ceil(events.length / perPage));
  return Array.from({ length: pages }, (_, n) => {
    return { number: n + 1, pages, shown: events.slice(n * perPage, (n + 1) * perPage), pathOf };
  });
}

/** The parts in which the pages of a genre differ. */
interface GenrePage extends ListPage {
  readonly title: string;
  readonly list: Markup;
  readonly below?: Markup;
}

function genrePageOf(
  context: PageContext,
  category: Category,
  { genre, upcoming, members }: GenreRecords,
  { number, pages, pathOf, shown, title: listed, list, below = html`` }: GenrePage,
): SiteFile {
  const { text } = context;
  const path = pathOf(number);
  const ofPages = number > 1 ? `, ${text('pageOf', { page: number, pages })}` : '';
  const content = listLayout(context, {
    path,
    title: `${genre.name} (${category.name}): ${listed}${ofPages}`,
    description: `${describeNext(context, upcoming)} ${listed}, ${text('subjects', { n: members.length })}.`,
    name: genre.name,
    filters: { genre: genre.id },
    total: upcoming.length,
    upcoming,
    shown,
    crumbs: [
      [category.name, categoryPage(category.id)],
      [genre.name, genrePage(genre.id)],
    ],
    follow: `g/${genre.id}`,
    strip: { category: category.id, genre: genre.id, hasDays: true },
    list,
    below,
  });
  return { path: `${path}index.html`, content };
}

/** Links to the pages before and after a page. */
function pager({ text }: PageContext, { number, pages, pathOf }: ListPage, root: string): Markup {
  return html`<nav class="pager" aria-label="${number}/${pages}">
    ${number > 1 && html`<a rel="prev" href="${root}${pathOf(number - 1)}">${text('previous')}</a>`}
    ${text('pageOf', { page: number, pages })}
    ${number < pages && html`<a rel="next" href="${root}${pathOf(number + 1)}">${text('nextPage')}</a>`}
  </nav>`;
}

function subjectList(
  { locale, text }: PageContext,
  genre: Genre,
  members: GenreRecords['members'],
  counts: ReadonlyMap<string, number>,
  root: string,
): Markup {
  return html`<section class="subjects">
    <h2>${text('subjectsTitle')}</h2>
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
