import { subjectPage } from '../../api/paths.ts';
import { categoryPage, genrePage, listPage } from '../../render/links.ts';
import { isNamedIn } from '../../render/subject-name.ts';
import { cityOf } from '../places.ts';
import { genreId, readTitle, subjectId, type IndexedEvent, type SearchFile } from './index-file.ts';
import type { Found } from './searcher.ts';

/**
 * An event that was found. Its id is that within its subject, and `at` is the place and its city,
 * as far as the title does not say them.
 */
export interface FoundEvent extends Pick<
  IndexedEvent,
  'startsAt' | 'isDate' | 'period' | 'isPostponed' | 'ahead' | 'days'
> {
  readonly title: string;
  readonly id: string;
  readonly at: readonly string[];
}

/**
 * A subject that was found, or the page of a category, genre, collection or time with exactly the
 * name that is asked.
 */
export interface Hit {
  /** Empty for the page of a time. */
  readonly name: string;
  /** The name of the genre of a subject. Null for a page. */
  readonly genre: string | null;
  /** The number of its category, which decides its colour. Null if it has none. */
  readonly category: number | null;
  /** Relative to the site. */
  readonly path: string;
  /** What the home page calls the time that its page is about. Null without one. */
  readonly on: string | null;
  /** The soonest of its events that were found, and the number of all. */
  readonly events: readonly FoundEvent[];
  readonly count: number;
}

/**
 * The number of events that are shown of a subject: whose name is asked, and with these events
 * alone.
 */
const shownEvents = {
  ofName: 3,
  byEvent: 20,
  ofMany: 1,
} as const;

/** From this number of subjects on, each shows one event, so that the second comes soon. */
const manySubjects = 20;

/** @param subjects the number of subjects that the query finds */
export function subjectHit(file: SearchFile, match: Found, subjects: number): Hit {
  const { row, events, isByEvent } = match;
  const [, name, number] = row;
  const few = isByEvent ? shownEvents.byEvent : shownEvents.ofName;
  const genre: SearchFile['genres'][number] = file.genres[number] ?? ['', '', 0];
  return {
    name,
    genre: genre[1],
    category: genre[2],
    path: subjectPage(genreId(file.categories, genre), subjectId(row)),
    on: null,
    events: events
      .slice(0, subjects > manySubjects ? shownEvents.ofMany : few)
      .map((event) => eventHit(file, event)),
    count: events.length,
  };
}

function eventHit(file: SearchFile, { title, place, ...event }: IndexedEvent): FoundEvent {
  const [name = '', address = '', country = ''] = file.places[place - 1] ?? [];
  const city = cityOf({ name, address: address || null, country: country || null });
  const names = readTitle(file, title);
  const isNews = (text: string) => text !== '' && !isNamedIn(names.title, text);
  return {
    ...event,
    ...names,
    at: [...new Set([name, city])].filter(isNews),
  };
}

/** Which pages are asked, and for which days. */
interface PageQuestion {
  /** Returns what a genre is called, by its number. */
  readonly namesOf: (genre: number) => readonly string[];
  readonly isMeant: (name: string) => boolean;
  /** What the home page calls the days, or null for all. */
  readonly on: string | null;
  /** What is then. Null for days that are over, of which the index has nothing. */
  readonly matches: readonly Found[] | null;
}

/** A page with what it is called, and the part of the catalogue that it shows. */
interface NamedPage extends Pick<Hit, 'name' | 'category' | 'path'> {
  readonly names: readonly string[];
  readonly scope: string;
  readonly isThen: boolean;
}

/**
 * Returns the pages of categories, genres and collections, or of a choice of days of those that
 * were found then.
 */
export function pageHits(
  { categories, genres, collections }: SearchFile,
  { namesOf, isMeant, on, matches }: PageQuestion,
): Hit[] {
  const genresThen = new Set(matches?.map(({ row }) => row[2]) ?? genres.keys());
  const categoriesThen = new Set([...genresThen].map((genre) => genres[genre]?.[2]));
  const pages = [
    ...categories.map(([id, name], category): NamedPage => {
      // Games are video games.
      const names = [name, name.slice(name.lastIndexOf(' ') + 1)];
      const isThen = categoriesThen.has(category);
      return {
        name,
        names,
        category,
        path: categoryPage(id),
        scope: id,
        isThen,
      };
    }),
    ...genres.map((genre, number): NamedPage => {
      const [, name, category] = genre;
      const id = genreId(categories, genre);
      const scope = `${categories[category]?.[0]}/${id}`;
      const isThen = genresThen.has(number);
      return {
        name,
        names: namesOf(number),
        category,
        path: genrePage(id),
        scope,
        isThen,
      };
    }),
    ...collections.map(([id, name]): NamedPage => {
      const path = listPage('collection', id);
      return {
        name,
        names: [name],
        category: null,
        path,
        scope: '',
        isThen: false,
      };
    }),
  ];
  return pages
    .filter(({ names, isThen }) => names.some(isMeant) && (on === null || isThen))
    .sort((a, b) => Number(isMeant(b.name)) - Number(isMeant(a.name)))
    .map(({ name, category, path, scope }) =>
      pageHit({ name, category, on, path: on === null ? path : `?in=${scope}&on=${on}` }),
    );
}

export function pageHit(page: Pick<Hit, 'name' | 'category' | 'path' | 'on'>): Hit {
  return { ...page, genre: null, events: [], count: 0 };
}
