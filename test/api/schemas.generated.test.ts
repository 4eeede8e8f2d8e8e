import { format, resolveConfig } from 'prettier';
import { expect, test } from 'vitest';
import { z } from 'zod';
import * as schemas from '../../src/api/schemas.ts';

const generated = '../../src/api/schemas.generated.ts';

/** The names that the published schemas have. */
const names: Readonly<Record<string, z.ZodType>> = {
  Index: schemas.indexDocumentSchema,
  Categories: schemas.categoriesDocumentSchema,
  Category: schemas.categorySchema,
  Genres: schemas.genresDocumentSchema,
  Genre: schemas.genreSchema,
  Events: schemas.eventsDocumentSchema,
  Event: schemas.eventSchema,
  Problem: schemas.problemSchema,
  Inventory: schemas.manifestSchema,
};

/** Inside of OpenAPI a schema has its name from its place. */
const unnamed = { $schema: undefined, $id: undefined };

/** `npm run generate` writes the file; zod takes longer to start than a small catalogue takes to build. */
test('the published schemas are those that the documents are typed and checked by', async () => {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(names)) registry.add(schema, { id });
  const { schemas: published } = z.toJSONSchema(registry, {
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ jsonSchema }) => {
      // Version 1 may gain fields, and an integer is as large as it is.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  const plain = Object.fromEntries(Object.entries(published).map(([id, schema]) => [id, { ...schema, ...unnamed }]));
  const text =
    '/** The schemas of the published documents, as JSON Schema. Written by `npm run generate` from schemas.ts. */\n' +
    `export const documentSchemas = ${JSON.stringify(plain)} as const;\n`;
  const options = await resolveConfig('src/api/schemas.generated.ts');
  await expect(await format(text, { ...options, parser: 'typescript' })).toMatchFileSnapshot(generated);
});
