import type { Category, Event, GenreContent, Service, Totals } from '../catalogue/model.ts';
import { bySoonest, Soonest } from '../catalogue/soonest.ts';
import type { CategoryRecord, EventFilters, EventRecord, GenreRecord, Inventory } from '../api/documents.ts';
import { indexDocument, type Example } from '../api/index-document.ts';
import { mostEvents } from '../api/limits.ts';
import { openapiDocument } from '../api/openapi.ts';
import {
  calendarPath,
  documentPath,
  indexPath,
  openapiPath,
  operationPath,
  root,
  type Operation,
} from '../api/paths.ts';
import { problemDocument } from '../api/problems.ts';
import { eventJson } from '../api/records.ts';
import { isoDate } from '../calendar/time.ts';
import { calendarEvent, calendarText } from './calendar-text.ts';
import { planPages } from './pages/plan-pages.ts';
import type { SiteFile } from './site-file.ts';

/** The catalogue as it is planned: its genres arrive one by one, those of a category together, ordered by id. */
export interface Catalogue {
  readonly service: Service;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** ISO 8601 UTC with milliseconds (specification 2.2). */
  readonly lastSync: string;
  readonly categories: readonly CategoryContent[];
  /** What the pages load. */
  readonly assets: readonly SiteFile[];
}

interface CategoryContent extends Category {
  /** Can be gone through once. */
  readonly genres: Iterable<GenreContent>;
}

/** What a site counts; `withheld` events are announced and have no real date, so they are not published. */
export interface Tally {
  readonly totals: Totals;
  readonly withheld: number;
  /** Upcoming events whose clock time has no zone, so that only their date is published. */
  readonly floating: number;
}

/**
 * Every file of the site but its inventory, one by one, so that memory is bounded by one genre and the lists above it.
 * Each event is serialised once; every document that lists it is joined from the pieces.
 *
 * @returns what was counted, once the last file is planned
 */
export function* planSite(catalogue: Catalogue): Generator<SiteFile, Tally> {
  const { service } = catalogue;
  const everything = new Gathered();
  const categories: CategoryRecord[] = [];
  const genres: GenreRecord[] = [];
  const months = new Map<string, number>();
  let [withheld, floating] = [0, 0];
  for (const category of catalogue.categories) {
    const ofCategory = new Gathered();
    const records: GenreRecord[] = [];
    for (const content of category.genres) {
      records.push(genreRecord(content));
      withheld += content.withheld;
      floating += content.floating;
      const pieces = piecesOf(content, category);
      yield* planGenre(content, pieces, catalogue.categories);
      yield calendarFile(
        { genre: content.genre.id },
        `${service.name}: ${content.genre.name} (${category.name})`,
        pieces,
      );
      ofCategory.add(pieces);
      countMonths(months, pieces.upcoming);
    }
    const pieces = ofCategory.pieces();
    const record = categoryRecord(category, records);
    yield* planCategory(record, records, pieces);
    yield calendarFile({ category: category.id }, `${service.name}: ${category.name}`, pieces);
    everything.add(pieces);
    categories.push(record);
    genres.push(...records);
  }
  genres.sort((a, b) => (a.id < b.id ? -1 : 1));
  const totals = totalsOf(categories, genres);
  yield* planTop(catalogue, { totals, categories, genres, months, pieces: everything.pieces() });
  return { totals, withheld, floating };
}

/** The inventory of a site: every other file, by path. */
export function inventoryText(generator: string, files: Inventory['files']): string {
  const sorted = Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
  return line({ generator, files: sorted } satisfies Inventory);
}

/** An event serialised for calendars, with what its place in a list rests on. */
interface CalendarPiece {
  readonly id: string;
  readonly startsAt: number;
  readonly calendar: string;
}

/** An event serialised for both kinds of list. */
interface Piece extends CalendarPiece {
  readonly json: string;
}

/** What a question's lists are joined from: documents hold the upcoming events, calendars the cancelled ones as well. */
interface Pieces {
  readonly upcoming: readonly Piece[];
  readonly cancelled: readonly CalendarPiece[];
}

function piecesOf({ soonest, cancelled }: GenreContent, { name }: Category): Pieces {
  return {
    upcoming: soonest.map((event) => pieceOf(event, calendarEvent(event, name, false), eventJson(event))),
    cancelled: cancelled.map((event) => pieceOf(event, calendarEvent(event, name, true), '')),
  };
}

function pieceOf({ id, startsAt }: Event, calendar: string, json: string): Piece {
  return { id, startsAt, calendar, json };
}

/** Keeps the soonest pieces of many genres. */
class Gathered {
  readonly #upcoming = new Soonest<Piece>(mostEvents);
  readonly #cancelled = new Soonest<CalendarPiece>(mostEvents);

  add({ upcoming, cancelled }: Pieces): void {
    for (const piece of upcoming) this.#upcoming.add(piece);
    for (const piece of cancelled) this.#cancelled.add(piece);
  }

  pieces(): Pieces {
    return { upcoming: this.#upcoming.list(), cancelled: this.#cancelled.list() };
  }
}

/** One genre alone and with each category: the pair that contradicts itself is an empty list. */
function* planGenre(content: GenreContent, pieces: Pieces, categories: readonly Category[]): Generator<SiteFile> {
  const genre = content.genre.id;
  const events = joined(pieces);
  yield eventsFile({ genre, category: null }, content.upcoming, events);
  for (const { id: category } of categories) {
    const own = category === content.genre.category;
    yield eventsFile({ genre, category }, own ? content.upcoming : 0, own ? events : '');
  }
}

function* planCategory(record: CategoryRecord, genres: readonly GenreRecord[], pieces: Pieces): Generator<SiteFile> {
  yield genresFile(record.id, genres);
  yield eventsFile({ genre: null, category: record.id }, record.upcoming, joined(pieces));
}

interface Top {
  readonly totals: Totals;
  readonly categories: readonly CategoryRecord[];
  readonly genres: readonly GenreRecord[];
  /** How many of the listed events there are in each month, such as `2027-01`. */
  readonly months: ReadonlyMap<string, number>;
  readonly pieces: Pieces;
}

function countMonths(months: Map<string, number>, pieces: readonly Piece[]): void {
  for (const { startsAt } of pieces) {
    const month = isoDate(startsAt).slice(0, 7);
    months.set(month, (months.get(month) ?? 0) + 1);
  }
}

/** What covers the whole catalogue: the lists without a filter and their twins, the index, the pages. */
function* planTop(catalogue: Catalogue, top: Top): Generator<SiteFile> {
  const { service, baseUrl, lastSync } = catalogue;
  const { totals, categories, genres, pieces } = top;
  yield* withTwin('categories', { path: documentPath({ operation: 'categories' }), text: line({ categories }) });
  yield* withTwin('genres', genresFile(null, genres));
  yield* withTwin('events', eventsFile({ genre: null, category: null }, totals.upcoming, joined(pieces)));
  yield calendarFile({}, service.name, pieces);
  const index = indexDocument(service, baseUrl, totals, lastSync, exampleOf(genres));
  yield { path: indexPath, text: line(index) };
  const detail = `There is no such document. A list of all there is: ${baseUrl}/${root}/index.json`;
  const notFound = problemDocument(baseUrl, 'not-found', detail);
  yield { path: '404.json', text: line(notFound) };
  const events = pieces.upcoming.map(({ json }) => JSON.parse(json) as EventRecord);
  const openapi = openapiDocument(baseUrl, { index, notFound, categories, genres, events });
  yield { path: openapiPath, text: line(openapi) };
  yield* planPages({ ...catalogue, ...top, soonest: events, openapi });
  yield { path: '.nojekyll', text: '' };
}

/** A document at its own path and, the same bytes, at the specification's path (specification 4). */
function* withTwin(operation: Operation, file: SiteFile): Generator<SiteFile> {
  yield file;
  yield { path: operationPath(operation), text: file.text };
}

function eventsFile(filters: EventFilters, total: number, events: string): SiteFile {
  const { genre, category } = filters;
  return {
    path: documentPath({ operation: 'events', genre, category }),
    text: `{"filters":${JSON.stringify({ genre, category })},"limit":${mostEvents},"total":${total},"events":[${events}]}\n`,
  };
}

/** The calendar beside a list of events: those of the document, and among them the cancelled ones. */
function calendarFile(filters: Partial<EventFilters>, name: string, { upcoming, cancelled }: Pieces): SiteFile {
  const pieces = cancelled.length === 0 ? upcoming : [...upcoming, ...cancelled].sort(bySoonest);
  const events = pieces.map(({ calendar }) => calendar);
  return { path: calendarPath(filters), text: calendarText(name, events) };
}

function genresFile(category: string | null, genres: readonly GenreRecord[]): SiteFile {
  return { path: documentPath({ operation: 'genres', category }), text: line({ filters: { category }, genres }) };
}

function genreRecord({ genre, subjects, upcoming }: GenreContent): GenreRecord {
  return { id: genre.id, name: genre.name, category: genre.category, subjects, upcoming };
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

/** The genre with the most to show: the first of them by id. */
function exampleOf(genres: readonly GenreRecord[]): Example | null {
  const [first, ...others] = genres;
  if (first === undefined) return null;
  const best = others.reduce((most, genre) => (genre.upcoming > most.upcoming ? genre : most), first);
  return { genre: best.id, category: best.category };
}

function joined({ upcoming }: Pieces): string {
  return upcoming.map(({ json }) => json).join(',');
}

function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}

function line(document: unknown): string {
  return `${JSON.stringify(document)}\n`;
}
