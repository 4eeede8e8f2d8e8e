import type { GenresDocument, IndexDocument, Manifest } from '../api/documents.ts';
import { calendarPath } from '../api/formats.ts';
import { documentPath, indexPath, maxEvents, operationPath, operations, type Question, root } from '../api/paths.ts';
import { Soonest } from '../catalogue/soonest.ts';
import { ProblemError } from '../problem/problem.ts';
import { readDocument, readOverview, type Overview, type Site } from './site.ts';
import { checkCut } from './verify-cut.ts';
import { contentsOf, type EventList, type ListedEvent } from './verify-lists.ts';
import type { Report } from './verify-report.ts';

/** Reads what the cross-check compares, lists of events aside. */
export async function readDocuments(site: Site): Promise<Documents> {
  const overview = await readOverview(site);
  const index = await readDocument<IndexDocument>(site, indexPath);
  if (overview === null || index === null) {
    throw new ProblemError([{ code: 'site-missing', place: null, site: site.name }]);
  }
  const ofCategory = new Map<string, GenresDocument | null>();
  for (const { id } of overview.categories) {
    const path = documentPath({ operation: 'genres', category: id });
    ofCategory.set(id, await readDocument<GenresDocument>(site, path));
  }
  return { ...overview, index, ofCategory };
}

interface Documents extends Overview {
  readonly index: IndexDocument;
  readonly ofCategory: ReadonlyMap<string, GenresDocument | null>;
}

/** The lists of a site as they were read, the calendars beside those that are cut, and the time of that. By path. */
interface Read {
  readonly lists: ReadonlyMap<string, EventList>;
  readonly calendars: ReadonlyMap<string, string>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The documents with each other: lists merge and totals add up from genres to categories to the index. */
export function crossCheck(
  report: Report,
  manifest: Manifest,
  overview: Documents,
  { lists, calendars, now }: Read,
): void {
  checkTotals(report, overview);
  for (const operation of operations) {
    const [path, twin] = [documentPath({ operation }), operationPath(operation)];
    report.agree(twin, `the same bytes as ${path}`, manifest.files[twin]?.sha256, manifest.files[path]?.sha256);
  }
  report.findMissing(manifest, calendarsOf(overview));
  const checked = new Set<string>();
  const expect: Expect = (question, total, pieces, path = documentPath({ operation: 'events', ...question })) => {
    checked.add(path);
    const list = lists.get(path);
    report.agree(path, 'filters', list?.filters, {
      genre: question.genre ?? null,
      category: question.category ?? null,
    });
    if (list?.cut) {
      const calendar = calendars.get(calendarPath(question)) ?? '';
      return checkCut(report, path, { total: list.total, events: list.cut }, { total, calendar, overview }, now);
    }
    report.agree(path, 'total', list?.total, total);
    if (pieces !== null) report.agree(path, 'the events, merged from genres,', list?.contents, contentsOf(pieces));
  };
  checkLists(overview, lists, expect);
  for (const path of lists.keys()) if (!checked.has(path)) report.add(path, { code: 'site-file-unlisted' });
}

function calendarsOf({ categories, genres }: Documents): string[] {
  return [
    ...categories.map(({ id: category }) => calendarPath({ category })),
    ...genres.map(({ id: genre }) => calendarPath({ genre })),
  ];
}

/** Holds a list to the total that was published and to the events that it is merged from; null where these are not known. */
type Expect = (
  question: Omit<Question, 'operation'>,
  total: number,
  pieces: readonly ListedEvent[] | null,
  path?: string,
) => void;

function checkTotals(report: Report, { index, totals, categories, genres, ofCategory }: Documents): void {
  const { last_sync: _, ...counted } = totals;
  report.agree(indexPath, 'catalogue', counted, {
    genres: genres.length,
    subjects: sum(genres.map(({ subjects }) => subjects)),
    upcoming: sum(categories.map(({ upcoming }) => upcoming)),
    categories: categories.length,
  });
  report.agree(
    indexPath,
    'operations',
    operationsOf(index),
    operations.map((name) => `GET /${operationPath(name)}`),
  );
  report.agree(indexPath, 'the end of documentation', index.documentation.slice(-root.length - 2), `/${root}/`);
  for (const { id, ...counts } of categories) {
    const own = genres.filter(({ category }) => category === id);
    const path = documentPath({ operation: 'genres', category: id });
    report.agree(path, 'contents', ofCategory.get(id), { filters: { category: id }, genres: own });
    const upcoming = sum(own.map((genre) => genre.upcoming));
    const found = { genres: counts.genres, upcoming: counts.upcoming };
    report.agree(documentPath({ operation: 'categories' }), `counts of ${id}`, found, { genres: own.length, upcoming });
  }
}

function operationsOf({ endpoints }: IndexDocument): string[] {
  return Object.keys(endpoints).map((label) => label.split('?')[0] ?? '');
}

function checkLists(
  { totals, categories, genres }: Documents,
  lists: ReadonlyMap<string, EventList>,
  expect: Expect,
): void {
  const everything = new Merge();
  const merged = new Map(categories.map(({ id }) => [id, new Merge()]));
  for (const { id: genre, category: own, upcoming } of genres) {
    const list = lists.get(documentPath({ operation: 'events', genre }));
    const pieces = list === undefined || list.cut ? null : list.pieces;
    expect({ genre }, upcoming, pieces);
    for (const { id: category } of categories) {
      if (category === own) expect({ genre, category }, upcoming, pieces);
      else expect({ genre, category }, 0, []);
    }
    merged.get(own)?.add(pieces);
    everything.add(pieces);
  }
  for (const { id: category, upcoming } of categories) {
    expect({ category }, upcoming, merged.get(category)?.list() ?? null);
  }
  expect({}, totals.upcoming, everything.list());
  expect({}, totals.upcoming, everything.list(), operationPath('events'));
}

/** The soonest events of several lists. Not known where one of these is cut. */
class Merge {
  readonly #soonest = new Soonest<ListedEvent>(maxEvents);
  #isKnown = true;

  add(pieces: readonly ListedEvent[] | null): void {
    this.#isKnown &&= pieces !== null;
    for (const piece of pieces ?? []) this.#soonest.add(piece);
  }

  list(): readonly ListedEvent[] | null {
    return this.#isKnown ? this.#soonest.list() : null;
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
