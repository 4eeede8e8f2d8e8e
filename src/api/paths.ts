import { filterNames, type Filters } from './scopes.ts';

/**
 * The pattern of an id, also for the client and the scripts of the pages, which do not import
 * `catalogue/`.
 */
export { idPattern } from '../catalogue/id.ts';

/** The version of the interface (specification 9). */
export const interfaceVersion = 1;

/** The maximum number of events in one response (specification 4, rule 1, and section 8). */
export const listLimit = 200;

/** The maximum number of upcoming events in the calendar of a scope. */
export const calendarLimit = 1000;

/** The maximum number of events of a genre that are over and stay in the site. */
export const pastLimit = 5000;

/** The number of events in `next.json`. */
export const nextEvents = 10;

/** The maximum number of events under way in `next.json`. */
export const nextUnderWay = 5;

/** The three operations of the interface (specification 4). */
export const operations = ['categories', 'genres', 'events'] as const;
export type Operation = (typeof operations)[number];

/** A question to the interface: an operation, narrowed by filters. */
export interface Question extends Filters {
  readonly operation: Operation;
}

/** The folder of version 1, relative to `{base_url}` (specification 9). */
export const root = `api/v${interfaceVersion}`;

/** Returns the folder of the documents that some filters select, relative to `{base_url}`. */
export function scopeFolder(filters: Filters): string {
  return (
    root + filterNames.map((name) => (filters[name] ? `/${name}/${filters[name]}` : '')).join('')
  );
}

/**
 * Returns the path of the document that answers a question, relative to `{base_url}` (specification
 * 4).
 */
export function documentPath(question: Question): string {
  return `${scopeFolder(question)}/${question.operation}.json`;
}

/**
 * Returns the path of an operation in the specification. A host that runs no code returns the
 * unfiltered list.
 */
export function operationPath(operation: Operation): string {
  return `${root}/${operation}`;
}

/** The index document, which describes the service (specification 2.1). */
export const indexPath = `${root}/index.json`;

/** Returns the base URL of a site from the `documentation` in its index document. */
export function baseUrlIn(documentation: string): string {
  return documentation.slice(0, -`/${root}/`.length);
}

/** Returns the document of a subject, or its calendar, relative to `{base_url}`. */
export function subjectFile(genre: string, subject: string, extension: 'json' | 'ics'): string {
  return `${root}/genre/${genre}/subject/${subject}.${extension}`;
}

/** Returns the folder of the page of a subject, relative to `{base_url}`. */
export function subjectPage(genre: string, subject: string): string {
  return `genre/${genre}/${subject}/`;
}

/** The page of an event: that of its subject, at the event. `id` is `{genre}/{subject}/{event}`. */
export function eventPage(id: string): string {
  const end = id.lastIndexOf('/');
  return `genre/${id.slice(0, end)}/#${id.slice(end + 1)}`;
}

/** The manifest: the list of all other files of a site, relative to `{base_url}`. */
export const manifestPath = 'files.json';

/** The document that a host that runs no code can answer with status 404. */
export const notFoundPath = '404.json';

/** The page that a host that runs no code can answer with status 404. */
export const notFoundPagePath = '404.html';

/**
 * The months, countries, tags and collections that have documents of their own, relative to
 * `{base_url}`.
 */
export const listsPath = `${root}/lists.json`;

/** The changes of everything, relative to `{base_url}`. */
export const changesPath = `${root}/changes.json`;

/** The summary of the interface for language models, relative to `{base_url}`. */
export const llmsPath = 'llms.txt';

/** The OpenAPI document, relative to `{base_url}`. */
export const openapiPath = `${root}/openapi.json`;
