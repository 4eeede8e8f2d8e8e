import { hash } from 'node:crypto';
import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { BuildReport } from '../../src/builder/build.ts';
import { problemLine, ProblemError } from '../../src/problem/problem.ts';
import { fetchSource, type FetchResult } from '../../src/source/remote/fetch.ts';
import { readState } from '../../src/source/remote/cache.ts';
import { sync } from '../../src/source/remote/sync.ts';
import type { Timing } from '../../src/system/http.ts';
import { acquireLock } from '../../src/system/lock.ts';
import { buildFolder, emptyGenre } from '../setup/build-site.ts';
import { readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { listen, sendForever } from '../setup/host.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

const day = 86_400_000;
const now = Date.UTC(2026, 10, 20, 12, 17);
const table = 'subject,title,starts\nClub,Quiz,2027-01-02\n';
/** Pauses take no time, and nothing times out. */
const noTime: Timing = { sleep: async () => {}, schedule: () => () => {} };

test('a remote table may have another encoding', async () => {
  const { data } = await serveSources({
    '/a.csv': sends(Buffer.from(table.replace('Quiz', 'Süd'), 'latin1')),
  });
  expect(await synchronise(data)).toMatchObject({ problems: [], sources: [{ failure: null }] });
  const { events, report } = await buildSite(data);
  expect(events).toMatchObject([{ title: 'Süd' }]);
  expect(report.warnings.map(({ code }) => code)).toEqual(['guessed-encoding']);
});

test.each([
  ['a.yaml', '- {title: Quiz, starts: 2027-01-02 19:30, zone: Europe/Berlin}\n- {title: Run}\n'],
  [
    'a.toml',
    '[[events]]\ntitle = "Quiz"\nstarts = 2027-01-02T19:30:00\nzone = "Europe/Berlin"\n[[events]]\ntitle = "Run"\n',
  ],
  [
    'a.json',
    '[{"title":"Quiz","starts":"2027-01-02T19:30","zone":"Europe/Berlin"},{"title":"Run","starts":null}]',
  ],
])('rows of remote lists are read as they are written: %s', async (name, text) => {
  const { data, handlers } = await serveSources({ [`/${name}`]: sends(text) });
  expect(await synchronise(data)).toMatchObject({
    problems: [],
    sources: [{ events: 1, failure: null }],
  });
  const { events, report } = await buildSite(data);
  expect(events).toMatchObject([{ title: 'Quiz', starts_local: '2027-01-02T19:30' }]);
  expect(report.warnings.map(({ code }) => code)).toEqual(['no-day']);
  // A text that cannot be read does not replace the copy.
  handlers[`/${name}`] = sends(text.slice(0, -20));
  expect((await synchronise(data)).sources[0]?.failure).toBe('its content is invalid');
  expect((await buildSite(data)).events).toHaveLength(1);
});

test('one bad cell costs its row, and a source that loses much keeps its copy until that is accepted', async () => {
  const rows = (count: number): string =>
    Array.from({ length: count }, (_, index) => `Club,Quiz ${index},2027-01-02,\n`).join('');
  const head = 'subject,title,starts,status\n';
  const { data, handlers } = await serveSources({
    '/a.csv': sends(`${head}${rows(80)}Club,Late,by arrangement,\nClub,Off,2027-01-03,cancelled\n`),
  });
  expect(await synchronise(data)).toMatchObject({ problems: [], sources: [{ events: 81 }] });
  const { events, report } = await buildSite(data);
  expect(events).toHaveLength(80);
  expect(report.warnings.map(problemLine).join('\n')).toContain('left out 1 row that');
  handlers['/a.csv'] = sends(head + rows(4));
  const { sources } = await synchronise(data);
  expect(sources).toMatchObject([
    { events: 81, failure: expect.stringContaining('it fell from 81 events to 4; accept this') },
  ]);
  expect((await buildSite(data)).events).toHaveLength(80);
  const accepting = { data, displayPath: (path: string) => path, now, timing: noTime };
  await sync({ ...accepting, acceptLoss: true });
  expect(stateOf(data).sources).toMatchObject([{ events: 4, failure: null }]);
  handlers['/a.csv'] = sends(head + rows(80));
  await synchronise(data);
  handlers['/a.csv'] = sends(head + rows(70));
  const build = ['build', '--sync', '--now', '2026-11-20T12:17:00Z'];
  const run = (...options: string[]) =>
    runAlmanac([...build, ...options], { cwd: join(data, '..') });
  expect((await run('--max-loss', '5')).stderr).toContain('it fell from 80 events to 70');
  expect((await run('--max-loss', '20')).stderr).not.toContain('it fell');
});

test('a synchronisation gives way to another that holds the lock (sync-busy)', async () => {
  const { data } = await serveSources({ '/a.csv': sends(table) });
  mkdirSync(join(data, '.cache'));
  const lock = acquireLock(join(data, '.cache/sync.lock'));
  const run = runAlmanac(['build', '--sync', '--now', '2026-11-20T12:17:00Z'], {
    cwd: join(data, '..'),
  });
  expect(await run).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is synchronising "data"'),
  });
  if ('release' in lock) lock.release();
});

test('sync does not download an unchanged source again, and treats its copy as current', async () => {
  const asked: (string | undefined)[] = [];
  const { data } = await serveSources({
    '/a.ics': (request, response) => {
      asked.push(request.headers['if-none-match'], request.headers['if-modified-since']);
      const isKnown = request.headers['if-none-match'] === '"v1"';
      response.writeHead(isKnown ? 304 : 200, {
        etag: '"v1"',
        'last-modified': 'Thu, 19 Nov 2026 00:00:00 GMT',
      });
      response.end(isKnown ? undefined : calendar('Match'));
    },
  });
  await synchronise(data);
  const again = await synchronise(data, now + 20 * day);
  expect(asked).toEqual([undefined, undefined, '"v1"', 'Thu, 19 Nov 2026 00:00:00 GMT']);
  expect(again.sources[0]?.failure).toBeNull();
  const { events, report } = await buildSite(data, now + 21 * day);
  expect(events).toHaveLength(1);
  expect(report.lastSync).toBe('2026-12-10T12:17:00.000Z');
  // Its event is over then.
  const { sources } = await synchronise(data, now + 60 * day);
  expect(sources).toMatchObject([{ events: 0, silent_since: '2027-01-19T12:17:00.000Z' }]);
});

test('a copy that is no longer valid is left out, and the other sources are published', async () => {
  const { data } = await serveSources({
    '/a.csv': sends(table),
    '/b.ics': sends(calendar('Match')),
  });
  await synchronise(data);
  const invalidCopy = 'subject,title,starts\nClub,Quiz\n';
  writeFileSync(join(data, '.cache/games/chess/a.csv'), invalidCopy);
  const state = JSON.parse(readFileSync(join(data, '.cache/sync.json'), 'utf8')) as {
    sources: Record<string, { sha256: string }>;
  };
  (state.sources['games/chess/a.source.json'] ?? { sha256: '' }).sha256 = hash(
    'sha256',
    invalidCopy,
  );
  writeFileSync(join(data, '.cache/sync.json'), JSON.stringify(state));
  const { events, report } = await buildSite(data);
  expect(events.map(({ title }) => title)).toEqual(['Match']);
  expect(report.totals).toMatchObject({ subjects: 2 });
  expect(report.warnings.map(({ code }) => code)).toEqual(['source-left-out']);
});

test('a build lists the health of each source, and names one that brings no more events', async () => {
  const { data, url, handlers } = await serveSources({
    '/a.csv': sends(table),
    '/b.ics': sends('no'),
  });
  const healthOn = async (date: string, ...args: string[]) => {
    const run = await runAlmanac(['build', '--json', '--now', `${date}T12:00:00Z`, ...args], {
      cwd: join(data, '..'),
    });
    const { sources, warnings = [] } = JSON.parse(run.stdout) as {
      sources: object[];
      warnings?: { code: string }[];
    };
    return { sources, codes: warnings.map(({ code }) => code) };
  };
  const health = (name: string, on: string | null, events: number, silentSince: string | null) => ({
    file: `data/games/chess/${name.slice(0, 1)}.source.json`,
    url: `${url}/${name}`,
    last_success: on && `${on}T12:00:00.000Z`,
    events,
    silent_since: silentSince && `${silentSince}T12:00:00.000Z`,
  });
  const failing = health('b.ics', null, 0, null);
  const codes = ['source-failed'];
  const good = { sources: [health('a.csv', '2026-12-01', 1, null), failing], codes };
  expect(await healthOn('2026-12-01', '--sync')).toEqual(good);
  expect(await healthOn('2026-12-05')).toEqual(good);
  // Its only event is over.
  handlers['/a.csv'] = sends('subject,title,starts\n');
  for (const date of ['2027-01-10', '2027-01-12']) {
    const silent = health('a.csv', date, 0, '2027-01-10');
    expect(await healthOn(date, '--sync')).toEqual({
      sources: [silent, failing],
      codes: ['source-silent', ...codes],
    });
  }
  handlers['/a.csv'] = sends(`${table}Club,Final,2027-05-01\n`);
  const back = { sources: [health('a.csv', '2027-01-13', 1, null), failing], codes };
  expect(await healthOn('2027-01-13', '--sync')).toEqual(back);
});

test('sync ends at its deadline, and unfinished sources keep their copies', async () => {
  const { data, handlers } = await serveSources({ '/a.ics': sends(calendar('Match')) });
  await synchronise(data);
  let atDeadline = (): void => {};
  handlers['/a.ics'] = () => atDeadline();
  const schedule = (milliseconds: number, call: () => void): (() => void) => {
    if (milliseconds === 600_000) atDeadline = call;
    return () => {};
  };
  const options = { data, displayPath: (path: string) => path, now };
  await sync({ ...options, timing: { ...noTime, schedule } });
  const [source] = stateOf(data).sources;
  expect(source?.good_at).toBe('2026-11-20T12:17:00.000Z');
  expect(source?.failure).toContain('the synchronisation took longer than 600 seconds');
});

test('a source whose reading takes too long keeps its copy', async () => {
  const { data, handlers } = await serveSources({ '/a.ics': sends(calendar('Match')) });
  await synchronise(data);
  const many = Array.from({ length: 20_000 }, () => 'BEGIN:VALARM\nEND:VALARM\n');
  handlers['/a.ics'] = sends(calendar('Other').replace('END:VEVENT', `${many.join('')}END:VEVENT`));
  await sync({ data, displayPath: (path) => path, now, readingTime: 1, timing: noTime });
  const [source] = stateOf(data).sources;
  expect(source?.failure).toBe('reading it took longer than 0.001 seconds');
  expect((await buildSite(data)).events).toMatchObject([{ title: 'Match' }]);
});

test.each([500, 431, 400, 412])(
  'a server that answers %i only to conditional requests is asked without a condition',
  async (status) => {
    let asked = 0;
    const { data } = await serveSources({
      '/a.ics': ({ headers }, response) => {
        asked++;
        if (headers['if-none-match'] === undefined)
          response.writeHead(200, { etag: '"v1"' }).end(calendar('Match'));
        else response.writeHead(status).end();
      },
    });
    await synchronise(data);
    expect((await synchronise(data)).sources[0]?.failure).toBeNull();
    expect(asked).toBe(status === 500 ? 5 : 3);
  },
);

const invalid: Record<string, [string, Handler]> = {
  'an error': ['it answers with status 500', (_, response) => response.writeHead(500).end()],
  'a 304 to a request without a condition': [
    'it answers with status 304',
    (_, response) => response.writeHead(304).end(),
  ],
  'no text': ['binary data', sends(Buffer.from([0xe9, 0x00, 0xff]))],
  'too many bytes': [
    'more than 16,777,216 bytes',
    (_, response) => sendForever(response, Buffer.alloc(1 << 20, 'x')),
  ],
  'a redirect to http elsewhere': [
    'it redirects to http://example.org/; only https without a password is followed',
    redirects('http://example.org/'),
  ],
  'a redirect with a password': [
    'it redirects to https://…@example.org/; only https',
    redirects('https://user:secret@example.org/'),
  ],
  'a redirect to a file': [
    'it redirects to file:///etc/hosts; only https',
    redirects('file:///etc/hosts'),
  ],
  'an answer cut off': ['connection reset by peer', cutsOff],
};

test.each(Object.entries(invalid))(
  '%s is reported clearly, and the good copy stays in use',
  async (_, row) => {
    const [expected, handler] = row;
    const { data, handlers } = await serveSources({ '/a.ics': sends(calendar('Match')) });
    await synchronise(data);
    handlers['/a.ics'] = handler;
    const { problems, sources } = await synchronise(data, now + 2 * day);
    expect(sources).toMatchObject([{ good_at: '2026-11-20T12:17:00.000Z' }]);
    expect([sources[0]?.failure, ...problems.map(problemLine)].join('\n')).toContain(expected);
    expect((await buildSite(data)).events).toMatchObject([{ title: 'Match' }]);
  },
);

test('problems of a fetched text, at most 20, have its URL, line and column, in the order of its lines', async () => {
  const faulty =
    'subject,title,starts\nClub,One,2027-02-30\nClub,Two\nClub,Three,2027-02-30\nClub,,2027-01-01\n';
  const more = Array.from({ length: 100 }, (_, index) => `Club,Quiz ${index},2027-02-30\n`);
  const { data, url } = await serveSources({ '/a.csv': sends(faulty + more.join('')) });
  const { problems } = await synchronise(data);
  expect(problems.map(({ place }) => place?.line)).toEqual(
    Array.from({ length: 20 }, (_, index) => index + 2),
  );
  expect(problems.map(problemLine)[0]).toMatch(`${url}/a.csv:2:10: found starts "2027-02-30"`);
});

test.each<[string, object]>([
  ['no instant', { last_sync: 'soon\u001b[31m', first_run: null }],
  ['an impossible date', { last_sync: '2026-99-20T12:17:00.000Z', first_run: null }],
  ['a number', { last_sync: null, first_run: 5 }],
])('a cache whose last sync is %s is not published but fetched again', async (_, times) => {
  const { data, url } = await serveSources({
    '/a.ics': (_, response) => response.writeHead(500).end(),
  });
  const known = {
    url: `${url}/a.ics`,
    etag: null,
    last_modified: null,
    sha256: null,
    good_at: null,
    failure: 'x',
  };
  const state = { ...times, sources: { 'games/chess/a.source.json': known } };
  writeTree(data, { '.cache/sync.json': state });
  expect(await problemsOf(data)).toEqual([expect.stringContaining('run almanac build --sync')]);
  writeTree(data, {
    '.cache/sync.json': {
      last_sync: null,
      first_run: null,
      sources: { ...state.sources, b: null },
    },
  });
  expect((await buildSite(data)).report.lastSync).toBe('2026-11-20T12:17:00.000Z');
});

test('a copy that is a symbolic link is not used, and sync replaces it by a file', async () => {
  const { data } = await serveSources({ '/a.ics': sends(calendar('Match')) });
  await synchronise(data);
  const copy = join(data, '.cache/games/chess/a.ics');
  rmSync(copy);
  writeTree(data, { '../elsewhere.ics': calendar('Secret') });
  symlinkSync(join(data, '../elsewhere.ics'), copy);
  expect(await problemsOf(data)).toEqual([expect.stringContaining('run almanac build --sync')]);
  expect((await synchronise(data)).sources[0]?.failure).toBeNull();
  expect((await buildSite(data)).events.map(({ title }) => title)).toEqual(['Match']);
  expect(readFileSync(join(data, '../elsewhere.ics'), 'utf8')).toContain('Secret');
});

test.each(['.cache', '.cache/games', '.cache/games/chess'])(
  'nothing is read or written through the folder %s if it is a symbolic link',
  async (folder) => {
    const { data } = await serveSources({ '/a.ics': sends(calendar('Match')) });
    await synchronise(data);
    const elsewhere = join(data, '../elsewhere');
    renameSync(join(data, folder), elsewhere);
    symlinkSync(elsewhere, join(data, folder));
    const before = readTree(elsewhere);
    expect(await problemsOf(data)).toEqual([expect.stringContaining('run almanac build --sync')]);
    const error: unknown = await synchronise(data, now + day).catch((thrown: unknown) => thrown);
    expect(error instanceof ProblemError && error.problems).toMatchObject([
      { code: 'symbolic-link', place: { file: folder } },
    ]);
    expect(readTree(elsewhere)).toEqual(before);
  },
);

test('sync retries a temporary failure twice, and never a permanent one', async () => {
  const waits: number[] = [];
  const ask = async (answers: number[], headers = {}): Promise<FetchResult> => {
    waits.length = 0;
    const { url } = await serve({
      '/': (_, response) => response.writeHead(answers.shift() ?? 200, headers).end('text'),
    });
    const timing = {
      ...noTime,
      sleep: async (milliseconds: number) => void waits.push(milliseconds),
    };
    return fetchSource(`${url}/`, null, { timeout: 5000, maxBytes: 100, retries: 2, timing });
  };
  expect(await ask([500, 503])).toMatchObject({ kind: 'fetched' });
  expect(waits).toEqual([1000, 4000]);
  expect(await ask([429], { 'retry-after': '86400' })).toMatchObject({ kind: 'fetched' });
  expect(waits).toEqual([30_000]);
  expect(await ask([500, 500, 500])).toEqual({
    kind: 'failed',
    reason: 'it answers with status 500',
  });
  for (const status of [401, 403]) {
    const reason = `it answers with status ${status}, because it is not public`;
    expect(await ask([status])).toEqual({ kind: 'failed', reason });
    expect(waits).toEqual([]);
  }
});

test('a redirect is followed, also to a name with an umlaut, encoded or not', async () => {
  const { data } = await serveSources({
    '/a.ics': redirects(Buffer.from('/für.ics').toString('latin1')),
    '/b.ics': redirects('/f%C3%BCr.ics'),
    '/f%C3%BCr.ics': sends(calendar('Match')),
  });
  rmSync(join(data, 'games/chess/f%C3%BCr.source.json'));
  expect((await synchronise(data)).sources.map(({ failure }) => failure)).toEqual([null, null]);
});

test('a copy of several gigabytes is not read', async () => {
  const { data } = await serveSources({ '/a.ics': sends(calendar('Match')) });
  await synchronise(data);
  truncateSync(join(data, '.cache/games/chess/a.ics'), 3 * 1024 ** 3);
  expect((await buildSite(data)).report.warnings.map(({ code }) => code)).toEqual([
    'source-not-fetched',
  ]);
  truncateSync(join(data, '.cache/sync.json'), 3 * 1024 ** 3);
  expect((await buildSite(data)).report.warnings.map(({ code }) => code)).toEqual([
    'source-not-fetched',
  ]);
  expect((await synchronise(data)).sources[0]?.failure).toBeNull();
});

test('at most six sources are fetched at a time', async () => {
  let [open, most, answered] = [0, 0, 0];
  const waiting: (() => void)[] = [];
  const handler: Handler = (_, response) => {
    most = Math.max(most, ++open);
    waiting.push(() => {
      open--;
      response.end(calendar('Match'));
    });
    if (waiting.length === Math.min(6, names.length - answered)) {
      answered += waiting.length;
      waiting.splice(0).forEach((answer) => answer());
    }
  };
  const names = Array.from({ length: 20 }, (_, index) => `s${index}`);
  const { url } = await serve(Object.fromEntries(names.map((name) => [`/${name}`, handler])));
  const data = dataWith(
    Object.fromEntries(names.map((name) => [name, { source: `${url}/${name}`, format: 'ics' }])),
  );
  expect((await synchronise(data)).sources.every(({ failure }) => failure === null)).toBe(true);
  expect(most).toBe(6);
});

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Starts a server on this machine. It stops when the test ends, even if connections are open. */
async function serve(handlers: Record<string, Handler>): Promise<{ url: string }> {
  const { url, close } = await listen((request, response) => {
    const handler = handlers[request.url ?? ''];
    if (handler === undefined) response.writeHead(404).end();
    else handler(request, response);
  });
  onTestFinished(close);
  return { url };
}

/** Serves sources by their file names. Returns a data folder with a source file for each. */
async function serveSources(handlers: Record<string, Handler>) {
  const server = await serve(handlers);
  const sources = Object.keys(handlers).map((path) => {
    const [name = '', format] = path.slice(1).split('.');
    return [name, { source: server.url + path, format }];
  });
  return {
    ...server,
    handlers,
    data: dataWith(Object.fromEntries(sources) as Record<string, object>),
  };
}

function sends(body: string | Buffer): Handler {
  return (_, response) => response.writeHead(200).end(body);
}

function redirects(to: string): Handler {
  return (_, response) => response.writeHead(302, { location: to }).end();
}

function cutsOff(_: IncomingMessage, response: ServerResponse): void {
  response
    .writeHead(200, { 'content-length': '1000' })
    .write('BEGIN:VCALENDAR\n', () => void response.destroy());
}

function calendar(title: string): string {
  const event = [
    'BEGIN:VEVENT',
    'UID:one',
    `SUMMARY:${title}`,
    'DTSTART:20270105T100000Z',
    'END:VEVENT',
  ];
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...event, 'END:VCALENDAR', ''].join('\r\n');
}

function dataWith(sources: Record<string, object>): string {
  const files = Object.entries(sources).map(([name, source]) => [
    `games/chess/${name}.source.json`,
    source,
  ]);
  return writeTree(join(tempFolder(), 'data'), {
    ...emptyGenre('games/chess', { pages: 'home' }),
    ...(Object.fromEntries(files) as Record<string, object>),
  });
}

/** Returns the state of each source by the order of their files, and `last_sync`. */
function stateOf(data: string) {
  const { last_sync: lastSync, sources } = readState(data);
  return { lastSync, sources: Object.values(sources) };
}

async function synchronise(data: string, at = now) {
  const problems = await sync({ data, displayPath: (path) => path, now: at, timing: noTime });
  return { problems, ...stateOf(data) };
}

interface Listed {
  readonly title: string;
}

async function buildSite(
  data: string,
  at = now,
  strict = false,
): Promise<{ events: Listed[]; report: BuildReport }> {
  const report = await buildFolder(data, join(data, '../dist'), at, strict);
  const { events } = JSON.parse(readFileSync(join(data, '../dist/api/v1/events.json'), 'utf8')) as {
    events: Listed[];
  };
  return { events, report };
}

/** Returns the problems of a build with --strict. */
async function problemsOf(data: string): Promise<string[]> {
  const error: unknown = await buildSite(data, now, true).catch((thrown: unknown) => thrown);
  return error instanceof ProblemError ? error.problems.map(problemLine) : [String(error)];
}
