import { join } from 'node:path';
import type { Tree } from '../setup/folders.ts';
import { readSections } from '../setup/sections.ts';

/** The time of the build and of the readers. */
export const now = '2026-11-20T12:00:00Z';

export const hostile = {
  image: '<img src=x onerror="document.title=\'pwned\'">',
  script: '</script><script>document.title="pwned"</script>',
  // A right-to-left override, which may affect the rest of the line.
  override: 'Final \u202Egnp.exe',
  entity: '&lt;b&gt; "quoted" \'single\' & done',
};

const day = 24 * 3600_000;

/** Reads a data folder from a text. Its files are JSON. */
export function catalogueIn(file: string): Tree {
  const sections = readSections(join(import.meta.dirname, '../fixtures', file));
  return Object.fromEntries(Array.from(sections, ([path, text]) => [path, JSON.parse(text)]));
}

/** A catalogue with difficult cases: few events, a capped list, hostile titles. */
export const catalogue: Tree = {
  ...catalogueIn('pages-catalogue.txt'),
  'space/passes/station.json': {
    name: 'Station',
    events: Array.from({ length: 230 }, (_, n) => ({
      title: `Pass ${n + 1}`,
      starts:
        new Date(Date.parse('2027-01-01T06:00:00Z') + n * day).toISOString().slice(0, 16) + 'Z',
      zone: 'UTC',
    })),
  },
  'tricks/titles/hostile.json': {
    name: '<svg onload=alert(1)>',
    events: Object.entries(hostile).map(([id, title]) => ({ id, title, starts: '2026-12-24' })),
  },
};
