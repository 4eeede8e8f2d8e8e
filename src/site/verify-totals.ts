import type { GenresDocument, IndexDocument, Inventory } from '../api/documents.ts';
import { mostEvents } from '../api/limits.ts';
import { documentPath, indexPath, operationPath, operations, root, type Question } from '../api/paths.ts';
import { Soonest } from '../catalogue/soonest.ts';
import { ProblemError } from '../problem.ts';
import { readDocument, readOverview, type Overview, type Site } from './read-site.ts';
import { contentsOf, type EventList, type Piece } from './verify-lists.ts';
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

/** The documents with each other: lists merge and totals add up from genres to categories to the index. */
export function crossCheck(
  report: Report,
  inventory: Inventory,
  overview: Documents,
  lists: ReadonlyMap<string, EventList>,
): void {
  checkTotals(report, overview);
  for (const operation of operations) {
    const [path, twin] = [documentPath({ operation }), operationPath(operation)];
    report.agree(twin, `the same bytes as ${path}`, inventory.files[twin]?.sha256, inventory.files[path]?.sha256);
  }
  const checked = new Set<string>([documentPath({ operation: 'events' }), operationPath('events')]);
  const expect = (question: Omit<Question, 'operation'>, total: number, contents: string): void => {
    const path = documentPath({ operation: 'events', ...question });
    checked.add(path);
    report.agree(path, 'total', lists.get(path)?.total, total);
    report.agree(path, 'the events, merged from genres,', lists.get(path)?.contents, contents);
  };
  checkLists(overview, lists, expect);
  for (const path of lists.keys()) if (!checked.has(path)) report.add(path, { code: 'site-file-unlisted' });
}

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
  expect: (question: Omit<Question, 'operation'>, total: number, contents: string) => void,
): void {
  const none = contentsOf([]);
  const everything = new Soonest<Piece>(mostEvents);
  const merged = new Map(categories.map(({ id }) => [id, new Soonest<Piece>(mostEvents)]));
  for (const { id: genre, category: own, upcoming } of genres) {
    const list = lists.get(documentPath({ operation: 'events', genre }));
    expect({ genre }, upcoming, list?.contents ?? '');
    for (const { id: category } of categories) {
      expect({ genre, category }, category === own ? upcoming : 0, category === own ? (list?.contents ?? '') : none);
    }
    for (const piece of list?.pieces ?? []) {
      merged.get(own)?.add(piece);
      everything.add(piece);
    }
  }
  for (const { id: category, upcoming } of categories) {
    expect({ category }, upcoming, contentsOf(merged.get(category)?.list() ?? []));
  }
  expect({}, totals.upcoming, contentsOf(everything.list()));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
