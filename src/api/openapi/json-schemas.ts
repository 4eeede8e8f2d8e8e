import * as z from 'zod';
import { schemas, type SchemaName } from '../schemas.ts';

/**
 * The published schemas as JSON Schema. `src/compile.ts` replaces this by its value: zod loads
 * slowly.
 */
export const jsonSchemas: Readonly<Record<SchemaName, object>> = toJsonSchemas();

function toJsonSchemas(): Record<SchemaName, object> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const converted = z.toJSONSchema(registry, {
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ jsonSchema }) => {
      // Version 1 may gain fields, and counts have no maximum.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // Only JavaScript literals need escaped slashes. Some generators of clients cannot read
      // escaped ones.
      if (jsonSchema.pattern !== undefined)
        jsonSchema.pattern = jsonSchema.pattern.replaceAll('\\/', '/');
    },
  });
  // In an OpenAPI document, a schema is found by its key.
  for (const schema of Object.values(converted.schemas)) {
    delete schema.$schema;
    delete schema.$id;
  }
  return converted.schemas;
}
