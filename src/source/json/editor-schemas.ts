import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import * as schemas from './schemas.ts';

/** The JSON Schemas of the source files by the name of the file they are for, as text: what an editor completes and checks with. */
export function editorSchemas(): ReadonlyMap<string, string> {
  const files = Object.entries(schemas).filter(([, schema]) => schema !== schemas.eventSchema);
  return new Map(files.map(([name, schema]) => [name.replace(/Schema$/, ''), textOf(schema)]));
}

/** Writes every schema into `folder`, as `{name}.schema.json`. Returns their paths. Throws what the file system refuses. */
export function writeEditorSchemas(folder: string): readonly string[] {
  mkdirSync(folder, { recursive: true });
  return Array.from(editorSchemas(), ([name, text]) => {
    const path = join(folder, `${name}.schema.json`);
    writeFileSync(path, text);
    return path;
  });
}

/** Draft 7 is the newest that editors know whole. */
function textOf(schema: z.ZodType): string {
  return `${JSON.stringify(z.toJSONSchema(schema, { target: 'draft-7' }), null, 2)}\n`;
}
