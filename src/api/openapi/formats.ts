import { formats, type FormatName } from '../formats.ts';
import type { Row } from './paths.ts';

/** What the OpenAPI document says about a format, with one operation for each scope that has its file. */
export interface FormatDescription<Scope extends string> {
  readonly tag: Row['tag'];
  /** Null if its documents are not JSON. */
  readonly schema: Row['schema'];
  readonly description: string;
  readonly scopes: Readonly<Record<Scope, FormatOperation>>;
}

/** What differs from scope to scope. `description` replaces that of the format. */
type FormatOperation = Pick<Row, 'id' | 'summary'> &
  Partial<Pick<Row, 'description' | 'parameters' | 'refusals' | 'example'>>;

type Descriptions = {
  readonly [Name in FormatName]: FormatDescription<(typeof formats)[Name]['scopes'][number]>;
};

export const formatDescriptions = {
  json: {
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
  },
  ics: {
    schema: null,
    tag: 'Calendars',
    description:
      'The same events for calendar programs (iCalendar, RFC 5545), cancelled ones among them marked as such. An event whose time is not known fills its whole day.',
    scopes: {
      everything: { id: 'calendar', summary: 'A calendar of everything' },
      category: { id: 'calendarOfCategory', summary: 'A calendar of one category' },
      genre: { id: 'calendarOfGenre', summary: 'A calendar of one genre' },
    },
  },
} as const satisfies Descriptions;
