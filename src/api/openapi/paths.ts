import {
  calendarPath,
  documentPath,
  indexPath,
  manifestPath,
  notFoundPath,
  openapiPath,
  operationPath,
  root,
  type Question,
} from '../paths.ts';
import type { Example, Examples } from './examples.ts';
import type { ResponseName } from './responses.ts';
import type { Tag } from './text.ts';
import type { documentSchemas } from '../schemas.generated.ts';

/** A path and what it answers. */
export interface Row {
  readonly path: string;
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly string[];
  readonly schema: keyof typeof documentSchemas | 'Calendar' | 'OpenApi';
  readonly example?: Example;
  /** Refusals of what takes a query; all else knows only 404. */
  readonly refusals?: readonly ResponseName[];
}

/** Both forms of every operation (specification 4), the calendars, and what describes the service itself. */
export function openapiRows(examples: Examples): readonly Row[] {
  return [
    ...serviceRows(examples),
    ...categoryRows(examples),
    ...genreRows(examples),
    ...eventRows(examples),
    ...calendarRows(),
  ];
}

const [category, genre] = ['{category}', '{genre}'];
const asFile = 'The same as a file, for hosts that run no code.';
const asFileToo = `${asFile} Where code runs, parameters act on it too.`;
const plainHosts =
  'A host that runs no code ignores the query and answers unfiltered, as `filters` in the answer tells.';

function serviceRows({ index, notFound }: Examples): readonly Row[] {
  return [
    {
      path: indexPath,
      id: 'getIndex',
      tag: 'Service',
      summary: 'The index document',
      description: `Describes the service, its licence, its totals and its operations. Where code runs, \`/${root}\` and \`/${root}/\` answer with it too, unless \`Accept\` ranks \`text/html\` higher: then with the reference page.`,
      schema: 'Index',
      example: index,
    },
    {
      path: openapiPath,
      id: 'getOpenApi',
      tag: 'Service',
      summary: 'This document',
      description: 'The interface as OpenAPI 3.1, with examples out of the catalogue.',
      schema: 'OpenApi',
    },
    {
      path: manifestPath,
      id: 'getInventory',
      tag: 'Service',
      summary: 'Every file of the site',
      description: 'With size and hash, so that a mirror fetches only what changed.',
      schema: 'Inventory',
    },
    {
      path: notFoundPath,
      id: 'getNotFound',
      tag: 'Service',
      summary: 'The answer to a wrong path',
      description: 'What a plain host can be set to answer with status 404.',
      schema: 'Problem',
      example: notFound,
    },
  ];
}

function categoryRows({ categories }: Examples): readonly Row[] {
  const row = { tag: 'Categories', schema: 'Categories', example: categories } as const;
  return [
    {
      ...row,
      path: operationPath('categories'),
      id: 'listCategories',
      summary: 'List categories',
      description: 'Every category, each with its genre count and upcoming count, ordered by id.',
    },
    { ...row, ...fileRow({ operation: 'categories' }, 'categoriesFile', 'Every category, as a file') },
  ];
}

function genreRows({ genres, genresOfCategory }: Examples): readonly Row[] {
  const row = { tag: 'Genres', schema: 'Genres' } as const;
  const asked = { parameters: ['categoryFilter'], refusals: ['RepeatedParameter', 'UnknownCategory'] } as const;
  return [
    {
      ...row,
      ...asked,
      path: operationPath('genres'),
      id: 'listGenres',
      summary: 'List genres',
      description: `All genres, or those of one category, ordered by id. ${plainHosts}`,
      example: genresOfCategory,
    },
    {
      ...row,
      ...fileRow({ operation: 'genres' }, 'genresFile', 'All genres, as a file'),
      ...asked,
      description: asFileToo,
      example: genres,
    },
    {
      ...row,
      ...fileRow({ operation: 'genres', category }, 'genresOfCategoryFile', 'Genres of one category, as a file'),
      example: genresOfCategory,
    },
  ];
}

function eventRows({ events, eventsOfCategory, eventsOfGenre, eventsOfBoth, eventsLimited }: Examples): readonly Row[] {
  const row = { tag: 'Events', schema: 'Events' } as const;
  const asked = {
    parameters: ['genreFilter', 'categoryFilter', 'limit'],
    refusals: ['InvalidEventsQuery', 'UnknownFilter'],
  } as const;
  const operation = 'events';
  return [
    {
      ...row,
      ...asked,
      path: operationPath(operation),
      id: 'listEvents',
      summary: 'List upcoming events',
      description: `Upcoming events, soonest first. Each filter that is given narrows the result, and either may be omitted; a genre of another category gives an empty list. ${plainHosts}`,
      example: eventsLimited,
    },
    {
      ...row,
      ...fileRow({ operation }, 'eventsFile', 'Upcoming events, as a file'),
      ...asked,
      description: asFileToo,
      example: events,
    },
    {
      ...row,
      ...fileRow({ operation, category }, 'eventsOfCategoryFile', 'Upcoming events of one category, as a file'),
      example: eventsOfCategory,
    },
    {
      ...row,
      ...fileRow({ operation, genre }, 'eventsOfGenreFile', 'Upcoming events of one genre, as a file'),
      example: eventsOfGenre,
    },
    {
      ...row,
      ...fileRow({ operation, category, genre }, 'eventsOfBothFile', 'Upcoming events by both filters, as a file'),
      description: `${asFile} There is one for every pair; where the genre is of another category, the list is empty.`,
      example: eventsOfBoth,
    },
  ];
}

function calendarRows(): readonly Row[] {
  const row = { tag: 'Calendars', schema: 'Calendar' } as const;
  const description =
    'The same events for calendar programs (iCalendar, RFC 5545), cancelled ones among them marked as such. An event whose time is not known fills its whole day.';
  return [
    { ...row, description, path: calendarPath({}), id: 'calendar', summary: 'A calendar of everything' },
    {
      ...row,
      description,
      path: calendarPath({ category }),
      id: 'calendarOfCategory',
      summary: 'A calendar of one category',
      parameters: ['category'],
    },
    {
      ...row,
      description,
      path: calendarPath({ genre }),
      id: 'calendarOfGenre',
      summary: 'A calendar of one genre',
      parameters: ['genre'],
    },
  ];
}

/** What is alike in the rows of the path form; its parameters are those that its path shows. */
function fileRow(question: Question, id: string, summary: string) {
  const parameters = [...(question.category ? ['category'] : []), ...(question.genre ? ['genre'] : [])];
  return { path: documentPath(question), id, summary, description: asFile, parameters };
}
