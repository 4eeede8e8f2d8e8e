import { currentAt, currentUntil, nextAt, upcomingAt } from '../api/current.ts';
import type {
  AnnouncedDocument,
  CategoriesDocument,
  EventRecord,
  EventsDocument,
  GenresDocument,
  IndexDocument,
  ListRecord,
  ListsDocument,
  NextDocument,
  NowDocument,
  SubjectDocument,
  SubjectsDocument,
} from '../api/documents.ts';
import { formatPath, formats, type Format } from '../api/formats.ts';
import { documentPath, idPattern, indexPath, listLimit, listsPath, subjectFile, type Question } from '../api/paths.ts';
import { hasCategories, hasEventsOf, hasGenresOf, hasSubjectsOf, isIndex, isListOf } from './answers.ts';
import { listKinds } from '../api/scopes.ts';
import { ClientError } from './error.ts';
import type { Address, Fetch, Signal } from './platform.ts';
import { getDocument, type RequestOptions } from './request.ts';

/** Where the service is and how to ask it. Only `baseUrl` is required. Times are in milliseconds. */
export interface ClientOptions {
  /** The address of the site. A page of the site itself may give a relative one. */
  readonly baseUrl: string | Address;
  readonly fetch?: Fetch | undefined;
  /** Returns milliseconds since the Unix epoch. */
  readonly now?: (() => number) | undefined;
  /** Waits between attempts. */
  readonly sleep?: RequestOptions['sleep'] | undefined;
  /** How long one attempt may take, above 0; `Infinity` for no limit. Default: 10,000. */
  readonly timeout?: number | undefined;
  /** How many more attempts follow a network error, a timeout or a status of 5xx. Default: 2. */
  readonly retries?: number | undefined;
  /** Whether to keep answers in memory and ask only whether they changed. Default: true, except in browsers. */
  readonly cache?: boolean | undefined;
  /** The age from which a catalogue counts as stale. Default: two days. */
  readonly staleAfter?: number | undefined;
  /** Called by `index()` with the age of a stale catalogue. Default: a warning on the console. */
  readonly onStale?: ((age: number, lastSync: string) => void) | undefined;
}

/** The kinds of lists that have documents of their own. */
export type ListKind = ListRecord['kind'];

/** What every question may contain. */
export interface Asking {
  readonly signal?: Signal | undefined;
}

/** Filters narrow the answer. Null, an empty string and undefined mean no filter. */
export interface EventsQuestion extends Asking {
  readonly genre?: string | null | undefined;
  readonly category?: string | null | undefined;
  /** The maximum number of events, at least 1; above 200 it means 200. */
  readonly limit?: number | null | undefined;
}

/** The filters of a list whose length is fixed. */
export type ListQuestion = Omit<EventsQuestion, 'limit'>;

/**
 * The operations of the specification (section 4) and its index document (2.1). All reject with a {@link ClientError}.
 */
export interface Client {
  readonly categories: (asking?: Asking) => Promise<CategoriesDocument>;
  readonly genres: (question?: Omit<EventsQuestion, 'genre' | 'limit'>) => Promise<GenresDocument>;
  /** Returns upcoming events only: those that expired since the build are left out and subtracted from `total`. */
  readonly events: (question?: EventsQuestion) => Promise<EventsDocument>;
  /** Returns the ten soonest upcoming events and, in `now`, at most five events under way. */
  readonly next: (question?: ListQuestion) => Promise<NextDocument>;
  /** Returns the events under way, those that began since the build included. */
  readonly now: (question?: ListQuestion) => Promise<NowDocument>;
  /** Returns what is announced for a month, quarter, half or year, and has no date yet. */
  readonly announced: (question?: ListQuestion) => Promise<AnnouncedDocument>;
  /** Returns a subject of a genre with all of its events. */
  readonly subject: (genre: string, subject: string, asking?: Asking) => Promise<SubjectDocument>;
  /** Returns which months, countries, tags and collections there are. */
  readonly lists: (asking?: Asking) => Promise<ListsDocument>;
  /** Returns the upcoming events of a month (`2027-05`), country (`de`), tag or collection, like {@link Client.events}. */
  readonly list: (kind: ListKind, id: string, asking?: Asking) => Promise<EventsDocument>;
  /** Returns every subject with its other names, its address, its number of events and the next one. */
  readonly subjects: (question?: ListQuestion) => Promise<SubjectsDocument>;
  readonly index: (asking?: Asking) => Promise<IndexDocument>;
}

/**
 * Creates a client of the service at `baseUrl`. It requests the path form, which every host answers. Throws a
 * RangeError if `timeout` or `retries` is out of range.
 */
export function createClient(options: ClientOptions): Client {
  const { now = Date.now, staleAfter = 48 * 60 * 60 * 1000, onStale = warn } = options;
  const requestOptions = requestOptionsOf(options);
  const { base } = requestOptions;

  /** Gets the document at `path` and checks that it answers the question. */
  async function get<T>(path: string, asking: Asking, isAnswer: (document: T) => boolean): Promise<T> {
    const url = `${base}/${path}`;
    const document = (await getDocument(requestOptions, url, asking.signal)) as T;
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

  /** Gets a document that exists for everything, each category and each genre. For both filters it is the genre's. */
  async function getList<T extends NowDocument | AnnouncedDocument>(
    format: Format,
    { genre = null, category = null, ...asking }: ListQuestion,
    name: keyof T & ('events' | 'announced'),
  ): Promise<T> {
    pathOf({ operation: 'events', genre, category });
    const filters = { genre, category: genre ? null : category };
    const document = await get<T>(formatPath(format, filters), asking, (one) => isListOf(one, one[name], filters));
    const records = document[name] as readonly { readonly category: string }[];
    const isOfBoth = !genre || !category || records.every((record) => record.category === category);
    return isOfBoth ? document : { ...document, total: 0, [name]: [] };
  }

  async function events({ genre = null, category = null, limit, ...asking }: EventsQuestion): Promise<EventsDocument> {
    const path = pathOf({ operation: 'events', genre, category });
    if (limit != null && !(Number.isInteger(limit) && limit > 0)) {
      const reason = `limit is ${limit}; it must be a whole number from 1`;
      throw new ClientError('invalid-question', `${base}/${path}`, reason);
    }
    return upcomingAt(await get(path, asking, hasEventsOf({ genre, category })), limit ?? listLimit, now());
  }

  return {
    categories: async (asking = {}) => get(pathOf({ operation: 'categories' }), asking, hasCategories),
    genres: async ({ category = null, ...asking } = {}) =>
      get(pathOf({ operation: 'genres', category }), asking, hasGenresOf(category)),
    events: async (question = {}) => events(question),
    next: async (question = {}) => {
      const list = await getList<NextDocument>(formats.next, question, 'events');
      const isCurrent = currentUntil(list.now, list, now()) === currentUntil(list.now, list, -Infinity);
      // Later events move up for those that have begun.
      return isCurrent ? list : nextAt(list, await getList(formats.json, question, 'events'), now());
    },
    now: async (question = {}) => {
      const list = getList<NowDocument>(formats.now, question, 'events');
      const [published, upcoming] = await Promise.all([
        list,
        getList<EventsDocument>(formats.json, question, 'events'),
      ]);
      return currentAt(published, upcoming, now());
    },
    announced: async (question = {}) => getList<AnnouncedDocument>(formats.announced, question, 'announced'),
    subject: async (genre, subject, asking = {}) => {
      const path = subjectFile(genre, subject, 'json');
      if (![genre, subject].every((id) => idPattern.test(id)))
        throw new ClientError('not-found', `${base}/${path}`, 'no genre or subject has such an id');
      const isAnswer = (document: Partial<SubjectDocument>): boolean =>
        document.subject?.id === subject && document.subject.genre === genre && Array.isArray(document.events);
      return get<SubjectDocument>(path, asking, isAnswer);
    },
    lists: async (asking = {}) => get<ListsDocument>(listsPath, asking, ({ lists }) => Array.isArray(lists)),
    list: async (kind, id, asking = {}) => {
      const filters = { [kind]: id };
      const path = formatPath(formats.json, filters);
      if (!listKinds.includes(kind) || !idPattern.test(id)) {
        throw new ClientError('not-found', `${base}/${path}`, 'no list has such an id');
      }
      const isOfList = hasEventsOf({ genre: null, category: null });
      const isAnswer = (one: EventsDocument): boolean => isOfList(one) && one.filters[kind] === id;
      return upcomingAt(await get(path, asking, isAnswer), listLimit, now());
    },
    subjects: async ({ genre = null, category = null, ...asking } = {}) => {
      pathOf({ operation: 'events', genre, category });
      const filters = { genre, category: genre ? null : category };
      const document = await get(formatPath(formats.subjects, filters), asking, hasSubjectsOf(filters));
      const isOfCategory = (subject: { readonly category: string }): boolean =>
        !category || subject.category === category;
      return { ...document, subjects: document.subjects.filter(isOfCategory) };
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

/** Returns how to send requests. Throws a RangeError if `timeout` or `retries` is out of range. */
export function requestOptionsOf({
  baseUrl,
  timeout = 10_000,
  retries = 2,
  ...options
}: ClientOptions): RequestOptions {
  if (!(timeout > 0)) throw new RangeError(`timeout is ${timeout}; it must be milliseconds above 0, or Infinity`);
  if (!(retries >= 0)) throw new RangeError(`retries is ${retries}; it must be a number from 0`);
  return {
    base: String(baseUrl).replace(/\/+$/, ''),
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    sleep: options.sleep ?? sleep,
    timeout,
    retries,
    cache: (options.cache ?? !isBrowser()) ? new Map() : null,
  };
}

/** Whether this is a window or a worker of a browser, whose HTTP cache revalidates. */
function isBrowser(): boolean {
  return 'document' in globalThis || 'importScripts' in globalThis;
}

function warn(age: number, lastSync: string): void {
  // eslint-disable-next-line no-console -- the default when the caller gives no `onStale`
  console.warn(`The catalogue is ${Math.floor(age / 3_600_000)} hours old: last_sync ${lastSync}`);
}

async function sleep(milliseconds: number, signal?: Signal): Promise<void> {
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

/** Whether an event is still upcoming at `now` (milliseconds since 1970): at `upcoming_until` it no longer is. */
export function isUpcoming(event: Pick<EventRecord, 'upcoming_until'>, now: number): boolean {
  return Date.parse(event.upcoming_until) > now;
}
