import type { AnnouncementRecord, CategoryRecord, EventRecord, GenreRecord } from '../api/documents.ts';
import { maxEvents } from '../api/paths.ts';
import type { Category, Totals } from '../catalogue/model.ts';
import { Soonest } from '../catalogue/soonest.ts';
import type { AnnouncementText, EventText, EventTexts, ScopeTotals } from './event-texts.ts';
import { byStart, byText, type GenreRecords } from './records.ts';

/** The catalogue as a whole: its totals, and the events in the lists above its genres. */
export interface Summary {
  readonly totals: Totals;
  /** Ordered by id. */
  readonly categories: readonly CategoryRecord[];
  /** Ordered by id. */
  readonly genres: readonly GenreRecord[];
  readonly everything: ScopeSummary;
  /** By the id of the category. */
  readonly byCategory: ReadonlyMap<string, ScopeSummary>;
}

/** The genres of a scope added up: of one category, or of everything. */
export interface ScopeSummary extends EventTexts {
  readonly totals: ScopeTotals;
  /** Ordered by id. */
  readonly genres: readonly GenreRecord[];
  /** The number of upcoming events whose source has a clock time but no zone: only their date is published. */
  readonly floating: number;
}

/** The genres of each category added up, by the id of the category. */
export type CategorySummaries = ReadonlyMap<string, ScopeSummary>;

/** Adds up genres, in any order, in memory bounded by the number of categories. */
export class SummaryBuilder {
  readonly #builders: ReadonlyMap<string, ScopeBuilder>;

  constructor(categories: readonly Category[]) {
    this.#builders = new Map(categories.map(({ id }) => [id, new ScopeBuilder()]));
  }

  /** Adds a genre with the texts of its soonest events. */
  add(summary: GenreRecords, texts: EventTexts): void {
    const { genre, subjects, upcoming, underWay, announced, floating } = summary;
    const totals = { upcoming, underWay, announced };
    const { id, name, category } = genre;
    const genres = [{ id, name, category, subjects, upcoming }];
    this.#builders.get(category)?.add({ ...texts, totals, genres, floating });
  }

  /** Adds the genres of other summaries. */
  addAll(summaries: CategorySummaries): void {
    for (const [category, summary] of summaries) this.#builders.get(category)?.add(summary);
  }

  build(): CategorySummaries {
    return new Map(Array.from(this.#builders, ([id, builder]) => [id, builder.build()]));
  }
}

/**
 * Adds up the categories of a catalogue.
 *
 * @param categories ordered by id
 */
export function sumUp(categories: readonly Category[], byCategory: CategorySummaries): Summary {
  const builder = new ScopeBuilder();
  for (const summary of byCategory.values()) builder.add(summary);
  const everything = builder.build();
  const records = categories.map(({ id, name }) => {
    const genres = byCategory.get(id)?.genres ?? [];
    return { id, name, genres: genres.length, upcoming: sum(genres.map(({ upcoming }) => upcoming)) };
  });
  return {
    totals: totalsOf(records, everything.genres),
    categories: records,
    genres: everything.genres,
    everything,
    byCategory,
  };
}

const byEnd = byText<EventRecord>(({ over_at, upcoming_until }) => over_at ?? upcoming_until);
const byPeriod = byText<AnnouncementRecord>(({ window }) => window.until);

class ScopeBuilder {
  readonly #upcoming = new Soonest<EventText>(maxEvents, byStart);
  readonly #underWay = new Soonest<EventText>(maxEvents, byEnd);
  readonly #cancelled = new Soonest<EventText>(maxEvents, byStart);
  readonly #announced = new Soonest<AnnouncementText>(maxEvents, byPeriod);
  readonly #genres: GenreRecord[] = [];
  readonly #totals = { upcoming: 0, underWay: 0, announced: 0 };
  #floating = 0;

  add({ totals, genres, floating, ...texts }: ScopeSummary): void {
    this.#upcoming.addAll(texts.upcoming);
    this.#underWay.addAll(texts.underWay);
    this.#cancelled.addAll(texts.cancelled);
    this.#announced.addAll(texts.announced);
    for (const genre of genres) this.#genres.push(genre);
    this.#totals.upcoming += totals.upcoming;
    this.#totals.underWay += totals.underWay;
    this.#totals.announced += totals.announced;
    this.#floating += floating;
  }

  build(): ScopeSummary {
    return {
      upcoming: this.#upcoming.list(),
      underWay: this.#underWay.list(),
      cancelled: this.#cancelled.list(),
      announced: this.#announced.list(),
      totals: this.#totals,
      genres: this.#genres.sort((a, b) => (a.id < b.id ? -1 : 1)),
      floating: this.#floating,
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
