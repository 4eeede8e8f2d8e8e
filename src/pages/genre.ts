import { listLimit, subjectPage } from '../api/paths.ts';
import type { SiteFile } from '../api/site-file.ts';
import { countEach } from '../catalogue/group.ts';
import type { Category } from '../catalogue/model.ts';
import { html, type Markup } from '../render/html.ts';
import { categoryPage, genrePage, rootFrom } from '../render/links.ts';
import type { GenreRecords } from '../render/records.ts';
import { describeNext } from './card.ts';
import type { PageContext } from './context.ts';
import { countedHeading, listPage, recentRows } from './list-page.ts';
import { recentOf } from './page-summary.ts';
import { listOrNothing } from './rows.ts';
import { tagList } from './strip.ts';
import { nowSection } from './under-way.ts';

/** The maximum number of subjects that a page of a genre lists by name. */
const maxSubjects = 1000;

const perPage = 500;

/**
 * Renders the pages of a genre: its events under way, every upcoming event by month, and then what
 * has no date yet.
 */
export function* genrePages(
  context: PageContext,
  category: Category,
  summary: GenreRecords,
): Generator<SiteFile> {
  const pages = Math.max(
    1,
    Math.ceil((summary.under_way.length + summary.upcoming.length) / perPage),
  );
  for (let number = 1; number <= pages; number++) {
    const content = () => genrePageOf(context, category, summary, { number, pages });
    yield { path: `${genrePage(summary.genre.id, number)}index.html`, content };
  }
}

/** Which of the pages of a genre, from 1 on. */
interface Position {
  readonly number: number;
  readonly pages: number;
}

function genrePageOf(
  context: PageContext,
  category: Category,
  summary: GenreRecords,
  position: Position,
): string {
  const { text } = context;
  const { number, pages } = position;
  const { upcoming, under_way: underWay, announced, members } = summary;
  const { id, name } = summary.genre;
  const path = genrePage(id, number);
  const root = rootFrom(path);
  const style = {
    root,
    unit: 'month',
    hasGenre: false,
  } as const;
  const [from, until] = [(number - 1) * perPage, number * perPage];
  const begun = underWay.slice(from, until);
  const visible = upcoming.slice(
    Math.max(0, from - underWay.length),
    Math.max(0, until - underWay.length),
  );
  const undated = number === pages ? announced.slice(0, listLimit) : [];
  const hasList = visible.length > 0 || undated.length > 0 || begun.length === 0;
  const total = upcoming.length;
  const recent = number === 1 ? recentOf(summary.over, context.today) : [];
  const listed = text('upcomingOf', { n: total });
  const pageNote = number > 1 ? `, ${text('pageOf', { page: number, pages })}` : '';
  return listPage(context, {
    path,
    title: `${name} (${category.name}): ${listed}${pageNote}`,
    description: `${describeNext(context, upcoming, announced)} ${listed}, ${text('subjects', { n: members.length })}.`,
    name,
    heading: countedHeading(context, name, total, underWay.length + announced.length > 0),
    filters: { genre: id },
    upcoming,
    total,
    crumbs: [
      [category.name, categoryPage(category.id)],
      [name, genrePage(id)],
    ],
    follow: `g/${id}`,
    strip: { category: category.id, genre: id },
    listAttributes: html` data-unit="month" data-g="${category.id}/${id}"`,
    list: html`${begun.length > 0 && nowSection(context, { total: underWay.length, events: begun }, style)}
    ${hasList && listOrNothing(context, visible, style, undated)}`,
    below: html`${recentRows(context, recent, style)} ${pages > 1 && pager(context, id, position)}
    ${number === 1 && context.hasAllPages && subjectList(context, summary, root)}`,
  });
}

function pager({ text }: PageContext, genre: string, { number, pages }: Position): Markup {
  const root = rootFrom(genrePage(genre, number));
  return html`<nav class="pager" aria-label="${number}/${pages}">
    ${number > 1 && html`<a rel="prev" href="${root}${genrePage(genre, number - 1)}">${text('previous')}</a>`}
    ${text('pageOf', { page: number, pages })}
    ${number < pages && html`<a rel="next" href="${root}${genrePage(genre, number + 1)}">${text('nextPage')}</a>`}
  </nav>`;
}

function subjectList(
  context: PageContext,
  { genre, members, upcoming, under_way: underWay, announced }: GenreRecords,
  root: string,
): Markup {
  const current = [...[...underWay, ...upcoming].map(({ record }) => record), ...announced];
  const counts = countEach(current.map(({ subject }) => subject.id));
  const links = members.slice(0, maxSubjects).map(({ id, name }) => {
    return {
      name,
      path: subjectPage(genre.id, id),
      count: counts.get(id),
    };
  });
  return html`<section class="subjects">
    <h2>${context.text('subjectsTitle')}</h2>
    ${tagList(context, root, links)}
  </section>`;
}
