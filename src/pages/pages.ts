import { maxEvents, notFoundPagePath, root } from '../api/paths.ts';
import type { ChangesDocument } from '../api/documents.ts';
import type { OpenApi } from '../api/openapi/document.ts';
import type { SiteFile } from '../api/site-file.ts';
import { overAt, type Category, type GenreSummary } from '../catalogue/model.ts';
import { Soonest, startOf } from '../catalogue/soonest.ts';
import { isoDate } from '../catalogue/time/time.ts';
import type { Summary } from '../render/summary.ts';
import { styledAssets } from './accent.ts';
import { categoryPageOf } from './category.ts';
import { changesPageOf } from './changes.ts';
import type { PageContext } from './context.ts';
import { genrePages } from './genre.ts';
import { countDays } from './heat.ts';
import { countsOf, homePage, todayHome, yearHome, type Home } from './home.ts';
import {
  categoryPage,
  changesPage,
  followingPage,
  monthPage,
  monthsPage,
  searchPage,
  subjectPage,
  todayPage,
  yearPage,
} from '../render/links.ts';
import { monthPageOf } from './month.ts';
import type { CategoryEvents, PageSummary } from './page-summary.ts';
import type { ListedEvent } from './rows.ts';
import { searchIndexPath, searchIndexText } from './search/index-file.ts';
import { referencePage } from './reference.ts';
import { robots, sitemaps, webManifest } from './site-files.ts';
import { subjectPageOf } from './subject.ts';
import { followingPageOf, notFoundPage, searchPageOf } from './tools.ts';
import { maxUnderWay } from './under-way.ts';

/** Renders the pages of a genre and of its subjects. */
export function* renderGenrePages(
  context: PageContext,
  category: Category,
  summary: GenreSummary,
): Generator<SiteFile> {
  if (context.has('genre')) yield* genrePages(context, category, summary);
  if (!context.has('subject')) return;
  const { genre, members } = summary;
  const [upcoming, current, cancelled] = [summary.events, summary.current, summary.cancelled].map(bySubject);
  const announced = bySubject(summary.announcements);
  for (const subject of members) {
    const { id } = subject;
    const content = {
      subject,
      upcoming: upcoming?.get(id) ?? [],
      current: current?.get(id) ?? [],
      cancelled: cancelled?.get(id) ?? [],
      announced: announced.get(id) ?? [],
    };
    yield { path: `${subjectPage(genre.id, id)}index.html`, content: subjectPageOf(context, category, genre, content) };
  }
}

/** The data of the pages above genres. */
interface PageSources {
  readonly pages: PageSummary;
  /** What changed. Null if the site has no log. */
  readonly log: ChangesDocument | null;
  readonly openapi: OpenApi;
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
  { pages, log, openapi, assets, answersQueries }: PageSources,
  written: Iterable<string>,
): Generator<SiteFile> {
  const home = homeOf(summary, pages, log);
  const reference = { path: `${root}/index.html`, content: referencePage(context, openapi, answersQueries) };
  const listed = [reference.path, ...written].filter((path) => path.endsWith('index.html'));
  yield reference;
  for (const file of mainPages(context, summary, pages, home)) {
    listed.push(file.path);
    yield file;
  }
  if (context.has('month')) {
    yield { path: `${todayPage}index.html`, content: todayHome(context, home) };
    const [first] = pages.byMonth.keys();
    if (first !== undefined) {
      yield { path: `${monthsPage}index.html`, content: monthOf(context, pages, home, first, monthsPage) };
    }
  }
  if (context.has('tool')) {
    yield { path: `${searchPage}index.html`, content: searchPageOf(context) };
    yield { path: `${followingPage}index.html`, content: followingPageOf(context) };
    yield { path: searchIndexPath, content: searchIndexText(pages.search) };
  }
  yield { path: notFoundPagePath, content: notFoundPage(context, home.soonest) };
  yield* styledAssets(assets, context.service.accent);
  yield webManifest(context);
  yield robots(context.baseUrl);
  yield* sitemaps(context.baseUrl, listed.map((path) => path.slice(0, -'index.html'.length)).toSorted());
}

function homeOf(
  { totals, categories, everything }: Summary,
  { byCategory, byMonth, starts }: PageSummary,
  log: PageSources['log'],
): Home {
  const soonest = new Soonest<ListedEvent>(maxEvents, startOf);
  const underWay = new Soonest<ListedEvent>(maxUnderWay, overAt);
  const counts = new Map<string, number>();
  for (const [id, events] of byCategory) {
    soonest.addAll(events.soonest);
    underWay.addAll(events.underWay.events);
    counts.set(id, events.underWay.total);
  }
  const perDay = countDays(starts, isoDate);
  return {
    totals,
    categories,
    soonest: soonest.list(),
    underWay: { total: everything.totals.underWay, events: underWay.list(), counts },
    starts,
    perDay,
    months: [...byMonth.keys()],
    log,
  };
}

/** The events of a category without genres. */
const noEvents: CategoryEvents = { soonest: [], underWay: { total: 0, events: [], counts: new Map() } };

/** The pages that the sitemap lists, besides those of genres and subjects. */
function* mainPages(context: PageContext, summary: Summary, pages: PageSummary, home: Home): Generator<SiteFile> {
  yield { path: 'index.html', content: homePage(context, home) };
  if (context.has('category')) {
    const counts = countsOf(home);
    for (const category of summary.categories) {
      const genres = summary.byCategory.get(category.id)?.genres ?? [];
      const events = pages.byCategory.get(category.id) ?? noEvents;
      const content = categoryPageOf(context, category, genres, events, counts);
      yield { path: `${categoryPage(category.id)}index.html`, content };
    }
  }
  if (home.log !== null && context.has('tool')) {
    yield { path: `${changesPage}index.html`, content: changesPageOf(context, home.log) };
  }
  if (!context.has('month')) return;
  for (const month of home.months) {
    yield { path: `${monthPage(month)}index.html`, content: monthOf(context, pages, home, month) };
  }
  yield { path: `${yearPage}index.html`, content: yearHome(context, home) };
}

function monthOf(
  context: PageContext,
  pages: PageSummary,
  { months, perDay: counts }: Home,
  month: string,
  path?: string,
): string {
  const { total, events } = pages.byMonth.get(month) ?? { total: 0, events: [] };
  const at = months.indexOf(month);
  const content = { month, total, events, counts, previous: months[at - 1] ?? null, next: months[at + 1] ?? null };
  return monthPageOf(context, content, path);
}

/** Groups events or announcements by the id of their subject. */
function bySubject<T extends { readonly subject: { readonly id: string } }>(items: readonly T[]): Map<string, T[]> {
  const subjects = new Map<string, T[]>();
  for (const item of items) {
    const { id } = item.subject;
    const known = subjects.get(id);
    if (known === undefined) subjects.set(id, [item]);
    else known.push(item);
  }
  return subjects;
}
