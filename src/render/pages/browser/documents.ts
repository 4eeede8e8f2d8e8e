import type { CategoryRecord, EventRecord, EventsDocument, GenreRecord } from '../../../api/documents.ts';
import { maxEvents } from '../../../api/paths.ts';
import { ClientError, type Client } from '../../../client/index.ts';
import { readersDay } from './clock.ts';

/** The filters of one list of events. */
export interface List {
  readonly category: string | null;
  readonly genre: string | null;
}

/** The events of a scope that have been read so far. */
export interface Gathered {
  readonly events: readonly EventRecord[];
  /** The total in the list of the scope, including events that are not published. */
  readonly total: number;
  /** The lists that contain only the soonest of their events. */
  readonly capped: readonly EventsDocument[];
  /** The number of lists that were not read. */
  readonly left: number;
  /** The reader's first day on which there may be more events. Null if `events` is complete. */
  readonly reach: string | null;
  /** Whether the lists below that of the scope were requested. */
  readonly isWide: boolean;
}

/** Returns the fewest lists that contain every published event of a scope: in place of a capped list, those below it. */
export function listsIn(scope: List, categories: readonly CategoryRecord[], genres: readonly GenreRecord[]): List[] {
  if (scope.genre !== null) return [scope];
  const chosen = categories.filter(({ id }) => scope.category === null || id === scope.category);
  if (chosen.reduce((sum, { upcoming }) => sum + upcoming, 0) <= maxEvents) return [scope];
  return chosen.flatMap(({ id, upcoming }): List[] => {
    if (upcoming <= maxEvents) return upcoming === 0 ? [] : [{ category: id, genre: null }];
    return genres
      .filter((genre) => genre.category === id && genre.upcoming > 0)
      .map((genre) => ({ category: null, genre: genre.id }));
  });
}

/** Fetches lists and keeps them, so that a page requests each list once. */
export class Library {
  readonly #client: Client;
  readonly #asked = new Map<string, Promise<EventsDocument>>();

  constructor(client: Client) {
    this.#client = client;
  }

  async list({ category, genre }: List): Promise<EventsDocument> {
    const key = keyOf({ category, genre });
    const asked = this.#asked.get(key) ?? this.#client.events({ category, genre });
    this.#asked.set(key, asked);
    // A list that could not be read may be requested again.
    asked.catch(() => this.#asked.delete(key));
    return asked;
  }

  /** Whether all of some lists have been requested. */
  holds(lists: readonly List[]): boolean {
    return lists.every((list) => this.#asked.has(keyOf(list)));
  }

  /** Reads up to `most` of the lists below the first one. Calls `onStep` after each with the events so far. */
  async gather(
    first: EventsDocument,
    lists: readonly List[],
    most: number,
    signal: AbortSignal,
    onStep: (so: Gathered, done: number, of: number) => void,
  ): Promise<Gathered> {
    const asked = lists.slice(0, most);
    const documents: EventsDocument[] = [];
    let done = 0;
    const waiting = asked.values();
    const soFar = (): Gathered => gathered(first, documents, lists.length - done);
    const work = async (): Promise<void> => {
      for (const list of waiting) {
        documents.push(...(await this.#listIfThere(list)));
        signal.throwIfAborted();
        onStep(soFar(), ++done, asked.length);
      }
    };
    await Promise.all(Array.from({ length: atATime }, work));
    return soFar();
  }

  /** Returns an empty array if the category or genre was removed from the catalogue since the page was opened. */
  async #listIfThere(list: List): Promise<EventsDocument[]> {
    try {
      return [await this.list(list)];
    } catch (error) {
      if (error instanceof ClientError && error.code === 'not-found') return [];
      throw error;
    }
  }
}

/** The number of connections that browsers open to a host with HTTP/1.1. */
const atATime = 6;

/** Returns the events in the list of a scope alone. */
export function firstOf(first: EventsDocument): Gathered {
  const reach = reachOf(first);
  return {
    events: first.events,
    total: first.total,
    capped: reach === null ? [] : [first],
    left: 0,
    reach,
    isWide: false,
  };
}

/** While lists are missing, only the first list is certain to be complete: it contains the soonest events. */
function gathered(first: EventsDocument, documents: readonly EventsDocument[], left: number): Gathered {
  const events = [first, ...documents].flatMap((document) => document.events);
  const capped = documents.filter((document) => reachOf(document) !== null);
  return {
    events: [...new Map(events.map((event) => [event.id, event])).values()],
    total: first.total,
    capped,
    left,
    reach: (left > 0 ? [first] : capped).map(reachOf).reduce(sooner, null),
    isWide: true,
  };
}

/** Returns the reader's first day on which there may be events that a list does not contain. */
function reachOf({ events, total }: EventsDocument): string | null {
  if (total <= events.length) return null;
  const start = events.at(-1)?.starts_at;
  // An event without a clock time is listed under its own date, which may differ from the reader's.
  return start === undefined ? '' : sooner(start.slice(0, 10), readersDay(Date.parse(start)));
}

function sooner(a: string | null, b: string | null): string | null {
  return a === null || (b !== null && b < a) ? b : a;
}

function keyOf({ category, genre }: List): string {
  return `${category ?? ''}/${genre ?? ''}`;
}
