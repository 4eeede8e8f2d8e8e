import type { Category, Service, Totals } from '../catalogue/model.ts';
import type { CategoryRecord, EventRecord, GenreRecord } from '../api/documents.ts';
import { indexDocument, type ExampleQuery } from '../api/index-document.ts';
import { openapiDocument } from '../api/openapi/document.ts';
import { documentPath, indexPath, notFoundPath, openapiPath, operationPath, type Operation } from '../api/paths.ts';
import { problemDocument } from '../api/problems.ts';
import { DigestSum, type Digest } from './summary.ts';
import { calendarFile, eventsFile, genresFile, joined, line } from './lists.ts';
import { planPages } from './pages/plan-pages.ts';
import type { SiteFile } from '../api/site-file.ts';

/** The catalogue as a whole, once all of its genres are known. */
export interface Summary {
  readonly totals: Totals;
  /** Ordered by id, as genres are. */
  readonly categories: readonly CategoryRecord[];
  readonly genres: readonly GenreRecord[];
  /** By the id of a category. */
  readonly digests: ReadonlyMap<string, Digest>;
  readonly everything: Digest;
}

/** Adds up what is known of the genres of a catalogue: of each by itself, or of several of one category together. */
export function summarise(categories: readonly Category[], parts: Iterable<Digest>): Summary {
  const sums = new Map(categories.map(({ id }) => [id, new DigestSum()]));
  for (const part of parts) sums.get(part.genres[0]?.category ?? '')?.add(part);
  const digests = new Map([...sums].map(([id, one]) => [id, one.total()]));
  const all = new DigestSum();
  for (const digest of digests.values()) all.add(digest);
  const everything = all.total();
  const { genres } = everything;
  const records = categories.map((category) => categoryRecord(category, digests.get(category.id)?.genres ?? []));
  return { totals: totalsOf(records, genres), categories: records, genres, digests, everything };
}

/** What a site is planned from, beside its genres. */
export interface Publication extends Summary {
  readonly service: Service;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** ISO 8601 UTC with milliseconds (specification 2.2). */
  readonly lastSync: string;
  /** What the pages load. */
  readonly assets: readonly SiteFile[];
}

/** Every file of the site but its manifest and those of its genres. */
export function* planSite(publication: Publication): Generator<SiteFile> {
  const { service, baseUrl, lastSync, totals, categories, genres, everything } = publication;
  for (const record of categories) yield* planCategory(publication, record);
  yield* withTwin('categories', { path: documentPath({ operation: 'categories' }), content: line({ categories }) });
  yield* withTwin('genres', genresFile(null, genres));
  yield* withTwin('events', eventsFile({ genre: null, category: null }, totals.upcoming, joined(everything)));
  yield calendarFile({}, service.name, everything);
  const index = indexDocument(service, baseUrl, totals, lastSync, exampleOf(categories, genres));
  yield { path: indexPath, content: line(index) };
  const detail = `There is no such document. A list of all there is: ${baseUrl}/${indexPath}`;
  const notFound = problemDocument(baseUrl, 'not-found', detail);
  yield { path: notFoundPath, content: line(notFound) };
  const events = everything.upcoming.map(({ json }) => JSON.parse(json) as EventRecord);
  const openapi = openapiDocument(baseUrl, { index, notFound, categories, genres, events });
  yield { path: openapiPath, content: line(openapi) };
  yield* planPages({ ...publication, months: everything.months, soonest: events, openapi });
  yield { path: '.nojekyll', content: '' };
}

function* planCategory({ service, digests }: Publication, record: CategoryRecord): Generator<SiteFile> {
  const { id: category, name, upcoming } = record;
  const digest = digests.get(category) ?? new DigestSum().total();
  yield genresFile(category, digest.genres);
  yield eventsFile({ genre: null, category }, upcoming, joined(digest));
  yield calendarFile({ category }, `${service.name}: ${name}`, digest);
}

/** A document at its own path and, the same bytes, at the specification's path (specification 4). */
function* withTwin(operation: Operation, file: SiteFile): Generator<SiteFile> {
  yield file;
  yield { path: operationPath(operation), content: file.content };
}

function categoryRecord({ id, name }: Category, genres: readonly GenreRecord[]): CategoryRecord {
  return { id, name, genres: genres.length, upcoming: sum(genres, ({ upcoming }) => upcoming) };
}

function totalsOf(categories: readonly CategoryRecord[], genres: readonly GenreRecord[]): Totals {
  return {
    genres: genres.length,
    subjects: sum(genres, ({ subjects }) => subjects),
    upcoming: sum(genres, ({ upcoming }) => upcoming),
    categories: categories.length,
  };
}

/** The genre with the most to show, the first of them by id; without any genre, a category alone. */
function exampleOf(
  [category]: readonly CategoryRecord[],
  [first, ...others]: readonly GenreRecord[],
): ExampleQuery | null {
  if (category === undefined) return null;
  if (first === undefined) return { genre: null, category: category.id };
  const best = others.reduce((most, genre) => (genre.upcoming > most.upcoming ? genre : most), first);
  return { genre: best.id, category: best.category };
}

function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}
