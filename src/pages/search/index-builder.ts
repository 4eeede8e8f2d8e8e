import type { EventRecord, ListRecord } from '../../api/documents.ts';
import { listIds } from '../../api/scopes.ts';
import type { Category } from '../../catalogue/model.ts';
import type { GenreRecords } from '../../render/records.ts';
import { plainSlug, type ListName, type SearchFile, type SubjectRow } from './index-file.ts';

/** Whether a catalogue has so many upcoming events that the index has only subjects. */
function leavesOutEvents(upcoming: number): boolean {
  return upcoming > 100_000;
}

const minutes = 60_000;

/** What the index needs of a genre. */
export interface GenreInSearch {
  readonly id: string;
  readonly name: string;
  readonly category: readonly [id: string, name: string];
  readonly upcoming: number;
  /** Without events if there are too many for the index. */
  readonly subjects: readonly SubjectInSearch[];
}

type SubjectInSearch = readonly [
  id: string,
  name: string,
  aliases: readonly string[],
  events: readonly IndexEvent[],
  announced: readonly IndexAnnouncement[],
];

/** `place` is the name of the place, followed by a line for each country and tag: `tag/live`. Empty if there is none. */
type IndexEvent = readonly [title: string, id: string, start: number, place: string];
type IndexAnnouncement = readonly [title: string, id: string, period: string];

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
  return { ...genre, subjects: genre.subjects.map(([id, name, aliases]) => [id, name, aliases, [], []]) };
}

/** Returns what the index needs of a genre, without its events if the index is partial anyway. */
export function genreInSearch(
  category: Category,
  { genre, members, upcoming, announced }: GenreRecords,
  isPartial: boolean,
): GenreInSearch {
  const events = new Map<string, IndexEvent[]>(members.map(({ id }) => [id, []]));
  const undated = new Map<string, IndexAnnouncement[]>(members.map(({ id }) => [id, []]));
  for (const { record } of isPartial ? [] : upcoming) {
    const { subject, title, id, starts_at, time_known } = record;
    const start = Math.floor(Date.parse(starts_at) / minutes) * 2 + (time_known ? 0 : 1);
    events.get(subject.id)?.push([title, lastPart(id), start, placeOf(record)]);
  }
  for (const { subject, title, id, period } of isPartial ? [] : announced) {
    undated.get(subject.id)?.push([title, lastPart(id), period]);
  }
  return {
    id: genre.id,
    name: genre.name,
    category: [category.id, category.name],
    upcoming: upcoming.length,
    subjects: members.map(({ id, name, aliases }) => [id, name, aliases, events.get(id) ?? [], undated.get(id) ?? []]),
  };
}

function lastPart(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1);
}

function placeOf(record: EventRecord): string {
  const lists = [...listIds.country(record).map((id) => `country/${id}`), ...record.tags.map((id) => `tag/${id}`)];
  const name = record.location?.name ?? '';
  return name === '' && lists.length === 0 ? '' : [name, ...lists].join('\n');
}

/**
 * Returns the text of the index of some genres, in any order.
 *
 * @param categories ordered by id
 */
export function searchIndexText(
  genres: readonly GenreInSearch[],
  categories: readonly Category[],
  records: readonly ListRecord[],
): string {
  const ordered = genres.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const categoryNumbers = new Map(categories.map(({ id }, number) => [id, number]));
  const lists = records.flatMap(({ kind, id, name }): ListName[] =>
    kind === 'month' ? [] : [[kind, id, kind === 'country' ? '' : name]],
  );
  const titles = new TitleTable();
  const places = new PlaceTable(lists);
  const file: SearchFile = {
    categories: categories.map(({ id, name }) => [id, name]),
    genres: ordered.map(({ id, name, category: [category] }) => [
      id === `${plainSlug(name)}-${category}` ? '' : id,
      name,
      categoryNumbers.get(category) ?? 0,
    ]),
    lists,
    subjects: ordered.flatMap((genre, number) =>
      genre.subjects.map((subject) => rowOf(subject, number, titles, places)),
    ),
    places: places.rows,
    titles: titles.texts,
    isPartial: leavesOutEvents(ordered.reduce((sum, { upcoming }) => sum + upcoming, 0)),
  };
  return `${JSON.stringify(file)}\n`;
}

function rowOf(
  [subjectId, name, aliases, events, announced]: SubjectInSearch,
  genre: number,
  titles: TitleTable,
  places: PlaceTable,
): SubjectRow {
  const id = subjectId === plainSlug(name) ? '' : subjectId;
  let last = 0;
  const row = events.flatMap(([title, eventId, start]) => {
    const difference = start - last;
    last = start;
    return [titles.place(title, eventId), difference];
  });
  const undated = announced.flatMap(([title, eventId, period]) => [titles.place(title, eventId), period]);
  const numbers = events.map(([, , , place]) => places.number(place));
  const [first = 0] = numbers;
  const isSame = numbers.every((number) => number === first);
  if (!isSame || first !== 0) return [id, name, genre, aliases, row, undated, isSame ? first : numbers];
  return undated.length === 0 ? [id, name, genre, aliases, row] : [id, name, genre, aliases, row, undated];
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

/** Numbers places in the order in which they come, from 1 on. */
class PlaceTable {
  readonly rows: [name: string, ...lists: number[]][] = [];
  readonly #lists: ReadonlyMap<string, number>;
  readonly #numbers = new Map([['', 0]]);

  constructor(lists: readonly ListName[]) {
    this.#lists = new Map(lists.map(([kind, id], number) => [`${kind}/${id}`, number]));
  }

  number(place: string): number {
    let number = this.#numbers.get(place);
    if (number === undefined) {
      const [name = '', ...lists] = place.split('\n');
      number = this.rows.push([name, ...lists.flatMap((list) => this.#lists.get(list) ?? [])]);
      this.#numbers.set(place, number);
    }
    return number;
  }
}
