import { cpSync, existsSync, readFileSync } from 'node:fs';
import type { RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ChangesDocument, EventsDocument, Manifest } from '../../src/api/documents.ts';
import { openMemory } from '../../src/site/memory.ts';
import { readChanges } from '../../src/site/published.ts';
import { generator } from '../../src/cli/shell.ts';
import { buildSite, dataOf, type Events } from '../setup/build-site.ts';
import { editSite } from '../setup/edit-site.ts';
import { lastingFolder, tempFolder, writeTree } from '../setup/folders.ts';
import { plainHost, sendForever } from '../setup/host.ts';
import { runAlmanac, type Run } from '../setup/run-almanac.ts';
import { serve, serveFolder } from '../setup/serve-folder.ts';

/* What a build does with the site before it: it is whole, out of reach or damaged. */

const nights = [
  '2026-11-20T12:17:00.000Z',
  '2026-11-21T12:17:00.000Z',
  '2026-11-22T12:17:00.000Z',
] as const;
const [, , tonight] = nights;
const first: Events = {
  'film/comedy/hacks': { Opening: '2027-02-01', Closing: '2027-02-09' },
  'tv/drama/severance': { Premiere: '2027-01-15', Finale: '2027-03-19', Return: '2028-Q1' },
};
const second: Events = {
  ...first,
  'film/comedy/hacks': { Opening: '2027-02-02', Closing: '2027-02-09' },
};
const third: Events = {
  ...second,
  'tv/drama/severance': { ...first['tv/drama/severance'], Finale: '2027-03-20' },
};

const log = 'api/v1/changes.json';
const index = 'api/v1/index.json';
const lines = 'api/v1/events.ndjson';

/** A site with a log, and the data of the next one. */
const earlier = lastingFolder();
beforeAll(async () => {
  await buildSite(first, nights[0], { cwd: earlier, source: join(earlier, 'data'), out: 'live' });
  await buildSite(second, nights[1], { cwd: earlier, source: join(earlier, 'data'), out: 'live' });
  writeTree(join(earlier, 'data'), dataOf(third));
});

/** Copies the site to the folder `live`, and the data. Returns the working directory. */
function setUp(): string {
  const cwd = tempFolder();
  cpSync(earlier, cwd, { recursive: true });
  return cwd;
}

function textOf(cwd: string, path: string, site = 'live'): string {
  return readFileSync(join(cwd, site, path), 'utf8');
}

/** Changes a file of the site. */
function edit(
  cwd: string,
  ...change: [path: string, change: (text: string) => string | null, isListed?: boolean]
): void {
  editSite(join(cwd, 'live'), ...change);
}

async function build(cwd: string, against = 'live', ...args: string[]): Promise<Run> {
  return runAlmanac(['build', '--now', tonight, '--against', against, '--out', 'next', ...args], {
    cwd,
  });
}

/** What the next site says about changes. */
function told(cwd: string) {
  const { since, changes } = JSON.parse(textOf(cwd, log, 'next')) as ChangesDocument;
  const { events } = JSON.parse(textOf(cwd, 'api/v1/events.json', 'next')) as EventsDocument;
  return {
    since,
    changes: changes.map(({ at, kind, id }) => `${at} ${kind} ${id}`),
    times: [...new Set(events.map(({ updated_at }) => updated_at))],
  };
}

const opening = `${nights[1]} moved comedy-film/hacks/opening`;
const finale = `${tonight} moved drama-tv/severance/finale`;
const half = (text: string): string => text.slice(0, text.length / 2);
const gone = (): null => null;
const page = (): string => '<!doctype html><title>Not found</title>';
const breakFinale = (text: string): string => text.replace('"title":"Finale"', '"title":1');
const addField = (text: string): string =>
  text.replaceAll(/,"state":"([a-z_]+)"\}/g, ',"mood":"good","state":"$1"}');

test('a whole site is compared', async () => {
  const cwd = setUp();
  expect(await build(cwd)).toMatchObject({ code: 0, stderr: '' });
  expect(told(cwd)).toEqual({
    since: nights[0],
    changes: [finale, opening],
    times: [null, nights[1], tonight],
  });
});

test('a host is asked for four files', async () => {
  const cwd = setUp();
  const asked: string[] = [];
  const host = plainHost(join(cwd, 'live'));
  const address = await serve((request, response) => {
    asked.push(request.url ?? '');
    host(request, response);
  });
  expect(await build(cwd, address)).toMatchObject({ code: 0, stderr: '' });
  const { files } = JSON.parse(textOf(cwd, 'files.json')) as Manifest;
  const underHash = (path: string): string => `/${path}?${files[path]?.sha256}`;
  expect(asked).toEqual([
    `/files.json?${Date.parse(tonight)}`,
    ...[index, log, lines].map(underHash),
  ]);
  expect(told(cwd).changes).toEqual([finale, opening]);
});

/** A change of a file, what a build says about it, and whether the manifest lists the change. */
const damages: [
  what: string,
  file: string,
  change: (text: string) => string | null,
  reason: string,
  isListed?: true,
][] = [
  ['half a manifest', 'files.json', half, 'version 1'],
  ['a page as its manifest', 'files.json', page, 'version 1'],
  ['a list as its manifest', 'files.json', () => '[]', 'version 1'],
  ['half an index', index, half, 'files.json lists'],
  ['no index', index, gone, 'it is missing'],
  ['an index of another program', index, () => '{}', 'version 1', true],
  ['half a log', log, half, 'files.json lists'],
  ['no log', log, gone, 'it is missing'],
  ['another log', log, () => '{"since":null}', 'version 1', true],
  ['half of its events', lines, half, 'files.json lists'],
  ['no events', lines, gone, 'it is missing'],
  [
    'a broken event',
    lines,
    breakFinale,
    'the record of drama-tv/severance/finale in it is not valid',
    true,
  ],
  [
    'an event with code',
    lines,
    (text) => text.replaceAll('"url":null', '"url":"javascript:1"'),
    'the record of',
    true,
  ],
  [
    'an unknown state',
    lines,
    (text) => text.replace('"upcoming"}', '"delayed"}'),
    'a line in it is not valid',
    true,
  ],
  ['genres out of order', lines, (text) => `${text}${text}`, 'events by genre', true],
  ['something else as its events', lines, page, 'its last line has no end', true],
  ['a short line', lines, (text) => `${text}1\n`, 'events by genre', true],
  ['a line without an end', lines, () => 'x'.repeat(2e6), 'a line of more than', true],
];

describe.each(['folder', 'host'])(
  'a damaged site in a %s is not compared, which is a warning',
  (kind) => {
    const cases = damages.filter(
      ([what]) => kind === 'folder' || what.startsWith('half') || what === 'a broken event',
    );
    test.each(cases)('%s (previous-site-damaged)', async (_, file, change, reason, isListed) => {
      const cwd = setUp();
      edit(cwd, file, change, isListed);
      const run = await build(
        cwd,
        kind === 'folder' ? 'live' : await serveFolder(join(cwd, 'live')),
      );
      expect(run).toMatchObject({
        code: 0,
        stderr: expect.stringMatching(/^warning: could not use [^\n]*\n$/),
      });
      for (const text of [file, reason]) expect(run.stderr).toContain(text);
      const known =
        file === log ? { since: tonight, changes: [] } : { since: nights[0], changes: [opening] };
      expect(told(cwd)).toEqual({ ...known, times: [tonight] });
      expect(await runAlmanac(['verify', 'next'], { cwd })).toMatchObject({ code: 0, stderr: '' });
    });
  },
);

const entry = {
  at: nights[1],
  kind: 'added',
  id: 'drama-tv/gone/e',
  title: 'Gone',
  subject: { id: 'gone', name: 'Gone' },
  genre: 'drama-tv',
  category: 'tv',
  before: null,
  after: { date: '2027-01-01', extra: { parking_url: 'none', zone: 'B' } },
};

test.each<[string, object]>([
  ['of an unknown kind', { kind: 'nokind' }],
  ['with fields that are a text', { before: 'x' }],
  ['with an address that runs code', { after: { url: 'javascript:alert(1)' } }],
  ['with a control character', { title: 'a\u001b[31m' }],
  ['with a text that is too long', { title: 'x'.repeat(3000) }],
  ['with an id that leaves its genre', { id: '../../../x' }],
  ['with the id of another subject', { genre: 'nope', category: 'nope' }],
  ['with an unknown zone', { after: { zone: 'Mars/Base' } }],
  ['with a date that is none', { after: { date: 'x' } }],
  ['with a field whose name is a text', { after: { 'a\u0007': 1 } }],
  ['with a list in place of a category', { category: ['tv'] }],
  [
    'with a list that is nested too deeply',
    { after: { extra: JSON.parse('['.repeat(9) + ']'.repeat(9)) as unknown } },
  ],
  [
    'with an object that is nested too deeply',
    { after: { extra: JSON.parse(`${'{"a":'.repeat(9)}1${'}'.repeat(9)}`) as unknown } },
  ],
])('a log that has an entry %s is damaged as a whole', (_, wrong) => {
  const logOf = (...changes: object[]): string => JSON.stringify({ since: nights[0], changes });
  expect(readChanges(logOf(entry))).toEqual({ since: nights[0], changes: [entry] });
  expect(readChanges(logOf(entry, { ...entry, ...wrong }))).toBeNull();
});

describe('a site of mixed versions', () => {
  /** Gives a file of the site the content that it had a night before. */
  async function withOld(cwd: string, path: string): Promise<void> {
    const source = tempFolder();
    const old = await buildSite(first, nights[0], { cwd: source });
    edit(cwd, path, () => readFileSync(join(old, path), 'utf8'));
  }

  test.each([log, index, lines])(
    'keeps its log and tells nothing twice if %s is another version (previous-site-mixed)',
    async (path) => {
      const cwd = setUp();
      await withOld(cwd, path);
      const run = await build(cwd, await serveFolder(join(cwd, 'live')), '--changes', 'c.json');
      expect(run).toMatchObject({
        code: 0,
        stderr: expect.stringMatching(/^warning: found mixed versions [^\n]*\n$/),
      });
      expect(run.stderr).toContain(path);
      expect(run.stderr).not.toContain('--against none');
      const changes = path === log ? [] : [opening];
      const times = path === lines ? [null, tonight] : [null, nights[1], tonight];
      expect(told(cwd)).toEqual({ since: nights[0], changes, times });
      expect(await runAlmanac(['verify', 'next'], { cwd })).toMatchObject({ code: 0, stderr: '' });
    },
  );

  test('is whole if a cache has another version under the plain address', async () => {
    const cwd = setUp();
    const host = plainHost(join(cwd, 'live'));
    const address = await serve((request, response) => {
      if (request.url?.includes('?') === true) host(request, response);
      else response.end(page());
    });
    expect(await build(cwd, address)).toMatchObject({ code: 0, stderr: '' });
    expect(told(cwd).changes).toEqual([finale, opening]);
  });

  test.each<[string, (path: string, response: ServerResponse) => void]>([
    ['answers queries with its home page', (_, response) => void response.end('<h1>Home</h1>')],
    [
      'redirects queries to paths without them',
      (path, response) => void response.writeHead(301, { location: path }).end(),
    ],
    ['answers queries with status 500', (_, response) => void response.writeHead(500).end()],
  ])('is whole if a host %s', async (_, answerQuery) => {
    const cwd = setUp();
    const host = plainHost(join(cwd, 'live'));
    const address = await serve((request, response) => {
      const [path = '', query] = (request.url ?? '').split('?');
      if (query === undefined) host(request, response);
      else answerQuery(path, response);
    });
    expect(await build(cwd, address)).toMatchObject({ code: 0, stderr: '' });
    expect(told(cwd).changes).toEqual([finale, opening]);
  });

  test('is whole if a host refuses queries', async () => {
    const cwd = setUp();
    const host = plainHost(join(cwd, 'live'));
    const address = await serve((request, response) => {
      if (request.url?.includes('?') === true) response.writeHead(403).end();
      else host(request, response);
    });
    expect(await build(cwd, address)).toMatchObject({ code: 0, stderr: '' });
    expect(told(cwd).changes).toEqual([finale, opening]);
  });
});

test('an event that the site says changes in the future has changed now', async () => {
  const cwd = setUp();
  edit(
    cwd,
    lines,
    (text) =>
      text.replace(`"updated_at":"${nights[1]}"`, '"updated_at":"2099-01-01T00:00:00.000Z"'),
    true,
  );
  expect(await build(cwd)).toMatchObject({ code: 0, stderr: '' });
  expect(told(cwd).times).toEqual([null, tonight]);
});

test.each<[string, string, (text: string) => string]>([
  ['newer, with a field more', '99.0.0', addField],
  [
    'older, with fields less',
    '0.9.0',
    (text) => text.replaceAll(/"(extra|starts_local)":null,/g, ''),
  ],
])(
  'a site of an almanac that is %s is compared, which is said (previous-site-version)',
  async (_, version, change) => {
    const cwd = setUp();
    edit(cwd, lines, change, true);
    edit(cwd, 'files.json', (text) => text.replace(/almanac\/[^"]*/, `almanac/${version}`));
    const run = await build(cwd);
    expect(run).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^warning: [^\n]*both versions[^\n]*\n$/),
    });
    expect(run.stderr).toContain(
      `found a site of almanac/${version} at "live"; this is ${generator}:`,
    );
    expect(told(cwd)).toMatchObject({
      changes: [finale, opening],
      times: [null, nights[1], tonight],
    });
  },
);

/** An answer of a host, and what a build says about it. */
const failures: [what: string, path: string, status: number, words: string][] = [
  ['no manifest', 'files.json', 404, 'found no site at'],
  ['no access', 'files.json', 403, 'answered 403; the host may be down'],
  ['no index', index, 404, 'it is missing, although files.json lists it'],
  ['no log', log, 404, 'it is missing, although files.json lists it'],
  ['no events', lines, 404, 'it is missing, although files.json lists it'],
  ['no access to the events', lines, 403, 'answered 403'],
];

test.each(failures)(
  'a host that has %s is out of reach, which ends the build',
  async (_, path, status, words) => {
    const cwd = setUp();
    const address = await serveFolder(join(cwd, 'live'), (asked) =>
      asked === path ? status : 200,
    );
    const run = await build(cwd, address);
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining(words) });
    // A new log is advised only where a site may never have been.
    expect(run.stderr.includes('--against none')).toBe(path === 'files.json');
    expect(existsSync(join(cwd, 'next'))).toBe(false);
  },
);

test('a host of which nothing is left is out of reach', async () => {
  const cwd = setUp();
  const address = await serve((_, response) => void response.end(page()));
  expect(await build(cwd, address)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('found no site at'),
  });
});

test.each<[string, RequestListener]>([
  ['silent', () => {}],
  ['slow', (_, response) => void response.writeHead(200).write('{')],
])('a %s host is out of reach after a time', async (_, listener) => {
  const previous = { at: await serve(listener), isNamed: true };
  const opened = openMemory(previous, '.', { now: 0, isGiven: true }, 20);
  await expect(opened).rejects.toThrow('the previous site could not be read within 0.02 seconds');
});

test('an endless file is read only as far as the manifest says', async () => {
  const cwd = setUp();
  const host = plainHost(join(cwd, 'live'));
  let sent = (): number => 0;
  const address = await serve((request, response) => {
    if (request.url?.startsWith(`/${lines}`) === true)
      sent = sendForever(response, Buffer.alloc(65_536, ' '));
    else host(request, response);
  });
  const run = await build(cwd, address);
  expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining('it sends more than') });
  expect(told(cwd).changes).toEqual([opening]);
  expect(sent() * 65_536).toBeLessThan(64 * 1024 ** 2);
});

test('a site without events.ndjson has no log to continue (site-without-bulk)', async () => {
  const cwd = tempFolder();
  await buildSite(first, nights[0], { cwd, out: 'live', service: { formats: [] } });
  writeTree(join(cwd, 'data'), dataOf(third));
  expect(await build(cwd)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('found no events.ndjson at "live"'),
  });
  expect(told(cwd)).toEqual({ since: tonight, changes: [], times: [null] });
});

test('a site that only this machine could open is continued only if it is named', async () => {
  const cwd = tempFolder();
  await buildSite(first, nights[0], { cwd, service: { base_url: 'http://localhost:8080' } });
  writeTree(join(cwd, 'data'), dataOf(third));
  expect(await build(cwd, 'dist')).toMatchObject({ code: 0 });
  expect(told(cwd)).toMatchObject({ since: nights[0], changes: { length: 2 } });
  expect(await runAlmanac(['build', '--now', tonight, '--out', 'dist'], { cwd })).toMatchObject({
    code: 0,
  });
  expect(JSON.parse(textOf(cwd, log, 'dist'))).toMatchObject({ since: tonight, changes: [] });
});

describe('the clock', () => {
  test('a site of the future ends the build, which names both times (clock-behind)', async () => {
    const cwd = setUp();
    const now = '2026-11-21T11:16:59Z';
    const run = await runAlmanac(['build', '--now', now, '--out', 'live'], { cwd });
    expect(run.code).toBe(1);
    for (const time of [nights[1], '2026-11-21T11:16:59.000Z']) expect(run.stderr).toContain(time);
    const within = ['build', '--now', '2026-11-21T11:17:00Z', '--out', 'live', '--quiet'];
    expect(await runAlmanac(within, { cwd })).toMatchObject({ code: 0, stderr: '' });
  });

  test.each<[string, (text: string) => string, string]>([
    [
      'an entry',
      (text) => text.replace(`"at":"${nights[1]}"`, '"at":"2999-01-01T00:00:00.000Z"'),
      'left out 1 entry of the log',
    ],
    [
      'the beginning',
      (text) => text.replace(`"since":"${nights[0]}"`, '"since":"2999-01-01T00:00:00.000Z"'),
      'left out the beginning of the log',
    ],
  ])('%s of a log in the future is left out (log-of-the-future)', async (what, change, words) => {
    const cwd = setUp();
    edit(cwd, log, change, true);
    expect(await build(cwd)).toMatchObject({ code: 0, stderr: expect.stringContaining(words) });
    const known = what === 'an entry' ? [finale] : [finale, opening];
    const since = what === 'an entry' ? nights[0] : nights[1];
    expect(told(cwd)).toMatchObject({ since, changes: known });
    expect(await build(cwd, 'next')).toMatchObject({ code: 0, stderr: '' });
  });

  test('the time of a host ends the build unless the time is given (clock-differs)', async () => {
    const cwd = setUp();
    const host = plainHost(join(cwd, 'live'));
    const address = await serve((request, response) => {
      response.setHeader('date', 'Sat, 01 Jan 2000 00:00:00 GMT').setHeader('age', '86400');
      host(request, response);
    });
    const run = await runAlmanac(['build', '--against', address, '--out', 'next'], { cwd });
    expect(run).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('found the time 2000-01-02T00:00:00.000Z'),
    });
    expect(await build(cwd, address)).toMatchObject({ code: 0, stderr: '' });
  });

  const hours = 3_600_000;
  test.each<[string, (asked: number) => readonly [age: number, hoursAgo: number], number]>([
    ['writes the date of its response and keeps the age of its copy', () => [108_000, 0], 0],
    ['keeps the date of its host and says the age of its copy', () => [108_000, 30], 0],
    ['keeps the date of one copy without its age', (asked) => [0, asked === 2 ? 30 : 0], 0],
    ['is thirty hours behind in everything', () => [0, 30], 1],
    ['is thirty hours ahead in everything', () => [0, -30], 1],
    ['is ahead, whatever the age', () => [7200, -30], 1],
  ])('a cache that %s', async (_, timesOf, code) => {
    const cwd = setUp();
    const host = plainHost(join(cwd, 'live'));
    let asked = 0;
    const address = await serve((request, response) => {
      const [age, hoursAgo] = timesOf(asked++);
      response.setHeader('date', new Date(Date.now() - hoursAgo * hours).toUTCString());
      if (age > 0) response.setHeader('age', String(age));
      host(request, response);
    });
    const run = await runAlmanac(['build', '--against', address, '--out', 'next'], { cwd });
    expect(run).toMatchObject({
      code,
      stderr: code === 0 ? expect.anything() : expect.stringContaining('correct the clock'),
    });
  });

  test.each([[], ['--against', 'dist']])(
    'a clock that is far ahead empties no catalogue (clock-ahead)',
    async (...args) => {
      const cwd = tempFolder();
      const dates = Array.from(
        { length: 28 },
        (_, day) => `2027-03-${String(day + 1).padStart(2, '0')}`,
      );
      const events = {
        'tv/drama/severance': Object.fromEntries(dates.map((date) => [date, date])),
      };
      await buildSite(events, nights[0], { cwd });
      writeTree(join(cwd, 'data'), dataOf(events));
      const run = async (now: string, ...more: string[]) =>
        runAlmanac(['build', '--now', now, ...args, ...more], { cwd });
      const refused = await run('2027-11-20T12:17:00Z');
      expect(refused).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('28 upcoming events'),
      });
      for (const time of [nights[0], '2027-11-20T12:17:00.000Z'])
        expect(refused.stderr).toContain(time);
      expect(await run('2027-11-20T12:17:00Z', '--accept-loss', '--quiet')).toMatchObject({
        code: 0,
        stderr: '',
      });
    },
  );
});
