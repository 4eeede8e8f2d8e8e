import { expect, test, vi } from 'vitest';
import { problemLine } from '../../src/problem/problem.ts';
import { readContent } from '../../src/source/remote/content.ts';

vi.mock('../../src/source/csv/read-table.ts', () => ({
  readTable: () => {
    throw new RangeError('out of\nrange');
  },
}));

test('reports an exception of a reader as a problem of the remote source', async () => {
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
    `${shown}:1:1: an unexpected error: RangeError: out of\\u000arange; please report it`,
  ]);
});
