import type { GenresDocument, IndexDocument, Inventory } from '../api/documents.ts';
import { mostEvents } from '../api/limits.ts';
import { calendarPath, documentPath, indexPath, operationPath, operations, root, type Question } from '../api/paths.ts';
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
  report.findMissing(inventory, calendarsOf(overview));
  const checked = new Set<string>([operationPath('events')]);
  const expect: Expect = (question, total, pieces, mostOver) => {
    const path = documentPath({ operation: 'events', ...question });
    checked.add(path);
    const list = lists.get(path);
    if (list?.isCut === true) checkCut(report, path, list, total, mostOver);
    else report.agree(path, 'total', list?.total, total);
    const contents = contentsOf(list?.isCut === true ? pieces.slice(0, list.length) : pieces);
    report.agree(path, 'the events, merged from genres,', list?.contents, contents);
  };
  checkLists(overview, lists, expect);
  const [path, twin] = [documentPath({ operation: 'events' }), operationPath('events')];
  report.agree(twin, `the events of ${path}`, lists.get(twin)?.contents, lists.get(path)?.contents);
  for (const known of lists.keys()) if (!checked.has(known)) report.add(known, { code: 'site-file-unlisted' });
}

/** A list that differs from what was published: as many events as its total fell by must be gone from it. */
function checkCut(report: Report, path: string, list: EventList, published: number, mostOver: number): void {
  const over = published - list.total;
  if (over > 0 && over <= mostOver && list.length === Math.min(published, mostEvents) - over) return;
  report.add(path, { code: 'site-list-changed', total: list.total, length: list.length, published });
}

function calendarsOf({ categories, genres }: Documents): string[] {
  return [
    ...categories.map(({ id: category }) => calendarPath({ category })),
    ...genres.map(({ id: genre }) => calendarPath({ genre })),
  ];
}

/** Holds a list to the total that was published, to the events that it is merged from, and to how many of them can be over. */
type Expect = (
  question: Omit<Question, 'operation'>,
  total: number,
  pieces: readonly Piece[],
  mostOver: number,
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
  const everything = new Soonest<Piece>(mostEvents);
  const overOf = new Map<string, number>();
  const merged = new Map(categories.map(({ id }) => [id, new Soonest<Piece>(mostEvents)]));
  for (const { id: genre, category: own, upcoming } of genres) {
    const { pieces, total } = lists.get(documentPath({ operation: 'events', genre })) ?? nothing;
    const over = upcoming - total;
    overOf.set(own, (overOf.get(own) ?? 0) + over);
    expect({ genre }, upcoming, pieces, over);
    for (const { id: category } of categories) {
      if (category === own) expect({ genre, category }, upcoming, pieces, over);
      else expect({ genre, category }, 0, [], 0);
    }
    for (const piece of pieces) {
      merged.get(own)?.add(piece);
      everything.add(piece);
    }
  }
  for (const { id: category, upcoming } of categories) {
    expect({ category }, upcoming, merged.get(category)?.list() ?? [], overOf.get(category) ?? 0);
  }
  expect({}, totals.upcoming, everything.list(), sum([...overOf.values()]));
}

const nothing = { pieces: [], total: 0 };

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
