import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readDocuments } from './documents.ts';

/** Generates the documents with Node.js alone: nothing is checked, hashed, compared or replaced. */
const [data = '', out = ''] = process.argv.slice(2);
for (const { path, document } of await readDocuments(data)) {
  mkdirSync(dirname(join(out, path)), { recursive: true });
  writeFileSync(join(out, path), JSON.stringify(document));
}
