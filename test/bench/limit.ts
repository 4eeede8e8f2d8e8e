import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reads and parses every file: the minimum work of any program that reads a catalogue. */
const [folder = ''] = process.argv.slice(2);
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath, entry.name);
  if (entry.name.endsWith('.json')) JSON.parse(readFileSync(path, 'utf8'));
  else if (entry.name.endsWith('.csv')) for (const row of readFileSync(path, 'utf8').split('\n')) row.split(',');
}
