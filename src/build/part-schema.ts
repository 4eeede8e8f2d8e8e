import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import {
  announcementSchema,
  changesDocumentSchema,
  eventSchema,
  genreSchema,
  manifestSchema,
  subjectSchema,
  subjectDocumentSchema,
} from '../api/schemas.ts';
import { isManifest } from '../api/manifest.ts';
import { root } from '../api/paths.ts';
import { listKinds } from '../api/scopes.ts';
import { idSource } from '../catalogue/id.ts';
import { isZone } from '../catalogue/time/zone.ts';
import { readBaseUrl } from '../catalogue/url.ts';
import { problemMessage, type Problem } from '../problem/problem.ts';
import type { CataloguePlan } from './options.ts';
import { maxParts, type Part, type PartContent } from './part-store.ts';
import type { GenresResult } from './threads.ts';

/*
 * The schema of a stored part. Others may write to a store, so `almanac join` checks what it reads. Only `join` loads
 * this module, because loading zod takes longer than the build of a small catalogue.
 */

const { id: slug, name: text, upcoming: count } = genreSchema.shape;
const number = z.int().min(1);
const zone = z.string().refine(isZone).nullable();
const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/);

const place = z.strictObject({ file: z.string(), line: number, column: number });

/** A problem can be printed. */
const problem = z
  .looseObject({
    code: z.string(),
    place: place.nullable(),
  })
  .refine((value) => problemMessage(value as unknown as Problem) !== '') as unknown as z.ZodType<Problem>;

const listedEvent = z.strictObject({
  record: eventSchema.extend({ zone }),
  ownUrl: eventSchema.shape.url,
  offset: z.int(),
});
const entry = z.string().regex(/^BEGIN:VEVENT\r\n[^]*\r\nEND:VEVENT\r\n$/);
const eventText = listedEvent.extend({ json: z.string(), calendar: entry }).refine(hasOwnJson);
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
    categories: z.map(slug, slug),
    genres: z.map(slug, z.strictObject({ id: slug, category: slug })),
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

const scopeSchema = z.strictObject({
  filters: z.union([
    z.strictObject({}),
    ...(['category', ...listKinds] as const).map((name) => z.strictObject({ [name]: slug })),
  ]),
  upcoming: z.array(eventText),
  underWay: z.array(eventText),
  cancelled: z.array(eventText),
  past: z.array(eventText),
  announced: z.array(announcementText),
  subjects: z.array(subjectSchema),
  totals: z.strictObject({ upcoming: count, underWay: count, cancelled: count, announced: count, subjects: count }),
});

const subjectExample = z.strictObject({ document: subjectDocumentSchema, isShortened: z.boolean() });

const resultSchema: z.ZodType<GenresResult> = z.strictObject({
  summaries: z.strictObject({
    genres: z.array(genreSchema),
    scopes: z.array(scopeSchema),
    example: z.array(
      scopeSchema.extend({ filters: z.strictObject({ genre: slug }), subject: subjectExample.nullable() }),
    ),
    floating: count,
  }),
  changes: z
    .strictObject({
      comparedWith: z.string(),
      changes: z.array(changesDocumentSchema.shape.changes.element.omit({ at: true })),
      growth: z.int(),
      damage: z.map(z.string(), z.string()),
    })
    .nullable(),
  pages: z.strictObject({
    byMonth: z.map(month, z.strictObject({ total: count, events: z.array(listedEvent) })),
    underWay: z.map(slug, count),
    starts: z.map(
      slug,
      z.strictObject({ dates: z.map(eventSchema.shape.date, count), quarters: z.map(z.int(), count) }),
    ),
    search: z.array(
      z.strictObject({
        id: slug,
        name: text,
        category: z.tuple([slug, text]),
        upcoming: count,
        subjects: z.array(z.tuple([slug, text, z.array(text), z.array(z.tuple([text, slug, z.int()]))])),
      }),
    ),
  }),
  former: z.array(z.strictObject({ old: subjectId, id: subjectId, place })),
  problems: z.array(problem),
  warnings: z.array(problem),
});

/** The latest time that a date can have, in milliseconds since the Unix epoch. */
const maxTime = 8.64e15;
const { generator, files } = manifestSchema.shape;
const partNumber = number.max(maxParts);

const header = z.object({
  generator,
  zones: text,
  now: z.int().min(-maxTime).max(maxTime),
  options: text,
  sources: text,
  part: z.object({ number: partNumber, of: partNumber }),
  files,
  packs: z.array(z.string().regex(/^[\da-f]{64}$/)),
});

/** Whether a parsed value has all that {@link PartCheck} and the comparison with other parts need. */
export function isPart(value: unknown): value is Part {
  return header.safeParse(value).success && isManifest(value);
}

/** Checks the contents of the parts of one build, one after the other. */
export class PartCheck {
  #catalogue: CataloguePlan | null = null;
  readonly #genres = new Set<string>();

  /** Returns why `almanac join` cannot use a part, or null if it can. */
  faultOf({ content, files: paths }: Part): string | null {
    if (!isContent(content)) return 'its content is not that of a part';
    const { catalogue, result } = content;
    this.#catalogue ??= catalogue;
    if (!isDeepStrictEqual(catalogue, this.#catalogue)) return 'its catalogue is not that of the other parts';
    const genres = new Map(result.summaries.genres.map(({ id, category }) => [id, category]));
    if (!hasOwnGenres(content, genres)) return 'it names a genre or category that it does not have';
    if (!Object.keys(paths).every((path) => genres.has(genreOf(path))))
      return 'it has a file that is not of its genres';
    for (const genre of genres.keys()) {
      if (this.#genres.has(genre)) return `another part has its genre ${genre}`;
      this.#genres.add(genre);
    }
    return null;
  }
}

function isContent(content: unknown): content is PartContent {
  try {
    return z.strictObject({ catalogue: catalogueSchema, result: resultSchema }).safeParse(content).success;
  } catch {
    // A text is not JSON, or a problem does not have what its message needs.
    return false;
  }
}

/** Whether everything in a part is of its genres, and each genre of a category. */
function hasOwnGenres({ catalogue, result }: PartContent, genres: ReadonlyMap<string, string>): boolean {
  const { summaries, pages } = result;
  const categories = new Set(catalogue.categories.map(({ id }) => id));
  const scopes = [...summaries.scopes, ...summaries.example];
  const lists = scopes.flatMap((scope) => [
    scope.upcoming,
    scope.underWay,
    scope.cancelled,
    scope.announced,
    scope.past,
  ]);
  const subjects = scopes.flatMap((scope) => scope.subjects);
  const months = [...pages.byMonth.values()].map(({ events }) => events);
  return (
    genres.size === summaries.genres.length &&
    [...genres.values()].every((category) => categories.has(category)) &&
    summaries.scopes.every(({ filters: { category } }) => !category || categories.has(category)) &&
    summaries.example.every(({ filters: { genre } }) => genres.has(genre ?? '')) &&
    [...[...lists, ...months].flat().map(({ record }) => record), ...subjects].every(
      ({ genre, category }) => genres.get(genre) === category,
    ) &&
    pages.search.every(({ id, category: [category] }) => genres.get(id) === category) &&
    [...pages.underWay.keys()].every((genre) => genres.has(genre))
  );
}

const genreFile = new RegExp(`^(?:${root}/(?:category/[^/]+/)?)?genre/([^/]+)/`);

/** Returns the genre whose file has a path, or an empty text. */
function genreOf(path: string): string {
  return genreFile.exec(path)?.[1] ?? '';
}
