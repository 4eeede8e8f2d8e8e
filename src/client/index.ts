/** The typed client of interface version 1, for browsers, Node, workers and Deno. */
export { createClient, type Asking, type Client, type ClientOptions, type EventsQuestion } from './client.ts';
export { ClientError, type ClientErrorCode } from './error.ts';
export { renderWhen, type Timed } from './render-when.ts';
export { isUpcoming } from './upcoming.ts';
export type {
  CategoriesDocument,
  CategoryRecord,
  EventRecord,
  EventsDocument,
  GenreRecord,
  GenresDocument,
  IndexDocument,
} from '../api/documents.ts';
