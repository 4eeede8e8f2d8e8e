import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Manifest } from '../../src/api/documents.ts';
import { baseUrl, catalogueIn, now, type Size } from './catalogue.ts';
import { measure } from './measure.ts';
import { formatCount, machine, table } from './report.ts';

/** Files that are written for each scope or pair, by their names; all others are one row. */
const perScope = new Set(
  'events.json next.json now.json announced.json subjects.json genres.json events.ics feed.xml events.ndjson events.csv'.split(
    ' ',
  ),
);

/** Counts the files and bytes of each format in the sites of catalogues of several sizes. Returns the report. */
export function benchFormats(cache: string, sizes: readonly Size[]): string {
  const catalogues = [
    { name: 'starter', data: resolve('data') },
    ...sizes.map((size) => ({ name: formatCount(size.events), data: catalogueIn(cache, size) })),
  ];
  const columns = catalogues.map(({ data }) => sizesOf(cache, data));
  const names = [...new Set(columns.flatMap((column) => [...column.keys()]))];
  const rows = names.map((name) => [
    name,
    ...columns.flatMap((column) => {
      const { files, bytes } = column.get(name) ?? { files: 0, bytes: 0 };
      return [formatCount(files), (bytes / 1e6).toFixed(1)];
    }),
  ]);
  const head = ['', ...catalogues.flatMap(({ name }) => [`${name}: files`, 'MB'])];
  return `${table(head, rows)}${machine()}.`;
}

interface FormatSize {
  readonly files: number;
  readonly bytes: number;
}

/** Returns the files and bytes of each format of a site, the largest first, and of the whole site. */
function sizesOf(cache: string, data: string): Map<string, FormatSize> {
  const scratch = mkdtempSync(join(cache, 'formats-'));
  try {
    const out = join(scratch, 'site');
    const args = ['build', '--quiet', '--no-flush', '--data', data, '--out', out, '--now', now, '--base-url', baseUrl];
    measure({ program: process.execPath, args: [resolve('lib/bin/main.js'), ...args] });
    const { files } = JSON.parse(readFileSync(join(out, 'files.json'), 'utf8')) as Manifest;
    const sizes = new Map<string, FormatSize>();
    for (const [path, { bytes }] of Object.entries(files)) {
      for (const name of [nameOf(path), 'all']) {
        const { files: count, bytes: sum } = sizes.get(name) ?? { files: 0, bytes: 0 };
        sizes.set(name, { files: count + 1, bytes: sum + bytes });
      }
    }
    return new Map([...sizes].sort(([, a], [, b]) => b.bytes - a.bytes));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function nameOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name.endsWith('.html')) return 'pages';
  if (!perScope.has(name)) return 'everything else';
  const [, list] = /^api\/v1\/(month|country|tag|collection)\//.exec(path) ?? [];
  if (list !== undefined) return `lists: ${list}`;
  return /\/category\/[^/]+\/genre\//.test(path) ? `${name} of pairs` : name;
}
