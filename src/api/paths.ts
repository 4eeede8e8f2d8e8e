/** The version of the interface (specification 9). */
export const interfaceVersion = 1;

/** The maximum number of events in one answer (specification 4, rule 1, and section 8). */
export const maxEvents = 200;

/** The pattern of an id, also for the client and the scripts of the pages, which do not import `catalogue/`. */
export { idPattern } from '../catalogue/id.ts';

/** The three operations of the interface (specification 4). */
export const operations = ['categories', 'genres', 'events'] as const;
export type Operation = (typeof operations)[number];

/** What a client asks: an operation, narrowed by the filters that are given. */
export interface Question {
  readonly operation: Operation;
  readonly category?: string | null;
  readonly genre?: string | null;
}

/** Where version 1 lives below `{base_url}` (specification 9). */
export const root = `api/v${interfaceVersion}`;

/** The folder of a question's documents, relative to `{base_url}`. */
function questionFolder({ category, genre }: Omit<Question, 'operation'>): string {
  return root + (category ? `/category/${category}` : '') + (genre ? `/genre/${genre}` : '');
}

/** The one rule from a question to the path of its document, relative to `{base_url}` (specification 4). */
export function documentPath(question: Question): string {
  return `${questionFolder(question)}/${question.operation}.json`;
}

/** The calendar of a question's events, relative to `{base_url}`: of a genre one, whatever category is given with it. */
export function calendarPath(filters: Omit<Question, 'operation'>): string {
  return `${questionFolder(filters.genre ? { genre: filters.genre } : filters)}/events.ics`;
}

/** The specification's own path of an operation, which a plain host answers unfiltered. */
export function operationPath(operation: Operation): string {
  return `${root}/${operation}`;
}

/** The index document, which describes the service (specification 2.1). */
export const indexPath = `${root}/index.json`;

/** The base URL of a site whose index document has this address as its `documentation`. */
export function baseUrlIn(documentation: string): string {
  return documentation.slice(0, -`/${root}/`.length);
}

/** The file that lists every other file of a site. */
export const manifestPath = 'files.json';

/** What a plain host can be set to answer where there is no file. */
export const notFoundPath = '404.json';

/** The same for people. */
export const notFoundPagePath = '404.html';

/** The description of the interface for programs, relative to `{base_url}`. */
export const openapiPath = `${root}/openapi.json`;
