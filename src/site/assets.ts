import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { SiteFile } from './site-file.ts';

/** What the pages load: bundled from src/browser/ when the program is compiled. */
const names = ['style.css', 'icon.svg', 'browse.js', 'reference.js'] as const;

/** The files below `assets/`, as compiled. */
export function readAssets(): SiteFile[] {
  const folder = fileURLToPath(new URL('../../lib/site/assets/', import.meta.url));
  return names.map((name) => ({ path: `assets/${name}`, content: readFileSync(folder + name, 'utf8') }));
}
