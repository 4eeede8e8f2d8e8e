import { expect, test } from 'vitest';
import { doubtfulKeyOf, findSecret } from '../../src/readers/schema/addresses.ts';
import { emptyGenre } from '../setup/build-site.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

const google = 'https://calendar.google.com/calendar/ical/a%40group.calendar.google.com';

test.each([
  [`${google}/private-0123456789/basic.ics`, `${google}/public/basic.ics`],
  ['https://example.org/a.ics?x=1&token=abc', null],
  ['https://example.org/a.ics?ACCESS_TOKEN=abc', null],
  ['https://example.org/a.ics?auth=abc#part', null],
])('%s is a secret', (address, proposal) => {
  const problem = findSecret(address);
  expect(problem).toMatchObject({ code: 'secret-address', proposal });
  expect(problem?.address).not.toMatch(/abc|0123/);
});

test.each([
  `${google}/public/basic.ics`,
  'https://example.org/token/a.ics?tokens=1&author=x',
  'https://example.org/a.ics#token=abc',
])('%s is none', (address) => {
  expect(findSecret(address)).toBeNull();
});

test('a key in an address is a warning', async () => {
  expect(doubtfulKeyOf('https://example.org/a.ics?apikey=1')).toBe('apikey');
  const source = { source: 'https://example.org/a.ics?key=abc', format: 'ics' };
  const tree = { ...emptyGenre('data/games/chess'), 'data/games/chess/a.source.json': source };
  const cwd = writeTree(tempFolder(), tree);
  const { stdout } = await runAlmanac(['check', '--json', '--now', '2026-11-20T12:17:00Z'], {
    cwd,
  });
  const { warnings } = JSON.parse(stdout) as { warnings: { code: string }[] };
  expect(warnings.map(({ code }) => code)).toContain('key-in-address');
});
