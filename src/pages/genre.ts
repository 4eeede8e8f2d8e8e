import { listLimit } from '../api/paths.ts';
import type { SiteFile } from '../api/site-file.ts';
import { countEach } from '../catalogue/group.ts';
import type { Category } from '../catalogue/model.ts';
import { html, type Markup } from '../render/html.ts';
import { categoryPage, genrePage, rootFrom, subjectPage } from '../render/links.ts';
import type { GenreRecords, ListedEvent } from '../render/records.ts';
import { describeNext } from './card.ts';
import type { PageContext } from './context.ts';
import { listLayout } from './list-layout.ts';
import { listOrNothing } from './rows.ts';
import { nowSection } from './under-way.ts';

/** The maximum number of subjects that a page of a genre lists by name. */
const maxSubjects = 1000;

const perPage = 500;

/** Renders the pages of a genre: its events under way, every upcoming event by month, and then what has no date yet. */
export function* genrePages(context: PageContext, category: Category, summary: GenreRecords): Generator<SiteFile> {
  const { under_way: underWay, upcoming } = summary;
  const pages = Math.max(1, Math.ceil((underWay.length + upcoming.length) / perPage));
  for (let number = 1; number <= pages; number++) {
    const until = number * perPage;
    yield genrePageOf(context, category, summary, {
      number,
      pages,
      begun: underWay.slice(until - perPage, until),
      shown: upcoming.slice(Math.max(0, until - perPage - underWay.length), Math.max(0, until - underWay.length)),
    });
  }
}

/** A page of the list of a genre, which may go on over several pages. */
interface PartOfList {
  /** From 1. */
  readonly number: number;
  readonly pages: number;
  readonly begun: readonly ListedEvent[];
  readonly shown: readonly ListedEvent[];
}

function genrePageOf(
  context: PageContext,
  category: Category,
  summary: GenreRecords,
  { number, pages, begun, shown }: PartOfList,
): SiteFile {
  const { text, has } = context;
  const { genre, upcoming, under_way: underWay, announced, members } = summary;
  const path = genrePage(genre.id, number);
  const root = rootFrom(path);
  const style = { root, unit: 'month', hasGenre: false, hasDots: false } as const;
  const undated = number === pages ? announced.slice(0, listLimit) : [];
  const hasList = shown.length > 0 || undated.length > 0 || begun.length === 0;
  const listed = text('upcomingOf', { n: upcoming.length });
  const ofPages = number > 1 ? `, ${text('pageOf', { page: number, pages })}` : '';
  const content = listLayout(context, {
    path,
    title: `${genre.name} (${category.name}): ${listed}${ofPages}`,
    description: `${describeNext(context, upcoming)} ${listed}, ${text('subjects', { n: members.length })}.`,
    name: genre.name,
    filters: { genre: genre.id },
    total: upcoming.length,
    hasOthers: underWay.length + announced.length > 0,
    upcoming,
    crumbs: [
      [category.name, categoryPage(category.id)],
      [genre.name, genrePage(genre.id)],
    ],
    follow: `g/${genre.id}`,
    strip: { category: category.id, genre: genre.id, hasDays: true },
    list: html`${begun.length > 0 && nowSection(context, { total: underWay.length, events: begun }, style)}
    ${hasList && listOrNothing(context, shown, style, undated)}`,
    below: html`${pages > 1 && pager(context, genre.id, number, pages, root)}
    ${number === 1 && has('subject') && subjectList(context, summary, root)}`,
  });
  return { path: `${path}index.html`, content };
}

/** Links to the pages before and after a page. */
function pager({ text }: PageContext, genre: string, number: number, pages: number, root: string): Markup {
  return html`<nav class="pager" aria-label="${number}/${pages}">
    ${number > 1 && html`<a rel="prev" href="${root}${genrePage(genre, number - 1)}">${text('previous')}</a>`}
    ${text('pageOf', { page: number, pages })}
    ${number < pages && html`<a rel="next" href="${root}${genrePage(genre, number + 1)}">${text('nextPage')}</a>`}
  </nav>`;
}

function subjectList(
  { locale, text }: PageContext,
  { genre, members, upcoming, under_way: underWay, announced }: GenreRecords,
  root: string,
): Markup {
  const current = [...[...underWay, ...upcoming].map(({ record }) => record), ...announced];
  const counts = countEach(current.map(({ subject }) => subject.id));
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
