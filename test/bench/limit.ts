import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The least that any reader of a catalogue does: read and parse every file of it. */
const [folder = ''] = process.argv.slice(2);
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (entry.isFile() && entry.name.endsWith('.json'))
    JSON.parse(readFileSync(join(entry.parentPath, entry.name), 'utf8'));
}
