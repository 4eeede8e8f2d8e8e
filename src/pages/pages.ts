import { notFoundPagePath, root, scopeFolder, subjectPage } from '../api/paths.ts';
import type { ChangeRecord, ChangesDocument, ListRecord } from '../api/documents.ts';
import type { OpenApi } from '../api/openapi/document.ts';
import type { SiteFile } from '../api/site-file.ts';
import type { Category } from '../catalogue/model.ts';
import { countEach, groupBy } from '../catalogue/group.ts';
import {
  categoryPage,
  changesPage,
  followingPage,
  listPage,
  listsPage,
  monthPage,
  monthsPage,
  searchPage,
  yearPage,
} from '../render/links.ts';
import { byStart, type GenreRecords } from '../render/records.ts';
import type { SubjectRecords } from '../render/subject-files.ts';
import type { Summary } from '../render/summary.ts';
import { changesPageOf } from './changes.ts';
import type { PageContext } from './context.ts';
import { genrePages } from './genre.ts';
import { homePage } from './home.ts';
import { categoryPageOf } from './list-page.ts';
import { fewestOfTag, listPageOf, listsPageOf } from './lists.ts';
import { monthPageOf, monthsOf, totalOfMonth, type Calendar } from './month.ts';
import type { PageSummary } from './page-summary.ts';
import { referencePage } from './reference.ts';
import { searchIndexPath, searchIndexText } from './search/index-file.ts';
import { robots, sitemaps, styledAssets, webManifest, wordsFile } from './site-files.ts';
import { subjectPageOf } from './subject.ts';
import { followingPageOf, notFoundPage, searchPageOf } from './tools.ts';
import { firstMonth, yearPageOf } from './year.ts';

/** Renders the pages of a genre and of its subjects. */
export function* renderGenrePages(
  context: PageContext,
  category: Category,
  summary: GenreRecords,
  {
    subjects,
    changes,
  }: { readonly subjects: readonly SubjectRecords[]; readonly changes: readonly ChangeRecord[] },
): Generator<SiteFile> {
  if (context.hasGenrePages) yield* genrePages(context, category, summary);
  if (!context.hasAllPages) return;
  const { genre } = summary;
  const counts = countEach(summary.upcoming.flatMap(({ record }) => record.tags));
  // Enough events of the genre alone have these tags, so they certainly have a page.
  const tagsWithPages = new Set(
    [...counts.keys()].filter((tag) => (counts.get(tag) ?? 0) >= fewestOfTag),
  );
  const nextEvents = subjects.flatMap(({ upcoming }) => upcoming.slice(0, 1)).sort(byStart);
  const shared = { category, genre, nextEvents, tagsWithPages };
  const bySubject = groupBy(changes, ({ subject }) => subject.id);
  for (const content of subjects) {
    const { id } = content.subject;
    const page = subjectPageOf(context, shared, content, bySubject.get(id) ?? []);
    yield { path: `${subjectPage(genre.id, id)}index.html`, content: page };
  }
}

interface PageSources {
  readonly pages: PageSummary;
  /** What changed. Null if the site has no log. */
  readonly log: ChangesDocument | null;
  readonly openapi: OpenApi;
  readonly lists: readonly ListRecord[];
  readonly assets: readonly SiteFile[];
}

/**
 * Renders the pages above genres, the files that pages load, the sitemap and robots.txt.
 *
 * @param written the paths of the files that the site has already
 */
export function* renderPages(
  context: PageContext,
  summary: Summary,
  sources: PageSources,
  written: Iterable<string>,
): Generator<SiteFile> {
  const { pages, lists, assets } = sources;
  const months = monthsOf(context, pages);
  const calendar = {
    ...pages,
    byMonth: new Map(months.map((month) => [month, pages.byMonth.get(month) ?? []])),
    announced: summary.everything.announced.map(({ record }) => record),
  };
  const listed = [...written].filter((path) => path.endsWith('index.html'));
  for (const file of listedPages(context, summary, sources, calendar)) {
    listed.push(file.path);
    yield file;
  }
  const first = firstMonth([...calendar.byMonth.keys()], context.today);
  if (context.hasAllPages) {
    if (first !== undefined)
      yield {
        path: `${monthsPage}index.html`,
        content: monthPageOf(context, calendar, first, monthsPage),
      };
    yield { path: `${searchPage}index.html`, content: searchPageOf(context) };
    yield { path: `${followingPage}index.html`, content: followingPageOf(context) };
    yield {
      path: searchIndexPath,
      content: searchIndexText(pages.search, context.categories, lists),
    };
  }
  yield { path: notFoundPagePath, content: notFoundPage(context) };
  yield* styledAssets(assets, context.service.accent);
  const script = assets.find(({ path }) => path === 'assets/app.js')?.content;
  yield wordsFile(context, typeof script === 'string' ? script : '');
  yield webManifest(context);
  yield robots(context.baseUrl);
  const paths = listed.map((path) => path.slice(0, -'index.html'.length)).toSorted();
  yield* sitemaps(context.baseUrl, paths);
}

/** Renders the pages that the sitemap lists, besides those of genres and subjects. */
function* listedPages(
  context: PageContext,
  summary: Summary,
  { pages, log, openapi, lists }: PageSources,
  calendar: Calendar,
): Generator<SiteFile> {
  const months = [...calendar.byMonth.keys()];
  const scopes = new Map(summary.scopes.map((scope) => [`${scopeFolder(scope.filters)}/`, scope]));
  const counts = new Map(
    [...summary.genres, ...summary.categories].map(({ id, upcoming }) => [id, upcoming]),
  );
  yield { path: `${root}/index.html`, content: referencePage(context, openapi) };
  yield { path: 'index.html', content: homePage(context, summary, counts, months, pages.recent) };
  if (!context.hasGenrePages) return;
  for (const category of summary.categories) {
    const scope = scopes.get(`${scopeFolder({ category: category.id })}/`);
    if (scope === undefined) continue;
    const genres = summary.genres.filter((genre) => genre.category === category.id);
    const content = categoryPageOf(context, category, genres, scope, counts, pages);
    yield { path: `${categoryPage(category.id)}index.html`, content };
  }
  if (!context.hasAllPages) return;
  if (log !== null)
    yield { path: `${changesPage}index.html`, content: changesPageOf(context, log) };
  for (const month of months)
    yield { path: `${monthPage(month)}index.html`, content: monthPageOf(context, calendar, month) };
  yield {
    path: `${yearPage}index.html`,
    content: yearPageOf(context, calendar, summary.totals.upcoming),
  };
  const linked = lists.filter(({ kind, upcoming }) => kind !== 'tag' || upcoming >= fewestOfTag);
  for (const list of linked) {
    const scope = scopes.get(list.path);
    if (scope !== undefined && list.kind !== 'month')
      yield {
        path: `${listPage(list.kind, list.id)}index.html`,
        content: listPageOf(context, list, scope),
      };
  }
  const counted = linked.map((list) =>
    list.kind === 'month' ? { ...list, upcoming: totalOfMonth(context, calendar, list.id) } : list,
  );
  yield { path: `${listsPage}index.html`, content: listsPageOf(context, counted) };
}
