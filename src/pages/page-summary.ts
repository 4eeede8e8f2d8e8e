import type { Category, Service } from '../catalogue/model.ts';
import { Soonest } from '../catalogue/soonest.ts';
import { groupBy } from '../catalogue/group.ts';
import { byStart, type GenreRecords, type ListedEvent } from '../render/records.ts';
import { countStarts, type Starts } from './heat.ts';
import { maxInMonth } from './month.ts';
import { genreInSearch, SearchBuilder, type GenreInSearch } from './search/index-builder.ts';

/**
 * What the pages above genres need of some genres: bounded by the numbers of genres and months, except for the search
 * data. It is plain data, because genres may be rendered in other threads and on other machines.
 */
export interface PageSummary {
  readonly byMonth: ReadonlyMap<string, { readonly total: number; readonly events: readonly ListedEvent[] }>;
  /** The number of events under way of each genre that has some, by id. */
  readonly underWay: ReadonlyMap<string, number>;
  /** When the events of each genre start, by the id of the genre. */
  readonly starts: ReadonlyMap<string, Starts>;
  readonly search: readonly GenreInSearch[];
}

/** Adds up genres, in any order. */
export class PageSummaryBuilder {
  readonly #pages: Service['pages'];
  readonly #byMonth = new Map<string, { readonly soonest: Soonest<ListedEvent>; total: number }>();
  readonly #underWay = new Map<string, number>();
  readonly #starts = new Map<string, Starts>();
  readonly #search = new SearchBuilder();

  constructor(pages: Service['pages']) {
    this.#pages = pages;
  }

  add(category: Category, summary: GenreRecords): void {
    const { genre, upcoming, under_way } = summary;
    if (under_way.length > 0) this.#underWay.set(genre.id, under_way.length);
    if (this.#pages !== 'all') return;
    this.#starts.set(genre.id, countStarts(upcoming.map(({ record }) => record)));
    this.#search.add(genreInSearch(category, summary, this.#search.isPartial));
    for (const [month, ofMonth] of groupBy(upcoming, ({ record }) => record.starts_at.slice(0, 'yyyy-mm'.length))) {
      this.#addToMonth(month, ofMonth.length, ofMonth.slice(0, maxInMonth));
    }
  }

  /** Adds the genres of another summary. */
  addAll({ byMonth, underWay, starts, search }: PageSummary): void {
    for (const [month, { total, events }] of byMonth) this.#addToMonth(month, total, events);
    for (const [genre, count] of underWay) this.#underWay.set(genre, count);
    for (const [genre, ofGenre] of starts) this.#starts.set(genre, ofGenre);
    for (const genre of search) this.#search.add(genre);
  }

  build(): PageSummary {
    const months = Array.from(
      this.#byMonth,
      ([month, { total, soonest }]) => [month, { total, events: soonest.list() }] as const,
    );
    return {
      byMonth: new Map(months.sort(([a], [b]) => (a < b ? -1 : 1))),
      underWay: this.#underWay,
      starts: this.#starts,
      search: this.#search.genres,
    };
  }

  #addToMonth(month: string, total: number, events: readonly ListedEvent[]): void {
    const known = this.#byMonth.get(month) ?? { soonest: new Soonest<ListedEvent>(maxInMonth, byStart), total: 0 };
    this.#byMonth.set(month, known);
    known.soonest.addAll(events);
    known.total += total;
  }
}
