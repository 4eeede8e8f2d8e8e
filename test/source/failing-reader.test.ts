import { expect, onTestFinished, test, vi } from 'vitest';
import { problemLine } from '../../src/problem/problem.ts';

const reader = '../../src/source/csv/read-table.ts';

test('reports an exception of a reader as a problem of the remote source', async () => {
  vi.resetModules();
  vi.doMock(reader, () => ({
    readTable: () => {
      throw new RangeError('out of\nrange');
    },
  }));
  onTestFinished(() => {
    vi.doUnmock(reader);
    vi.resetModules();
  });
  const { readContent } = await import('../../src/source/remote/content.ts');
  const shown = 'https://example.org/b.csv';
  const content = {
    bytes: Buffer.from('a,b\n'),
    format: 'csv',
    shown,
    stem: 'b',
    name: null,
    url: null,
    now: 0,
  } as const;
  const { problems } = await readContent(content);
  expect(problems.map(problemLine)).toEqual([
    `${shown}:1:1: unexpected error: RangeError: out of\\u000arange; please report it`,
  ]);
});
