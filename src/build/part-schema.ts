import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import {
  announcementSchema,
  changesDocumentSchema,
  eventSchema,
  genreSchema,
  subjectSchema,
  subjectDocumentSchema,
} from '../api/schemas.ts';
import { isManifest } from '../api/manifest.ts';
import { root } from '../api/paths.ts';
import { listKinds } from '../api/scopes.ts';
import { idPattern, idSource } from '../catalogue/id.ts';
import { isZone } from '../catalogue/time/zone.ts';
import { readBaseUrl } from '../catalogue/url.ts';
import { problemMessage, type Problem } from '../problem/problem.ts';
import type { GenreInSearch } from '../pages/search/index-file.ts';
import type { EventText } from '../render/event-texts.ts';
import type { CataloguePlan } from './options.ts';
import { lazyEvents, type Fail, type PartContent } from './part-content.ts';
import type { GenresResult } from './threads.ts';

/*
 * The schema of a stored part. Others may write to a store, so `almanac join` checks what it reads. Only `join` loads
 * this module, because loading zod takes longer than the build of a small catalogue.
 */

const { id: slug, name: text, upcoming: count } = genreSchema.shape;
const number = z.int().min(1);
const zone = z.string().refine(isZone).nullable();
const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/);

/** JSON has no maps. */
function mapOf<K, V>(key: z.ZodType<K>, value: z.ZodType<V>) {
  return z.array(z.tuple([key, value])).transform((entries) => new Map(entries));
}

const place = z.strictObject({ file: z.string(), line: number, column: number });

/** A problem can be printed. */
const problem = z
  .looseObject({
    code: z.string(),
    place: place.nullable(),
  })
  .refine((value) => problemMessage(value as unknown as Problem) !== '') as unknown as z.ZodType<Problem>;

const announcementText = z
  .strictObject({ record: announcementSchema.extend({ zone }), json: z.string() })
  .refine(hasOwnJson);

function hasOwnJson({ record, json }: { readonly record: object; readonly json: string }): boolean {
  return json === JSON.stringify(record);
}

const subjectId = z.string().regex(new RegExp(`^${idSource}/${idSource}$`));

const catalogueSchema: z.ZodType<CataloguePlan> = z.strictObject({
  service: z.strictObject({
    name: text,
    license: text,
    authority: text.nullable(),
    isBulk: z.boolean(),
    lang: text,
    tagline: text.nullable(),
    accent: z
      .string()
      .regex(/^#[\da-f]+$/i)
      .nullable(),
    pages: z.enum(['all', 'genres', 'home']),
    hasCredit: z.boolean(),
    pastDays: count,
  }),
  categories: z.array(z.strictObject({ id: slug, name: text })),
  former: z.strictObject({
    categories: mapOf(slug, slug),
    genres: mapOf(slug, z.strictObject({ id: slug, category: slug })),
  }),
  collections: z.array(
    z.strictObject({
      id: slug,
      name: text,
      categories: z.array(text),
      genres: z.array(text),
      subjects: z.array(text),
      tags: z.array(text),
      countries: z.array(text),
    }),
  ),
  baseUrl: z.string().refine((url) => readBaseUrl(url) === url),
  authority: text,
  lastSync: eventSchema.shape.starts_at,
  now: z.int(),
  stale: z.array(problem),
  isStrict: z.boolean(),
  isVerbose: z.boolean(),
});

const subjectExample = z.strictObject({ document: subjectDocumentSchema, isShortened: z.boolean() });

const changesSchema = z.strictObject({
  comparedWith: z.string(),
  changes: z.array(changesDocumentSchema.shape.changes.element.omit({ at: true })),
  growth: z.int(),
  damage: mapOf(z.string(), z.string()),
});

/** Zod would take most of the time of a small join for the events. */
const isIndexEvent = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length === 3 &&
  typeof value[0] === 'string' &&
  idPattern.test(value[1] as string) &&
  Number.isInteger(value[2]);
const indexEvents = z.custom<GenreInSearch['subjects'][number][3]>(
  (value) => Array.isArray(value) && value.every(isIndexEvent),
);

const searchSchema = z.array(
  z.strictObject({
    id: slug,
    name: text,
    category: z.tuple([slug, text]),
    upcoming: count,
    subjects: z.array(z.tuple([slug, text, z.array(text), indexEvents])),
  }),
);

/** Returns the schema of what is known about genres, apart from search. Their events have the lines in its lists. */
function resultSchema(
  events: readonly EventText[],
): z.ZodType<Omit<GenresResult, 'pages'> & { readonly pages: Omit<GenresResult['pages'], 'search'> }> {
  const isLine = (value: unknown): boolean => events[value as number] !== undefined;
  const list = z
    .custom<readonly number[]>((value) => Array.isArray(value) && value.every(isLine))
    .transform((lines) => lines.map((line) => events[line] as EventText));
  const scope = z.strictObject({
    filters: z.union([
      z.strictObject({}),
      ...(['category', ...listKinds] as const).map((name) => z.strictObject({ [name]: slug })),
    ]),
    upcoming: list,
    underWay: list,
    cancelled: list,
    past: list,
    announced: z.array(announcementText),
    subjects: z.array(subjectSchema),
    totals: z.strictObject({ upcoming: count, underWay: count, cancelled: count, announced: count, subjects: count }),
  });
  return z.strictObject({
    summaries: z.strictObject({
      genres: z.array(genreSchema),
      scopes: z.array(scope),
      example: z.array(scope.extend({ filters: z.strictObject({ genre: slug }), subject: subjectExample.nullable() })),
      floating: count,
    }),
    changes: changesSchema.nullable(),
    pages: z.strictObject({
      byMonth: mapOf(month, z.strictObject({ total: count, events: list })),
      underWay: mapOf(slug, count),
      starts: z.strictObject({ dates: mapOf(eventSchema.shape.date, count), quarters: mapOf(z.int(), count) }),
    }),
    former: z.array(z.strictObject({ old: subjectId, id: subjectId, place })),
    problems: z.array(problem),
    warnings: z.array(problem),
  });
}

/** Checks the contents of the parts of one build, one after the other. */
export class PartCheck {
  #catalogue: CataloguePlan | null = null;
  readonly #genres = new Set<string>();

  /**
   * Returns the content of a part.
   *
   * @param events the lines of its events, which are parsed when they are needed
   * @param fail throws that the content cannot be used, and why
   */
  read(json: Buffer, events: Buffer, now: number, fail: Fail): PartContent {
    const genres = new Map<string, string>();
    const content = parse(json, lazyEvents(events, genres, fail)) ?? fail('its content is not that of a part');
    const { catalogue, result, files } = content;
    this.#catalogue ??= catalogue;
    if (catalogue.now !== now || !isDeepStrictEqual(catalogue, this.#catalogue))
      fail('its catalogue is not that of the other parts');
    for (const { id, category } of result.summaries.genres) genres.set(id, category);
    if (!hasOwnGenres(content, genres)) fail('it names a genre or category that it does not have');
    if (!Object.keys(files).every((path) => genres.has(genreOf(path)))) fail('it has a file that is not of its genres');
    for (const genre of genres.keys()) {
      if (this.#genres.has(genre)) fail(`another part has its genre ${genre}`);
      this.#genres.add(genre);
    }
    return content;
  }
}

/** Parses the content of a part. Returns null if it is not valid. */
function parse(json: Buffer, events: readonly EventText[]): PartContent | null {
  try {
    const { known, search, files } = JSON.parse(json.toString()) as Readonly<Record<string, unknown>>;
    const parsed = z.strictObject({ catalogue: catalogueSchema, result: resultSchema(events) }).parse(known);
    const pages = { ...parsed.result.pages, search: searchSchema.parse(search) };
    const manifest = { generator: 'almanac/', files };
    return isManifest(manifest) ? { ...parsed, result: { ...parsed.result, pages }, files: manifest.files } : null;
  } catch {
    // A text is not JSON, or a problem does not have what its message needs.
    return null;
  }
}

/** Whether everything in a part is of its genres, and each genre of a category. */
function hasOwnGenres({ catalogue, result }: PartContent, genres: ReadonlyMap<string, string>): boolean {
  const { summaries, pages } = result;
  const categories = new Set(catalogue.categories.map(({ id }) => id));
  const scopes = [...summaries.scopes, ...summaries.example];
  const announced = scopes.flatMap((scope) => scope.announced.map(({ record }) => record));
  const subjects = scopes.flatMap((scope) => scope.subjects);
  return (
    genres.size === summaries.genres.length &&
    [...genres.values()].every((category) => categories.has(category)) &&
    summaries.scopes.every(({ filters: { category } }) => !category || categories.has(category)) &&
    summaries.example.every(({ filters: { genre } }) => genres.has(genre ?? '')) &&
    [...announced, ...subjects].every(({ genre, category }) => genres.get(genre) === category) &&
    pages.search.every(({ id, category: [category] }) => genres.get(id) === category) &&
    [...pages.underWay.keys()].every((genre) => genres.has(genre))
  );
}

const genreFile = new RegExp(`^(?:${root}/(?:category/[^/]+/)?)?genre/([^/]+)/`);

/** Returns the genre whose file has a path, or an empty text. */
function genreOf(path: string): string {
  return genreFile.exec(path)?.[1] ?? '';
}
