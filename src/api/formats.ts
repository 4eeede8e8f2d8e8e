import { scopeFolder, type Filters } from './paths.ts';

/** The kinds of scope that a file covers: everything, one category, one genre, or both filters at once. */
export type Scope = 'everything' | 'category' | 'genre' | 'pair';

/** A format turns the events of a scope into one file. `src/render/formats/` has one renderer for each. */
export interface Format {
  /** The name of the file in the folder of its scope. */
  readonly file: string;
  readonly mediaType: string;
  /** The scopes that have the file. */
  readonly scopes: readonly Scope[];
}

/** The list of the events operation (specification 4). */
export const json = {
  file: 'events.json',
  mediaType: 'application/json',
  scopes: ['everything', 'category', 'genre', 'pair'],
} as const satisfies Format;

export const ics = {
  file: 'events.ics',
  mediaType: 'text/calendar',
  scopes: ['everything', 'category', 'genre'],
} as const satisfies Format;

/**
 * Every format. Paths, content types, OpenAPI and the files of the site follow from this table. The request handler and
 * the pages load it too, so its descriptions are in `openapi/formats.ts`.
 */
export const formats = { json, ics } as const satisfies Readonly<Record<string, Format>>;
export type FormatName = keyof typeof formats;

/** Returns the kind of scope that some filters select. */
export function scopeOf({ category, genre }: Filters): Scope {
  if (genre) return category ? 'pair' : 'genre';
  return category ? 'category' : 'everything';
}

/**
 * Returns the path of a format's file, relative to `{base_url}`. If the format does not exist for pairs, a genre has
 * one file, whichever category is given with it.
 */
export function formatPath({ file, scopes }: Format, filters: Filters): string {
  const own = scopes.includes(scopeOf(filters)) ? filters : { genre: filters.genre ?? null };
  return `${scopeFolder(own)}/${file}`;
}

/** Returns the path of the calendar of some filters, relative to `{base_url}`. */
export function calendarPath(filters: Filters): string {
  return formatPath(ics, filters);
}
