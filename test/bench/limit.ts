import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reads and parses every file: the minimum work of any program that reads a catalogue. */
const [folder = ''] = process.argv.slice(2);
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (entry.isFile() && entry.name.endsWith('.json'))
    JSON.parse(readFileSync(join(entry.parentPath, entry.name), 'utf8'));
}
