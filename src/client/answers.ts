import type {
  AnnouncedDocument,
  CategoriesDocument,
  EventFilters,
  EventRecord,
  EventsDocument,
  GenresDocument,
  IndexDocument,
  NowDocument,
  SubjectsDocument,
} from '../api/documents.ts';
import { interfaceVersion } from '../api/paths.ts';

/*
 * Whether a document answers a question. A host that ignores queries, or one with errors, may send another document, so
 * no field is taken for granted.
 */

/** Whether a document is the index of this version of the interface (specification 2.1). */
export function isIndex({ version, catalogue }: IndexDocument): boolean {
  return version === interfaceVersion && !!catalogue;
}

/** Whether a document lists categories. */
export function hasCategories({ categories }: CategoriesDocument): boolean {
  return Array.isArray(categories);
}

/** Returns whether a document lists the genres of a category, or all genres for null. */
export function hasGenresOf(category: string | null): (document: GenresDocument) => boolean {
  return ({ genres, filters }) => Array.isArray(genres) && isSameFilter(filters?.category, category);
}

/** Returns whether a document lists the upcoming events of these filters. */
export function hasEventsOf(filters: EventFilters): (document: EventsDocument) => boolean {
  return (document) => isListOf(document, document.events, filters) && document.events.every(hasExpiry);
}

/** Returns whether a document lists the subjects of these filters. */
export function hasSubjectsOf({ genre, category }: EventFilters): (document: SubjectsDocument) => boolean {
  return ({ filters, subjects }) =>
    Array.isArray(subjects) && isSameFilter(filters?.genre, genre) && isSameFilter(filters?.category, category);
}

/** Whether a document is a list with these filters. */
export function isListOf(
  { filters, limit, total }: NowDocument | AnnouncedDocument,
  records: unknown,
  { genre, category }: EventFilters,
): boolean {
  return (
    isSameFilter(filters?.genre, genre) &&
    isSameFilter(filters?.category, category) &&
    Array.isArray(records) &&
    Number.isInteger(limit) &&
    limit >= Math.max(1, records.length) &&
    Number.isInteger(total) &&
    total >= records.length
  );
}

function hasExpiry(event: EventRecord | null): boolean {
  return typeof event?.upcoming_until === 'string' && !Number.isNaN(Date.parse(event.upcoming_until));
}

function isSameFilter(answered: string | null | undefined, asked: string | null): boolean {
  return answered === (asked || null);
}
