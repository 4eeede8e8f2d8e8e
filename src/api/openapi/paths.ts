import {
  changesPath,
  documentPath,
  indexPath,
  listsPath,
  manifestPath,
  notFoundPath,
  openapiPath,
  operationPath,
  root,
  subjectFile,
} from '../paths.ts';
import { asFile, asFileToo, eventsQuery, formatRows, type Row } from './format-rows.ts';

const category = '{category}';
const plainHosts = `A host that runs no code ignores the query
    and returns the unfiltered list;
    \`filters\` in the response shows this.`;

const serviceRows: readonly Row[] = [
  {
    path: indexPath,
    id: 'getIndex',
    tag: 'Service',
    summary: 'The index document',
    description: `Describes the service, its licence,
      its totals and its operations.
      On hosts that run code, \`/${root}\`
      and \`/${root}/\` return it too or, if \`Accept\`
      ranks \`text/html\` higher, the reference page.`,
    schema: 'Index',
  },
  {
    path: openapiPath,
    id: 'getOpenApi',
    tag: 'Service',
    summary: 'This document',
    description: 'The interface as OpenAPI 3.1, with examples.',
    schema: null,
  },
  {
    path: manifestPath,
    id: 'getInventory',
    tag: 'Service',
    summary: 'Every file of the site',
    description: `Each file with its size and hash,
      so that a mirror fetches only what changed.`,
    schema: 'Inventory',
  },
  {
    path: notFoundPath,
    id: 'getNotFound',
    tag: 'Service',
    summary: 'The response for a path that does not exist',
    description: `A document that a plain host can
      be configured to return with status 404.`,
    schema: 'Problem',
  },
];

const listsRow: Row = {
  path: listsPath,
  id: 'listLists',
  tag: 'Lists',
  summary: 'Which lists there are',
  description: `The months, countries, tags and collections
    that have documents of their own, in this order
    and by id, with their names and counts.`,
  schema: 'Lists',
};

const changesRow: Row = {
  path: changesPath,
  id: 'listChanges',
  tag: 'Changes',
  summary: 'What changed',
  description: `The events that were cancelled,
    removed, postponed, moved, dated,
    added or changed, newest first:
    at most 1,000 changes from about 60 days.
    \`before\` and \`after\`
    hold the fields that differ.
    If you last looked before
    \`complete_since\`, fetch every event.`,
  schema: 'Changes',
  format: 'ndjson',
};

const categoryRows: readonly Row[] = [
  {
    path: operationPath('categories'),
    id: 'listCategories',
    tag: 'Categories',
    summary: 'List categories',
    description: `Every category, each with its genre count
      and upcoming count, ordered by id.`,
    schema: 'Categories',
  },
  {
    path: documentPath({ operation: 'categories' }),
    id: 'categoriesFile',
    tag: 'Categories',
    summary: 'Every category, as a file',
    description: asFile,
    schema: 'Categories',
  },
];

const genresQuery = {
  parameters: ['categoryFilter'],
  refusals: ['RepeatedParameter', 'UnknownCategory'],
} as const satisfies Partial<Row>;

const genreRows: readonly Row[] = [
  {
    ...genresQuery,
    path: operationPath('genres'),
    id: 'listGenres',
    tag: 'Genres',
    summary: 'List genres',
    description: `All genres, or those of one category,
      ordered by id. ${plainHosts}`,
    schema: 'Genres',
  },
  {
    ...genresQuery,
    path: documentPath({ operation: 'genres' }),
    id: 'genresFile',
    tag: 'Genres',
    summary: 'All genres, as a file',
    description: asFileToo,
    schema: 'Genres',
  },
  {
    path: documentPath({ operation: 'genres', category }),
    id: 'genresOfCategoryFile',
    tag: 'Genres',
    summary: 'Genres of one category, as a file',
    description: asFile,
    parameters: ['categoryInPath'],
    schema: 'Genres',
  },
];

const eventsRow: Row = {
  path: operationPath('events'),
  id: 'listEvents',
  tag: 'Events',
  summary: 'List upcoming events',
  description: `Upcoming events, soonest first.
    Each filter that is given narrows the result,
    and either may be omitted;
    if the genre is in another category,
    the list is empty. ${plainHosts}`,
  ...eventsQuery,
  schema: 'Events',
};

const subjectRow = {
  tag: 'Subjects',
  parameters: ['genreInPath', 'subjectInPath'],
  isOfSubject: true,
} as const;

const subjectRows: readonly Row[] = [
  {
    ...subjectRow,
    path: subjectFile('{genre}', '{subject}', 'json'),
    id: 'getSubject',
    summary: 'A subject with all of its events',
    description: `Everything about one subject: upcoming, under way,
      announced, cancelled and past, without a limit.`,
    schema: 'SubjectDocument',
  },
  {
    ...subjectRow,
    path: subjectFile('{genre}', '{subject}', 'ics'),
    id: 'calendarOfSubject',
    summary: 'The calendar of one subject',
    description: `All of its events for calendar programs
      (iCalendar, RFC 5545).`,
    mediaType: 'text/calendar',
    schema: null,
  },
];

/**
 * Every path of the interface: both forms of each operation (specification 4), the formats, and the
 * service itself.
 */
export const rows: readonly Row[] = [
  ...serviceRows,
  ...categoryRows,
  ...genreRows,
  eventsRow,
  ...formatRows,
  listsRow,
  ...subjectRows,
  changesRow,
];
