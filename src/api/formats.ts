import type { Row } from './openapi/paths.ts';
import type { Tag } from './openapi/text.ts';
import { scopeFolder, type Filters } from './paths.ts';
import type { SchemaName } from './schemas.ts';

/** The kinds of scope that a file covers: everything, one category, one genre, or both filters at once. */
export type Scope = 'everything' | 'category' | 'genre' | 'pair';

/** A format turns the events of a scope into one file. `src/render/formats/` has one renderer for each. */
export interface Format {
  /** The name of the file in the folder of its scope. */
  readonly file: string;
  readonly mediaType: string;
  /** The schema of its documents. Null if they are not JSON. */
  readonly schema: SchemaName | null;
  readonly tag: Tag;
  readonly description: string;
  /** The scopes that it exists for, each as an operation of the OpenAPI document. */
  readonly scopes: Readonly<Partial<Record<Scope, FormatOperation>>>;
}

/** What differs from scope to scope. `description` replaces that of the format. */
type FormatOperation = Pick<Row, 'id' | 'summary'> &
  Partial<Pick<Row, 'description' | 'parameters' | 'refusals' | 'example'>>;

/** The list of the events operation (specification 4). */
export const json = {
  file: 'events.json',
  mediaType: 'application/json',
  schema: 'Events',
  tag: 'Events',
  description: 'The same as a file, for hosts that run no code.',
  scopes: {
    everything: {
      id: 'eventsFile',
      summary: 'Upcoming events, as a file',
      description: 'The same as a file, for hosts that run no code. Where code runs, parameters act on it too.',
      parameters: ['genreFilter', 'categoryFilter', 'limit'],
      refusals: ['InvalidEventsQuery', 'UnknownFilter'],
      example: 'events',
    },
    category: {
      id: 'eventsOfCategoryFile',
      summary: 'Upcoming events of one category, as a file',
      example: 'eventsOfCategory',
    },
    genre: { id: 'eventsOfGenreFile', summary: 'Upcoming events of one genre, as a file', example: 'eventsOfGenre' },
    pair: {
      id: 'eventsOfBothFile',
      summary: 'Upcoming events by both filters, as a file',
      description:
        'The same as a file, for hosts that run no code. There is one for every pair; where the genre is of another category, the list is empty.',
      example: 'eventsOfBoth',
    },
  },
} as const satisfies Format;

export const ics = {
  file: 'events.ics',
  mediaType: 'text/calendar',
  schema: null,
  tag: 'Calendars',
  description:
    'The same events for calendar programs (iCalendar, RFC 5545), cancelled ones among them marked as such. An event whose time is not known fills its whole day.',
  scopes: {
    everything: { id: 'calendar', summary: 'A calendar of everything' },
    category: { id: 'calendarOfCategory', summary: 'A calendar of one category' },
    genre: { id: 'calendarOfGenre', summary: 'A calendar of one genre' },
  },
} as const satisfies Format;

/** Every format. Paths, content types, OpenAPI, the reference page and the files of the site follow from this table. */
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
  const own = scopeOf(filters) in scopes ? filters : { genre: filters.genre ?? null };
  return `${scopeFolder(own)}/${file}`;
}

/** Returns the path of the calendar of some filters, relative to `{base_url}`. */
export function calendarPath(filters: Filters): string {
  return formatPath(ics, filters);
}
