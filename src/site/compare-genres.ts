import type { FormerIds, GenreContent } from '../catalogue/model.ts';
import { ProblemError } from '../problem/problem.ts';
import { inOrder } from '../system/parallel.ts';
import { addUpChanges, changesOf, limitChanges, type Change, type GenreChanges } from './change-log.ts';
import { isDated, type PublishedEvent } from './compare.ts';
import type { ComparedSite, EarlierSite } from './earlier-site.ts';
import { formatPath, formats } from '../api/formats.ts';
import { collectionFinder, type Collection, type FindCollections } from '../catalogue/collection.ts';
import { HistoryReader, type GenreHistory } from './genre-history.ts';

export interface NewGenre {
  readonly id: string;
  /** The ids of cancelled events and announcements. */
  readonly cancelledIds: ReadonlySet<string>;
  /** The JSON of all events that are upcoming or under way, and of all announcements, by their ids. */
  readonly texts: ReadonlyMap<string, string>;
}

/** What a comparison depends on, besides the two sites. */
export interface ComparisonOptions {
  /** The time of this build in the change log. */
  readonly at: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** The former ids of the new site. What only changed its id is no change. */
  readonly former: FormerIds;
  /** Each change names those that its event is in. */
  readonly collections: readonly Collection[];
}

/** Compares genres of a new site with those of the previous site, and adds up the changes. */
export class GenreComparison {
  readonly #previous: EarlierSite;
  readonly #reader: HistoryReader;
  readonly #now: number;
  readonly #findCollections: FindCollections;
  readonly #former: FormerIds['genres'];
  readonly #changes: Change[] = [];
  #growth = 0;

  private constructor(previous: EarlierSite, { at, now, former, collections }: ComparisonOptions) {
    this.#previous = previous;
    this.#reader = new HistoryReader(previous, at, former.genres);
    this.#now = now;
    this.#former = former.genres;
    this.#findCollections = collectionFinder(collections);
  }

  /** Returns null if the previous site does not list every event. All methods throw `site-unreadable`. */
  static async open(against: ComparedSite | null, options: ComparisonOptions): Promise<GenreComparison | null> {
    const previous = against && (await against.open());
    return previous?.hasEveryEvent === true ? new GenreComparison(previous, options) : null;
  }

  /** Reads what the previous site has of genres, in their order. A host is asked for several of them at a time. */
  histories(genres: readonly string[]): AsyncGenerator<GenreHistory> {
    const { concurrency } = this.#previous.site;
    const bytesOf = (genre: string): number => this.#previous.files[formatPath(formats.ndjson, { genre })]?.bytes ?? 0;
    const limits = { concurrency, sizeOf: bytesOf, maxSize: maxWaitingBytes };
    return inOrder(genres, limits, async (genre) => this.#reader.read(genre));
  }

  /**
   * Gives the events of subjects that changed their ids the new ones, also if they come from another genre.
   *
   * @param claimed returns the former ids of all subjects, which is slow; they are needed if a subject is gone
   */
  async follow(
    history: GenreHistory,
    { genre: { id: genre, category }, members, former }: Pick<GenreContent, 'genre' | 'members' | 'former'>,
    claimed: () => ReadonlySet<string>,
  ): Promise<void> {
    for (const { old, id } of former) {
      const [oldGenre = '', oldSubject] = old.split('/');
      const isOwn = this.#idOf(oldGenre) === genre;
      if (!isOwn && !this.#previous.hasGenre(oldGenre)) continue;
      const ids = { genre, category, subject: id.slice(genre.length + 1) };
      const from = isOwn ? history : await this.#reader.readId(oldGenre);
      history.adopt(from, (subject) => (subject === oldSubject ? ids : null));
    }
    this.#release(history, genre, new Set(members.map((subject) => subject.id)), claimed);
  }

  /** Leaves what other genres have taken over to them. */
  #release(history: GenreHistory, genre: string, members: ReadonlySet<string>, claimed: () => ReadonlySet<string>) {
    const gone = [...history.subjects].filter((subject) => !members.has(subject));
    if (gone.length === 0) return;
    const ids = [genre, ...[...this.#former.keys()].filter((old) => this.#idOf(old) === genre)];
    const isClaimed = (subject: string): boolean => ids.some((one) => claimed().has(`${one}/${subject}`));
    history.forget(new Set(gone.filter(isClaimed)));
  }

  /** Returns the id that a genre of the previous site has now. */
  #idOf(genre: string): string {
    return this.#former.get(genre)?.id ?? genre;
  }

  /** Compares what no new genre has. */
  async addMissing(genres: ReadonlySet<string>, claimed: ReadonlySet<string>): Promise<void> {
    const missing = this.#previous.overview.genres.map(({ id }) => id).filter((id) => !genres.has(this.#idOf(id)));
    let index = 0;
    for await (const history of this.histories(missing)) {
      const id = missing[index++] ?? '';
      this.#release(history, id, new Set(), () => claimed);
      this.add({ id, cancelledIds: new Set(), texts: new Map() }, history);
    }
  }

  /** Compares a genre. Returns its changes. */
  add({ id, cancelledIds, texts }: NewGenre, history: GenreHistory): readonly Change[] {
    const isCancelled = (event: PublishedEvent): boolean => cancelledIds.has(event.id);
    const { differences, hasAllEvents } = history.compare(texts, isCancelled, this.#now);
    const changes = differences.flatMap((difference) => changesOf(difference, this.#findCollections));
    for (const change of changes) this.#changes.push(change);
    for (const difference of differences) {
      // Nothing is lost of an event that is cancelled.
      if (hasAllEvents && difference.kind !== 'cancelled')
        this.#growth += this.#upcomingIn(difference.after) - this.#upcomingIn(difference.before);
    }
    if (!hasAllEvents) this.#growth += this.#growthOf(id, texts);
    return changes;
  }

  /** Returns the changes of the genres that were added. */
  build(): GenreChanges {
    const { identity, damage } = this.#previous;
    const changes = limitChanges(this.#changes);
    return { comparedWith: identity, changes, growth: this.#growth, damage: damage.reasons };
  }

  /** Returns the growth of a genre whose previous events cannot all be read, by the count in the list of genres. */
  #growthOf(genre: string, texts: ReadonlyMap<string, string>): number {
    const records = Array.from(texts.values(), (text) => JSON.parse(text) as PublishedEvent);
    const upcoming = records.reduce((sum, record) => sum + this.#upcomingIn(record), 0);
    const before = this.#previous.overview.genres.filter(({ id }) => this.#idOf(id) === genre);
    return before.reduce((growth, one) => growth - one.upcoming, upcoming);
  }

  #upcomingIn(event: PublishedEvent | null): number {
    return event !== null && isDated(event) && Date.parse(event.upcoming_until) > this.#now ? 1 : 0;
  }
}

/** The listed bytes of genres that are read at the same time. */
const maxWaitingBytes = 256 * 1024 ** 2;

/**
 * Returns the changes of a whole site: those that were found while its genres were rendered, with those of the genres
 * that are gone. `claimed` are the former ids of its subjects. Returns null if nothing can be compared. Throws the problem `previous-site-differs` if the genres were
 * compared with another state of the previous site, or with none.
 */
export async function completeChanges(
  against: ComparedSite | null,
  found: GenreChanges | null,
  { genres, claimed }: { readonly genres: ReadonlySet<string>; readonly claimed: ReadonlySet<string> },
  options: ComparisonOptions,
): Promise<GenreChanges | null> {
  const comparison = await GenreComparison.open(against, options);
  if (comparison === null || against === null) return null;
  await comparison.addMissing(genres, claimed);
  const all = addUpChanges([comparison.build(), found]);
  if (all === null) throw new ProblemError([{ code: 'previous-site-differs', place: null, site: against.name }]);
  return all;
}
