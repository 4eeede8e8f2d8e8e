import type {
  AnnouncementRecord,
  CategoryRecord,
  ChangesDocument,
  EventRecord,
  GenreRecord,
  IndexDocument,
  ListRecord,
  ProblemDocument,
  SubjectDocument,
  SubjectRecord,
} from '../documents.ts';
import { listLimit, nextEvents } from '../paths.ts';
import { publishedFilters, type Filters, type ListKind, type ScopeKind } from '../scopes.ts';

/** The documents and records that the examples are taken from. */
export interface Sample {
  readonly index: IndexDocument;
  readonly notFound: ProblemDocument;
  readonly categories: readonly CategoryRecord[];
  readonly genres: readonly GenreRecord[];
  /** Everything, a category of it and a genre of that. In a catalogue without genres, the scope above stands for both. */
  readonly scopes: Readonly<Record<Exclude<ScopeKind, 'pair' | ListKind>, SampleScope>> &
    Readonly<Partial<Record<ListKind, SampleScope>>>;
  readonly lists: readonly ListRecord[];
  /** A subject of that genre, with shortened lists. Null if there is none. */
  readonly subject: { readonly document: SubjectDocument; readonly isShortened: boolean } | null;
  /** The program that builds the site, with its version. */
  readonly generator: string;
  readonly log: ChangesDocument | null;
}

type List = 'upcoming' | 'under_way' | 'cancelled' | 'announced';

/** The first records of each list of a scope, and how many it has. */
interface SampleScope extends Readonly<Record<List, readonly { readonly record: EventRecord | AnnouncementRecord }[]>> {
  readonly filters: Filters;
  readonly subjects: readonly SubjectRecord[];
  readonly totals: Readonly<Record<List | 'subjects', number>>;
}

export type Example = { readonly summary: string; readonly value: unknown };

/** The number of records in the list of an example, and the `limit` of the example query. */
export const exampleLength = 2;
const [whole, shortened] = ['From this catalogue', 'From this catalogue, shortened'];

/** Returns real responses with shortened lists, by the names in the rows. `openapi`: its own first fields. */
export function openapiExamples(sample: Sample, openapi: object) {
  const { index, notFound, categories, genres, scopes, lists: ofLists, subject, generator, log } = sample;
  const { category = null } = scopes.category.filters;
  const inBoth = { ...scopes.genre, filters: { ...scopes.genre.filters, category } };
  const genresOf = (id: string | null): Example => {
    const listed = genres.filter((record) => id === null || record.category === id);
    return listExample(listed, (some) => ({ filters: { category: id }, genres: some }));
  };
  return {
    index: { summary: whole, value: { ...index, catalogue: { ...index.catalogue, last_sync: fixedTime } } },
    notFound: { summary: whole, value: notFound },
    openapi: { summary: shortened, value: openapi },
    // The only file whose hash does not depend on this document.
    inventory: { summary: shortened, value: { generator, files: { '.nojekyll': emptyFile } } },
    categories: listExample(categories, (some) => ({ categories: some })),
    genres: genresOf(null),
    genresOfCategory: genresOf(category),
    eventsLimited: formatExample('json', inBoth, exampleLength),
    lists: listExample(ofLists, (some) => ({ lists: some })),
    ...(subject && { subject: { summary: subject.isShortened ? shortened : whole, value: subject.document } }),
    changes: listExample(log?.changes ?? [], (changes) => ({ since: fixedTime, changes })),
    ...formatExamples({ ...scopes, pair: inBoth }),
  };
}

/** The formats whose documents are JSON: the key of their records, the list that these are from, and the limit. */
const lists = {
  json: { key: 'events', list: 'upcoming', limit: listLimit },
  next: { key: 'events', list: 'upcoming', limit: nextEvents },
  now: { key: 'events', list: 'under_way', limit: listLimit },
  announced: { key: 'announced', list: 'announced', limit: listLimit },
  subjects: { key: 'subjects', list: 'subjects', limit: null },
} as const;
type ListFormat = keyof typeof lists;

/** Returns an example of each format for each kind of scope, by names such as `now/category`. */
function formatExamples(scopes: Readonly<Partial<Record<ScopeKind, SampleScope>>>): Readonly<Record<string, Example>> {
  const names = Object.keys(lists) as ListFormat[];
  return Object.fromEntries(
    Object.entries(scopes).flatMap(([kind, scope]) =>
      names.map((name) => [`${name}/${kind}`, formatExample(name, scope, lists[name].limit)]),
    ),
  );
}

function formatExample(name: ListFormat, { filters, totals, ...records }: SampleScope, limit: number | null): Example {
  const { key, list } = lists[name];
  const all = list === 'subjects' ? records.subjects : records[list].map(({ record }) => record);
  const [shown, total] = [all.slice(0, exampleLength), totals[list]];
  return {
    summary: shown.length < Math.min(limit ?? total, total) ? shortened : whole,
    value: {
      filters: publishedFilters(filters),
      ...(limit !== null && { limit, total }),
      [key]: shown,
      ...(name === 'next' && { now: records.under_way.slice(0, 1).map(({ record }) => record) }),
    },
  };
}

function listExample<R>(records: readonly R[], documentOf: (some: readonly R[]) => object): Example {
  return {
    summary: records.length > exampleLength ? shortened : whole,
    value: documentOf(records.slice(0, exampleLength)),
  };
}

const emptyFile = { bytes: 0, sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' };

/** Stands for the times of the build, which would change the OpenAPI document with every build. */
const fixedTime = '2026-11-20T12:17:00.000Z';

/** Returns ids that exist, as examples of the parameters. Null if there are none. */
export function exampleIds({ scopes, subject, categories, genres, lists: ofLists }: Sample) {
  const { category = null } = scopes.category.filters;
  const { genre = null } = scopes.genre.filters;
  const ofKind = (kind: ListKind) => {
    const some = ofLists.filter((one) => one.kind === kind);
    return idExamples(some[0]?.id ?? null, some);
  };
  return {
    category: idExamples(category, categories),
    genre: idExamples(genre, genres),
    month: ofKind('month'),
    country: ofKind('country'),
    tag: ofKind('tag'),
    collection: ofKind('collection'),
    subject: subject?.document.subject.id,
  };
}

type Named = Pick<CategoryRecord, 'id' | 'name'>;

function idExamples(first: string | null, all: readonly Named[]): Readonly<Record<string, Example>> | null {
  if (first === null) return null;
  const some = all.toSorted((a, b) => Number(b.id === first) - Number(a.id === first)).slice(0, 3);
  return Object.fromEntries(some.map(({ id, name }) => [id, { summary: name, value: id }]));
}
