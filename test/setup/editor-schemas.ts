import { z } from 'zod';
import { sourceSchemas } from '../../src/readers/schema/source-schemas.ts';

/**
 * Returns the JSON Schema of each kind of source file as text, for editors. Draft 7 is the newest
 * that all support.
 */
export function editorSchemas(): ReadonlyMap<string, string> {
  const toText = (schema: z.ZodType): string =>
    `${JSON.stringify(z.toJSONSchema(schema, { target: 'draft-7' }), null, 2)}\n`;
  return new Map(Object.entries(sourceSchemas).map(([kind, schema]) => [kind, toText(schema)]));
}
