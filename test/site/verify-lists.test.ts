import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { lastingFolder, tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';
import { serveByHandler } from '../setup/serve-folder.ts';

const now = '2026-11-20T12:00:00Z';
const cwd = lastingFolder();

beforeAll(async () => {
  writeTree(cwd, {
    'data/service.json': { name: 'S', license: 'Free.', base_url: 'https://example.org' },
    'data/fairs/category.json': { name: 'Fairs' },
    'data/fairs/books/genre.json': { name: 'Books', zone: 'UTC' },
    'data/fairs/books/fair.json': {
      name: 'Fair',
      events: [
        { title: 'Under way', starts: '2026-11-18', ends: '2026-11-21' },
        { title: 'Short', starts: '2026-11-20T11:00', ends: '14:00' },
        { title: 'Begins', starts: '2026-11-20T13:00', ends: '15:00' },
        { title: 'Announced', starts: '2027-Q2' },
      ],
    },
    'data/fairs/food/genre.json': { name: 'Food' },
    'data/fairs/food/market.json': { name: 'Market', events: [{ title: 'Announced', starts: '2027-H1' }] },
  });
  expect(await runAlmanac(['build', '--now', now], { cwd })).toMatchObject({ code: 0, stderr: '' });
});

/** Copies the site, changes a document (or adds a changed copy of `from`) and its entry in the manifest, and verifies it. */
async function verifyForged(
  path: string,
  change: (text: string) => string,
  exitCode = 1,
  from = path,
): Promise<string> {
  const copy = tempFolder();
  cpSync(join(cwd, 'dist'), join(copy, 'dist'), { recursive: true });
  const file = join(copy, 'dist', path);
  const text = change(readFileSync(join(copy, 'dist', from), 'utf8'));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  const manifestPath = join(copy, 'dist/files.json');
  const manifest = JSON.parse(readFileSync(manifestPath, 'utf8')) as { files: Record<string, object> };
  manifest.files[path] = { bytes: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') };
  writeFileSync(manifestPath, `${JSON.stringify(manifest)}\n`);
  const { code, stderr } = await runAlmanac(['verify', 'dist'], { cwd: copy });
  expect(code).toBe(exitCode);
  return stderr;
}

test('accepts a site with events under way and announcements, also from a host some hours later', async () => {
  expect(await runAlmanac(['verify', 'dist'], { cwd })).toMatchObject({ code: 0, stderr: '' });
  for (const later of ['2026-11-20T13:30:00Z', '2026-11-20T14:30:00Z', '2026-12-01T00:00:00Z']) {
    const address = await serveByHandler(join(cwd, 'dist'), () => Date.parse(later));
    const run = await runAlmanac(['verify', address, '--now', later], { cwd });
    expect([later, run.code, run.stderr]).toEqual([later, 0, '']);
  }
});

const books = 'api/v1/genre/books-fairs';
const backwards = (text: string): string =>
  text.replaceAll('"ends_at":"2026-11-20T15:00:00.000Z"', '"ends_at":"2026-11-20T12:30:00.000Z"');
/** Changes the lines of a file. */
const lines =
  (change: (lines: string[]) => string[]) =>
  (text: string): string =>
    `${change(text.split('\n').slice(0, -1)).join('\n')}\n`;
/** Reverses a list in a document. */
const reverse =
  (name: string) =>
  (text: string): string => {
    const document = JSON.parse(text) as Record<string, unknown[]>;
    return `${JSON.stringify({ ...document, [name]: document[name]?.toReversed() })}\n`;
  };
/** Returns a log of two changes, seen at these times. */
const log = (since: string, ...times: string[]): string => {
  const [subject, event] = [
    { id: 'fair', name: 'Fair' },
    { title: 'Off', genre: 'books-fairs', category: 'fairs' },
  ];
  const changes = times.map((at, index) => {
    return { at, kind: 'added', id: `books-fairs/fair/${index}`, subject, ...event, before: null, after: {} };
  });
  return `${JSON.stringify({ since, changes })}\n`;
};
const [earlier, later] = ['2026-11-18T12:00:00.000Z', '2026-11-19T12:00:00.000Z'];

test.each<[string, string, (text: string) => string, string]>([
  [
    'a lower total',
    'api/v1/now.json',
    (text) => text.replace('"total":2', '"total":1'),
    ':1:1: found 2 as the number of records; expected 1, by total and limit; build the site again',
  ],
  [
    'another limit',
    'api/v1/announced.json',
    (text) => text.replace('"limit":200', '"limit":20'),
    ':1:1: found the limit 20; expected 200; build the site again',
  ],
  [
    'a missing end',
    `${books}/now.json`,
    (text) => text.replace(/"over_at":"[^"]+"/, '"over_at":null'),
    ':1:1: found books-fairs/fair/short, which has no end; expected only events under way; build the site again',
  ],
  [
    'other filters',
    'api/v1/category/fairs/now.json',
    (text) => text.replace('"category":"fairs"}', '"category":null}'),
    ':1:1: found the filters {"genre":null,"category":null}; expected those of api/v1/category/fairs; build the site again',
  ],
  [
    'another genre',
    'api/v1/genre/food-fairs/announced.json',
    (text) => text.replace('"genre":"food-fairs","category":"fairs","', '"genre":"books-fairs","category":"fairs","'),
    ':1:1: found food-fairs/market/announced of the genre books-fairs and the category fairs; ' +
      'expected those of api/v1/genre/food-fairs; build the site again',
  ],
  [
    'an event that ends before it starts',
    `${books}/events.json`,
    backwards,
    ':1:1: found books-fairs/fair/begins, which ends before it starts; build the site again',
  ],
  [
    'a line with an event that ends before it starts',
    'api/v1/events.ndjson',
    backwards,
    ':3:1: found books-fairs/fair/begins, which ends before it starts; build the site again',
  ],
  [
    'a line that does not fit its schema',
    `${books}/events.ndjson`,
    lines(([first = '', second = '', ...rest]) => [first, second.replace('"minute"', '"year"'), ...rest]),
    ':2:1: found precision that does not match its schema',
  ],
  [
    'a line that is not JSON',
    'api/v1/category/fairs/events.ndjson',
    lines(([first = '', , ...rest]) => [first, '{', ...rest]),
    ':2:1: found a document that does not match its schema',
  ],
  [
    'lines in another order',
    'api/v1/events.ndjson',
    lines((all) => all.toReversed()),
    ':2:1: found books-fairs/fair/short after books-fairs/fair/begins; ' +
      'expected the order of genre, starts_at, then id; build the site again',
  ],
  [
    'the same line twice',
    `${books}/events.ndjson`,
    lines(([first = '', ...rest]) => [first, first, ...rest]),
    ':2:1: found books-fairs/fair/under-way after books-fairs/fair/under-way; expected the order of',
  ],
  [
    'a missing line',
    `${books}/events.ndjson`,
    lines((all) => all.slice(1)),
    ':1:1: found 2 as the number of lines; expected 3, from other documents; build the site again',
  ],
  [
    'a line of another genre',
    'api/v1/genre/food-fairs/events.ndjson',
    () => readFileSync(join(cwd, 'dist', books, 'events.ndjson'), 'utf8'),
    ':1:1: found books-fairs/fair/under-way of the genre books-fairs and the category fairs; expected those of',
  ],
  [
    'a window that ends before it begins',
    'api/v1/announced.json',
    (text) => text.replace('"until":"2027-06-30"', '"until":"2027-03-31"'),
    ':1:1: found books-fairs/fair/announced, which ends before it starts; build the site again',
  ],
  [
    'genres in another order',
    'api/v1/genres.json',
    reverse('genres'),
    ':1:1: found books-fairs after food-fairs; expected the order of id; build the site again',
  ],
  [
    'subjects in another order',
    'api/v1/subjects.json',
    reverse('subjects'),
    ':1:1: found fair after market; expected the order of genre, then id; build the site again',
  ],
  [
    'a change before the log begins',
    'api/v1/changes.json',
    () => log(later, earlier),
    `:1:1: found the change of books-fairs/fair/0 at ${earlier}; ` +
      `expected a time from ${later} on, as since says; build the site again`,
  ],
  [
    'an older change before a newer one',
    'api/v1/changes.json',
    () => log(earlier, earlier, later),
    ':1:1: found books-fairs/fair/1 after books-fairs/fair/0; expected the order of at, newest first; build the site again',
  ],
])('reports %s', async (_, path, change, problem) => {
  expect(await verifyForged(path, change)).toContain(`dist/${path}${problem}`);
});

test('accepts a log of changes that were seen at the same time, and by a clock that is slow by half a minute', async () => {
  const half = '2026-11-19T11:59:30.000Z';
  expect(await verifyForged('api/v1/changes.json', () => log(later, later, later, half), 0)).toBe('');
});

test('reads a file with an event on each line block by block, up to the line that is wrong', async () => {
  const [event = ''] = readFileSync(join(cwd, 'dist', books, 'events.ndjson'), 'utf8').split('\n');
  const title = 'x'.repeat(1_000_000);
  const ids = Array.from({ length: 18 }, (_, index) => `books-fairs/fair/${index + 10}`);
  const large = ids.map((id) => `${JSON.stringify({ ...(JSON.parse(event) as object), id, title })}\n`);
  const path = `${books}/events.ndjson`;
  expect(await verifyForged(path, () => large.join(''))).toContain(':1:1: found 18 as the number of lines');
  expect(await verifyForged(path, () => `${large.join('')}{}\n`)).toContain(':19:1: found id that does not match');
  expect(await verifyForged(path, () => 'x'.repeat(3_000_000))).toContain(':1:1: found a line of more than 1,048,576');
});

test('reports a list of a genre that does not exist', async () => {
  const rename = (text: string): string => text.replaceAll('food-fairs', 'drink-fairs');
  const found = await verifyForged('api/v1/genre/drink-fairs/now.json', rename, 1, 'api/v1/genre/food-fairs/now.json');
  expect(found).toMatch(/drink-fairs\/now\.json.*files\.json/);
});
