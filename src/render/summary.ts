import type { GenreContent } from '../catalogue/model.ts';
import { Soonest } from '../catalogue/soonest.ts';
import type { GenreRecord } from '../api/documents.ts';
import { mostEvents } from '../api/limits.ts';
import type { CalendarPiece, Piece, Pieces } from './event-texts.ts';

/** What the lists above genres rest on: of one genre, or of any number of them added up. Plain data. */
export interface Digest extends Pieces {
  readonly genres: readonly GenreRecord[];
  /** Announced events that have no real date, and so are not published. */
  readonly withheld: number;
  /** Upcoming events whose clock time has no zone, so that only their date is published. */
  readonly floating: number;
  /** How many of the upcoming events there are in each month, such as `2027-01`. */
  readonly months: ReadonlyMap<string, number>;
}

/** The digest of one genre. */
export function digestOf(content: GenreContent, pieces: Pieces): Digest {
  const { genre, subjects, withheld, floating, months } = content;
  const record = { id: genre.id, name: genre.name, category: genre.category, subjects, upcoming: content.upcoming };
  const { upcoming, cancelled } = pieces;
  return { upcoming, cancelled, genres: [record], withheld, floating, months };
}

/** Adds up digests, in any order; holds no more events than a list may. */
export class DigestSum {
  readonly #upcoming = new Soonest<Piece>(mostEvents);
  readonly #cancelled = new Soonest<CalendarPiece>(mostEvents);
  readonly #genres: GenreRecord[] = [];
  readonly #months = new Map<string, number>();
  #withheld = 0;
  #floating = 0;

  add({ genres, withheld, floating, months, upcoming, cancelled }: Digest): void {
    this.#upcoming.addAll(upcoming);
    this.#cancelled.addAll(cancelled);
    for (const genre of genres) this.#genres.push(genre);
    for (const [month, events] of months) this.#months.set(month, (this.#months.get(month) ?? 0) + events);
    this.#withheld += withheld;
    this.#floating += floating;
  }

  /** All that was added; genres ordered by id. */
  total(): Digest {
    return {
      genres: this.#genres.sort((a, b) => (a.id < b.id ? -1 : 1)),
      withheld: this.#withheld,
      floating: this.#floating,
      months: this.#months,
      upcoming: this.#upcoming.list(),
      cancelled: this.#cancelled.list(),
    };
  }
}
