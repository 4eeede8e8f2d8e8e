import { currentAt, currentUntil, nextAt, stateOfRecord, upcomingAt } from '../api/current.ts';
import type {
  AnnouncedDocument,
  CategoriesDocument,
  ChangesDocument,
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
import {
  changesPath,
  documentPath,
  idPattern,
  indexPath,
  interfaceVersion,
  listLimit,
  listsPath,
  subjectFile,
} from '../api/paths.ts';
import { readEntries, type Entry } from './entries.ts';
import {
  ClientError,
  connect,
  getDocument,
  type ClientOptions,
  type Connection,
  type Signal,
} from './request.ts';

/** The kinds of lists that have documents of their own. */
export type ListKind = ListRecord['kind'];

/** The options of every request. */
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
 * The operations of the specification (section 4) and its index document (2.1). All reject with a
 * {@link ClientError}.
 */
export interface Client {
  readonly categories: (asking?: Asking) => Promise<CategoriesDocument>;
  readonly genres: (question?: Omit<EventsQuestion, 'genre' | 'limit'>) => Promise<GenresDocument>;
  /**
   * Returns upcoming events only: events that expired since the build are left out and subtracted
   * from `total`.
   */
  readonly events: (question?: EventsQuestion) => Promise<EventsDocument>;
  /** Returns the ten soonest upcoming events and, in `now`, at most five events under way. */
  readonly next: (question?: ListQuestion) => Promise<NextDocument>;
  /** Returns the events under way, including events that began since the build. */
  readonly now: (question?: ListQuestion) => Promise<NowDocument>;
  /** Returns the events announced for a month, quarter, half or year that have no date yet. */
  readonly announced: (question?: ListQuestion) => Promise<AnnouncedDocument>;
  /** Returns a subject of a genre with all of its events. */
  readonly subject: (genre: string, subject: string, asking?: Asking) => Promise<SubjectDocument>;
  /** Returns which months, countries, tags and collections there are. */
  readonly lists: (asking?: Asking) => Promise<ListsDocument>;
  /**
   * Returns the upcoming events of a month (`2027-05`), country (`de`), tag or collection, like
   * {@link Client.events}.
   */
  readonly list: (kind: ListKind, id: string, asking?: Asking) => Promise<EventsDocument>;
  /**
   * Returns every subject with its other names, its address, its number of events and the next one.
   */
  readonly subjects: (question?: ListQuestion) => Promise<SubjectsDocument>;
  readonly index: (asking?: Asking) => Promise<IndexDocument>;
  /** Returns the changes, newest first, if the site has bulk files. */
  readonly changes: (asking?: Asking) => Promise<ChangesDocument>;
  /**
   * Reads every event in every state, grouped by genre in the order of ids, without the cap of
   * lists, if the site has bulk files. `state` is that of now. It yields events while it reads the
   * response, so a large catalogue takes little memory. `timeout` ends when the response begins,
   * because it may be of any size; a `signal` also ends what follows.
   */
  readonly everything: (question?: ListQuestion) => AsyncIterableIterator<Entry>;
}

/**
 * Creates a client of the service at `baseUrl`. It requests the path form, which every host
 * answers. Throws a RangeError if `timeout` or `retries` is out of range.
 */
export function createClient(options: ClientOptions): Client {
  const { now = Date.now, staleAfter = 48 * 60 * 60 * 1000, onStale = warn } = options;
  const service = { connection: connect(options), now };
  return {
    categories: async (asking = {}) => {
      const path = documentPath({ operation: 'categories' });
      const isAnswer = isListOf('categories', {});
      return get<CategoriesDocument>(service, { path, isAnswer }, asking);
    },
    genres: async (question = {}) => {
      const ids = { category: question.category || null };
      const path = documentPath({ operation: 'genres', ...ids });
      const isAnswer = isListOf('genres', ids);
      return get<GenresDocument>(service, { path, ids, isAnswer }, question);
    },
    events: async (question = {}) => getEvents(service, question),
    next: async (question = {}) => getNext(service, question),
    now: async (question = {}) => {
      const [published, upcoming] = await Promise.all([
        getCompanion<NowDocument>(service, formats.now, 'events', question),
        getCompanion<EventsDocument>(service, formats.json, 'events', question),
      ]);
      return currentAt(published, upcoming, now());
    },
    announced: async (question = {}) =>
      getCompanion(service, formats.announced, 'announced', question),
    subject: async (genre, subject, asking = {}) => {
      const isAnswer = (document: SubjectDocument) =>
        document.subject?.id === subject && document.subject.genre === genre;
      const path = subjectFile(genre, subject, 'json');
      return get(service, { path, ids: { genre, subject }, isAnswer }, asking);
    },
    subjects: async (question = {}) =>
      getCompanion(service, formats.subjects, 'subjects', question),
    lists: async (asking = {}) =>
      get<ListsDocument>(service, { path: listsPath, isAnswer: isListOf('lists', {}) }, asking),
    list: async (kind, id, asking = {}) => {
      const ids = {
        genre: null,
        category: null,
        [kind]: id,
      };
      return getUpcoming(service, ids, asking, listLimit);
    },
    index: async (asking = {}) => {
      const document = await get(service, { path: indexPath, isAnswer: isIndex }, asking);
      const { last_sync: lastSync } = document.catalogue;
      const age = now() - Date.parse(lastSync);
      if (age > staleAfter) onStale(age, lastSync);
      return document;
    },
    changes: async (asking = {}) =>
      get<ChangesDocument>(
        service,
        { path: changesPath, isAnswer: isListOf('changes', {}) },
        asking,
      ),
    everything: (question = {}) => getEverything(service, question),
  };
}

/** The site that a client asks, and its clock. */
interface Service {
  readonly connection: Connection;
  readonly now: () => number;
}

type Filters = Readonly<Record<string, string | null>>;

interface Target<T> {
  readonly path: string;
  /** The ids of the question, which the path contains. */
  readonly ids?: Filters;
  /** Whether a document answers the question. It takes no field for granted. */
  readonly isAnswer: (document: T) => boolean;
}

async function get<T>(
  { connection }: Service,
  { path, ids = {}, isAnswer }: Target<T>,
  { signal }: Asking,
): Promise<T> {
  return getDocument(connection, { url: addressOf(connection, path, ids), signal }, isAnswer);
}

/**
 * Returns the address that ids lead to. A value that is not an id leads to none, and is not sent.
 */
function addressOf({ base }: Connection, path: string, ids: Filters): string {
  const url = `${base}/${path}`;
  if (Object.values(ids).every((id) => id === null || idPattern.test(id))) return url;
  throw new ClientError('not-found', url, 'an id has only a-z, 0-9 and hyphens: at, not AT');
}

/**
 * Gets a document that exists for everything, each category and each genre. For both filters it
 * is the genre's.
 */
async function getCompanion<T extends NowDocument | AnnouncedDocument | SubjectsDocument>(
  service: Service,
  format: Format,
  list: keyof T & string,
  question: ListQuestion,
): Promise<T> {
  const ids = filtersOf(question);
  const { genre, category } = ids;
  const filters = {
    genre,
    category: genre === null ? category : null,
  };
  const target = {
    path: formatPath(format, filters),
    ids,
    isAnswer: isListOf(list, filters),
  };
  const document = await get<T>(service, target, question);
  if (genre === null || category === null) return document;
  return onlyCategory(document, category);
}

async function getEvents(service: Service, question: EventsQuestion): Promise<EventsDocument> {
  const { limit } = question;
  const filters = filtersOf(question);
  if (limit == null || (Number.isInteger(limit) && limit > 0))
    return getUpcoming(service, filters, question, limit ?? listLimit);
  const url = `${service.connection.base}/${formatPath(formats.json, filters)}`;
  const reason = `limit is ${limit}; it must be a whole number from 1`;
  throw new ClientError('invalid-question', url, reason);
}

async function getUpcoming(
  service: Service,
  ids: Filters,
  asking: Asking,
  limit: number,
): Promise<EventsDocument> {
  const target = {
    path: formatPath(formats.json, ids),
    ids,
    isAnswer: isListOf('events', ids),
  };
  return upcomingAt(await get<EventsDocument>(service, target, asking), limit, service.now());
}

async function getNext(service: Service, question: ListQuestion): Promise<NextDocument> {
  const { now } = service;
  const document = await getCompanion<NextDocument>(service, formats.next, 'events', question);
  if (now() < currentUntil(document.now, document, -Infinity)) return document;
  // Later events move up in place of events that have begun.
  const upcoming = await getCompanion<EventsDocument>(service, formats.json, 'events', question);
  return nextAt(document, upcoming, now());
}

async function* getEverything(
  { connection, now }: Service,
  question: ListQuestion,
): AsyncGenerator<Entry> {
  const filters = filtersOf(question);
  // Categories have no such file.
  const path = formatPath(formats.ndjson, { genre: filters.genre });
  const request = {
    url: addressOf(connection, path, filters),
    signal: question.signal,
  };
  for await (const entry of readEntries(connection, request, now))
    if (filters.category === null || entry.category === filters.category) yield entry;
}

function filtersOf({ genre, category }: ListQuestion) {
  return { genre: genre || null, category: category || null };
}

function isIndex({ version, catalogue }: IndexDocument): boolean {
  return version === interfaceVersion && !!catalogue;
}

/** Returns whether a document has a list of this name and says that it answers these filters. */
function isListOf(name: string, filters: Readonly<Record<string, string | null>>) {
  return (document: object) => {
    const { [name]: list, filters: answerFilters } = document as Record<string, unknown>;
    const isSame = ([filter, id]: [string, string | null]) =>
      (answerFilters as Record<string, unknown> | undefined)?.[filter] === id;
    return Array.isArray(list) && Object.entries(filters).every(isSame);
  };
}

/** Returns the document of a genre, without its records if the genre is of another category. */
function onlyCategory<T extends object>(document: T, category: string): T {
  const lists = Object.entries(document).filter(([, value]) => Array.isArray(value)) as [
    string,
    SubjectsDocument['subjects'],
  ][];
  if (lists.every(([, records]) => records.every((record) => record.category === category)))
    return document;
  const empty = Object.fromEntries(lists.map(([name]) => [name, []]));
  return {
    ...document,
    ...('total' in document && { total: 0 }),
    ...empty,
  };
}

function warn(age: number, lastSync: string): void {
  // eslint-disable-next-line no-console -- the default when the caller gives no `onStale`
  console.warn(`The catalogue is ${Math.floor(age / 3_600_000)} hours old: last_sync ${lastSync}`);
}

/**
 * Whether an event is still upcoming on a date: at `upcoming_until` it no longer is, and a
 * cancelled one never is.
 */
export function isUpcoming(
  event: Pick<EventRecord, 'status' | 'upcoming_until' | 'over_at'>,
  date: Date,
): boolean {
  return stateOfRecord(event, date.getTime()) === 'upcoming';
}
