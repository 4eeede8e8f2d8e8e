import type { z } from 'zod';
import type * as schemas from './schemas.ts';

/**
 * The types of the documents and records of version 1, inferred from their schemas (specification
 * 2).
 */
export type EventRecord = z.infer<typeof schemas.eventSchema>;
export type CategoryRecord = z.infer<typeof schemas.categorySchema>;
export type GenreRecord = z.infer<typeof schemas.genreSchema>;
export type CategoriesDocument = z.infer<typeof schemas.categoriesDocumentSchema>;
export type GenresDocument = z.infer<typeof schemas.genresDocumentSchema>;
export type EventsDocument = z.infer<typeof schemas.eventsDocumentSchema>;
export type NextDocument = z.infer<typeof schemas.nextDocumentSchema>;
export type NowDocument = z.infer<typeof schemas.nowDocumentSchema>;
export type AnnouncementRecord = z.infer<typeof schemas.announcementSchema>;
export type AnnouncedDocument = z.infer<typeof schemas.announcedDocumentSchema>;
export type SubjectsDocument = z.infer<typeof schemas.subjectsDocumentSchema>;
export type SubjectRecord = z.infer<typeof schemas.subjectSchema>;
export type ListsDocument = z.infer<typeof schemas.listsDocumentSchema>;
export type ListRecord = ListsDocument['lists'][number];
export type SubjectDocument = z.infer<typeof schemas.subjectDocumentSchema>;
export type ChangesDocument = z.infer<typeof schemas.changesDocumentSchema>;
export type ChangeRecord = ChangesDocument['changes'][number];
export type EventFilters = EventsDocument['filters'];
export type IndexDocument = z.infer<typeof schemas.indexDocumentSchema>;
export type ProblemDocument = z.infer<typeof schemas.problemSchema>;
export type Manifest = z.infer<typeof schemas.manifestSchema>;
export type ManifestEntry = Manifest['files'][string];
