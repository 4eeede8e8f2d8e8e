import type { CategoryRecord, EventRecord, EventsDocument, GenreRecord } from '../api/documents.ts';
import { mostEvents } from '../api/limits.ts';
import type { Client } from '../client/index.ts';

/** Which list: the filters of one document. */
export interface List {
  readonly category: string | null;
  readonly genre: string | null;
}

/** What is known of the events in a scope. */
export interface Gathered {
  readonly events: readonly EventRecord[];
  /** The lists of which the service publishes the soonest events only. */
  readonly capped: readonly EventsDocument[];
  /** How many lists were not asked for yet. */
  readonly left: number;
}

/** The fewest lists that hold every published event of a scope: a list that is capped gives way to those below it. */
export function listsIn(scope: List, categories: readonly CategoryRecord[], genres: readonly GenreRecord[]): List[] {
  if (scope.genre !== null) return [scope];
  const chosen = categories.filter(({ id }) => scope.category === null || id === scope.category);
  if (chosen.reduce((sum, { upcoming }) => sum + upcoming, 0) <= mostEvents) return [scope];
  return chosen.flatMap(({ id, upcoming }): List[] => {
    if (upcoming <= mostEvents) return upcoming === 0 ? [] : [{ category: id, genre: null }];
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
    const key = `${category ?? ''}/${genre ?? ''}`;
    const asked = this.#asked.get(key) ?? this.#client.events({ category, genre });
    this.#asked.set(key, asked);
    // A list that could not be read may be asked for again.
    asked.catch(() => this.#asked.delete(key));
    return asked;
  }

  /** Gathers the first `most` of the lists; `onStep` hears of what there is so far. */
  async gather(
    lists: readonly List[],
    most: number,
    signal: AbortSignal,
    onStep: (so: Gathered, done: number, of: number) => void,
  ): Promise<Gathered> {
    const asked = lists.slice(0, most);
    const documents: EventsDocument[] = [];
    const waiting = asked.values();
    const soFar = (): Gathered => gathered(documents, lists.length - asked.length);
    const work = async (): Promise<void> => {
      for (const list of waiting) {
        documents.push(await this.list(list));
        signal.throwIfAborted();
        onStep(soFar(), documents.length, asked.length);
      }
    };
    await Promise.all(Array.from({ length: atATime }, work));
    return soFar();
  }
}

/** Enough for one connection of HTTP/1.1 browsers, few enough to be a polite guest. */
const atATime = 6;

function gathered(documents: readonly EventsDocument[], left: number): Gathered {
  return {
    events: documents.flatMap(({ events }) => events),
    capped: documents.filter(({ total, events }) => total > events.length),
    left,
  };
}
