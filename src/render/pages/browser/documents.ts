import type { CategoryRecord, EventRecord, EventsDocument, GenreRecord } from '../../../api/documents.ts';
import { maxEvents } from '../../../api/paths.ts';
import { ClientError, type Client } from '../../../client/index.ts';
import { readersDay } from './clock.ts';

/** Which list: the filters of one document. */
export interface List {
  readonly category: string | null;
  readonly genre: string | null;
}

/** What is known of the events in a scope. */
export interface Gathered {
  readonly events: readonly EventRecord[];
  /** How many there are by the list of the scope, published or not. */
  readonly total: number;
  /** The lists of which the service publishes the soonest events only. */
  readonly capped: readonly EventsDocument[];
  /** How many lists were not read. */
  readonly left: number;
  /** The reader's day from which on there may be more than `events`; null where there is no more. */
  readonly reach: string | null;
  /** Whether the lists below that of the scope were asked for. */
  readonly isWide: boolean;
}

/** The fewest lists that hold every published event of a scope: a list that is capped gives way to those below it. */
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

/** Fetches lists, each once in the life of the page: what one wish of the reader began serves the next one too. */
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
    // A list that could not be read may be asked for again.
    asked.catch(() => this.#asked.delete(key));
    return asked;
  }

  /** Whether lists were all asked for already. */
  holds(lists: readonly List[]): boolean {
    return lists.every((list) => this.#asked.has(keyOf(list)));
  }

  /** Gathers the first `most` of the lists below the first one; `onStep` hears of what there is so far. */
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

  /** A list, or none: what the catalogue had when the page was opened may have been taken out of it since. */
  async #listIfThere(list: List): Promise<EventsDocument[]> {
    try {
      return [await this.list(list)];
    } catch (error) {
      if (error instanceof ClientError && error.code === 'not-found') return [];
      throw error;
    }
  }
}

/** Enough for one connection of HTTP/1.1 browsers, few enough to be a polite guest. */
const atATime = 6;

/** What the list of a scope says by itself. */
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

/** While lists are missing, nothing is sure beyond the first one, which holds the soonest events of them all. */
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

/** The first day, for the reader, on which an event may be that a list does not hold. */
function reachOf({ events, total }: EventsDocument): string | null {
  if (total <= events.length) return null;
  const start = events.at(-1)?.starts_at;
  // A date alone stands under its own day, which may be another than the reader's at that instant.
  return start === undefined ? '' : sooner(start.slice(0, 10), readersDay(Date.parse(start)));
}

function sooner(a: string | null, b: string | null): string | null {
  return a === null || (b !== null && b < a) ? b : a;
}

function keyOf({ category, genre }: List): string {
  return `${category ?? ''}/${genre ?? ''}`;
}
