import { announced, formatPath, json, next, now, type Format } from '../api/formats.ts';
import { maxEvents, nextEvents, operationPath, type Filters } from '../api/paths.ts';
import { kindOf } from '../api/scopes.ts';
import { Soonest } from '../catalogue/soonest.ts';
import type { Overview } from './documents.ts';
import { hashOf, instantOf, type CheckedList, type ListedRecord } from './verify-lists.ts';
import type { Report } from './verify-report.ts';

/**
 * Checks that the lists of categories and of everything are merged from the lists of genres, and that there are no
 * others.
 *
 * @param lists by path
 */
export function checkMerged(report: Report, overview: Overview, lists: ReadonlyMap<string, CheckedList>): void {
  const events = expectedLists(json, overview, lists);
  const first = events.filter(({ filters }) => kindOf(filters) !== 'pair').map(firstOf);
  const atOwnPath = events.slice(-1).map((everything) => ({ ...everything, path: operationPath('events') }));
  const otherLists = [now, announced].flatMap((format) => expectedLists(format, overview, lists));
  const unexpected = new Set(lists.keys());
  for (const expected of [...events, ...first, ...atOwnPath, ...otherLists]) {
    unexpected.delete(expected.path);
    const list = lists.get(expected.path);
    if (list !== undefined) checkExpected(report, expected, list);
  }
  for (const path of unexpected) report.add(path, { code: 'site-file-unlisted' });
}

/** What a list contains. Null: it is missing, or a host updated it or one that it is merged from. */
interface Contents {
  readonly total: number | null;
  readonly records: readonly ListedRecord[] | null;
}

interface ExpectedList extends Contents {
  readonly path: string;
  readonly filters: CheckedList['filters'];
}

const nothing: Contents = { total: 0, records: [] };

/** Returns the lists of a format: those of each genre, its pairs and each category, and last that of everything. */
function expectedLists(
  format: Format,
  { categories, genres }: Overview,
  lists: ReadonlyMap<string, CheckedList>,
): ExpectedList[] {
  const expect = ({ genre = null, category = null }: Filters, contents: Contents): ExpectedList => {
    const filters = { genre, category };
    return { path: formatPath(format, filters), filters, ...contents };
  };
  const everything = new Merge();
  const byCategory = new Map(categories.map(({ id }) => [id, new Merge()]));
  const expected = genres.flatMap(({ id: genre, category: home, upcoming }) => {
    const list = lists.get(formatPath(format, { genre }));
    const known = list?.isUpdated === false ? list : null;
    const total = format === json ? upcoming : (known?.total ?? null);
    const contents = { total, records: known?.records ?? null };
    everything.add(contents);
    byCategory.get(home)?.add(contents);
    const pairs = format.scopes.includes('pair') ? categories : [];
    return [
      expect({ genre }, contents),
      ...pairs.map(({ id: category }) => expect({ genre, category }, category === home ? contents : nothing)),
    ];
  });
  const ofCategories = Array.from(byCategory, ([category, merge]) => expect({ category }, merge.contents()));
  return [...expected, ...ofCategories, expect({}, everything.contents())];
}

/** Returns the list of the next events, which are the first of a list. */
function firstOf({ filters, total, records }: ExpectedList): ExpectedList {
  return { path: formatPath(next, filters), filters, total, records: records?.slice(0, nextEvents) ?? null };
}

function checkExpected(report: Report, { path, filters, total, records }: ExpectedList, list: CheckedList): void {
  report.requireSame(path, 'filters', list.filters, filters);
  if (list.isUpdated) {
    if (list.schema === 'Events' && total !== null) checkFiltered(report, path, list, total);
    return;
  }
  if (total !== null) report.requireSame(path, 'total', list.total, total);
  if (records !== null) report.requireSame(path, 'the records, merged from genres,', list.contents, hashOf(records));
}

/** Checks a list from which a host left out expired events: the total falls by as many, and no later events move up. */
function checkFiltered(
  report: Report,
  path: string,
  { total, limit, length, isUpcoming }: CheckedList,
  published: number,
): void {
  const missing = published - total;
  if (missing > 0 && length === Math.min(limit, Math.min(published, maxEvents) - missing) && isUpcoming) return;
  report.add(path, { code: 'site-list-changed', total, length, published });
}

/** Merges the first records of several lists, and adds up their totals. */
class Merge {
  readonly #first = new Soonest<ListedRecord>(maxEvents, instantOf);
  #total: number | null = 0;
  #isKnown = true;

  add({ total, records }: Contents): void {
    this.#total = this.#total === null || total === null ? null : this.#total + total;
    this.#isKnown &&= records !== null;
    this.#first.addAll(records ?? []);
  }

  contents(): Contents {
    return { total: this.#total, records: this.#isKnown ? this.#first.list() : null };
  }
}
