import type { Category, Genre } from '../catalogue/model.ts';
import type { SiteFile } from '../api/site-file.ts';
import type { PageContext } from './context.ts';
import { html, type Markup } from '../render/html.ts';
import { page } from './layout.ts';
import { categoryPage, genrePage, rootFrom, subjectPage } from '../render/links.ts';
import { rail } from './rail.ts';
import type { GenreRecords, ListedEvent } from '../render/records.ts';
import { listOrNothing } from './rows.ts';
import { breadcrumbData, eventData } from './structured-data.ts';
import { followButton, subscribe } from './subscribe.ts';

/** The number of events on one page of a genre. */
const perPage = 500;
/** The maximum number of subjects that a page of a genre lists by name. */
const maxSubjects = 1000;

/** Renders the pages of a genre: every upcoming event, by month. */
export function* genrePages(context: PageContext, category: Category, summary: GenreRecords): Generator<SiteFile> {
  const { genre, events } = summary;
  const pages = Math.max(1, Math.ceil(events.length / perPage));
  for (let number = 1; number <= pages; number++) {
    const shown = events.slice((number - 1) * perPage, number * perPage);
    const content = genrePageOf(context, category, summary, shown, { number, pages });
    yield { path: `${genrePage(genre.id, number)}index.html`, content };
  }
}

interface Paging {
  /** From 1. */
  readonly number: number;
  readonly pages: number;
}

function genrePageOf(
  context: PageContext,
  category: Category,
  { genre, upcoming, members, events }: GenreRecords,
  shown: readonly ListedEvent[],
  { number, pages }: Paging,
): string {
  const { service, locale, say, text, colour } = context;
  const path = genrePage(genre.id, number);
  const root = rootFrom(path);
  const title = `${genre.name} (${category.name}): ${text('upcomingOf', { n: upcoming })}${number > 1 ? `, ${text('pageOf', { page: number, pages })}` : ''} – ${service.name}`;
  const body = html`<div class="columns">
    ${rail(context, { root, category: category.id, genre: genre.id })}
    <main id="main">
      ${breadcrumbs(context, root, [[category.name, categoryPage(category.id)]])}
      <div class="title ${colour(category.id)}">
        <h1><bdi>${genre.name}</bdi> <span class="count">${locale.number(upcoming)}</span></h1>
        ${followButton(context, `g/${genre.id}`, genre.name)}
      </div>
      <div id="list" class="list" tabindex="-1" data-unit="month">
        ${listOrNothing(context, shown, { root, unit: 'month', hasGenre: false })}
      </div>
      ${pages > 1 && pager(context, genre, root, { number, pages })}
      <p class="note"><span id="zone">${say('utc')}</span></p>
      ${number === 1 && context.has('subject') && subjectList(context, genre, members, countBySubject(events), root)}
    </main>
    <aside class="side">${subscribe(context, { genre: genre.id }, root)}</aside>
  </div>`;
  return page(context, {
    title,
    description: `${genre.name}, ${category.name}: ${text('upcomingOf', { n: upcoming })}, ${text('subjects', { n: members.length })}. ${service.name}`,
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
}

/** Links to the pages above a page. */
export function breadcrumbs(
  { service, has }: PageContext,
  root: string,
  crumbs: readonly (readonly [name: string, path: string])[],
): Markup {
  return html`${
    has('category') &&
    html`<nav class="crumbs" aria-label="${service.name}">
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

function pager({ say }: PageContext, { id }: Genre, root: string, { number, pages }: Paging): Markup {
  return html`<nav class="pager" aria-label="${number}/${pages}">
    <p>
      ${number > 1 && html`<a rel="prev" href="${root}${genrePage(id, number - 1)}">${say('previous')}</a>`}
      ${say('pageOf', { page: number, pages })}
      ${number < pages && html`<a rel="next" href="${root}${genrePage(id, number + 1)}">${say('nextPage')}</a>`}
    </p>
  </nav>`;
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
