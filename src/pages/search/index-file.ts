import type { Category } from '../../catalogue/model.ts';
import type { GenreRecords } from '../../render/records.ts';

/** Where the search index is, relative to `{base_url}`. */
export const searchIndexPath = 'assets/search.json';

/** Whether a catalogue has so many upcoming events that the index has only subjects. */
function leavesOutEvents(upcoming: number): boolean {
  return upcoming > 100_000;
}

const minutes = 60_000;

/**
 * The search index as it is published. Texts that repeat are numbers: an event names its title by its place in `titles`,
 * and its start by the difference from the start before it in the same subject.
 */
export interface SearchFile {
  /** Id and name of each category. */
  readonly categories: readonly (readonly [id: string, name: string])[];
  /** Id, name and category (by number) of each genre. */
  readonly genres: readonly (readonly [id: string, name: string, category: number])[];
  /** Id, name and genre (by number) of each subject, its aliases, and its events: title, start, title, start. */
  readonly subjects: readonly SubjectRow[];
  /** The titles, each followed by its id if it differs from the slug of the title. */
  readonly titles: readonly (string | readonly [title: string, id: string])[];
  /** Whether the events were left out. */
  readonly isPartial: boolean;
}

/**
 * A start is minutes since the Unix epoch, times two. One more means that only the date is real. The first start of a
 * subject is followed by differences.
 */
export type SubjectRow = readonly [
  id: string,
  name: string,
  genre: number,
  aliases: readonly string[],
  events: readonly number[],
];

/** What the index needs of a genre. An event is its title, its id within its subject, and its start. */
export interface GenreInSearch {
  readonly id: string;
  readonly name: string;
  readonly category: readonly [id: string, name: string];
  readonly upcoming: number;
  /** Without events if there are too many for the index. */
  readonly subjects: readonly (readonly [
    id: string,
    name: string,
    aliases: readonly string[],
    events: readonly IndexEvent[],
  ])[];
}

type IndexEvent = readonly [title: string, id: string, start: number];

/** Collects genres for the index, in any order. Keeps none of their events once there are too many for the index. */
export class SearchBuilder {
  #genres: GenreInSearch[] = [];
  #upcoming = 0;

  get genres(): readonly GenreInSearch[] {
    return this.#genres;
  }

  get isPartial(): boolean {
    return leavesOutEvents(this.#upcoming);
  }

  add(genre: GenreInSearch): void {
    const wasPartial = this.isPartial;
    this.#upcoming += genre.upcoming;
    if (this.isPartial && !wasPartial) this.#genres = this.#genres.map(withoutEvents);
    this.#genres.push(this.isPartial ? withoutEvents(genre) : genre);
  }
}

function withoutEvents(genre: GenreInSearch): GenreInSearch {
  return { ...genre, subjects: genre.subjects.map(([id, name, aliases]) => [id, name, aliases, []]) };
}

/** Returns what the index needs of a genre, without its events if the index is partial anyway. */
export function genreInSearch(
  category: Category,
  { genre, members, upcoming }: GenreRecords,
  isPartial: boolean,
): GenreInSearch {
  const rows = new Map<string, IndexEvent[]>(members.map(({ id }) => [id, []]));
  for (const { record } of isPartial ? [] : upcoming) {
    const { subject, title, id, starts_at, time_known } = record;
    const start = Math.floor(Date.parse(starts_at) / minutes) * 2 + (time_known ? 0 : 1);
    rows.get(subject.id)?.push([title, id.slice(id.lastIndexOf('/') + 1), start]);
  }
  return {
    id: genre.id,
    name: genre.name,
    category: [category.id, category.name],
    upcoming: upcoming.length,
    subjects: members.map(({ id, name, aliases }) => [id, name, aliases, rows.get(id) ?? []]),
  };
}

/** Returns the text of the index of some genres, in any order. */
export function searchIndexText(genres: readonly GenreInSearch[]): string {
  const ordered = genres.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const categories = new Map(ordered.map(({ category: [id, name] }) => [id, name]));
  const places = [...categories.keys()];
  const titles = new TitleTable();
  const subjects = ordered.flatMap((genre, number) =>
    genre.subjects.map(([id, name, aliases, events]): SubjectRow => [id, name, number, aliases, rowOf(events, titles)]),
  );
  const file: SearchFile = {
    categories: [...categories],
    genres: ordered.map(({ id, name, category }) => [id, name, places.indexOf(category[0])]),
    subjects,
    titles: titles.texts,
    isPartial: leavesOutEvents(ordered.reduce((sum, { upcoming }) => sum + upcoming, 0)),
  };
  return `${JSON.stringify(file)}\n`;
}

function rowOf(events: readonly IndexEvent[], titles: TitleTable): number[] {
  let last = 0;
  return events.flatMap(([title, id, start]) => {
    const difference = start - last;
    last = start;
    return [titles.place(title, id), difference];
  });
}

/** Numbers titles in the order in which they come. */
class TitleTable {
  readonly texts: (string | [title: string, id: string])[] = [];
  readonly #places = new Map<string, number>();

  place(title: string, id: string): number {
    const isPlain = plainSlug(title) === id;
    const key = isPlain ? title : `${title}\n${id}`;
    let place = this.#places.get(key);
    if (place === undefined) {
      place = this.texts.push(isPlain ? title : [title, id]) - 1;
      this.#places.set(key, place);
    }
    return place;
  }
}

/** Guesses an event's id from its title. The index stores the ids for which the guess is wrong. */
function plainSlug(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** An event in the index. */
export interface IndexedEvent {
  readonly title: string;
  /** Its id within its subject. */
  readonly id: string;
  /** Milliseconds since the Unix epoch; midnight UTC if only the date is real. */
  readonly startsAt: number;
  readonly isDate: boolean;
}

/** Reads the events of a subject. */
export function eventsOf({ titles }: SearchFile, [, , , , row]: SubjectRow): IndexedEvent[] {
  let start = 0;
  return Array.from({ length: row.length / 2 }, (_, n) => {
    start += row[2 * n + 1] ?? 0;
    const text = titles[row[2 * n] ?? 0] ?? '';
    const [title, id] = typeof text === 'string' ? [text, plainSlug(text)] : text;
    return { title, id, startsAt: Math.floor(start / 2) * minutes, isDate: start % 2 === 1 };
  });
}
