import type { AnnouncementRecord, EventRecord, ListRecord } from '../../api/documents.ts';
import type { Category, Service } from '../../catalogue/model.ts';
import { day, minute } from '../../catalogue/time/time.ts';
import type { GenreRecords } from '../../render/records.ts';
import { aheadOf } from '../dates.ts';
import { lastDayOf } from '../row-time.ts';
import { rangeOfPeriod } from './ranges.ts';

/** Where the search index is, relative to `{base_url}`. */
export const searchIndexPath = 'assets/search.json';

/** The index keeps past events for this number of days. */
export const recentDays = 7;

/** The number of upcoming events above which the index has only subjects. */
const maxEvents = 100_000;

/**
 * The search index as it is published. Texts that repeat are numbers: an event names its title by
 * its place in `titles`, and its start by the difference from the start before it in the same
 * subject.
 */
export interface SearchFile {
  /** Id and name of each category. Their order decides their colours. */
  readonly categories: readonly (readonly [id: string, name: string])[];
  /**
   * Id, name and category (by number) of each genre. As for subjects, an id that the name gives is
   * empty.
   */
  readonly genres: readonly (readonly [id: string, name: string, category: number])[];
  readonly collections: readonly (readonly [id: string, name: string])[];
  /**
   * Where events happen: name, address, and the code of the country. What is not known is empty.
   */
  readonly places: readonly (readonly [name: string, address: string, country: string])[];
  readonly subjects: readonly SubjectRow[];
  /** The titles, each followed by its id if it differs from the slug of the title. */
  readonly titles: readonly (string | readonly [title: string, id: string])[];
  /** The number of past days that have a page. */
  readonly pastDays: number;
  /** Whether the events were left out. */
  readonly isPartial: boolean;
}

/**
 * Id (empty if it is the slug of the name), name and genre (by number) of a subject, its aliases,
 * and its events: title, start, place, title, start, place. A start is minutes since the Unix
 * epoch, times two. One more means that only the date is real. After the first start of a subject,
 * each is the difference to that before it. A place is its number in `places` from 1 on, or 0; of a
 * postponed event, whose date is void, its complement (`~place`).
 * Announcements follow, with their period as the start. A local catalogue adds by how many minutes
 * the clocks at the place of each event are ahead of UTC. The last list has the events that are on
 * for several days, or are under way: their places among the events, and the number of days after
 * the first.
 */
export type SubjectRow = readonly [
  id: string,
  name: string,
  genre: number,
  aliases: readonly string[],
  events: readonly (number | string)[],
  ahead?: readonly number[],
  spans?: readonly (readonly [event: number, days: number])[],
];

/** Guesses an id from a name or title. The index stores the ids for which the guess is wrong. */
function plainSlug(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** Returns the id of a subject. */
export function subjectId([id, name]: SubjectRow): string {
  return id || plainSlug(name);
}

/** Returns the id of a genre: by default, its name with the category behind it. */
export function genreId(
  categories: SearchFile['categories'],
  [id, name, category]: SearchFile['genres'][number],
): string {
  return id || `${plainSlug(name)}-${categories[category]?.[0] ?? ''}`;
}

/** An event or announcement in the index. */
export interface IndexedEvent {
  readonly title: number;
  /**
   * Milliseconds since the Unix epoch; midnight UTC if only the date is real, or the last date of a
   * period.
   */
  readonly startsAt: number;
  readonly isDate: boolean;
  /** The period of an announcement, such as `2027-Q3`. Null if the event has a date. */
  readonly period: string | null;
  /** The number of its place, 0 if it has none. */
  readonly place: number;
  /** Whether its date is void. */
  readonly isPostponed: boolean;
  /**
   * By how many milliseconds the clocks that show its time are ahead of UTC. Null if these are the
   * clocks of the reader.
   */
  readonly ahead: number | null;
  /**
   * The number of days after the first on which it is on. Null if only its start is known, and it
   * was not under way when the site was built.
   */
  readonly days: number | null;
}

/** Returns a title, and the id within its subject of the event that has it. */
export function readTitle(
  { titles }: SearchFile,
  number: number,
): { readonly title: string; readonly id: string } {
  const text = titles[number] ?? '';
  const [title, id] = typeof text === 'string' ? [text, plainSlug(text)] : text;
  return { title, id };
}

/**
 * Reads the events of a subject, and then its announcements.
 *
 * @param isAtPlace whether times are shown as at their places, where the index has them
 */
export function eventsOf(
  [, , , , row, aheads, spans]: SubjectRow,
  isAtPlace: boolean,
): IndexedEvent[] {
  const days = new Map(spans);
  let start = 0;
  return Array.from({ length: row.length / 3 }, (_, n) => {
    const when = row[3 * n + 1] ?? 0;
    const place = Number(row[3 * n + 2]);
    const isPostponed = place < 0;
    const event = {
      title: Number(row[3 * n]),
      place: isPostponed ? ~place : place,
      isPostponed,
      days: days.get(n) ?? null,
    };
    if (typeof when === 'string')
      return {
        ...event,
        startsAt: Date.parse(rangeOfPeriod(when).until),
        isDate: true,
        period: when,
        ahead: 0,
      };
    start += when;
    const isDate = start % 2 === 1;
    const clockAhead = isAtPlace && aheads !== undefined ? (aheads[n] ?? 0) * minute : null;
    return {
      ...event,
      startsAt: Math.floor(start / 2) * minute,
      isDate,
      period: null,
      ahead: isDate ? 0 : clockAhead,
    };
  });
}

/** What the index needs of a genre. */
export interface GenreInSearch {
  readonly id: string;
  readonly name: string;
  readonly category: string;
  readonly upcoming: number;
  /** Without events if there are too many for the index. */
  readonly subjects: readonly SubjectInSearch[];
}

type SubjectInSearch = readonly [
  id: string,
  name: string,
  aliases: readonly string[],
  events: readonly IndexEvent[],
];

/**
 * The start is a number or a period as in {@link SubjectRow}. `place` is a row of `places` as JSON,
 * or empty.
 */
type IndexEvent = readonly [
  title: string,
  id: string,
  start: number | string,
  place: string,
  isPostponed: boolean,
  ahead: number,
  /** The number of days after the first. Null if only the start matters. */
  days: number | null,
];

/**
 * Collects genres for the index, in any order. Keeps none of their events once there are too many
 * for the index.
 */
export class SearchBuilder {
  genres: GenreInSearch[] = [];
  #upcoming = 0;

  add(genre: GenreInSearch): void {
    const wasPartial = this.#upcoming > maxEvents;
    this.#upcoming += genre.upcoming;
    const isPartial = this.#upcoming > maxEvents;
    if (isPartial && !wasPartial) this.genres = this.genres.map(withoutEvents);
    this.genres.push(isPartial ? withoutEvents(genre) : genre);
  }
}

function withoutEvents(genre: GenreInSearch): GenreInSearch {
  return {
    ...genre,
    subjects: genre.subjects.map(([id, name, aliases]) => [id, name, aliases, []]),
  };
}

interface Details {
  readonly place: string;
  readonly ahead: number;
  readonly days: number | null;
}

/**
 * Returns what the index needs of a genre.
 *
 * @param since past events that ended before this date are left out
 */
export function genreInSearch(
  category: Category,
  { genre, members, upcoming, under_way: underWay, over, announced }: GenreRecords,
  since: string,
): GenreInSearch {
  const events = new Map<string, IndexEvent[]>(members.map(({ id }) => [id, []]));
  const add = (record: EventRecord | AnnouncementRecord, start: number | string, more: Details) => {
    const { subject, title, id, status } = record;
    const name = id.slice(id.lastIndexOf('/') + 1);
    const { place, ahead, days } = more;
    events.get(subject.id)?.push([title, name, start, place, status === 'postponed', ahead, days]);
  };
  const addEvent = (record: EventRecord, isUnderWay: boolean): void => {
    const { location, starts_at: start, time_known: hasTime, date } = record;
    const place =
      location && JSON.stringify([location.name, location.address ?? '', location.country ?? '']);
    const days = (Date.parse(lastDayOf(record)) - Date.parse(date)) / day;
    add(record, Math.floor(Date.parse(start) / minute) * 2 + (hasTime ? 0 : 1), {
      place: place ?? '',
      ahead: aheadOf(record) ?? 0,
      days: days > 0 || isUnderWay ? days : null,
    });
  };
  const recent = over.filter(({ record }) => lastDayOf(record) >= since);
  for (const { record } of recent) addEvent(record, false);
  for (const { record } of underWay) addEvent(record, true);
  for (const { record } of upcoming) addEvent(record, false);
  for (const record of announced) add(record, record.period, { place: '', ahead: 0, days: null });
  return {
    id: genre.id,
    name: genre.name,
    category: category.id,
    upcoming: upcoming.length,
    subjects: members.map(({ id, name, aliases }) => [id, name, aliases, events.get(id) ?? []]),
  };
}

interface IndexContext {
  readonly categories: readonly Category[];
  readonly service: Pick<Service, 'zone' | 'pastDays'>;
}

/**
 * Returns the text of the index of some genres, in any order.
 *
 * @param context its categories are ordered by id
 */
export function searchIndexText(
  genres: readonly GenreInSearch[],
  { categories, service }: IndexContext,
  lists: readonly ListRecord[],
): string {
  const ordered = genres.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const titles = new Numbering();
  const places = new Numbering();
  const file: SearchFile = {
    categories: categories.map(({ id, name }) => [id, name]),
    genres: ordered.map(({ id, name, category }) => [
      id === `${plainSlug(name)}-${category}` ? '' : id,
      name,
      categories.findIndex((other) => other.id === category),
    ]),
    collections: lists.flatMap(({ kind, id, name }) =>
      kind === 'collection' ? [[id, name] as const] : [],
    ),
    subjects: ordered.flatMap((genre, number) =>
      genre.subjects.map((subject) => {
        const row = rowOf(subject, number, titles, places);
        return [...row, ...clocksAndSpans(subject, service.zone !== null)] as const;
      }),
    ),
    places: places.texts.map((text) => JSON.parse(text) as SearchFile['places'][number]),
    titles: titles.texts.map((text) => JSON.parse(text) as SearchFile['titles'][number]),
    pastDays: service.pastDays,
    isPartial: ordered.reduce((sum, { upcoming }) => sum + upcoming, 0) > maxEvents,
  };
  return `${JSON.stringify(file)}\n`;
}

function rowOf(
  [subject, name, aliases, events]: SubjectInSearch,
  genre: number,
  titles: Numbering,
  places: Numbering,
): Readonly<[string, string, number, readonly string[], (number | string)[]]> {
  let lastStart = 0;
  const row = events.flatMap(([title, id, start, text, isPostponed]) => {
    const place = text === '' ? 0 : places.numberOf(text) + 1;
    const when = typeof start === 'string' ? start : start - lastStart;
    if (typeof start === 'number') lastStart = start;
    return [
      titles.numberOf(JSON.stringify(plainSlug(title) === id ? title : [title, id])),
      when,
      isPostponed ? ~place : place,
    ];
  });
  return [subject === plainSlug(name) ? '' : subject, name, genre, aliases, row];
}

/** Returns the last parts of a row, as far as it needs them. */
function clocksAndSpans(
  [, , , events]: SubjectInSearch,
  hasClocks: boolean,
): [ahead?: number[], spans?: [event: number, days: number][]] {
  const aheads = hasClocks ? events.map(([, , , , , ahead]) => ahead) : [];
  const spans = events.flatMap(([, , , , , , days], n): [number, number][] =>
    days === null ? [] : [[n, days]],
  );
  if (spans.length > 0) return [aheads, spans];
  return hasClocks ? [aheads] : [];
}

class Numbering {
  readonly texts: string[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(text: string): number {
    const number = this.#numbers.get(text) ?? this.texts.push(text) - 1;
    this.#numbers.set(text, number);
    return number;
  }
}
