import type { z } from 'zod';
import * as schemas from '../../src/api/schemas.ts';

/**
 * Which schema a published JSON document has, by its path. Golden trees hold exactly what has a row here (and
 * `.nojekyll`), save the inventory, whose hashes cover every other file of a site: widen both here.
 */
const rows: readonly (readonly [RegExp, z.ZodType])[] = [
  [/^api\/v1\/index\.json$/, schemas.indexDocumentSchema],
  [/^api\/v1\/categories(\.json)?$/, schemas.categoriesDocumentSchema],
  [/^api\/v1\/genres(\.json)?$/, schemas.genresDocumentSchema],
  [/^api\/v1\/category\/[^/]+\/genres\.json$/, schemas.genresDocumentSchema],
  [/^api\/v1\/events(\.json)?$/, schemas.eventsDocumentSchema],
  [/^api\/v1\/(category\/[^/]+\/)?(genre\/[^/]+\/)?events\.json$/, schemas.eventsDocumentSchema],
  [/^404\.json$/, schemas.problemSchema],
  [/^files\.json$/, schemas.manifestSchema],
];

/** The schema of a published file; null where it is no JSON document of interface version 1. */
export function schemaOf(path: string): z.ZodType | null {
  return rows.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}

/** Whether a golden tree holds a file of a site. */
export function isGolden(path: string): boolean {
  return path === '.nojekyll' || (path !== 'files.json' && schemaOf(path) !== null);
}
