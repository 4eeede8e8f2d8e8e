import { expect, test } from 'vitest';
import { doubtfulKeyOf, findSecret } from '../../src/readers/schema/addresses.ts';
import { emptyGenre } from '../setup/build-site.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

const google = 'https://calendar.google.com/calendar/ical/a%40group.calendar.google.com';

test.each([
  [`${google}/private-0123456789/basic.ics`, `${google}/public/basic.ics`],
  [`${google.replace('https', 'webcal')}/private-0123/full.ics?x=1`, `${google}/public/basic.ics`],
  [`${google}/private%2D0123/basic.ics`, `${google}/public/basic.ics`],
  [`${google.replace('/ical/', '/u/0/ical/')}/private-0123`, `${google}/public/basic.ics`],
  [
    'HTTPS://www.Google.com/calendar/feeds/a%40b/private-0123/basic',
    `${google.replace(/\/ical.*/, '/ical/a%40b')}/public/basic.ics`,
  ],
  ['https://example.org/a.ics?x=1;authtoken=abc', null],
  ['https://example.org/a.ics?%74oken=abc', null],
  ['https://example.org/a.ics?X-Amz-Signature=abc', null],
  ['https://example.org/a.ics?client_secret=abc', null],
  ['webcal://user:0123@example.org/a.ics?pwd=abc', null],
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
  'https://example.org/a.json?page_token=2',
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

test('import neither shows nor proposes an address that is a secret', async () => {
  const run = await runAlmanac(['import', `${google}/private-0123/basic.ics`], {
    cwd: tempFolder(),
  });
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).not.toContain('0123');
  expect(run.stderr).toContain(`"source":"${google}/public/basic.ics"`);
});

const sheet = 'https://docs.google.com/spreadsheets/d/';

test.each([
  [`${sheet}1AbC/edit#gid=7`, `${sheet}1AbC/export?format=csv&gid=7`, 'csv'],
  [`${sheet}e/2PACX-a/pubhtml`, `${sheet}e/2PACX-a/pub?output=csv&single=true`, 'csv'],
  [`${google}/private-0123/basic.ics`, `${google}/public/basic.ics`, 'ics'],
  ['webcal://example.org/feed', 'https://example.org/feed', 'ics'],
  ['https://example.org/_data/events.yml', 'https://example.org/_data/events.yml', 'yaml'],
  ['https://example.org/events/', 'https://example.org/events/', 'jsonld'],
])('import of %s names the source to write', async (address, source, format) => {
  const run = await runAlmanac(['import', address, '--into', 'a/b'], { cwd: tempFolder() });
  expect(run.code).toBe(2);
  expect(run.stderr).toContain(JSON.stringify({ source, format }));
  expect(run.stderr).not.toContain('0123');
});

test.each([
  'https://user:0123@example.org/a.csv',
  'https://example.org/a.ics?token=0123',
  'https://www.icloud.com/calendar',
])('import of %s names no source', async (address) => {
  const run = await runAlmanac(['import', address, '--into', 'a/b'], { cwd: tempFolder() });
  expect(run.code).toBe(2);
  expect(run.stderr).not.toMatch(/0123|source\.json/);
});
