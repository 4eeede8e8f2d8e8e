import { expect, onTestFinished, test, vi } from 'vitest';
import { problemLine } from '../../src/problem/problem.ts';

test('reports an exception of a reader as a problem of the remote source', async () => {
  const reader = '../../src/readers/table/read-table.ts';
  const readTable = (): never => {
    throw new RangeError('out of\nrange');
  };
  vi.resetModules();
  vi.doMock(reader, () => ({ readTable }));
  onTestFinished(() => {
    vi.doUnmock(reader);
    vi.resetModules();
  });
  const { readContent } = await import('../../src/source/remote/sync.ts');
  const shown = 'https://example.org/b.csv';
  const remote = { path: 'b.source.json', source: { source: shown, format: 'csv' } } as const;
  const { problems } = await readContent(Buffer.from('a,b\n'), remote, { now: 0 });
  expect(problems.map(problemLine)).toEqual([
    `${shown}:1:1: unexpected error: RangeError: out of\\u000arange; please report it`,
  ]);
});
