import { scopeFolder, type Filters } from './paths.ts';

/** The kinds of scope that a file covers: everything, one category, one genre, or both filters at once. */
export type Scope = 'everything' | 'category' | 'genre' | 'pair';

/** A format turns the events of a scope into one file. `src/render/` has one renderer for each. */
export interface Format {
  /** The name of the file in the folder of its scope. */
  readonly file: string;
  readonly mediaType: string;
  /** The scopes that have the file. */
  readonly scopes: readonly Scope[];
  /** The scopes whose files are left out with `"bulk": false` in service.json. */
  readonly bulk: readonly Scope[];
}

/** The scopes of every format except the list of the events operation. */
const withoutPair = ['everything', 'category', 'genre'] as const satisfies readonly Scope[];

/** The list of the events operation (specification 4). */
export const json = {
  file: 'events.json',
  mediaType: 'application/json',
  scopes: [...withoutPair, 'pair'],
  bulk: [],
} as const satisfies Format;

/** The first events of the same list, for devices and for hosts that ignore `limit`. */
export const next = {
  file: 'next.json',
  mediaType: 'application/json',
  scopes: withoutPair,
  bulk: [],
} as const satisfies Format;

/** Events under way when the site was built. */
export const now = {
  file: 'now.json',
  mediaType: 'application/json',
  scopes: withoutPair,
  bulk: [],
} as const satisfies Format;

/** Announcements: known to a month, quarter, half or year. */
export const announced = {
  file: 'announced.json',
  mediaType: 'application/json',
  scopes: withoutPair,
  bulk: [],
} as const satisfies Format;

export const ics = {
  file: 'events.ics',
  mediaType: 'text/calendar',
  scopes: withoutPair,
  bulk: [],
} as const satisfies Format;

/** Every event that is not over, one record per line. */
const ndjson = {
  file: 'events.ndjson',
  mediaType: 'application/x-ndjson',
  scopes: withoutPair,
  bulk: withoutPair,
} as const satisfies Format;

/** The same events as a table for spreadsheets (RFC 4180). */
const csv = {
  file: 'events.csv',
  mediaType: 'text/csv',
  scopes: withoutPair,
  bulk: withoutPair,
} as const satisfies Format;

/** Every subject with its next event. */
const subjects = {
  file: 'subjects.json',
  mediaType: 'application/json',
  scopes: withoutPair,
  bulk: ['everything'],
} as const satisfies Format;

/** The changes of a scope as a feed (Atom, RFC 4287). */
export const feed = {
  file: 'feed.xml',
  mediaType: 'application/atom+xml',
  scopes: withoutPair,
  bulk: withoutPair,
} as const satisfies Format;

/**
 * Every format. Paths, content types, OpenAPI and the files of the site follow from this table. The request handler and
 * the pages load it too, so its descriptions are in `openapi/formats.ts`.
 */
export const formats = {
  json,
  next,
  now,
  announced,
  ics,
  ndjson,
  csv,
  subjects,
  feed,
} as const satisfies Readonly<Record<string, Format>>;
export type FormatName = keyof typeof formats;

/** Whether a scope has the file of a format in a site with (`isBulk`) or without bulk files. */
export function hasFormat({ scopes, bulk }: Format, scope: Scope, isBulk: boolean): boolean {
  return scopes.includes(scope) && (isBulk || !bulk.includes(scope));
}

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
