import type { GenreSummary } from '../catalogue/model.ts';
import { Soonest } from '../catalogue/soonest.ts';
import type { GenreRecord } from '../api/documents.ts';
import { maxEvents } from '../api/paths.ts';
import type { CalendarPiece, Piece, Pieces } from './event-texts.ts';

/** What the lists above genres rest on: of one genre, or of any number of them added up. Plain data. */
export interface Digest extends Pieces {
  readonly genres: readonly GenreRecord[];
  /** Announced events that have no real date, and so are not published. */
  readonly announced: number;
  /** Upcoming events whose clock time has no zone, so that only their date is published. */
  readonly floating: number;
  /** How many of the upcoming events there are in each month, such as `2027-01`. */
  readonly months: ReadonlyMap<string, number>;
}

/** The digest of one genre. */
export function digestOf(content: GenreSummary, pieces: Pieces): Digest {
  const { genre, subjects, announced, floating, months } = content;
  const record = { id: genre.id, name: genre.name, category: genre.category, subjects, upcoming: content.upcoming };
  const { upcoming, cancelled } = pieces;
  return { upcoming, cancelled, genres: [record], announced, floating, months };
}

/** Adds up digests, in any order; holds no more events than a list may. */
export class DigestSum {
  readonly #upcoming = new Soonest<Piece>(maxEvents);
  readonly #cancelled = new Soonest<CalendarPiece>(maxEvents);
  readonly #genres: GenreRecord[] = [];
  readonly #months = new Map<string, number>();
  #announced = 0;
  #floating = 0;

  add({ genres, announced, floating, months, upcoming, cancelled }: Digest): void {
    this.#upcoming.addAll(upcoming);
    this.#cancelled.addAll(cancelled);
    for (const genre of genres) this.#genres.push(genre);
    for (const [month, events] of months) this.#months.set(month, (this.#months.get(month) ?? 0) + events);
    this.#announced += announced;
    this.#floating += floating;
  }

  /** All that was added; genres ordered by id. */
  total(): Digest {
    return {
      genres: this.#genres.sort((a, b) => (a.id < b.id ? -1 : 1)),
      announced: this.#announced,
      floating: this.#floating,
      months: this.#months,
      upcoming: this.#upcoming.list(),
      cancelled: this.#cancelled.list(),
    };
  }
}
