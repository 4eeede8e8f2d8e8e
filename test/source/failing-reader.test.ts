import { hash } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { problemLine } from '../../src/problem/problem.ts';
import { emptyGenre } from '../setup/build-site.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';

const reader = '../../src/source/csv/read-table.ts';

beforeEach(() => {
  vi.resetModules();
  vi.doMock(reader, () => ({
    readTable: () => {
      throw new RangeError('out of\nrange');
    },
  }));
});

afterEach(() => {
  vi.doUnmock(reader);
  vi.resetModules();
});

test('reports an exception of a reader as a problem of the remote source', async () => {
  const { readContent } = await import('../../src/source/remote/sync.ts');
  const shown = 'https://example.org/b.csv';
  const remote = { path: 'b.source.json', source: { source: shown, format: 'csv' } } as const;
  const { problems } = await readContent(Buffer.from('a,b\n'), remote, 0);
  expect(problems.map(problemLine)).toEqual([
    `${shown}:1:1: unexpected error: RangeError: out of\\u000arange; please report it`,
  ]);
});

test('a build leaves out a remote source whose reader fails, with a warning', async () => {
  const copy = 'subject,title,starts\n';
  const source = { source: 'https://example.org/b.csv', format: 'csv' };
  const at = '2026-11-20T12:17:00.000Z';
  const known = { etag: null, last_modified: null, sha256: hash('sha256', copy), good_at: at, failure: null };
  const data = writeTree(tempFolder(), {
    ...emptyGenre('tv/drama'),
    'tv/drama/b.source.json': source,
    'tv/drama/c.json': { name: 'C', events: [] },
    '.cache/tv/drama/b.csv': copy,
    '.cache/sync.json': {
      last_sync: at,
      first_run: at,
      sources: { 'tv/drama/b.source.json': { url: source.source, ...known } },
    },
  });
  const { openData } = await import('../../src/source/data.ts');
  const folder = openData({ data, displayPath: (path) => path, now: Date.parse(at) });
  for (const genre of folder.genres) expect((await folder.readGenre(genre)).members.length).toBe(2);
  const { problems, warnings } = folder.found();
  expect([problems, warnings.map(problemLine)]).toEqual([
    [],
    [
      'tv/drama/b.source.json:1:1: could not use the copy of "https://example.org/b.csv": ' +
        'out of\\u000arange; its subject has no events until that is fixed',
    ],
  ]);
});
