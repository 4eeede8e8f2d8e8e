import type {
  CategoryRecord,
  EventFilters,
  EventRecord,
  EventsDocument,
  GenreRecord,
  IndexDocument,
  ProblemDocument,
} from '../documents.ts';
import { listLimit, nextEvents } from '../paths.ts';

/** The documents and records that the examples are taken from. */
export interface Sample {
  readonly index: IndexDocument;
  readonly notFound: ProblemDocument;
  readonly categories: readonly CategoryRecord[];
  readonly genres: readonly GenreRecord[];
  /** The soonest events of the catalogue. */
  readonly events: readonly EventRecord[];
}

export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

export type ExampleName = keyof ReturnType<typeof openapiExamples>;

/** The number of records in the list of an example, and the `limit` of the example query. */
export const exampleLength = 2;
const [whole, shortened] = ['From this catalogue', 'From this catalogue, shortened'];

/** Returns real responses with shortened lists, for the genre of the soonest event, whose list is not empty. */
export function openapiExamples(sample: Sample) {
  const { index, notFound, categories, genres, events } = sample;
  const { genre, category } = exampleFilters(sample);
  const genresOf = (id: string | null): Example => {
    const listed = genres.filter((record) => id === null || record.category === id);
    return listExample(listed, (some) => ({ filters: { category: id }, genres: some }));
  };
  const eventsOf = (filters: EventFilters, total: number, limit = listLimit) =>
    eventsExample(events, filters, total, limit);
  const [ofGenre, ofCategory] = [genre?.id ?? null, category?.id ?? null];
  const [inGenre, inCategory] = [genre?.upcoming ?? 0, category?.upcoming ?? 0];
  return {
    index: { summary: whole, value: withFixedTime(index) } as Example,
    notFound: { summary: whole, value: notFound } as Example,
    categories: listExample(categories, (some) => ({ categories: some })),
    genres: genresOf(null),
    genresOfCategory: genresOf(ofCategory),
    events: eventsOf({ genre: null, category: null }, index.catalogue.upcoming),
    eventsLimited: eventsOf({ genre: ofGenre, category: ofCategory }, inGenre, exampleLength),
    nextEvents: eventsOf({ genre: null, category: null }, index.catalogue.upcoming, nextEvents),
    eventsOfCategory: eventsOf({ genre: null, category: ofCategory }, inCategory),
    eventsOfGenre: eventsOf({ genre: ofGenre, category: null }, inGenre),
    eventsOfBoth: eventsOf({ genre: ofGenre, category: ofCategory }, inGenre),
  };
}

/** Returns ids that exist, as examples of the parameters. Null if there are none. */
export function exampleIds(sample: Sample) {
  const { genre, category } = exampleFilters(sample);
  return { category: idExamples(category, sample.categories), genre: idExamples(genre, sample.genres) };
}

/** The genre and category of the soonest event. Without events, the first ones. */
function exampleFilters({ categories, genres, events }: Sample) {
  const genre = genres.find(({ id }) => id === events[0]?.genre) ?? genres[0] ?? null;
  const category = categories.find(({ id }) => id === genre?.category) ?? categories[0] ?? null;
  return { genre, category };
}

function eventsExample(all: readonly EventRecord[], filters: EventFilters, total: number, limit: number): Example {
  const events = all
    .filter((event) => (filters.genre ?? event.genre) === event.genre)
    .filter((event) => (filters.category ?? event.category) === event.category)
    .slice(0, exampleLength);
  const value = { filters, limit, total, events } satisfies EventsDocument;
  return { summary: events.length < Math.min(limit, total) ? shortened : whole, value };
}

function listExample<R>(records: readonly R[], documentOf: (some: readonly R[]) => object): Example {
  return {
    summary: records.length > exampleLength ? shortened : whole,
    value: documentOf(records.slice(0, exampleLength)),
  };
}

/** Replaces the only time of the build, which would change the OpenAPI document with every build. */
function withFixedTime(index: IndexDocument): IndexDocument {
  return { ...index, catalogue: { ...index.catalogue, last_sync: '2026-11-20T12:17:00.000Z' } };
}

interface Named {
  readonly id: string;
  readonly name: string;
}

function idExamples(first: Named | null, all: readonly Named[]): Readonly<Record<string, Example>> | null {
  if (first === null) return null;
  const some = [first, ...all.filter(({ id }) => id !== first.id)].slice(0, 3);
  return Object.fromEntries(some.map(({ id, name }) => [id, { summary: name, value: id }]));
}
