import type {
  CategoriesDocument,
  EventRecord,
  EventsDocument,
  GenresDocument,
  IndexDocument,
} from '../api/documents.ts';
import { documentPath, idPattern, indexPath, interfaceVersion, maxEvents, type Question } from '../api/paths.ts';
import { ClientError } from './error.ts';
import { getDocument, type Requesting } from './request.ts';
import { isUpcoming } from './upcoming.ts';

/** Where the service is, and how to ask it. Only `baseUrl` is needed. Times in milliseconds. */
export interface ClientOptions {
  /** Where the site is served from. A page of the site itself may give a relative address. */
  readonly baseUrl: string | URL;
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
  /** Pauses between attempts. */
  readonly sleep?: Requesting['sleep'] | undefined;
  /** How long one attempt may take, above 0: 10,000 if not given; `Infinity` for as long as it wants. */
  readonly timeout?: number | undefined;
  /** How many more attempts follow a network fault, a timeout or a 5xx: 2 if not given. */
  readonly retries?: number | undefined;
  /** Whether answers are kept in memory and only asked for again if they changed; not given, everywhere but in browsers. */
  readonly cache?: boolean | undefined;
  /** From which age on a catalogue counts as stale: two days if not given. */
  readonly staleAfter?: number | undefined;
  /** Called by `index()` with the age of a stale catalogue; not given, a warning on the console. */
  readonly onStale?: ((age: number, lastSync: string) => void) | undefined;
}

/** What comes with every question. */
export interface Asking {
  readonly signal?: AbortSignal | undefined;
}

/** Filters narrow the answer; null, the empty text and nothing mean no filter. */
export interface EventsQuestion extends Asking {
  readonly genre?: string | null | undefined;
  readonly category?: string | null | undefined;
  /** The most events wanted, from 1; above 200 it is 200. */
  readonly limit?: number | null | undefined;
}

/** The operations of the specification, section 4, and the index document of section 2.1. All reject with a {@link ClientError}. */
export interface Client {
  readonly categories: (asking?: Asking) => Promise<CategoriesDocument>;
  readonly genres: (question?: Omit<EventsQuestion, 'genre' | 'limit'>) => Promise<GenresDocument>;
  /** Only what is still upcoming: events that ended since the build are dropped, and `total` is lowered by as many. */
  readonly events: (question?: EventsQuestion) => Promise<EventsDocument>;
  readonly index: (asking?: Asking) => Promise<IndexDocument>;
}

/**
 * A client of the service at `baseUrl`. It asks for the path form, which every host answers. Throws a RangeError if
 * `timeout` or `retries` can't be what was meant.
 */
export function createClient(options: ClientOptions): Client {
  const { now = Date.now, staleAfter = 48 * 60 * 60 * 1000, onStale = warn } = options;
  const by = requestingOf(options);
  const base = String(options.baseUrl).replace(/\/+$/, '');

  /** Gets the document at `path` and makes sure that it holds what was asked for. */
  async function get<T>(path: string, asking: Asking, isAnswer: (document: T) => boolean): Promise<T> {
    const url = `${base}/${path}`;
    const document = (await getDocument(by, url, asking.signal)) as T;
    // Whatever was sent, it is not an answer if looking for one in it fails.
    if (!document || !isAnswer(document)) {
      throw new ClientError('wrong-answer', url, 'the answer is not the one to this question');
    }
    return document;
  }

  function pathOf(question: Question): string {
    const path = documentPath(question);
    if ([question.category, question.genre].every((id) => !id || idPattern.test(id))) return path;
    throw new ClientError('not-found', `${base}/${path}`, 'no category or genre has such an id');
  }

  return {
    categories: async (asking = {}) => get(pathOf({ operation: 'categories' }), asking, hasCategories),
    genres: async ({ category = null, ...asking } = {}) =>
      get(pathOf({ operation: 'genres', category }), asking, hasGenresOf(category)),
    events: async ({ genre = null, category = null, limit, ...asking } = {}) => {
      const path = pathOf({ operation: 'events', genre, category });
      if (limit != null && !(Number.isInteger(limit) && limit > 0)) {
        const reason = `limit is ${limit}; it must be a whole number from 1`;
        throw new ClientError('invalid-question', `${base}/${path}`, reason);
      }
      return narrow(await get(path, asking, hasEventsOf(genre, category)), limit ?? maxEvents, now());
    },
    index: async (asking = {}) => {
      const document = await get(indexPath, asking, isIndex);
      const { last_sync: lastSync } = document.catalogue;
      const age = now() - Date.parse(lastSync);
      if (age > staleAfter) onStale(age, lastSync);
      return document;
    },
  };
}

function requestingOf({ timeout = 10_000, retries = 2, ...given }: ClientOptions): Requesting {
  if (!(timeout > 0)) throw new RangeError(`timeout is ${timeout}; it must be milliseconds above 0, or Infinity`);
  if (!(retries >= 0)) throw new RangeError(`retries is ${retries}; it must be a number from 0`);
  return {
    fetch: given.fetch ?? ((input, init) => fetch(input, init)),
    sleep: given.sleep ?? sleep,
    timeout,
    retries,
    cache: (given.cache ?? !isBrowser()) ? new Map() : null,
  };
}

function isIndex({ version, catalogue }: IndexDocument): boolean {
  return version === interfaceVersion && !!catalogue;
}

function hasCategories({ categories }: CategoriesDocument): boolean {
  return Array.isArray(categories);
}

/** Whether a document is the answer to the question with this filter. */
function hasGenresOf(category: string | null): (document: GenresDocument) => boolean {
  return ({ genres, filters }) => Array.isArray(genres) && isSame(filters?.category, category);
}

/** The same of events. */
function hasEventsOf(genre: string | null, category: string | null): (document: EventsDocument) => boolean {
  return ({ filters, limit, total, events }) =>
    isSame(filters?.genre, genre) &&
    isSame(filters?.category, category) &&
    Number.isInteger(limit) &&
    Number.isInteger(total) &&
    Array.isArray(events) &&
    events.every(endsSometime);
}

/** The part of a document that is still upcoming, at most `limit` events of it. */
function narrow(document: EventsDocument, limit: number, now: number): EventsDocument {
  const upcoming = document.events.filter((event) => isUpcoming(event, now));
  const most = Math.min(limit, document.limit);
  return {
    ...document,
    limit: most,
    total: document.total - (document.events.length - upcoming.length),
    events: upcoming.slice(0, most),
  };
}

/** Whether it can be told of an event until when it is upcoming. */
function endsSometime(event: EventRecord | null): boolean {
  return typeof event?.upcoming_until === 'string' && !Number.isNaN(Date.parse(event.upcoming_until));
}

function isSame(answered: string | null | undefined, asked: string | null): boolean {
  return answered === (asked || null);
}

/** A window or a worker of a browser: there the HTTP cache revalidates. */
function isBrowser(): boolean {
  return 'document' in globalThis || 'importScripts' in globalThis;
}

function warn(age: number, lastSync: string): void {
  // eslint-disable-next-line no-console -- the one who runs the page should hear of it, unless they listen themselves
  console.warn(`The catalogue is ${Math.floor(age / 3_600_000)} hours old: last_sync ${lastSync}`);
}

async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', abort);
  });
}
