import type { AnnouncementRecord, CategoryRecord, GenreRecord } from '../api/documents.ts';
import { calendarLimit, listLimit, pastLimit, scopeFolder } from '../api/paths.ts';
import { idsOf, kindOf, scopesOf, type Filters } from '../api/scopes.ts';
import type { Category, Totals } from '../catalogue/model.ts';
import { Soonest } from '../catalogue/soonest.ts';
import type { AnnouncementText, EventText, EventTexts, ScopeTotals } from './event-texts.ts';
import { byEnd, byNewest, byStart, byText, listTotals, type GenreRecords } from './records.ts';

/** The genres of a catalogue added up, in any order. Plain data: it comes from threads and machines. */
export interface Sum {
  readonly genres: readonly GenreRecord[];
  /** The scopes that can have events of several genres. */
  readonly scopes: readonly ScopeSummary[];
  /** The number of upcoming events whose source has a clock time but no zone: only their date is published. */
  readonly floating: number;
}

/** The first events of a scope, and how many it has. */
export interface ScopeSummary extends EventTexts {
  readonly filters: Filters;
  readonly totals: ScopeTotals;
}

/** The catalogue as a whole. Its lists are ordered by id. */
export interface Summary extends Sum {
  readonly totals: Totals;
  readonly categories: readonly CategoryRecord[];
  readonly everything: ScopeSummary;
}

/** Adds up genres, in any order, in memory bounded by the number of scopes. */
export class SummaryBuilder {
  readonly #genres: GenreRecord[] = [];
  readonly #scopes = new Map<string, ScopeBuilder>();
  #floating = 0;

  constructor(categories: readonly Category[]) {
    for (const filters of scopesOf({ category: categories.map(({ id }) => id) })) this.#scopeAt(filters);
  }

  /** Adds a genre with the texts of its soonest events. */
  add(content: GenreRecords, texts: EventTexts): void {
    const { id, name, category } = content.genre;
    const totals = listTotals(content);
    this.#genres.push({ id, name, category, subjects: content.members.length, upcoming: totals.upcoming });
    this.#floating += content.floating;
    for (const filters of scopesOf(idsOf({ category, genre: id }))) {
      if (!filters.genre) this.#scopeAt(filters).add({ ...texts, totals });
    }
  }

  addAll({ genres, scopes, floating }: Sum): void {
    for (const genre of genres) this.#genres.push(genre);
    for (const scope of scopes) this.#scopeAt(scope.filters).add(scope);
    this.#floating += floating;
  }

  build(): Sum {
    const scopes = Array.from(this.#scopes.values(), (scope) => scope.build());
    return { genres: this.#genres, scopes, floating: this.#floating };
  }

  #scopeAt(filters: Filters): ScopeBuilder {
    const folder = scopeFolder(filters);
    const builder = this.#scopes.get(folder) ?? new ScopeBuilder(filters);
    this.#scopes.set(folder, builder);
    return builder;
  }
}

/**
 * Adds up the categories of a catalogue.
 *
 * @param categories ordered by id
 */
export function sumUp(categories: readonly Category[], { genres, scopes, floating }: Sum): Summary {
  const records = categories.map(({ id, name }) => {
    const ofCategory = genres.filter(({ category }) => category === id);
    return { id, name, genres: ofCategory.length, upcoming: sum(ofCategory.map(({ upcoming }) => upcoming)) };
  });
  return {
    totals: totalsOf(records, genres),
    categories: records,
    genres: genres.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    scopes,
    everything: scopes.find(({ filters }) => kindOf(filters) === 'everything') ?? new ScopeBuilder({}).build(),
    floating,
  };
}

const byPeriod = byText<AnnouncementRecord>(({ window }) => window.until);

class ScopeBuilder {
  readonly #filters: Filters;
  readonly #upcoming = new Soonest<EventText>(calendarLimit, byStart);
  readonly #underWay = new Soonest<EventText>(listLimit, byEnd);
  readonly #cancelled = new Soonest<EventText>(listLimit, byStart);
  readonly #announced = new Soonest<AnnouncementText>(listLimit, byPeriod);
  readonly #past = new Soonest<EventText>(pastLimit, byNewest);
  readonly #totals = { upcoming: 0, underWay: 0, cancelled: 0, announced: 0 };

  constructor(filters: Filters) {
    this.#filters = filters;
  }

  add({ totals, ...texts }: Omit<ScopeSummary, 'filters'>): void {
    this.#upcoming.addAll(texts.upcoming);
    this.#underWay.addAll(texts.underWay);
    this.#cancelled.addAll(texts.cancelled);
    this.#announced.addAll(texts.announced);
    this.#past.addAll(texts.past);
    this.#totals.upcoming += totals.upcoming;
    this.#totals.underWay += totals.underWay;
    this.#totals.cancelled += totals.cancelled;
    this.#totals.announced += totals.announced;
  }

  build(): ScopeSummary {
    return {
      filters: this.#filters,
      upcoming: this.#upcoming.list(),
      underWay: this.#underWay.list(),
      cancelled: this.#cancelled.list(),
      announced: this.#announced.list(),
      past: this.#past.list(),
      totals: this.#totals,
    };
  }
}

function totalsOf(categories: readonly CategoryRecord[], genres: readonly GenreRecord[]): Totals {
  return {
    genres: genres.length,
    subjects: sum(genres.map(({ subjects }) => subjects)),
    upcoming: sum(genres.map(({ upcoming }) => upcoming)),
    categories: categories.length,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
