import { notFoundPagePath, root, scopeFolder } from '../api/paths.ts';
import type { ChangeRecord, ChangesDocument, ListRecord } from '../api/documents.ts';
import type { OpenApi } from '../api/openapi/document.ts';
import type { SiteFile } from '../api/site-file.ts';
import type { Category } from '../catalogue/model.ts';
import { isoDate } from '../catalogue/time/time.ts';
import { groupBy } from '../catalogue/group.ts';
import type { GenreRecords } from '../render/records.ts';
import type { SubjectRecords } from '../render/subject-files.ts';
import type { ScopeSummary, Summary } from '../render/summary.ts';
import { styledAssets } from './accent.ts';
import { categoryPageOf } from './category.ts';
import { changesPageOf } from './changes.ts';
import type { PageContext } from './context.ts';
import { genrePages } from './genre.ts';
import { monthAfter } from './dates.ts';
import { countDays, daysPath, isApart, packStarts, startsPath, startsText, sumOfStarts } from './heat.ts';
import { countsOf, homePage, todayHome, yearHome, type Home } from './home.ts';
import {
  categoryPage,
  changesPage,
  followingPage,
  listPage,
  listsPage,
  monthPage,
  monthsPage,
  searchPage,
  subjectPage,
  todayPage,
  yearPage,
} from '../render/links.ts';
import { firstDays } from './list-pages.ts';
import { listPageOf, listsPageOf } from './lists.ts';
import { monthPages } from './month.ts';
import { overviewOf } from './month-table.ts';
import type { PageSummary } from './page-summary.ts';
import { searchIndexText } from './search/index-builder.ts';
import { searchIndexPath } from './search/index-file.ts';
import { referencePage } from './reference.ts';
import { lastChanges, robots, sitemaps, webManifest } from './site-files.ts';
import { neighboursOf, subjectPageOf } from './subject.ts';
import { followingPageOf, notFoundPage, searchPageOf } from './tools.ts';
import { maxUnderWay, type CountedUnderWay } from './under-way.ts';

/** Renders the pages of a genre and of its subjects. */
export function* renderGenrePages(
  context: PageContext,
  category: Category,
  summary: GenreRecords,
  { subjects, changes }: { readonly subjects: readonly SubjectRecords[]; readonly changes: readonly ChangeRecord[] },
): Generator<SiteFile> {
  if (context.has('genre')) yield* genrePages(context, category, summary);
  if (!context.has('subject')) return;
  const { genre } = summary;
  const neighbours = neighboursOf(summary.upcoming);
  const bySubject = groupBy(changes, ({ subject }) => subject.id);
  for (const content of subjects) {
    const { id } = content.subject;
    const page = subjectPageOf(context, { category, genre, neighbours }, content, bySubject.get(id) ?? []);
    yield { path: `${subjectPage(genre.id, id)}index.html`, content: page };
  }
}

/** The data of the pages above genres. */
interface PageSources {
  readonly pages: PageSummary;
  /** What changed. Null if the site has no log. */
  readonly log: ChangesDocument | null;
  readonly openapi: OpenApi;
  readonly lists: readonly ListRecord[];
  /** The files that the pages load. */
  readonly assets: readonly SiteFile[];
  /** Whether the host of the site answers queries. Null if that is not known. */
  readonly answersQueries: boolean | null;
}

/**
 * Renders the pages above genres, the files that pages load, the sitemap and robots.txt.
 *
 * @param written the paths of the files that the site has already
 */
export function* renderPages(
  context: PageContext,
  summary: Summary,
  { pages, log, openapi, lists, assets, answersQueries }: PageSources,
  written: Iterable<string>,
): Generator<SiteFile> {
  const home = homeOf(summary, pages, log);
  const reference = { path: `${root}/index.html`, content: referencePage(context, openapi, answersQueries) };
  const listed = [reference.path, ...written].filter((path) => path.endsWith('index.html'));
  yield reference;
  for (const files of [mainPages(context, summary, pages, home), listPages(context, summary, lists, pages)]) {
    for (const file of files) {
      listed.push(file.path);
      yield file;
    }
  }
  if (context.has('month')) {
    yield { path: `${todayPage}index.html`, content: todayHome(context, home) };
    yield { path: startsPath, content: startsText(summary.genres, pages.starts) };
    const days = packStarts(home.starts);
    if (isApart(days)) yield { path: daysPath, content: days };
    const [first] = pages.byMonth.keys();
    if (first !== undefined) {
      yield* monthOf(context, pages, home, first, monthsPage);
    }
  }
  if (context.has('tool')) {
    yield { path: `${searchPage}index.html`, content: searchPageOf(context) };
    yield { path: `${followingPage}index.html`, content: followingPageOf(context) };
    yield { path: searchIndexPath, content: searchIndexText(pages.search, context.categories, lists) };
  }
  yield { path: notFoundPagePath, content: notFoundPage(context, home.soonest) };
  yield* styledAssets(assets, context.service.accent);
  yield webManifest(context);
  yield robots(context.baseUrl);
  const paths = listed.map((path) => path.slice(0, -'index.html'.length)).toSorted();
  yield* sitemaps(context.baseUrl, paths, lastChanges(log));
}

function homeOf(summary: Summary, { byMonth, starts: ofGenres }: PageSummary, log: PageSources['log']): Home {
  const { totals, categories, everything } = summary;
  const counts = new Map(Array.from(byCategory(summary), ([id, scope]) => [id, scope.totals.under_way]));
  const starts = sumOfStarts(ofGenres.values());
  const perDay = countDays(starts, isoDate);
  return {
    totals,
    categories,
    soonest: everything.upcoming,
    underWay: underWayOf(everything, counts),
    starts,
    perDay,
    months: [...byMonth.keys()],
    announced: everything.announced.map(({ record }) => record),
    firsts: new Map(Array.from(byMonth, ([month, { events }]) => [month, firstDays(events)])),
    documented: new Set(summary.scopes.flatMap(({ filters }) => filters.month ?? [])),
    log,
  };
}

/** Returns the scopes of categories by their ids. */
function byCategory({ scopes }: Summary): ReadonlyMap<string, ScopeSummary> {
  return new Map(scopes.flatMap((scope) => (scope.filters.category ? [[scope.filters.category, scope]] : [])));
}

function underWayOf({ totals, under_way }: ScopeSummary, counts: ReadonlyMap<string, number>): CountedUnderWay {
  return { total: totals.under_way, events: under_way.slice(0, maxUnderWay), counts };
}

/** The pages that the sitemap lists, besides those of genres and subjects. */
function* mainPages(context: PageContext, summary: Summary, pages: PageSummary, home: Home): Generator<SiteFile> {
  yield { path: 'index.html', content: homePage(context, home) };
  if (context.has('category')) {
    const counts = countsOf(home);
    const ofCategory = byCategory(summary);
    for (const category of summary.categories) {
      const scope = ofCategory.get(category.id);
      if (scope === undefined) continue;
      const genres = summary.genres.filter((genre) => genre.category === category.id);
      const announced = scope.announced.slice(0, maxUnderWay).map(({ record }) => record);
      const events = { soonest: scope.upcoming, underWay: underWayOf(scope, pages.underWay), announced };
      const content = categoryPageOf(context, category, genres, events, counts);
      yield { path: `${categoryPage(category.id)}index.html`, content };
    }
  }
  if (home.log !== null && context.has('tool')) {
    yield { path: `${changesPage}index.html`, content: changesPageOf(context, home.log) };
  }
  if (!context.has('month')) return;
  for (const month of home.months) {
    yield* monthOf(context, pages, home, month);
  }
  yield { path: `${yearPage}index.html`, content: yearHome(context, home) };
}

/** The pages of countries, tags and collections, and the page that links to them and to those of months. */
function* listPages(
  context: PageContext,
  { scopes }: Summary,
  lists: readonly ListRecord[],
  { byMonth }: PageSummary,
): Generator<SiteFile> {
  if (!context.has('list')) return;
  const ofFolder = new Map(scopes.map((scope) => [`${scopeFolder(scope.filters)}/`, scope]));
  for (const list of lists) {
    const scope = ofFolder.get(list.path);
    if (list.kind === 'month' || scope === undefined) continue;
    yield { path: `${listPage(list.kind, list.id)}index.html`, content: listPageOf(context, list, scope) };
  }
  // The pages of months go by UTC, and their documents by the dates where the events happen.
  const months = Array.from(byMonth, ([id, { total }]) => {
    return { kind: 'month', id, name: context.locale.month(id), upcoming: total } as const;
  });
  const linked = [...lists.filter(({ kind }) => kind !== 'month'), ...months];
  yield { path: `${listsPage}index.html`, content: listsPageOf(context, linked) };
}

function monthOf(
  context: PageContext,
  pages: PageSummary,
  { months, documented, firsts, announced: undated, perDay: counts }: Home,
  month: string,
  path?: string,
): Generator<SiteFile> {
  const { total, events } = pages.byMonth.get(month) ?? { total: 0, events: [] };
  const at = months.indexOf(month);
  const hasDocuments = documented.has(month);
  const [previous, next] = [months[at - 1] ?? null, months[at + 1] ?? null];
  const [ofBefore, ofAfter] = [firsts.get(monthAfter(month, -1)), firsts.get(monthAfter(month, 1))];
  const around = {
    before: ofBefore === undefined ? null : monthPage(monthAfter(month, -1), ofBefore.length),
    after: ofAfter === undefined ? null : monthPage(monthAfter(month, 1)),
  };
  const announced = undated.filter(({ window }) => window.until.startsWith(month));
  const content = {
    month,
    hasDocuments,
    total,
    events,
    counts,
    overview: overviewOf(context, events),
    announced,
    firsts: firsts.get(month) ?? [],
    ...around,
    previous,
    next,
  };
  return monthPages(context, content, path);
}
