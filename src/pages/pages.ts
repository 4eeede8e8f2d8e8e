import { notFoundPagePath, root, scopeFolder, subjectPage } from '../api/paths.ts';
import type { ChangeRecord, ChangesDocument, ListRecord } from '../api/documents.ts';
import type { OpenApi } from '../api/openapi/document.ts';
import type { SiteFile } from '../api/site-file.ts';
import type { Category } from '../catalogue/model.ts';
import { countEach, groupBy } from '../catalogue/group.ts';
import { lazy } from '../catalogue/lazy.ts';
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
import { byStart, type GenreRecords, type ListedEvent } from '../render/records.ts';
import type { SubjectRecords } from '../render/subject-files.ts';
import type { Summary } from '../render/summary.ts';
import { changesPageOf } from './changes.ts';
import type { PageContext } from './context.ts';
import { genrePages } from './genre.ts';
import { homePage } from './home.ts';
import { categoryPageOf } from './list-page.ts';
import { fewestOfTag, listPageOf, listsPageOf } from './lists.ts';
import { monthPageOf, monthsOf, type Calendar } from './month.ts';
import type { PageSummary } from './page-summary.ts';
import { referencePage } from './reference.ts';
import { searchIndexPath, searchIndexText } from './search/index-file.ts';
import { robots, sitemaps, styledAssets, webManifest, wordsFile } from './site-files.ts';
import { subjectPageOf } from './subject.ts';
import { followingPageOf, notFoundPage, searchPageOf } from './tools.ts';
import { firstMonth, yearPageOf } from './year.ts';

/** What the pages of a genre show besides its records. */
interface GenreSources {
  /** The subjects of the genre by their ids. */
  readonly subjects: () => ReadonlyMap<string, SubjectRecords>;
  readonly changes: readonly ChangeRecord[];
}

/** The pages of a genre and of its subjects. */
export function* renderGenrePages(
  context: PageContext,
  category: Category,
  summary: GenreRecords,
  sources: GenreSources,
): Generator<SiteFile> {
  if (context.hasGenrePages) yield* genrePages(context, category, summary);
  if (!context.hasAllPages) return;
  const { genre, members } = summary;
  const shared = lazy(() => ({
    category,
    genre,
    nextEvents: nextEventsOf(sources.subjects()),
    tagsWithPages: tagsWithPages(summary),
  }));
  const changesOf = lazy(() => groupBy(sources.changes, ({ subject }) => subject.id));
  for (const { id } of members) {
    const content = () => {
      const subject = sources.subjects().get(id);
      if (subject === undefined) return '';
      return subjectPageOf(context, shared(), subject, changesOf().get(id) ?? []);
    };
    yield { path: `${subjectPage(genre.id, id)}index.html`, content };
  }
}

/** The tags that enough events of the genre alone have, so that they certainly have a page. */
function tagsWithPages({ upcoming }: GenreRecords): ReadonlySet<string> {
  const counts = countEach(upcoming.flatMap(({ record }) => record.tags));
  return new Set([...counts.keys()].filter((tag) => (counts.get(tag) ?? 0) >= fewestOfTag));
}

function nextEventsOf(subjects: ReadonlyMap<string, SubjectRecords>): ListedEvent[] {
  const events = [...subjects.values()].flatMap(({ upcoming }) => upcoming.slice(0, 1));
  return events.sort(byStart);
}

interface PageSources {
  readonly pages: PageSummary;
  /** What changed. Null if the site has no log. */
  readonly log: ChangesDocument | null;
  readonly openapi: () => OpenApi;
  readonly lists: readonly ListRecord[];
  readonly assets: readonly SiteFile[];
}

/**
 * The pages above genres, the files that pages load, the sitemap and robots.txt.
 *
 * @param paths the paths of the files that the site has already
 */
export function* renderPages(
  context: PageContext,
  summary: Summary,
  sources: PageSources,
  paths: Iterable<string>,
): Generator<SiteFile> {
  const { pages, lists, assets } = sources;
  const months = monthsOf(context, pages);
  const calendar = {
    ...pages,
    byMonth: new Map(months.map((month) => [month, pages.byMonth.get(month) ?? []])),
    announced: summary.everything.announced.map(({ record }) => record),
  };
  const listed = [...paths].filter((path) => path.endsWith('index.html'));
  for (const file of listedPages(context, summary, sources, calendar)) {
    listed.push(file.path);
    yield file;
  }
  const first = firstMonth([...calendar.byMonth.keys()], context.today);
  if (context.hasAllPages) {
    if (first !== undefined)
      yield pageAt(monthsPage, () => monthPageOf(context, calendar, first, monthsPage));
    yield pageAt(searchPage, () => searchPageOf(context));
    yield pageAt(followingPage, () => followingPageOf(context));
    const index = () => searchIndexText(pages.search, context, lists);
    yield { path: searchIndexPath, content: index };
  }
  yield {
    path: notFoundPagePath,
    content: () => notFoundPage(context, summary.everything.upcoming),
  };
  yield* styledAssets(assets, context.service.accent);
  const scripts = assets.filter(({ path }) => /\/(?:app|search)\.js$/.test(path));
  yield wordsFile(context, scripts.map(({ content }) => String(content)).join(''));
  yield webManifest(context);
  yield robots(context.baseUrl);
  const folders = lazy(() => listed.map((path) => path.slice(0, -'index.html'.length)).sort());
  yield* sitemaps(context.baseUrl, listed.length, folders);
}

/** The page in a folder. */
function pageAt(folder: string, content: () => string): SiteFile {
  return {
    path: `${folder}index.html`,
    content,
  };
}

/** The pages that the sitemap lists, besides those of genres and subjects. */
function* listedPages(
  context: PageContext,
  summary: Summary,
  sources: PageSources,
  calendar: Calendar,
): Generator<SiteFile> {
  const { pages, log, openapi, lists } = sources;
  const months = [...calendar.byMonth.keys()];
  const scopes = new Map(summary.scopes.map((scope) => [`${scopeFolder(scope.filters)}/`, scope]));
  yield pageAt(`${root}/`, () => referencePage(context, openapi()));
  yield pageAt('', () => homePage(context, summary, months, pages.recent));
  if (!context.hasGenrePages) return;
  for (const { id } of summary.categories) {
    const scope = scopes.get(`${scopeFolder({ category: id })}/`);
    if (scope === undefined) continue;
    yield pageAt(categoryPage(id), () => categoryPageOf(context, scope, summary, pages));
  }
  if (!context.hasAllPages) return;
  if (log !== null) yield pageAt(changesPage, () => changesPageOf(context, log));
  for (const month of months)
    yield pageAt(monthPage(month), () => monthPageOf(context, calendar, month));
  yield pageAt(yearPage, () => yearPageOf(context, calendar, summary.totals.upcoming));
  const linked = lists.filter(({ kind, upcoming }) => kind !== 'tag' || upcoming >= fewestOfTag);
  for (const list of linked) {
    const scope = scopes.get(list.path);
    if (scope !== undefined && list.kind !== 'month')
      yield pageAt(listPage(list.kind, list.id), () => listPageOf(context, list, scope));
  }
  yield pageAt(listsPage, () => listsPageOf(context, linked));
}
