/** The typed client of interface version 1, for browsers, Node.js, workers, Deno and Bun. */
export {
  createClient,
  isUpcoming,
  type Asking,
  type Client,
  type EventsQuestion,
  type ListKind,
  type ListQuestion,
} from './client.ts';
export type { Entry } from './entries.ts';
export { ClientError, type ClientErrorCode, type ClientOptions } from './request.ts';
export type {
  AnnouncedDocument,
  AnnouncementRecord,
  CategoriesDocument,
  CategoryRecord,
  ChangeRecord,
  ChangesDocument,
  EventRecord,
  EventsDocument,
  GenreRecord,
  GenresDocument,
  IndexDocument,
  ListRecord,
  ListsDocument,
  NextDocument,
  NowDocument,
  SubjectDocument,
  SubjectRecord,
  SubjectsDocument,
} from '../api/documents.ts';
