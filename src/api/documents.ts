import type { z } from 'zod';
import type * as schemas from './schemas.ts';

type Schemas = typeof schemas;
type TypeOf<Name extends keyof Schemas> = z.infer<Extract<Schemas[Name], z.ZodType>>;

/**
 * The types of the documents and records of version 1, inferred from their schemas (specification
 * 2).
 */
export type EventRecord = TypeOf<'eventSchema'>;
export type CategoryRecord = TypeOf<'categorySchema'>;
export type GenreRecord = TypeOf<'genreSchema'>;
export type CategoriesDocument = TypeOf<'categoriesDocumentSchema'>;
export type GenresDocument = TypeOf<'genresDocumentSchema'>;
export type EventsDocument = TypeOf<'eventsDocumentSchema'>;
export type NextDocument = TypeOf<'nextDocumentSchema'>;
export type NowDocument = TypeOf<'nowDocumentSchema'>;
export type AnnouncementRecord = TypeOf<'announcementSchema'>;
export type AnnouncedDocument = TypeOf<'announcedDocumentSchema'>;
export type SubjectsDocument = TypeOf<'subjectsDocumentSchema'>;
export type SubjectRecord = TypeOf<'subjectSchema'>;
export type ListsDocument = TypeOf<'listsDocumentSchema'>;
export type ListRecord = ListsDocument['lists'][number];
export type SubjectDocument = TypeOf<'subjectDocumentSchema'>;
export type ChangesDocument = TypeOf<'changesDocumentSchema'>;
export type ChangeRecord = ChangesDocument['changes'][number];
export type EventFilters = EventsDocument['filters'];
export type IndexDocument = TypeOf<'indexDocumentSchema'>;
export type ProblemDocument = TypeOf<'problemSchema'>;
export type Manifest = TypeOf<'manifestSchema'>;
export type ManifestEntry = Manifest['files'][string];
