import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The least work of any program that reads a catalogue: it reads and parses every file. */
const [folder = ''] = process.argv.slice(2);
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (entry.isFile() && entry.name.endsWith('.json'))
    JSON.parse(readFileSync(join(entry.parentPath, entry.name), 'utf8'));
}
