import { ProblemError } from '../problem/problem.ts';
import { inOrder } from '../system/parallel.ts';
import { addUpChanges, changesOf, limitChanges, type Change, type GenreChanges, type LogTimes } from './change-log.ts';
import { isDated, type PublishedEvent } from './compare.ts';
import type { ComparedSite, EarlierSite } from './earlier-site.ts';
import { formatPath, formats } from '../api/formats.ts';
import { HistoryReader, type GenreHistory } from './genre-history.ts';

/** A genre of a new site. */
export interface NewGenre {
  readonly id: string;
  /** The ids of cancelled events and announcements. */
  readonly cancelledIds: ReadonlySet<string>;
  /** The JSON of all events that are upcoming or under way, and of all announcements, by their ids. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Compares genres of a new site with those of the previous site, and adds up the changes. */
export class GenreComparison {
  readonly #previous: EarlierSite;
  readonly #reader: HistoryReader;
  readonly #now: number;
  readonly #changes: Change[] = [];
  #growth = 0;

  private constructor(previous: EarlierSite, at: string, now: number) {
    this.#previous = previous;
    this.#reader = new HistoryReader(previous, at);
    this.#now = now;
  }

  /**
   * Returns null if there is no previous site, or if it lists only some of its events. Like the other methods, throws
   * the problem `site-unreadable` if its host fails.
   *
   * @param now milliseconds since the Unix epoch
   */
  static async open(against: ComparedSite | null, { at }: LogTimes, now: number): Promise<GenreComparison | null> {
    const previous = against && (await against.open());
    return previous?.hasEveryEvent === true ? new GenreComparison(previous, at, now) : null;
  }

  /** Reads what the previous site has of genres, in their order. A host is asked for several of them at a time. */
  histories(genres: readonly string[]): AsyncGenerator<GenreHistory> {
    const { concurrency } = this.#previous.site;
    const bytesOf = (genre: string): number => this.#previous.files[formatPath(formats.ndjson, { genre })]?.bytes ?? 0;
    const limits = { concurrency, sizeOf: bytesOf, maxSize: maxWaitingBytes };
    return inOrder(genres, limits, async (genre) => this.#reader.read(genre));
  }

  /** Compares a genre. */
  add({ id, cancelledIds, texts }: NewGenre, history: GenreHistory): void {
    const isCancelled = (event: PublishedEvent): boolean => cancelledIds.has(event.id);
    const { differences, hasAllEvents } = history.compare(texts, isCancelled, this.#now);
    for (const difference of differences) {
      this.#changes.push(...changesOf(difference));
      // Nothing is lost of an event that is cancelled.
      if (hasAllEvents && difference.kind !== 'cancelled')
        this.#growth += this.#upcomingIn(difference.after) - this.#upcomingIn(difference.before);
    }
    if (!hasAllEvents) this.#growth += this.#growthOf(id, texts);
  }

  /** Returns the changes of the genres that were added. */
  build(): GenreChanges {
    const { identity, damage } = this.#previous;
    const changes = limitChanges(this.#changes);
    return { comparedWith: identity, changes, growth: this.#growth, damage: damage.reasons };
  }

  /** Returns the genres of the previous site that are not among these. */
  missingFrom(genres: ReadonlySet<string>): string[] {
    return this.#previous.overview.genres.map(({ id }) => id).filter((id) => !genres.has(id));
  }

  /** Returns the growth of a genre whose previous events cannot all be read, by the count in the list of genres. */
  #growthOf(genre: string, texts: ReadonlyMap<string, string>): number {
    const records = Array.from(texts.values(), (text) => JSON.parse(text) as PublishedEvent);
    const upcoming = records.reduce((sum, record) => sum + this.#upcomingIn(record), 0);
    return upcoming - (this.#previous.overview.genres.find(({ id }) => id === genre)?.upcoming ?? 0);
  }

  #upcomingIn(event: PublishedEvent | null): number {
    return event !== null && isDated(event) && Date.parse(event.upcoming_until) > this.#now ? 1 : 0;
  }
}

/** The listed bytes of genres that are read at the same time. */
const maxWaitingBytes = 256 * 1024 ** 2;

/**
 * Returns the changes of a whole site: those that were found while its genres were rendered, with those of the genres
 * that are gone. Returns null if nothing can be compared. Throws the problem `previous-site-differs` if the genres were
 * compared with another state of the previous site, or with none.
 */
export async function completeChanges(
  against: ComparedSite | null,
  found: GenreChanges | null,
  genres: ReadonlySet<string>,
  log: LogTimes,
  now: number,
): Promise<GenreChanges | null> {
  const comparison = await GenreComparison.open(against, log, now);
  if (comparison === null || against === null) return null;
  const missing = comparison.missingFrom(genres);
  let index = 0;
  for await (const history of comparison.histories(missing))
    comparison.add({ id: missing[index++] ?? '', cancelledIds: new Set(), texts: new Map() }, history);
  const all = addUpChanges([comparison.build(), found]);
  if (all === null) throw new ProblemError([{ code: 'previous-site-differs', place: null, site: against.name }]);
  return all;
}
