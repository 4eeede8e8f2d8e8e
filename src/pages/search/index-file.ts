import { rangeOfPeriod } from './dates.ts';

/** Where the search index is, relative to `{base_url}`. */
export const searchIndexPath = 'assets/search.json';

const minutes = 60_000;

/**
 * The search index as it is published. Texts that repeat are numbers: an event names its title by its place in `titles`,
 * and its start by the difference from the start before it in the same subject.
 */
export interface SearchFile {
  /** Id and name of each category. Their order decides their colours. */
  readonly categories: readonly (readonly [id: string, name: string])[];
  /** Id, name and category (by number) of each genre. As for subjects, an id that the name gives is empty. */
  readonly genres: readonly (readonly [id: string, name: string, category: number])[];
  /** The countries, tags and collections that have a page. The name of a country is empty: the browser knows it. */
  readonly lists: readonly ListName[];
  /** Where events happen: the name of a place, and the countries and tags (by number in `lists`) of its events. */
  readonly places: readonly (readonly [name: string, ...lists: number[]])[];
  readonly subjects: readonly SubjectRow[];
  /** The titles, each followed by its id if it differs from the slug of the title. */
  readonly titles: readonly (string | readonly [title: string, id: string])[];
  /** Whether the events were left out. */
  readonly isPartial: boolean;
}

export type ListName = readonly [kind: 'country' | 'tag' | 'collection', id: string, name: string];

/**
 * Id (empty if it is the slug of the name), name and genre (by number) of a subject, its aliases, and its events: title, start, title, start. A start is
 * minutes since the Unix epoch, times two. One more means that only the date is real. The first start of a subject is
 * followed by differences. Then come its announcements: title, period, title, period; and the places of the events, by
 * number in `places` from 1 on: one for all, or one for each. What is empty at the end is left out.
 */
export type SubjectRow = readonly [
  id: string,
  name: string,
  genre: number,
  aliases: readonly string[],
  events: readonly number[],
  announced?: readonly (number | string)[],
  places?: number | readonly number[],
];

/** Guesses an id from a name or title. The index stores the ids for which the guess is wrong. */
export function plainSlug(title: string): string {
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
export function genreId({ categories }: SearchFile, [id, name, category]: SearchFile['genres'][number]): string {
  return id || `${plainSlug(name)}-${categories[category]?.[0] ?? ''}`;
}

/** An event or announcement in the index. */
export interface IndexedEvent {
  readonly title: string;
  /** Its id within its subject. */
  readonly id: string;
  /** Milliseconds since the Unix epoch; midnight UTC if only the date is real, or the last date of a period. */
  readonly startsAt: number;
  readonly isDate: boolean;
  /** The period of an announcement, such as `2027-Q3`. Null if the event has a date. */
  readonly period: string | null;
  /** The number of its title. */
  readonly titleNumber: number;
  /** The number of its place, 0 if it has none. */
  readonly place: number;
}

/** Reads the events of a subject, and then its announcements. */
export function eventsOf(
  { titles }: SearchFile,
  [, , , , row, announced = [], places = 0]: SubjectRow,
): IndexedEvent[] {
  const titled = (titleNumber: number): Pick<IndexedEvent, 'title' | 'id' | 'titleNumber'> => {
    const text = titles[titleNumber] ?? '';
    const [title, id] = typeof text === 'string' ? [text, plainSlug(text)] : text;
    return { title, id, titleNumber };
  };
  let start = 0;
  const events = Array.from({ length: row.length / 2 }, (_, n) => {
    start += row[2 * n + 1] ?? 0;
    const place = typeof places === 'number' ? places : (places[n] ?? 0);
    const startsAt = Math.floor(start / 2) * minutes;
    return { ...titled(row[2 * n] ?? 0), startsAt, isDate: start % 2 === 1, period: null, place };
  });
  const undated = Array.from({ length: announced.length / 2 }, (_, n) => {
    const period = String(announced[2 * n + 1]);
    const startsAt = Date.parse(rangeOfPeriod(period).until);
    return { ...titled(Number(announced[2 * n])), startsAt, isDate: true, period, place: 0 };
  });
  return [...events, ...undated];
}
