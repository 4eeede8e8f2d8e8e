import type { z } from 'zod';
import * as schemas from '../../src/api/schemas.ts';

/**
 * The schema of each published JSON document, by its path. A golden site holds the documents that
 * have a row here.
 */
const rows: readonly (readonly [RegExp, z.ZodType])[] = [
  [/^api\/v1\/index\.json$/, schemas.indexDocumentSchema],
  [/^api\/v1\/categories(\.json)?$/, schemas.categoriesDocumentSchema],
  [/^api\/v1\/genres(\.json)?$/, schemas.genresDocumentSchema],
  [/^api\/v1\/category\/[^/]+\/genres\.json$/, schemas.genresDocumentSchema],
  [/^api\/v1\/events(\.json)?$/, schemas.eventsDocumentSchema],
  [/^api\/v1\/(category\/[^/]+\/)?(genre\/[^/]+\/)?events\.json$/, schemas.eventsDocumentSchema],
  [/^api\/v1\/((category|genre)\/[^/]+\/)?subjects\.json$/, schemas.subjectsDocumentSchema],
  [/^api\/v1\/((category|genre)\/[^/]+\/)?now\.json$/, schemas.nowDocumentSchema],
  [/^api\/v1\/((category|genre)\/[^/]+\/)?announced\.json$/, schemas.announcedDocumentSchema],
  [/^404\.json$/, schemas.problemSchema],
  [/^files\.json$/, schemas.manifestSchema],
];

/**
 * Returns the schema of a published file, or null if it is not a JSON document of interface version
 * 1.
 */
export function schemaOf(path: string): z.ZodType | null {
  return rows.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}
