import { categoryPage, genrePage, listPage, monthPage } from '../../render/links.ts';
import type { Range } from './dates.ts';
import type { IndexedEvent, SearchFile } from './index-file.ts';
import type { Named } from './names.ts';
import type { Reading } from './read-query.ts';

/** A page that a query names. */
export interface PageHit {
  /** Null if it is that of dates. */
  readonly name: string | null;
  /** The name of the category of a genre. */
  readonly above: string | null;
  /** The number of a category, which decides the colour. */
  readonly category: number | null;
  readonly range: Range | null;
  /** What the home page calls the range. */
  readonly on: string | null;
  /** Relative to the site. */
  readonly path: string;
  /** The number of events that the page opens. Null if that is not known. */
  readonly count: number | null;
}

interface PageContext {
  /** What the home page calls the dates of the query. Null if it has none, or no name for them. */
  readonly on: string | null;
  /** Returns the events of a category or genre, or of the catalogue, at the dates of the query. */
  readonly eventsOf: (named: readonly Named[]) => readonly IndexedEvent[];
}

const maxPages = 4;
const maxMonths = 3;

/**
 * Returns the pages that a query names, the most exact first.
 *
 * @param like what has a name that begins like the words of the query
 */
export function pagesOf(file: SearchFile, reading: Reading, like: readonly Named[], context: PageContext): PageHit[] {
  const range = reading.dated?.range ?? null;
  const named = reading.names.flatMap((name) => name.named);
  const hasGenre = named.some(({ kind }) => kind === 'genre');
  const hits = named.flatMap((one) => {
    // "Film festivals" is one page: that of the genre.
    if (one.kind === 'category' && hasGenre) return [];
    return [(range && datedPage(file, one, range, named, context)) ?? plainPage(file, one)];
  });
  const others = like.map((one) => plainPage(file, one));
  const isOfCategory = named.some(({ kind }) => kind === 'category' || kind === 'genre');
  const hasDates = range !== null && !(isOfCategory && context.on !== null);
  const dates = hasDates ? datePages(range, context) : [];
  const unique = new Map([...hits, ...others, ...dates].map((hit) => [hit.path, hit]));
  return [...unique.values()].slice(0, maxPages);
}

/** Returns the page of a name. */
function plainPage(file: SearchFile, { kind, id, name, number }: Named): PageHit {
  const shown = { name: kind === 'tag' ? `#${name}` : name, above: null, category: null, range: null, on: null };
  if (kind === 'category') return { ...shown, category: number, path: categoryPage(id), count: null };
  if (kind !== 'genre') return { ...shown, path: listPage(kind, id), count: null };
  const [, , category = 0] = file.genres[number] ?? [];
  const above = file.categories[category]?.[1] ?? '';
  return { ...shown, above, category, path: genrePage(id), count: null };
}

/** Returns the view of the home page of a category or genre at some dates. Null if it is empty. */
function datedPage(
  file: SearchFile,
  one: Named,
  range: Range,
  named: readonly Named[],
  { on, eventsOf }: PageContext,
): PageHit | null {
  if (on === null || (one.kind !== 'category' && one.kind !== 'genre')) return null;
  const plain = plainPage(file, one);
  const [category] = file.categories[plain.category ?? 0] ?? [''];
  const path = `?in=${one.kind === 'genre' ? `${category}/${one.id}` : category}&on=${on}`;
  const categories = one.kind === 'genre' ? named.filter(({ kind }) => kind === 'category') : [];
  const count = eventsOf([one, ...categories]).length;
  return count === 0 ? null : { ...plain, range, on, path, count };
}

/** Returns the pages of dates: that of a day, a weekend or a month, or those of the first months. */
function datePages(range: Range, { on, eventsOf }: PageContext): PageHit[] {
  const events = eventsOf([]).filter(({ period }) => period === null);
  const page = { name: null, above: null, category: null };
  if (on !== null && !isMonth(on)) {
    return events.length === 0 ? [] : [{ ...page, range, on, path: `?on=${on}`, count: events.length }];
  }
  // The pages of months go by UTC.
  const months = new Set(events.map(({ startsAt }) => new Date(startsAt).toISOString().slice(0, 'yyyy-mm'.length)));
  return [...months]
    .filter((month) => (on === null ? month >= range.from.slice(0, month.length) : month === on))
    .toSorted()
    .slice(0, maxMonths)
    .map((month) => ({ ...page, range, on: month, path: monthPage(month), count: null }));
}

function isMonth(name: string): boolean {
  return name.length === 'yyyy-mm'.length && /^\d/.test(name);
}
