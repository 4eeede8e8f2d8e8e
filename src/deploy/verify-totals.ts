import type { GenresDocument, IndexDocument, Manifest } from '../api/documents.ts';
import type { Row } from '../api/openapi/paths.ts';
import { formatPath, next, scopeOf } from '../api/formats.ts';
import {
  documentPath,
  indexPath,
  maxEvents,
  nextEvents,
  operationPath,
  operations,
  root,
  type Filters,
} from '../api/paths.ts';
import { Soonest, startOf } from '../catalogue/soonest.ts';
import { ProblemError } from '../problem/problem.ts';
import { readDocument, readOverview, type Overview, type Site } from './site.ts';
import { hashOf, type EventList, type ListedEvent } from './verify-lists.ts';
import type { Report } from './verify-report.ts';

/** The documents that the cross-check compares, without the lists of events. */
interface Documents extends Overview {
  readonly index: IndexDocument;
  /** The existing genres documents by category. */
  readonly genresOf: ReadonlyMap<string, GenresDocument>;
}

export async function readDocuments(site: Site): Promise<Documents> {
  const overview = await readOverview(site);
  const index = await readDocument<IndexDocument>(site, indexPath);
  if (overview === null || index === null) {
    throw new ProblemError([{ code: 'site-missing', place: null, site: site.name }]);
  }
  const genresOf = new Map<string, GenresDocument>();
  for (const { id } of overview.categories) {
    const path = documentPath({ operation: 'genres', category: id });
    const document = await readDocument<GenresDocument>(site, path);
    if (document !== null) genresOf.set(id, document);
  }
  return { ...overview, index, genresOf };
}

/**
 * Checks that the documents agree: lists merge and totals add up from genres to categories to the index.
 *
 * @param lists the lists by path
 * @param rows the rows of the interface that the site has
 */
export function crossCheck(
  report: Report,
  manifest: Manifest,
  documents: Documents,
  lists: ReadonlyMap<string, EventList>,
  rows: readonly Row[],
): void {
  checkTotals(report, documents);
  for (const operation of operations) {
    const [path, alias] = [documentPath({ operation }), operationPath(operation)];
    report.requireSame(alias, `the same bytes as ${path}`, manifest.files[alias]?.sha256, manifest.files[path]?.sha256);
  }
  report.requireComplete(
    manifest,
    rows.flatMap(({ path }) => pathsOf(path, documents)),
  );
  const expected = expectedLists(documents, lists);
  for (const one of expected) {
    const list = lists.get(one.path);
    if (list !== undefined) checkExpected(report, one, list);
  }
  const paths = new Set(expected.map(({ path }) => path));
  for (const path of lists.keys()) if (!paths.has(path)) report.add(path, { code: 'site-file-unlisted' });
}

/** Returns the paths of a row of the interface: one for each category, genre or pair that its pattern matches. */
function pathsOf(path: string, { categories, genres }: Overview): string[] {
  const fill = (paths: readonly string[], parameter: string, records: readonly { readonly id: string }[]): string[] =>
    paths.flatMap((one) => (one.includes(parameter) ? records.map(({ id }) => one.replace(parameter, id)) : one));
  return path.includes('{') ? fill(fill([path], '{category}', categories), '{genre}', genres) : [];
}

function checkTotals(report: Report, { index, totals, categories, genres, genresOf }: Documents): void {
  const { last_sync: _, ...counts } = totals;
  report.requireSame(indexPath, 'catalogue', counts, {
    genres: genres.length,
    subjects: sum(genres.map(({ subjects }) => subjects)),
    upcoming: sum(categories.map(({ upcoming }) => upcoming)),
    categories: categories.length,
  });
  const labels = Object.keys(index.endpoints).map((label) => label.split('?')[0] ?? '');
  const paths = operations.map((name) => `GET /${operationPath(name)}`);
  report.requireSame(indexPath, 'operations', labels, paths);
  const end = `/${root}/`;
  report.requireSame(indexPath, 'the end of documentation', index.documentation.slice(-end.length), end);
  for (const { id, ...found } of categories) {
    const members = genres.filter(({ category }) => category === id);
    const path = documentPath({ operation: 'genres', category: id });
    const document = genresOf.get(id);
    const expected = { filters: { category: id }, genres: members };
    if (document !== undefined) report.requireSame(path, 'contents', document, expected);
    const { genres: genreCount, upcoming } = found;
    const counted = { genres: members.length, upcoming: sum(members.map((genre) => genre.upcoming)) };
    const categoriesPath = documentPath({ operation: 'categories' });
    report.requireSame(categoriesPath, `counts of ${id}`, { genres: genreCount, upcoming }, counted);
  }
}

/** The content of a list of events that follows from the other documents. */
interface ExpectedList {
  readonly path: string;
  readonly filters: EventList['filters'];
  readonly total: number;
  /** Null if unknown, because a host filtered a list from which this one is merged. */
  readonly events: readonly ListedEvent[] | null;
}

function expectedLists(
  { totals, categories, genres }: Documents,
  lists: ReadonlyMap<string, EventList>,
): ExpectedList[] {
  const everything = new Merge();
  const merged = new Map(categories.map(({ id }) => [id, new Merge()]));
  const expected: ExpectedList[] = [];
  for (const { id: genre, category: home, upcoming } of genres) {
    const list = lists.get(documentPath({ operation: 'events', genre }));
    const events = list === undefined || list.isFiltered ? null : list.events;
    expected.push(expectedList({ genre }, upcoming, events));
    for (const { id: category } of categories) {
      const isHome = category === home;
      expected.push(expectedList({ genre, category }, isHome ? upcoming : 0, isHome ? events : []));
    }
    merged.get(home)?.add(events);
    everything.add(events);
  }
  for (const { id: category, upcoming } of categories) {
    expected.push(expectedList({ category }, upcoming, merged.get(category)?.list() ?? null));
  }
  const all = expectedList({}, totals.upcoming, everything.list());
  const beginnings = [...expected, all].filter(({ filters }) => scopeOf(filters) !== 'pair').map(beginningOf);
  return [...expected, all, ...beginnings, { ...all, path: operationPath('events') }];
}

/** Returns the expected list of the first events of another list. */
function beginningOf({ filters, total, events }: ExpectedList): ExpectedList {
  return { path: formatPath(next, filters), filters, total, events: events?.slice(0, nextEvents) ?? null };
}

function expectedList(filters: Filters, total: number, events: readonly ListedEvent[] | null): ExpectedList {
  const { genre = null, category = null } = filters;
  return { path: documentPath({ operation: 'events', ...filters }), filters: { genre, category }, total, events };
}

function checkExpected(report: Report, { path, filters, total, events }: ExpectedList, list: EventList): void {
  report.requireSame(path, 'filters', list.filters, filters);
  if (list.isFiltered) return checkFiltered(report, path, list, total);
  report.requireSame(path, 'total', list.total, total);
  if (events !== null) report.requireSame(path, 'the events, merged from genres,', list.contents, hashOf(events));
}

/** Checks a list from which a host left out expired events: the total falls by as many, and no later events move up. */
function checkFiltered(
  report: Report,
  path: string,
  { total, limit, length, isUpcoming }: EventList,
  published: number,
): void {
  const missing = published - total;
  if (missing > 0 && length === Math.min(limit, Math.min(published, maxEvents) - missing) && isUpcoming) return;
  report.add(path, { code: 'site-list-changed', total, length, published });
}

/** Merges the soonest events of several lists. The result is unknown if one of the lists is unknown. */
class Merge {
  readonly #soonest = new Soonest<ListedEvent>(maxEvents, startOf);
  #isKnown = true;

  add(events: readonly ListedEvent[] | null): void {
    if (events === null) this.#isKnown = false;
    else this.#soonest.addAll(events);
  }

  list(): readonly ListedEvent[] | null {
    return this.#isKnown ? this.#soonest.list() : null;
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
