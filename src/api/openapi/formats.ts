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
    description: 'The same document as a file, for hosts that run no code.',
    scopes: {
      everything: {
        id: 'eventsFile',
        summary: 'Upcoming events, as a file',
        description:
          'The same document as a file, for hosts that run no code. On hosts that run code, the parameters apply to it too.',
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
        summary: 'Upcoming events of one genre and category, as a file',
        description:
          'The same document as a file, for hosts that run no code. There is one for every pair; if the genre is in another category, the list is empty.',
        example: 'eventsOfBoth',
      },
    },
  },
  next: {
    schema: 'Events',
    tag: 'Events',
    description:
      'The first events of the list next to it, in the same format: for devices, and for hosts that ignore `limit`.',
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
      'Events that have begun and are not over, ordered by `over_at`. On hosts that run code, the list is current at the time of the request; on other hosts, the client must update it.',
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
      'Events known only to a month, quarter, half or year. They have no date yet; once dated they become events with the same id.',
    scopes: {
      everything: { id: 'announced', summary: 'Announced events' },
      category: { id: 'announcedOfCategory', summary: 'Announced events of one category' },
      genre: { id: 'announcedOfGenre', summary: 'Announced events of one genre' },
    },
  },
  subjects: {
    schema: 'Subjects',
    tag: 'Subjects',
    description: 'Every subject with its upcoming count and its soonest event, ordered by genre, then by id.',
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
      'Every event that is upcoming or under way, without the limit of lists: one record per line, with the same fields as in lists. Grouped by genre id; within a genre in the order of lists.',
    scopes: {
      everything: { id: 'allEvents', summary: 'Every event, one per line' },
      category: { id: 'allEventsOfCategory', summary: 'Every event of one category, one per line' },
      genre: { id: 'allEventsOfGenre', summary: 'Every event of one genre, one per line' },
    },
  },
  csv: {
    schema: null,
    tag: 'Bulk',
    description:
      'Every event that is upcoming or under way, as a table for spreadsheets (RFC 4180, UTF-8 with a byte order mark). Values that are null in JSON are empty, and so are `starts_at` and `ends_at` if the time is not known. A text that a spreadsheet would run as a formula begins with an apostrophe.',
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
      'Upcoming events for calendar programs (iCalendar, RFC 5545), including events under way and cancelled events, which are marked as cancelled. An event without a known time is an all-day event.',
    scopes: {
      everything: { id: 'calendar', summary: 'A calendar of everything' },
      category: { id: 'calendarOfCategory', summary: 'A calendar of one category' },
      genre: { id: 'calendarOfGenre', summary: 'A calendar of one genre' },
    },
  },
} as const satisfies Descriptions;
