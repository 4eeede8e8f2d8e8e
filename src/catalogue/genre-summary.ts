import { isoMonth } from './time/time.ts';
import type { Event, Genre, GenreSummary, Subject } from './model.ts';
import { bySoonest, Soonest } from './soonest.ts';

/** The events of one subject. */
export interface SubjectEvents {
  readonly subject: Subject;
  readonly upcoming: readonly Event[];
  readonly cancelled: readonly Event[];
  /** The number of announced events, which have no real date. */
  readonly announced: number;
  /** The number of upcoming events whose source has a clock time but no zone: only their date is published. */
  readonly floating: number;
}

/** Collects the subjects of a genre and their events. Lists hold the soonest `limit` of them. */
export class GenreSummaryBuilder {
  readonly #genre: Genre;
  readonly #limit: number;
  readonly #members: Subject[] = [];
  readonly #events: Event[] = [];
  readonly #cancelled: Soonest<Event>;
  readonly #months = new Map<string, number>();
  readonly #counts = { announced: 0, floating: 0 };

  constructor(genre: Genre, limit: number) {
    this.#genre = genre;
    this.#limit = limit;
    this.#cancelled = new Soonest(limit);
  }

  add({ subject, upcoming, cancelled, announced, floating }: SubjectEvents): void {
    this.#members.push(subject);
    this.#counts.announced += announced;
    this.#counts.floating += floating;
    this.#cancelled.addAll(cancelled);
    for (const event of upcoming) {
      this.#events.push(event);
      const month = isoMonth(event.startsAt);
      this.#months.set(month, (this.#months.get(month) ?? 0) + 1);
    }
  }

  build(): GenreSummary {
    const events = this.#events.sort(bySoonest);
    return {
      genre: this.#genre,
      ...this.#counts,
      subjects: this.#members.length,
      members: this.#members.sort((a, b) => (a.id < b.id ? -1 : 1)),
      upcoming: events.length,
      months: this.#months,
      events,
      soonest: events.slice(0, this.#limit),
      cancelled: this.#cancelled.list(),
    };
  }
}
