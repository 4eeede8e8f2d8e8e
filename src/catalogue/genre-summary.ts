import { isoMonth } from './time/time.ts';
import type { Event, Genre, GenreSummary } from './model.ts';
import { Soonest } from './soonest.ts';

/** The events of one subject. */
export interface SubjectEvents {
  readonly upcoming: readonly Event[];
  readonly cancelled: readonly Event[];
  /** The number of announced events, which have no real date. */
  readonly announced: number;
  /** The number of upcoming events whose source has a clock time but no zone: only their date is published. */
  readonly floating: number;
}

/** Counts the events of a genre, subject by subject, and keeps the soonest `limit` of them. */
export class GenreSummaryBuilder {
  readonly #genre: Genre;
  readonly #upcoming: Soonest<Event>;
  readonly #cancelled: Soonest<Event>;
  readonly #months = new Map<string, number>();
  readonly #counts = { subjects: 0, upcoming: 0, announced: 0, floating: 0 };

  constructor(genre: Genre, limit: number) {
    this.#genre = genre;
    this.#upcoming = new Soonest(limit);
    this.#cancelled = new Soonest(limit);
  }

  add({ upcoming, cancelled, announced, floating }: SubjectEvents): void {
    this.#counts.subjects++;
    this.#counts.upcoming += upcoming.length;
    this.#counts.announced += announced;
    this.#counts.floating += floating;
    this.#upcoming.addAll(upcoming);
    this.#cancelled.addAll(cancelled);
    for (const { startsAt } of upcoming) {
      const month = isoMonth(startsAt);
      this.#months.set(month, (this.#months.get(month) ?? 0) + 1);
    }
  }

  build(): GenreSummary {
    return {
      genre: this.#genre,
      ...this.#counts,
      months: this.#months,
      soonest: this.#upcoming.list(),
      cancelled: this.#cancelled.list(),
    };
  }
}
