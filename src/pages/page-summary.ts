import type { Category, Service } from '../catalogue/model.ts';
import { compareTexts, Soonest } from '../catalogue/soonest.ts';
import { groupBy } from '../catalogue/group.ts';
import { byStart, type GenreRecords, type ListedEvent } from '../render/records.ts';
import { maxTitles } from './month-table.ts';
import { genreInSearch, SearchBuilder, type GenreInSearch } from './search/index-file.ts';

/**
 * The maximum number of events that the page of a month lists. A busier month lists the genres of
 * each day.
 */
export const maxInMonth = 500;

/** What pages say of the events of one day, by the date where they happen. */
export interface DaySummary {
  readonly genres: ReadonlyMap<string, number>;
  readonly first: readonly ListedEvent[];
}

/**
 * Aggregates for pages that span genres. They grow with genres and days, and only the search data
 * grows with events.
 */
export interface PageSummary {
  /** The first events of each month, in order. */
  readonly byMonth: ReadonlyMap<string, readonly ListedEvent[]>;
  readonly byDay: ReadonlyMap<string, DaySummary>;
  readonly perDay: ReadonlyMap<string, number>;
  /** The number of events under way of each genre that has some, by id. */
  readonly underWay: ReadonlyMap<string, number>;
  readonly search: readonly GenreInSearch[];
}

/** Adds up genres, in any order. */
export class PageSummaryBuilder {
  readonly #pages: Service['pages'];
  readonly #byMonth = new Map<string, Soonest<ListedEvent>>();
  readonly #byDay = new Map<
    string,
    { readonly genres: Map<string, number>; readonly first: Soonest<ListedEvent> }
  >();
  readonly #underWay = new Map<string, number>();
  readonly #search = new SearchBuilder();

  constructor(pages: Service['pages']) {
    this.#pages = pages;
  }

  add(category: Category, summary: GenreRecords): void {
    const { genre, upcoming, under_way } = summary;
    if (under_way.length > 0) this.#underWay.set(genre.id, under_way.length);
    if (this.#pages !== 'all') return;
    this.#search.add(genreInSearch(category, summary));
    for (const [day, events] of groupBy(upcoming, ({ record }) => record.date)) {
      this.#addToDay(day, {
        genres: new Map([[genre.id, events.length]]),
        first: events.slice(0, maxTitles),
      });
      this.#addToMonth(day.slice(0, 'yyyy-mm'.length), events);
    }
  }

  addAll({ byMonth, byDay, underWay, search }: PageSummary): void {
    for (const [month, events] of byMonth) this.#addToMonth(month, events);
    for (const [day, summary] of byDay) this.#addToDay(day, summary);
    for (const [genre, count] of underWay) this.#underWay.set(genre, count);
    for (const genre of search) this.#search.add(genre);
  }

  build(): PageSummary {
    const months = Array.from(
      this.#byMonth,
      ([month, soonest]) => [month, soonest.list()] as const,
    );
    const days = Array.from(
      this.#byDay,
      ([day, { genres, first }]) => [day, { genres, first: first.list() }] as const,
    );
    const totalOf = ({ genres }: DaySummary): number =>
      [...genres.values()].reduce((sum, count) => sum + count, 0);
    return {
      byMonth: new Map(months.sort(([a], [b]) => compareTexts(a, b))),
      byDay: new Map(days.sort(([a], [b]) => compareTexts(a, b))),
      perDay: new Map(days.map(([day, summary]) => [day, totalOf(summary)])),
      underWay: this.#underWay,
      search: this.#search.genres,
    };
  }

  #addToDay(day: string, { genres, first }: DaySummary): void {
    const known = this.#byDay.get(day) ?? {
      genres: new Map(),
      first: new Soonest(maxTitles, byStart),
    };
    this.#byDay.set(day, known);
    for (const [genre, count] of genres)
      known.genres.set(genre, (known.genres.get(genre) ?? 0) + count);
    known.first.addAll(first);
  }

  #addToMonth(month: string, events: readonly ListedEvent[]): void {
    const known = this.#byMonth.get(month) ?? new Soonest(maxInMonth, byStart);
    this.#byMonth.set(month, known);
    known.addAll(events);
  }
}
