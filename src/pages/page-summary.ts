import { maxEvents } from '../api/paths.ts';
import { overAt, type Category, type GenreSummary, type Service } from '../catalogue/model.ts';
import { Soonest, startOf } from '../catalogue/soonest.ts';
import { isoMonth } from '../catalogue/time/time.ts';
import { StartCounter, type Starts } from './heat.ts';
import { maxInMonth } from './month.ts';
import { groupBy, type ListedEvent } from './rows.ts';
import { genreInSearch, SearchBuilder, type GenreInSearch } from './search/index-file.ts';
import { maxUnderWay, type CountedUnderWay } from './under-way.ts';

/** The events on the page of a category. */
export interface CategoryEvents {
  readonly soonest: readonly ListedEvent[];
  readonly underWay: CountedUnderWay;
}

/**
 * What the pages above genres need of some genres: bounded by the numbers of categories, genres and months, except for the
 * search data. It is plain data, because genres may be rendered in other threads and on other machines.
 */
export interface PageSummary {
  readonly byCategory: ReadonlyMap<string, CategoryEvents>;
  readonly byMonth: ReadonlyMap<string, { readonly total: number; readonly events: readonly ListedEvent[] }>;
  readonly starts: Starts;
  readonly search: readonly GenreInSearch[];
}

/** Adds up genres, in any order. */
export class PageSummaryBuilder {
  readonly #pages: Service['pages'];
  readonly #byCategory = new Map<string, CategoryBuilder>();
  readonly #byMonth = new Map<string, { readonly soonest: Soonest<ListedEvent>; total: number }>();
  readonly #starts = new StartCounter();
  readonly #search = new SearchBuilder();

  constructor(pages: Service['pages']) {
    this.#pages = pages;
  }

  add(category: Category, summary: GenreSummary): void {
    const { genre, events, current, underWay } = summary;
    this.#addToCategory(category.id, {
      soonest: events.slice(0, maxEvents),
      underWay: { total: underWay, events: current.slice(0, maxUnderWay), counts: new Map([[genre.id, underWay]]) },
    });
    if (this.#pages !== 'all') return;
    for (const event of events) this.#starts.add(event);
    this.#search.add(genreInSearch(category, summary, this.#search.isPartial));
    for (const [month, ofMonth] of groupBy(events, ({ startsAt }) => isoMonth(startsAt))) {
      this.#addToMonth(month, ofMonth.length, ofMonth.slice(0, maxInMonth));
    }
  }

  /** Adds the genres of another summary. */
  addAll({ byCategory, byMonth, starts, search }: PageSummary): void {
    for (const [category, events] of byCategory) this.#addToCategory(category, events);
    for (const [month, { total, events }] of byMonth) this.#addToMonth(month, total, events);
    this.#starts.addAll(starts);
    for (const genre of search) this.#search.add(genre);
  }

  build(): PageSummary {
    const months = Array.from(
      this.#byMonth,
      ([month, { total, soonest }]) => [month, { total, events: soonest.list().map(listed) }] as const,
    );
    return {
      byCategory: new Map(Array.from(this.#byCategory, ([id, category]) => [id, category.build()])),
      byMonth: new Map(months.sort(([a], [b]) => (a < b ? -1 : 1))),
      starts: { dates: this.#starts.dates, quarters: this.#starts.quarters },
      search: this.#search.genres,
    };
  }

  #addToCategory(id: string, events: CategoryEvents): void {
    const category = this.#byCategory.get(id) ?? new CategoryBuilder();
    this.#byCategory.set(id, category);
    category.add(events);
  }

  #addToMonth(month: string, total: number, events: readonly ListedEvent[]): void {
    const known = this.#byMonth.get(month) ?? { soonest: new Soonest<ListedEvent>(maxInMonth, startOf), total: 0 };
    this.#byMonth.set(month, known);
    known.soonest.addAll(events);
    known.total += total;
  }
}

class CategoryBuilder {
  readonly #soonest = new Soonest<ListedEvent>(maxEvents, startOf);
  readonly #underWay = new Soonest<ListedEvent>(maxUnderWay, overAt);
  readonly #counts = new Map<string, number>();
  #total = 0;

  add({ soonest, underWay }: CategoryEvents): void {
    this.#soonest.addAll(soonest);
    this.#underWay.addAll(underWay.events);
    for (const [genre, count] of underWay.counts) this.#counts.set(genre, count);
    this.#total += underWay.total;
  }

  build(): CategoryEvents {
    const events = this.#underWay.list().map(listed);
    return {
      soonest: this.#soonest.list().map(listed),
      underWay: { total: this.#total, events, counts: this.#counts },
    };
  }
}

/** Returns a copy of an event with only the fields that lists show. Made only for events that a list keeps. */
function listed(event: ListedEvent): ListedEvent {
  const {
    id,
    title,
    subject,
    genre,
    precision,
    date,
    startsAt,
    upcomingUntil,
    zone,
    end = null,
    location,
    details,
  } = event;
  const { url } = details;
  return {
    id,
    title,
    subject: { id: subject.id, name: subject.name, url: subject.url },
    genre: { id: genre.id, name: genre.name, category: genre.category },
    precision,
    date,
    startsAt,
    upcomingUntil,
    zone,
    end,
    location,
    details: url === undefined ? {} : { url },
  };
}
