import { formats, type FormatName } from '../formats.ts';
import type { Row } from './row.ts';

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
  next: {
    schema: 'Events',
    tag: 'Events',
    description:
      'The first events of the list beside it, in the same form: for devices, and for hosts that ignore `limit`.',
    scopes: {
      everything: { id: 'nextEvents', summary: 'The ten soonest events', example: 'nextEvents' },
      category: { id: 'nextEventsOfCategory', summary: 'The ten soonest events of one category' },
      genre: { id: 'nextEventsOfGenre', summary: 'The ten soonest events of one genre' },
    },
  },
  now: {
    schema: 'Now',
    tag: 'Events',
    description:
      'Events that have begun and are not over, by `over_at`. Where code runs, those that began since the last build are there and those that are over are not; a plain host leaves that to the client.',
    scopes: {
      everything: { id: 'eventsUnderWay', summary: 'Events under way' },
      category: { id: 'eventsUnderWayOfCategory', summary: 'Events under way of one category' },
      genre: { id: 'eventsUnderWayOfGenre', summary: 'Events under way of one genre' },
    },
  },
  announced: {
    schema: 'Announced',
    tag: 'Events',
    description:
      'What is known to a month, quarter, half or year only. It has no real date, so it is no event until it is dated, and keeps its id then.',
    scopes: {
      everything: { id: 'announced', summary: 'Announced events' },
      category: { id: 'announcedOfCategory', summary: 'Announced events of one category' },
      genre: { id: 'announcedOfGenre', summary: 'Announced events of one genre' },
    },
  },
  subjects: {
    schema: 'Subjects',
    tag: 'Subjects',
    description:
      'Every subject with its number of upcoming events and the soonest of them, ordered by genre, then by id.',
    scopes: {
      everything: { id: 'listSubjects', summary: 'Every subject' },
      category: { id: 'subjectsOfCategory', summary: 'The subjects of one category' },
      genre: { id: 'subjectsOfGenre', summary: 'The subjects of one genre' },
    },
  },
  ndjson: {
    schema: null,
    tag: 'Bulk',
    description:
      'Every event that is upcoming or under way, without the cap of lists, one record on each line, with the fields of a list. Grouped by genre in the order of ids; within a genre ordered as lists are.',
    scopes: {
      everything: { id: 'allEvents', summary: 'Every event, one on each line' },
      category: { id: 'allEventsOfCategory', summary: 'Every event of one category, one on each line' },
      genre: { id: 'allEventsOfGenre', summary: 'Every event of one genre, one on each line' },
    },
  },
  csv: {
    schema: null,
    tag: 'Bulk',
    description:
      'The same events as a table for spreadsheets (RFC 4180, UTF-8 with a byte order mark). What is null in JSON is empty, and so are `starts_at` and `ends_at` where the time is not known. An apostrophe precedes a text that a spreadsheet would run as a formula.',
    scopes: {
      everything: { id: 'table', summary: 'Every event as a table' },
      category: { id: 'tableOfCategory', summary: 'Every event of one category as a table' },
      genre: { id: 'tableOfGenre', summary: 'Every event of one genre as a table' },
    },
  },
  feed: {
    schema: null,
    tag: 'Changes',
    description: 'The newest 50 changes as a feed (Atom, RFC 4287).',
    scopes: {
      everything: { id: 'feed', summary: 'What changed, as a feed' },
      category: { id: 'feedOfCategory', summary: 'What changed in one category, as a feed' },
      genre: { id: 'feedOfGenre', summary: 'What changed in one genre, as a feed' },
    },
  },
  ics: {
    schema: null,
    tag: 'Calendars',
    description:
      'The same events for calendar programs (iCalendar, RFC 5545), those under way and cancelled ones, marked as such, among them. An event whose time is not known fills its whole days.',
    scopes: {
      everything: { id: 'calendar', summary: 'A calendar of everything' },
      category: { id: 'calendarOfCategory', summary: 'A calendar of one category' },
      genre: { id: 'calendarOfGenre', summary: 'A calendar of one genre' },
    },
  },
} as const satisfies Descriptions;
