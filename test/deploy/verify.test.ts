import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildSite } from '../setup/build-site.ts';
import { tempFolder } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';
import { serveByHandler, serveFolder } from '../setup/serve-folder.ts';

const now = '2026-11-20T12:17:00Z';
const many = Object.fromEntries(
  Array.from({ length: 150 }, (_, day) => [`Day ${day}`, { starts: `2027-01-15T12:00Z` }]),
);
const events = {
  'tv/drama/severance': { 'Season 3': '2027-01-15', Finale: { starts: '2027-03-19T21:00', zone: 'America/New_York' } },
  'tv/daily/show': many,
  'tv/hourly/show': many,
  'space/moon/moon': {},
};

// oxlint-disable-next-line typescript/no-explicit-any -- documents are spoilt in every way
type Json = Record<string, any>;

/** Changes a document and puts its new hash into the inventory, so that only its content can give it away. */
function forge(dist: string, path: string, change: (document: Json) => void): void {
  const document = JSON.parse(readFileSync(join(dist, path), 'utf8')) as Json;
  change(document);
  const bytes = Buffer.from(`${JSON.stringify(document)}\n`);
  writeFileSync(join(dist, path), bytes);
  const inventory = JSON.parse(readFileSync(join(dist, 'files.json'), 'utf8')) as Json;
  inventory['files'][path] = { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  writeFileSync(join(dist, 'files.json'), JSON.stringify(inventory));
}

async function verify(at: string, time?: number): Promise<{ code: number | null; codes: string[]; files: string[] }> {
  const clock = time === undefined ? [] : ['--now', new Date(time).toISOString()];
  const { code, stdout, stderr } = await runAlmanac(['verify', at, '--json', ...clock], { cwd: tempFolder() });
  expect(stderr).toBe('');
  const { problems = [] } = JSON.parse(stdout) as { problems?: { code: string; file: string }[] };
  return {
    code,
    codes: [...new Set(problems.map((problem) => problem.code))],
    files: [...new Set(problems.map(({ file }) => file?.slice(at.length + 1)))],
  };
}

test('a site that was just built is whole, in a folder and on a host', async () => {
  const dist = await buildSite(events, now);
  expect(await verify(dist)).toEqual({ code: 0, codes: [], files: [] });
  expect(await verify(await serveFolder(dist))).toEqual({ code: 0, codes: [], files: [] });
});

const genre = 'api/v1/genre/drama-tv/events.json';
const category = 'api/v1/category/tv/events.json';

const passing = {
  ...events,
  // Nowhere is a date over sooner.
  'tv/drama/new-year': { Fireworks: { starts: '2027-01-01', zone: 'Pacific/Kiritimati' } },
  'tv/daily/show': Object.fromEntries(
    Array.from({ length: 250 }, (_, day) => [
      `Day ${day}`,
      new Date(Date.UTC(2027, 0, 1 + day, 12)).toISOString().slice(0, 16) + 'Z',
    ]),
  ),
};

const dates = ['2027-01-01T10:00:00Z', '2027-01-17T12:00:00Z', '2027-01-16T00:00:00Z', '2030-01-01T00:00:00Z'];
test.each(dates)('a host that leaves out what is over by %s is whole as well', async (at) => {
  const dist = await buildSite(passing, now);
  const address = await serveByHandler(dist, () => Date.parse(at));
  const { code, stdout } = await runAlmanac(['verify', address, '--now', at], { cwd: tempFolder() });
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/; \d lists without what is over by now\)\n$/),
  });
});

test('something may be over while the site is read', async () => {
  const dist = await buildSite(passing, now);
  const [first, last] = [Date.parse('2027-01-10T12:00:00Z'), Date.parse('2027-03-01T12:00:00Z')];
  let time = first;
  const address = await serveByHandler(dist, () => (time = Math.min(last, time + 86_400_000)));
  expect(await verify(address, last)).toEqual({ code: 0, codes: [], files: [] });
});

test.each([
  [60, 0],
  [61, 1],
])('the clock of a host may be ahead by a minute: by %i seconds', async (seconds, code) => {
  const dist = await buildSite(passing, now);
  const over = Date.parse('2027-01-01T12:00:00Z');
  const address = await serveByHandler(dist, () => over);
  expect(await verify(address, over - seconds * 1000)).toMatchObject({ code });
});

test('a host that serves no hidden names is whole, and one that lacks others is not', async () => {
  const dist = await buildSite(events, now);
  const without = async (lacking: string) =>
    verify(await serveFolder(dist, (path) => (path.startsWith(lacking) ? 404 : 200)));
  expect(await without('.')).toEqual({ code: 0, codes: [], files: [] });
  expect(await without('index.html')).toMatchObject({ code: 1, files: ['index.html'] });
});

test.each<[string, string, (list: Json) => void]>([
  ['an event is gone that its total still counts', category, (list) => list['events'].shift()],
  ['a total has fallen with nothing gone', category, (list) => (list['total'] -= 1)],
  ['a total is another, of the twin alone', 'api/v1/events', (list) => (list['total'] = 99_999)],
  ['a title differs', category, (list) => (list['events'][0].title = 'Another')],
  ['a zone differs and nothing is gone', category, (list) => (list['events'][0].zone = 'UTC')],
  ['an event is gone that is not over', category, (list) => (list['events'].pop(), (list['total'] -= 1))],
  ['every event is gone', genre, (list) => ((list['events'] = []), (list['total'] = 0))],
  [
    'what is left says that it answers another question',
    genre,
    (list) => (list['events'].shift(), (list['total'] -= 1), (list['filters'].genre = null)),
  ],
])('a host is not whole where %s', async (_, path, spoil) => {
  const dist = await buildSite(events, now);
  const document = JSON.parse(readFileSync(join(dist, path), 'utf8')) as Json;
  spoil(document);
  writeFileSync(join(dist, path), `${JSON.stringify(document)}\n`);
  const found = await verify(await serveFolder(dist), Date.parse(now));
  expect(found).toMatchObject({ code: 1, files: [path], codes: expect.arrayContaining(['site-list-changed']) });
});

test.each([
  'api/v1/index.json',
  'api/v1/index.html',
  'api/v1/openapi.json',
  'api/v1/events.ics',
  'api/v1/category/tv/events.ics',
  'api/v1/genre/drama-tv/events.ics',
  'index.html',
  '404.html',
  '404.json',
  '.nojekyll',
])('a site without %s, which its inventory does not list either, is not whole', async (path) => {
  const dist = await buildSite(events, now);
  rmSync(join(dist, path));
  const inventory = JSON.parse(readFileSync(join(dist, 'files.json'), 'utf8')) as Json;
  delete inventory['files'][path];
  writeFileSync(join(dist, 'files.json'), JSON.stringify(inventory));
  expect(await verify(dist)).toEqual({ code: 1, codes: ['site-incomplete'], files: [path] });
});

test('what it checked is counted', async () => {
  const dist = await buildSite(events, now);
  const { stdout } = await runAlmanac(['verify', dist, '--json'], { cwd: tempFolder() });
  const { files } = JSON.parse(readFileSync(join(dist, 'files.json'), 'utf8')) as Json;
  const report = JSON.parse(stdout) as Json;
  expect(report).toMatchObject({ ok: true, files: Object.keys(files).length });
  expect(report['documents']).toBeGreaterThan(20);
});

test.each<[string, string, string, (dist: string) => void]>([
  ['a file is missing', 'site-file-missing', genre, (dist) => rmSync(join(dist, genre))],
  ['a byte differs', 'site-file-changed', genre, (dist) => writeFileSync(join(dist, genre), '{}')],
  ['a file is too many', 'site-file-unlisted', 'notes.txt', (dist) => writeFileSync(join(dist, 'notes.txt'), '')],
  [
    'a document is no JSON',
    'site-document-invalid',
    genre,
    (dist) => forge(dist, genre, (d) => (d['events'] = 'none')),
  ],
  ['a field is unknown', 'site-document-invalid', '404.json', (dist) => forge(dist, '404.json', (d) => (d['x'] = 1))],
  ['an event is left out', 'site-inconsistent', genre, (dist) => forge(dist, genre, (d) => d['events'].pop())],
  [
    'the order differs',
    'site-inconsistent',
    genre,
    (dist) => forge(dist, genre, (d) => (d['events'] = d['events'].toReversed())),
  ],
  [
    'an unknown time has an hour',
    'site-inconsistent',
    genre,
    (dist) => forge(dist, genre, (d) => (d['events'][0].starts_at = '2027-01-15T21:00:00.000Z')),
  ],
  [
    'an event is of another genre',
    'site-inconsistent',
    genre,
    (dist) => forge(dist, genre, (d) => (d['events'][0].genre = 'daily-tv')),
  ],
  ['a total is off', 'site-inconsistent', category, (dist) => forge(dist, category, (d) => (d['total'] += 1))],
  [
    'a list misses events of a genre',
    'site-inconsistent',
    category,
    (dist) => forge(dist, category, (d) => (d['events'][3].title = 'Another')),
  ],
  [
    'a pair is not its genre',
    'site-inconsistent',
    'api/v1/category/space/genre/drama-tv/events.json',
    (dist) => forge(dist, 'api/v1/category/space/genre/drama-tv/events.json', (d) => (d['total'] = 2)),
  ],
  [
    'a twin differs',
    'site-inconsistent',
    'api/v1/events',
    (dist) => forge(dist, 'api/v1/events', (d) => (d['events'][0].title += '!')),
  ],
  [
    'the index counts otherwise',
    'site-inconsistent',
    'api/v1/index.json',
    (dist) => forge(dist, 'api/v1/index.json', (d) => (d['catalogue'].upcoming += 1)),
  ],
  [
    'the index counts subjects that no genre has',
    'site-inconsistent',
    'api/v1/index.json',
    (dist) => forge(dist, 'api/v1/index.json', (d) => (d['catalogue'].subjects += 1)),
  ],
  [
    'the index is of another folder',
    'site-inconsistent',
    'api/v1/index.json',
    (dist) => forge(dist, 'api/v1/index.json', (d) => (d['documentation'] = 'https://example.org/api/v2/')),
  ],
  ['a list has another cap', 'site-inconsistent', genre, (dist) => forge(dist, genre, (d) => (d['limit'] = 100))],
  [
    'a list is of a genre that there is not',
    'site-file-unlisted',
    'api/v1/genre/none-tv/events.json',
    (dist) => {
      mkdirSync(join(dist, 'api/v1/genre/none-tv'));
      cpSync(join(dist, genre), join(dist, 'api/v1/genre/none-tv/events.json'));
      forge(dist, 'api/v1/genre/none-tv/events.json', (d) => {
        [d['filters'].genre, d['total'], d['events']] = ['none-tv', 0, []];
      });
    },
  ],
  [
    'an operation is not offered',
    'site-inconsistent',
    'api/v1/index.json',
    (dist) => forge(dist, 'api/v1/index.json', (d) => (d['endpoints'] = {})),
  ],
  [
    'a genre is not counted',
    'site-inconsistent',
    'api/v1/categories.json',
    (dist) => forge(dist, 'api/v1/categories.json', (d) => (d['categories'][1].genres = 9)),
  ],
])('not whole: %s', async (_, code, file, spoil) => {
  const dist = await buildSite(events, now);
  spoil(dist);
  const found = await verify(dist);
  expect(found.code).toBe(1);
  expect(found.codes).toContain(code);
  expect(found.files).toContain(file);
});

test('an inventory of nothing is no whole site', async () => {
  const dist = tempFolder();
  writeFileSync(join(dist, 'files.json'), '{"generator":"almanac/1.0.0","files":{}}');
  expect(await verify(dist)).toMatchObject({ code: 1, codes: ['site-empty'] });
});

test.each([
  ['{"files":', 'site-unreadable'],
  ['{"generator":"other/1","files":{}}', 'site-document-invalid'],
  ['{"generator":"almanac/1.0.0","files":null}', 'site-document-invalid'],
])('an inventory that reads %s', async (text, code) => {
  const dist = tempFolder();
  writeFileSync(join(dist, 'files.json'), text);
  expect(await verify(dist)).toMatchObject({ code: 1, codes: [code] });
});

test('no site, no answer and an answer of failure are told apart', async () => {
  expect(await verify(tempFolder())).toMatchObject({ code: 1, codes: ['site-missing'] });
  expect(await verify(join(tempFolder(), 'not/there'))).toMatchObject({ code: 1, codes: ['site-missing'] });
  expect(await verify(await serveFolder(tempFolder()))).toMatchObject({ code: 1, codes: ['site-missing'] });
  expect(await verify(await serveFolder(tempFolder(), () => 403))).toMatchObject({
    code: 1,
    codes: ['site-unreadable'],
  });
  expect(await verify('http://127.0.0.1:1')).toMatchObject({ code: 1, codes: ['unreachable'] });
});

test('a host that fails now and then is asked again', async () => {
  const dist = await buildSite(events, now);
  const asked = new Set<string>();
  const address = await serveFolder(dist, (path) => (asked.has(path) ? 200 : (asked.add(path), 503)));
  expect(await verify(address)).toMatchObject({ code: 0 });
});

test('a site that a killed build left beside its place is put back before it is checked', async () => {
  const dist = await buildSite(events, now);
  renameSync(dist, join(dist, '../.dist.almanac-old'));
  expect(await verify(dist)).toMatchObject({ code: 0 });
});

test.each(['http://[', 'htps://example.org', 'https:/example.org', ''])('%j is a site of no kind', async (at) => {
  for (const args of [
    ['verify', at],
    ['diff', '.', at],
  ]) {
    const stderr = expect.stringContaining('allowed is a folder, or an http or https address') as string;
    expect(await runAlmanac(args, { cwd: tempFolder() })).toMatchObject({ code: 2, stdout: '', stderr });
  }
});
