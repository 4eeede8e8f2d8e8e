import { readFileSync } from 'node:fs';

/** The text of a file that was bundled when almanac was compiled: the handler alone, or what runs it. */
export function readBundle(name: 'handler' | 'worker' | 'node-server'): string {
  return readFileSync(new URL(`../../lib/server/bundle/${name}.js`, import.meta.url), 'utf8');
}
