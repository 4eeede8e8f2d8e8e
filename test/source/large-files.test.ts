import { expect, test } from 'vitest';
import { check } from '../../src/builder/check.ts';
import { emptyGenre } from '../setup/build-site.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';

// Time and memory have limits in test/faults/large-files.test.ts.
const events = (count: number): string =>
  [
    'BEGIN:VCALENDAR',
    ...Array.from({ length: count }, () => 'BEGIN:VEVENT\r\nEND:VEVENT'),
    'END:VCALENDAR',
    '',
  ].join('\r\n');

test.each([
  ['s.json', 'white space', ' '.repeat(5_000_000), 'too-large-to-explain'],
  ['s.ics', 'events', events(190_000), 'too-many-events'],
])('reports one problem for a file %s that is too large with %s', async (file, _, text, code) => {
  expect((await checkFile(file, text)).map((problem) => problem.code)).toEqual([code]);
});

test('reports at most a thousand problems, and that there are more', async () => {
  const problems = await checkFile('s.json', `{"name":"S","events":[${'1,'.repeat(2000)}1]}`);
  expect(problems).toHaveLength(1001);
  expect(problems).toContainEqual(expect.objectContaining({ code: 'more-problems' }));
});

async function checkFile(file: string, text: string) {
  const data = writeTree(tempFolder(), {
    ...emptyGenre('tv/drama'),
    [`tv/drama/${file}`]: text,
  });
  const now = Date.parse('2026-11-20T12:17:00Z');
  return (await check({ data, displayPath: (path) => path, baseUrl: null, now })).problems;
}
