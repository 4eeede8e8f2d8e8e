import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { problemLine } from '../../src/problem/problem.ts';
import { sync } from '../../src/source/remote/sync.ts';
import { readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { noTime } from '../setup/timing.ts';
import { listen } from '../setup/host.ts';

vi.mock('../../src/source/csv/read-table.ts', () => ({
  readTable: () => {
    throw new RangeError('out of\nrange');
  },
}));

test('a source whose reader throws is a failed source, and the others are kept', async () => {
  const calendar = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'END:VCALENDAR', ''].join('\r\n');
  const { url, close } = await listen(({ url: path }, response) =>
    response.end(path === '/a.ics' ? calendar : 'a,b\n'),
  );
  onTestFinished(close);
  const data = writeTree(tempFolder(), {
    'service.json': { name: 'Dates', license: 'Free.' },
    'games/category.json': { name: 'Games' },
    'games/chess/genre.json': { name: 'Chess' },
    'games/chess/a.source.json': { source: `${url}/a.ics`, format: 'ics' },
    'games/chess/b.source.json': { source: `${url}/b.csv`, format: 'csv' },
  });
  const options = { data, displayPath: (path: string) => path, now: 0, timeout: 600_000, retries: 0 };
  const { sources } = await sync({ ...options, timing: noTime });
  expect(sources.map(({ status }) => status)).toEqual(['fetched', 'failed']);
  expect(sources[1]?.problems.map(problemLine)).toEqual([
    expect.stringContaining('what it sends is invalid'),
    `${url}/b.csv:1:1: an error that almanac does not know: RangeError: out of\\u000arange; please report it`,
  ]);
  expect([...readTree(join(data, '.cache')).keys()]).toEqual(['games/chess/a.ics', 'sync.json']);
});
