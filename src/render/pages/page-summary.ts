import { maxEvents } from '../../api/paths.ts';
import type { Category, GenreSummary, Service } from '../../catalogue/model.ts';
import { Soonest, startOf } from '../../catalogue/soonest.ts';
import { isoMonth } from '../../catalogue/time/time.ts';
import { StartCounter, type Starts } from './heat.ts';
import { maxInMonth } from './month.ts';
import { groupBy, type ListedEvent } from './rows.ts';
import { genreInSearch, SearchBuilder, type GenreInSearch } from './search/index-file.ts';

/**
 * What the pages above genres need of some genres: bounded by the numbers of categories and months, except for the
 * search data. It is plain data, because genres may be rendered in other threads and on other machines.
 */
export interface PageSummary {
  readonly byCategory: ReadonlyMap<string, readonly ListedEvent[]>;
  readonly byMonth: ReadonlyMap<string, { readonly total: number; readonly events: readonly ListedEvent[] }>;
  readonly current: readonly ListedEvent[];
  readonly starts: Starts;
  readonly search: readonly GenreInSearch[];
}

/** Adds up genres, in any order. */
export class PageSummaryBuilder {
  readonly #pages: Service['pages'];
  readonly #byCategory = new Map<string, Soonest<ListedEvent>>();
  readonly #byMonth = new Map<string, { readonly soonest: Soonest<ListedEvent>; total: number }>();
  readonly #current: ListedEvent[] = [];
  readonly #starts = new StartCounter();
  readonly #search = new SearchBuilder();

  constructor(pages: Service['pages']) {
    this.#pages = pages;
  }

  add(category: Category, summary: GenreSummary): void {
    const { events, current } = summary;
    this.#addToCategory(category.id, events.slice(0, maxEvents));
    for (const event of current) this.#current.push(listed(event));
    if (this.#pages !== 'all') return;
    for (const event of events) this.#starts.add(event);
    this.#search.add(genreInSearch(category, summary, this.#search.isPartial));
    for (const [month, ofMonth] of groupBy(events, ({ startsAt }) => isoMonth(startsAt))) {
      this.#addToMonth(month, ofMonth.length, ofMonth.slice(0, maxInMonth));
    }
  }

  /** Adds the genres of another summary. */
  addAll({ byCategory, byMonth, current, starts, search }: PageSummary): void {
    for (const [category, events] of byCategory) this.#addToCategory(category, events);
    for (const [month, { total, events }] of byMonth) this.#addToMonth(month, total, events);
    for (const event of current) this.#current.push(event);
    this.#starts.addAll(starts);
    for (const genre of search) this.#search.add(genre);
  }

  build(): PageSummary {
    const months = Array.from(
      this.#byMonth,
      ([month, { total, soonest }]) => [month, { total, events: soonest.list().map(listed) }] as const,
    );
    return {
      byCategory: new Map(Array.from(this.#byCategory, ([id, soonest]) => [id, soonest.list().map(listed)])),
      byMonth: new Map(months.sort(([a], [b]) => (a < b ? -1 : 1))),
      current: this.#current,
      starts: { dates: this.#starts.dates, quarters: this.#starts.quarters },
      search: this.#search.genres,
    };
  }

  #addToCategory(id: string, events: readonly ListedEvent[]): void {
    const soonest = this.#byCategory.get(id) ?? new Soonest<ListedEvent>(maxEvents, startOf);
    this.#byCategory.set(id, soonest);
    soonest.addAll(events);
  }

  #addToMonth(month: string, total: number, events: readonly ListedEvent[]): void {
    const known = this.#byMonth.get(month) ?? { soonest: new Soonest<ListedEvent>(maxInMonth, startOf), total: 0 };
    this.#byMonth.set(month, known);
    known.soonest.addAll(events);
    known.total += total;
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
