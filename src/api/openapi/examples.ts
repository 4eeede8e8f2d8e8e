import type {
  CategoryRecord,
  EventFilters,
  EventRecord,
  EventsDocument,
  GenreRecord,
  IndexDocument,
  ProblemDocument,
} from '../documents.ts';
import { maxEvents } from '../paths.ts';

/** What the examples are taken from. */
export interface Sample {
  readonly index: IndexDocument;
  readonly notFound: ProblemDocument;
  readonly categories: readonly CategoryRecord[];
  readonly genres: readonly GenreRecord[];
  /** The soonest of all. */
  readonly events: readonly EventRecord[];
}

export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

export type Examples = ReturnType<typeof openapiExamples>;

/** Real answers, their lists cut short; ids that exist. The genre is that of the soonest event, so its list has some. */
export function openapiExamples({ index, notFound, categories, genres, events }: Sample) {
  const genre = genres.find(({ id }) => id === events[0]?.genre) ?? genres[0] ?? null;
  const category = categories.find(({ id }) => id === genre?.category) ?? categories[0] ?? null;
  const eventsOf = (filters: EventFilters, total: number, isLimited = false): Example => {
    const some = events
      .filter((event) => (filters.genre ?? event.genre) === event.genre)
      .filter((event) => (filters.category ?? event.category) === event.category)
      .slice(0, shown);
    const limit = isLimited ? shown : maxEvents;
    const value = { filters, limit, total, events: some } satisfies EventsDocument;
    return { summary: some.length < Math.min(limit, total) ? cut : whole, value };
  };
  const genresOf = (id: string | null): Example => {
    const listed = genres.filter((record) => id === null || record.category === id);
    return listing(listed, (some) => ({ filters: { category: id }, genres: some }));
  };
  const [ofGenre, ofCategory] = [genre?.id ?? null, category?.id ?? null];
  const all = { genre: null, category: null };
  const [narrow, wide] = [genre?.upcoming ?? 0, category?.upcoming ?? 0];
  return {
    index: { summary: whole, value: timeless(index) } as Example,
    notFound: { summary: whole, value: notFound } as Example,
    categories: listing(categories, (some) => ({ categories: some })),
    genres: genresOf(null),
    genresOfCategory: genresOf(ofCategory),
    events: eventsOf(all, index.catalogue.upcoming),
    eventsLimited: eventsOf({ genre: ofGenre, category: ofCategory }, narrow, true),
    eventsOfCategory: eventsOf({ genre: null, category: ofCategory }, wide),
    eventsOfGenre: eventsOf({ genre: ofGenre, category: null }, narrow),
    eventsOfBoth: eventsOf({ genre: ofGenre, category: ofCategory }, narrow),
    categoryIds: idsOf(category, categories),
    genreIds: idsOf(genre, genres),
  };
}

/** How much of a list is shown; of events, also the `limit` of the example query. */
export const shown = 2;
const [whole, cut] = ['Out of this catalogue', 'Out of this catalogue, its list cut short'];

function listing<R>(records: readonly R[], documentOf: (some: readonly R[]) => object): Example {
  return { summary: records.length > shown ? cut : whole, value: documentOf(records.slice(0, shown)) };
}

/** The only time of the build is that of the index; here it would change this document with every build. */
function timeless(index: IndexDocument): IndexDocument {
  return { ...index, catalogue: { ...index.catalogue, last_sync: '2026-11-20T12:17:00.000Z' } };
}

interface Named {
  readonly id: string;
  readonly name: string;
}

/** A few ids that exist, the first of them the one in the other examples; null where there is none. */
function idsOf(first: Named | null, all: readonly Named[]): Readonly<Record<string, Example>> | null {
  if (first === null) return null;
  const some = [first, ...all.filter(({ id }) => id !== first.id)].slice(0, 3);
  return Object.fromEntries(some.map(({ id, name }) => [id, { summary: name, value: id }]));
}
