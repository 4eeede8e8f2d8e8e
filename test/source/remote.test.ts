import { hash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { BuildReport } from '../../src/builder/build.ts';
import { check } from '../../src/builder/check.ts';
import { problemLine, ProblemError } from '../../src/problem/problem.ts';
import { fetchSource, type FetchResult } from '../../src/source/remote/fetch.ts';
import { readState } from '../../src/source/remote/cache.ts';
import { sync } from '../../src/source/remote/sync.ts';
import type { Timing } from '../../src/system/http.ts';
import { buildFolder, emptyGenre } from '../setup/build-site.ts';
import { readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { listen } from '../setup/host.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

const day = 86_400_000;
const now = Date.UTC(2026, 10, 20, 12, 17);
const checkThen = ['check', '--sync', '--now', '2026-11-20T12:17:00Z'];
/** Pauses take no time, and nothing times out. */
const noTime: Timing = { sleep: async () => {}, schedule: () => () => {} };

test('sync fetches sources into the cache, and a build reads them without a network', async () => {
  const { url, stop } = await serve({
    '/a.ics': sends(calendar('Match')),
    '/b.csv': sends('subject,title,starts\nClub,Quiz,2027-01-02\n'),
  });
  const data = dataWith({
    a: { source: `${url}/a.ics`, format: 'ics', name: 'Chess' },
    b: { source: `${url}/b.csv`, format: 'csv' },
  });
  const report = await synchronise(data);
  expect(report.sources.map(({ failure }) => failure)).toEqual([null, null]);
  await stop();
  const { events, report: built } = await buildSite(data, now + day);
  expect(events.map(({ id, title, subject }) => [id, title, subject.name])).toEqual([
    ['chess-games/club/quiz-2027-01-02', 'Quiz', 'Club'],
    ['chess-games/a/one', 'Match', 'Chess'],
  ]);
  expect(built.lastSync).toBe('2026-11-20T12:17:00.000Z');
  expect(built.warnings).toEqual([]);
});

test('a remote table is read with the mapping in its source file, in another encoding too', async () => {
  const table = 'Datum;Heim;Gast;Straße\n2.1.2027;Süd;Nord;\n3.1.2027;Nord;Süd;\nbald;Nord;Süd;\n';
  const { url } = await serve({ '/a.csv': sends(Buffer.from(table, 'latin1')) });
  const mapping = {
    columns: { Datum: 'starts' },
    dates: 'd.m.y',
    title: '{Heim} – {Gast}',
    subject: 'Liga',
    skip: true,
  };
  const source = { source: `${url}/a.csv`, format: 'csv', ...mapping, ignore: 'others' };
  const data = dataWith({ a: source });
  const report = await synchronise(data);
  expect(report).toMatchObject({ problems: [], sources: [{ failure: null }] });
  const { events, report: built } = await buildSite(data);
  expect(events.map(({ id, title }) => [id, title])).toEqual([
    ['chess-games/liga/sud-nord-2027-01-02', 'Süd – Nord'],
    ['chess-games/liga/nord-sud-2027-01-03', 'Nord – Süd'],
  ]);
  expect(built.warnings.map(({ code }) => code)).toEqual(['guessed-encoding', 'bad-date', 'skipped-rows']);
});

test('a remote list of objects is a table', async () => {
  const list = { items: [{ name: 'One', at: { day: '2027-01-02' } }] };
  const { url } = await serve({ '/a.json': sends(JSON.stringify(list)) });
  const mapping = { rows: 'items', columns: { name: 'title', 'at.day': 'starts' } };
  const data = dataWith({ a: { source: `${url}/a.json`, format: 'json', ...mapping, subject: 'Liga' } });
  expect(await synchronise(data)).toMatchObject({ problems: [], sources: [{ failure: null }] });
  expect((await buildSite(data)).events.map(({ id }) => id)).toEqual(['chess-games/liga/one-2027-01-02']);
});

test('sync does not download an unchanged source again, and treats its copy as current', async () => {
  const asked: (string | undefined)[] = [];
  const { data } = await serveSources({
    '/a.ics': (request, response) => {
      asked.push(request.headers['if-none-match'], request.headers['if-modified-since']);
      const isKnown = request.headers['if-none-match'] === '"v1"';
      response.writeHead(isKnown ? 304 : 200, { etag: '"v1"', 'last-modified': 'Thu, 19 Nov 2026 00:00:00 GMT' });
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

test.each([
  ['another file', 'duo.json', { name: 'Duo', events: [{ title: 'Own', starts: '2027-01-02' }] }],
  ['a table', 'z.csv', 'subject,title,starts\nDuo,Own,2027-01-02\n'],
])('a subject of %s is left out of a source, with a warning at the source file', async (_, name, content) => {
  const { data } = await serveSources({
    '/b.csv': sends('subject,title,starts\nClub,Quiz,2027-01-02\nDuo,Quiz,2027-01-02\n'),
  });
  await synchronise(data);
  writeTree(data, { [`games/chess/${name}`]: content });
  const { events, report } = await buildSite(data);
  expect(events.map(({ title, subject }) => [title, subject.name])).toEqual([
    ['Quiz', 'Club'],
    ['Own', 'Duo'],
  ]);
  const place = { file: 'games/chess/b.source.json', line: 1, column: 1 };
  expect(report.warnings).toMatchObject([{ code: 'subject-left-out', place }]);
  expect(await problemsOf(data, { strict: true })).toHaveLength(1);
});

const table = 'subject,title,starts\nClub,Quiz,2027-01-02\n';

test('an event of two sources is a warning (event-twice) until it is in "ignore_ids"', async () => {
  const rows = [
    ['Chess Club', 'Summer Tournament', '2027-01-05T10:00Z', ''],
    ['Elsewhere', 'Summer tournament', '2027-01-05T10:00Z', 'Town hall'],
    ['Elsewhere', 'Summer tournament', '2027-01-05', 'Town hall'],
    ['Elsewhere', 'Open day', '2027-02-02', 'Café Süd'],
  ];
  const { data, url } = await serveSources({
    '/a.csv': sends(`subject,title,starts,location\n${rows.map((row) => row.join()).join('\n')}\n`),
    '/b.ics': sends(calendar('SUMMER TOURNAMENT', 'DTSTART:20270105T100000Z', 'LOCATION:Town Hall')),
  });
  const events = [
    { title: 'Open Day', starts: '2027-02-02', location: 'Cafe Sud' },
    { title: 'Summer tournament', starts: '2027-01-05T10:00Z' },
  ];
  // The events of two JSON files are compared with those of sources only.
  writeTree(data, { 'games/chess/c.json': { name: 'C', events }, 'games/chess/d.json': { name: 'C', events } });
  await synchronise(data);
  const warningsOf = async () => (await buildSite(data)).report.warnings;
  const twice = (await warningsOf()).map((warning) => [warning.code, warning.place?.file, problemLine(warning)]);
  expect(twice).toEqual([
    [
      'event-twice',
      'games/chess/a.source.json',
      expect.stringContaining('["chess-games/elsewhere/open-day-2027-02-02"]'),
    ],
    ['event-twice', 'games/chess/b.source.json', expect.stringContaining('["chess-games/b/one"]')],
  ]);
  writeTree(data, {
    'games/chess/a.source.json': {
      source: `${url}/a.csv`,
      format: 'csv',
      ignore_ids: ['chess-games/elsewhere/open-day-2027-02-02'],
    },
    'games/chess/b.source.json': { source: `${url}/b.ics`, format: 'ics', ignore_ids: ['chess-games/b/one', 'gone'] },
  });
  expect(await warningsOf()).toEqual([]);
  expect((await buildSite(data)).events.map(({ id }) => id)).toEqual([
    'chess-games/elsewhere/summer-tournament-2027-01-05',
    'chess-games/c/summer-tournament',
    'chess-games/chess-club/summer-tournament-2027-01-05',
    'chess-games/d/summer-tournament',
    'chess-games/elsewhere/summer-tournament-2027-01-05t10-00z',
    'chess-games/c/open-day',
    'chess-games/d/open-day',
  ]);
});

test('a copy that is no longer valid is left out, and the other sources are published', async () => {
  const { data } = await serveSources({ '/a.csv': sends(table), '/b.ics': sends(calendar('Match')) });
  await synchronise(data);
  const invalidCopy = 'subject,title,starts\nClub,Quiz\n';
  writeFileSync(join(data, '.cache/games/chess/a.csv'), invalidCopy);
  const state = JSON.parse(readFileSync(join(data, '.cache/sync.json'), 'utf8')) as {
    sources: Record<string, { sha256: string }>;
  };
  (state.sources['games/chess/a.source.json'] ?? { sha256: '' }).sha256 = hash('sha256', invalidCopy);
  writeFileSync(join(data, '.cache/sync.json'), JSON.stringify(state));
  const { events, report } = await buildSite(data);
  expect(events.map(({ title }) => title)).toEqual(['Match']);
  expect(report.totals).toMatchObject({ subjects: 2 });
  expect(report.warnings.map(({ code }) => code)).toEqual(['source-left-out']);
});

test('a copy is not used if its hash differs from the recorded one', async () => {
  const { data } = await serveSources({ '/a.csv': sends(`${table}Club,Other,2027-01-03\n`) });
  await synchronise(data);
  writeFileSync(join(data, '.cache/games/chess/a.csv'), table);
  const { events, report } = await buildSite(data);
  expect(events).toEqual([]);
  expect(report.warnings.map(({ code }) => code)).toEqual(['source-not-fetched']);
  expect((await synchronise(data)).sources[0]?.failure).toBeNull();
  expect((await buildSite(data)).events).toHaveLength(2);
});

test('a source that loses all its events keeps its copy, except with acceptEmpty', async () => {
  const { data, handlers } = await serveSources({ '/a.csv': sends(`${table}Club,Other,2027-01-03\n`) });
  await synchronise(data);
  handlers['/a.csv'] = sends('subject,title,starts\n');
  const { sources } = await synchronise(data);
  expect(sources[0]?.good_at).toBe('2026-11-20T12:17:00.000Z');
  expect(sources[0]?.failure).toContain('it no longer has events, but its copy has 2');
  expect((await buildSite(data)).events).toHaveLength(2);
  const options = { data, displayPath: (path: string) => path, now, timing: noTime };
  expect(await sync({ ...options, acceptEmpty: true })).toEqual([]);
  expect((await buildSite(data)).events).toEqual([]);
});

test('a build lists the health of each source, and names one that brings no more events', async () => {
  const { data, url, handlers } = await serveSources({ '/a.csv': sends(table), '/b.ics': sends('no') });
  const healthOn = async (date: string, ...args: string[]) => {
    const run = await runAlmanac(['build', '--json', '--now', `${date}T12:00:00Z`, ...args], { cwd: join(data, '..') });
    const { sources, warnings = [] } = JSON.parse(run.stdout) as { sources: object[]; warnings?: { code: string }[] };
    return { sources, codes: warnings.map(({ code }) => code) };
  };
  const [a, b] = ['a', 'b'].map((name) => `data/games/chess/${name}.source.json`);
  const failing = { file: b, url: `${url}/b.ics`, last_success: null, events: 0, silent_since: null };
  const good = {
    file: a,
    url: `${url}/a.csv`,
    last_success: '2026-12-01T12:00:00.000Z',
    events: 1,
    silent_since: null,
  };
  const codes = ['source-failed'];
  expect(await healthOn('2026-12-01', '--sync')).toEqual({ sources: [good, failing], codes });
  expect(await healthOn('2026-12-05')).toEqual({ sources: [good, failing], codes });
  // Its only event is over.
  handlers['/a.csv'] = sends('subject,title,starts\n');
  const silent = {
    ...good,
    last_success: '2027-01-10T12:00:00.000Z',
    events: 0,
    silent_since: '2027-01-10T12:00:00.000Z',
  };
  const silentCodes = ['source-silent', 'source-failed'];
  expect(await healthOn('2027-01-10', '--sync')).toEqual({ sources: [silent, failing], codes: silentCodes });
  const later = { ...silent, last_success: '2027-01-12T12:00:00.000Z' };
  expect(await healthOn('2027-01-12', '--sync')).toEqual({ sources: [later, failing], codes: silentCodes });
  const run = await runAlmanac(['check', '--now', '2027-01-12T12:00:00Z'], { cwd: join(data, '..') });
  expect(run.stderr).toContain(
    `warning: ${a}:1:1: found no events to come in "${url}/a.csv" since 2027-01-10; expected some, as before`,
  );
  handlers['/a.csv'] = sends(`${table}Club,Final,2027-05-01\n`);
  const back = { ...good, last_success: '2027-01-13T12:00:00.000Z' };
  expect(await healthOn('2027-01-13', '--sync')).toEqual({ sources: [back, failing], codes });
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

test.each([500, 431, 400, 412])(
  'a server that answers %i only to conditional requests is asked without a condition',
  async (status) => {
    let asked = 0;
    const { data } = await serveSources({
      '/a.ics': ({ headers }, response) => {
        asked++;
        if (headers['if-none-match'] === undefined) response.writeHead(200, { etag: '"v1"' }).end(calendar('Match'));
        else response.writeHead(status).end();
      },
    });
    await synchronise(data);
    expect((await synchronise(data)).sources[0]?.failure).toBeNull();
    expect(asked).toBe(status === 500 ? 5 : 3);
  },
);

test('a copy from the future causes a warning until the next sync, and then ages as usual', async () => {
  const { data, handlers } = await serveSources({ '/a.ics': sends(calendar('Match')) });
  await synchronise(data, Date.UTC(2099, 0, 1));
  expect((await buildSite(data)).report.warnings.map(problemLine).join()).toContain('days in the future');
  handlers['/a.ics'] = (_, response) => response.writeHead(404).end();
  await synchronise(data);
  expect((await buildSite(data, now + 15 * day)).report.warnings.map(({ code }) => code)).toEqual(['source-too-old']);
});

test.each<[string, (cache: string) => void]>([
  ['whose copy is missing', (cache) => rmSync(join(cache, 'games/chess/a.ics'))],
  ['whose copy is newer than its record', (cache) => writeTree(cache, { 'games/chess/a.ics': calendar('Withdrawn') })],
  ['without a record', (cache) => writeTree(cache, { 'sync.json': '{"sources":' })],
])('a source %s is fetched without a condition', async (_, damage) => {
  const { data } = await serveSources({
    '/a.ics': (request, response) => {
      response.writeHead(request.headers['if-none-match'] === undefined ? 200 : 304, { etag: '"v1"' });
      response.end(calendar('Match'));
    },
  });
  await synchronise(data);
  damage(join(data, '.cache'));
  expect((await synchronise(data)).sources[0]?.failure).toBeNull();
  expect((await synchronise(data)).sources[0]?.failure).toBeNull();
  expect((await buildSite(data)).events.map(({ title }) => title)).toEqual(['Match']);
});

const invalid: Record<string, [string, Handler]> = {
  'an error': ['it answers with status 500', (_, response) => response.writeHead(500).end()],
  'a 304 to a request without a condition': [
    'it answers with status 304',
    (_, response) => response.writeHead(304).end(),
  ],
  'a page instead of a calendar': ['found an HTML page', sends('<!doctype html><p>Please sign in</p>')],
  'a page on which people sign in (page-answered)': [
    'it is private; make it public',
    sends('<!DOCTYPE html><form><input class="wide" name=secret type="password"></form>'),
  ],
  'no text': ['binary data', sends(Buffer.from([0xe9, 0x00, 0xff]))],
  'an unknown zone': ['found the zone "Mars/Base"', sends(calendar('Match', 'DTSTART;TZID=Mars/Base:20270105T100000'))],
  'too many bytes': ['more than 16,777,216 bytes', sendsForever(Buffer.alloc(1 << 20, 'x'))],
  'a redirect to http elsewhere': [
    'it redirects to http://example.org/; only https without a password is followed',
    redirects('http://example.org/'),
  ],
  'a redirect with a password': [
    'it redirects to https://…@example.org/; only https',
    redirects('https://user:secret@example.org/'),
  ],
  'a redirect to a file': ['it redirects to file:///etc/hosts; only https', redirects('file:///etc/hosts')],
  'an answer cut off': ['connection reset by peer', cutsOff],
};

test.each(Object.entries(invalid))(
  '%s is reported clearly, and the good copy stays in use',
  async (_, [expected, handler]) => {
    let handle: Handler = sends(calendar('Match'));
    const { url } = await serve({
      '/a.ics': (request, response) => handle(request, response),
      '/b.ics': sends(calendar('Other')),
    });
    const source = `${url}/a.ics`;
    const data = dataWith({ a: { source, format: 'ics' }, b: { source: `${url}/b.ics`, format: 'ics' } });
    await synchronise(data);
    handle = handler;
    const { problems, sources, lastSync } = await synchronise(data, now + 2 * day);
    expect(sources).toMatchObject([
      { good_at: '2026-11-20T12:17:00.000Z' },
      { good_at: '2026-11-22T12:17:00.000Z', failure: null },
    ]);
    expect([sources[0]?.failure, ...problems.map(problemLine)].join('\n')).toContain(expected);
    expect(lastSync).toBe('2026-11-22T12:17:00.000Z');
    const { events, report } = await buildSite(data, now + 3 * day);
    expect(events.map(({ title }) => title)).toEqual(['Match', 'Other']);
    expect(report.warnings.map(problemLine)).toEqual([
      expect.stringMatching(/a\.ics.*; the last good copy, from 3 days ago, stays in use/),
    ]);
  },
);

test('problems of a fetched text, at most 20, have its URL, line and column, in the order of its lines', async () => {
  const table = 'subject,title,starts\nClub,One,2027-02-30\nClub,Two\nClub,Three,2027-02-30\nClub,,2027-01-01\n';
  const more = Array.from({ length: 100 }, (_, index) => `Club,Quiz ${index},2027-02-30\n`);
  const { data, url } = await serveSources({ '/a.csv': sends(table + more.join('')) });
  const { problems } = await synchronise(data);
  expect(problems.map(({ place }) => place?.line)).toEqual(Array.from({ length: 20 }, (_, index) => index + 2));
  expect(problems.map(problemLine)[0]).toMatch(`${url}/a.csv:2:10: found starts "2027-02-30"`);
});

test('a source that never worked keeps last_sync unchanged, night after night', async () => {
  const { data, url } = await serveSources({ '/a.ics': sends('no') });
  for (const night of [0, 1, 2]) {
    await synchronise(data, now + night * day);
    const { report } = await buildSite(data, now + night * day);
    expect(report.lastSync).toBe('2026-11-20T12:17:00.000Z');
    expect(report.warnings).toMatchObject([{ code: 'source-failed', url: `${url}/a.ics`, age: null }]);
  }
});

test('a failing source delays last_sync once its copy is more than a week old', async () => {
  const { data, stop } = await serveSources({ '/a.ics': sends(calendar('Match')) });
  await synchronise(data);
  await stop();
  expect((await synchronise(data, now + 7 * day)).lastSync).toBe('2026-11-27T12:17:00.000Z');
  expect((await synchronise(data, now + 8 * day)).lastSync).toBe('2026-11-27T12:17:00.000Z');
});

test('a build warns about a copy that is too old and a source that was never fetched; a check does not', async () => {
  const { data } = await serveSources({ '/a.ics': sends(calendar('Match')) });
  const warningsOf = async (options: Strictness): Promise<string[]> =>
    (await buildWith(data, options)).warnings.map(problemLine);
  expect(await warningsOf({})).toEqual([expect.stringContaining('run almanac build --sync')]);
  expect(await problemsOf(data, { strict: true })).toEqual([expect.stringContaining('run almanac build --sync')]);
  await synchronise(data);
  for (const days of [14, -14]) expect(await warningsOf({ now: now + days * day })).toEqual([]);
  expect(await warningsOf({ now: now + 14 * day + 1 })).toEqual([
    expect.stringContaining('is more than 14 days old; expected one at most 14 days old; it stays in use'),
  ]);
  expect((await buildSite(data, now + 20 * day)).events).toHaveLength(1);
  expect(await problemsOf(data, { now: now + 15 * day, strict: true })).toEqual([
    expect.stringContaining('is 15 days old; expected one at most 14 days old'),
  ]);
  expect((await check({ data, displayPath: (path) => path, baseUrl: null, now: now + 50 * day })).problems).toEqual([]);
});

test('a source with a new URL is fetched again', async () => {
  const { url } = await serve({ '/a.ics': sends(calendar('Match')), '/b.ics': sends('no') });
  const data = dataWith({ a: { source: `${url}/a.ics`, format: 'ics' } });
  await synchronise(data);
  writeFileSync(join(data, 'games/chess/a.source.json'), JSON.stringify({ source: `${url}/b.ics`, format: 'ics' }));
  expect(await problemsOf(data, { strict: true })).toEqual([expect.stringContaining('run almanac build --sync')]);
  expect((await synchronise(data)).sources[0]?.good_at).toBeNull();
});

test.each<[string, string, RegExp]>([
  ['a misspelt key', '{"source":"URL/a.ics","formt":"ics"}', /:1:\d+: found the unknown key "formt"/],
  ['a URL that is not supported', '{"source":"ftp://e.org/a","format":"ics"}', /:1:11: found the source "ftp:/],
  ['broken JSON', '{"source":"URL/a.ics"', /:1:\d+: found the end of the file/],
])('a source file with %s is reported and keeps its copy, and the others are fetched', async (_, broken, expected) => {
  const { data, url } = await serveSources({ '/a.ics': sends(calendar('Match')), '/b.ics': sends(calendar('Other')) });
  await synchronise(data);
  const file = join(data, 'games/chess/a.source.json');
  const good = readFileSync(file);
  writeFileSync(file, broken.replace('URL', url));
  const { sources, lastSync } = await synchronise(data, now + day);
  const { problems } = await check({ data, displayPath: (path) => path, baseUrl: null, now });
  expect(problems.map(problemLine).join('\n')).toMatch(expected);
  expect(sources.map((source) => source.good_at)).toEqual(['2026-11-20T12:17:00.000Z', '2026-11-21T12:17:00.000Z']);
  expect(lastSync).toBe('2026-11-20T12:17:00.000Z');
  const run = await runAlmanac(checkThen, { cwd: join(data, '..') });
  expect(run).toMatchObject({ code: 1, stdout: expect.stringMatching(expected), stderr: '' });
  writeFileSync(file, good);
  const { events, report } = await buildSite(data, now + 2 * day);
  expect(events.map(({ title }) => title)).toEqual(['Match', 'Other']);
  expect(report.lastSync).toBe('2026-11-20T12:17:00.000Z');
});

test('an invalid event of a remote calendar is left out with a warning, or fails with --strict', async () => {
  const bad = 'BEGIN:VEVENT\nUID:two\nDTSTART:20270105T100000Z\nRRULE:FREQ=SOMETIMES\nEND:VEVENT\n';
  const { data } = await serveSources({
    '/a.ics': sends(calendar('Match').replace('END:VCALENDAR', `${bad}END:VCALENDAR`)),
  });
  expect(await synchronise(data)).toMatchObject({ problems: [], sources: [{ failure: null }] });
  const { events, report } = await buildSite(data);
  expect(events.map(({ title }) => title)).toEqual(['Match']);
  const warning = /^\.cache\/games\/chess\/a\.ics:\d+:1: found the recurrence rule "RRULE:FREQ=SOMETIMES"/;
  expect(report.warnings.map(problemLine)).toEqual([expect.stringMatching(warning)]);
  expect(await problemsOf(data, { strict: true })).toEqual([expect.stringMatching(warning)]);
  const run = await runAlmanac(checkThen, { cwd: join(data, '..') });
  expect(run).toMatchObject({ code: 0, stderr: expect.stringMatching(/^warning: data\/\.cache\/.*\n$/) as string });
  const strict = await runAlmanac([...checkThen, '--strict'], { cwd: join(data, '..') });
  expect([strict.code, strict.stdout]).toEqual([1, expect.stringContaining('FREQ=SOMETIMES')]);
});

test.each<[string, object]>([
  ['no instant', { last_sync: 'soon\u001b[31m', first_run: null }],
  ['an impossible date', { last_sync: '2026-99-20T12:17:00.000Z', first_run: null }],
  ['a number', { last_sync: null, first_run: 5 }],
])('a cache whose last sync is %s is not published but fetched again', async (_, times) => {
  const { data, url } = await serveSources({ '/a.ics': (_, response) => response.writeHead(500).end() });
  const known = { url: `${url}/a.ics`, etag: null, last_modified: null, sha256: null, good_at: null, failure: 'x' };
  const state = { ...times, sources: { 'games/chess/a.source.json': known } };
  writeTree(data, { '.cache/sync.json': state });
  expect(await problemsOf(data, { strict: true })).toEqual([expect.stringContaining('run almanac build --sync')]);
  writeTree(data, { '.cache/sync.json': { last_sync: null, first_run: null, sources: { ...state.sources, b: null } } });
  expect((await buildSite(data)).report.lastSync).toBe('2026-11-20T12:17:00.000Z');
});

test('a copy that is a symbolic link is not used, and sync replaces it by a file', async () => {
  const { data } = await serveSources({ '/a.ics': sends(calendar('Match')) });
  await synchronise(data);
  const copy = join(data, '.cache/games/chess/a.ics');
  rmSync(copy);
  writeTree(data, { '../elsewhere.ics': calendar('Secret') });
  symlinkSync(join(data, '../elsewhere.ics'), copy);
  expect(await problemsOf(data, { strict: true })).toEqual([expect.stringContaining('run almanac build --sync')]);
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
    expect(await problemsOf(data, { strict: true })).toEqual([expect.stringContaining('run almanac build --sync')]);
    const error: unknown = await synchronise(data, now + day).catch((thrown: unknown) => thrown);
    expect(error instanceof ProblemError && error.problems).toMatchObject([
      { code: 'symbolic-link', place: { file: folder } },
    ]);
    expect(readTree(elsewhere)).toEqual(before);
  },
);

test('sync creates no cache in a missing data folder, or in one without remote sources', async () => {
  const cwd = writeTree(tempFolder(), { 'a-file': '' });
  for (const path of ['nowhere', 'a-file/nowhere']) {
    expect((await synchronise(join(cwd, path))).problems).toEqual([]);
    expect(existsSync(join(cwd, path))).toBe(false);
  }
  const data = dataWith({});
  expect((await synchronise(data)).problems).toEqual([]);
  expect(existsSync(join(data, '.cache'))).toBe(false);
});

test('sync removes temporary files of a killed sync', async () => {
  const { data } = await serveSources({ '/a.ics': sends(calendar('Match')) });
  writeTree(data, { '.cache/sync.json.9a-9.next': '{', '.cache/games/chess/a.ics.9a-9.next': 'BEGIN' });
  await synchronise(data);
  expect([...readTree(join(data, '.cache')).keys()]).toEqual(['games/chess/a.ics', 'sync.json']);
});

test('sync retries a temporary failure twice, and never a permanent one', async () => {
  const waits: number[] = [];
  const ask = async (answers: number[], headers = {}): Promise<FetchResult> => {
    waits.length = 0;
    const { url } = await serve({
      '/': (_, response) => response.writeHead(answers.shift() ?? 200, headers).end('text'),
    });
    const timing = { ...noTime, sleep: async (milliseconds: number) => void waits.push(milliseconds) };
    return fetchSource(`${url}/`, null, { timeout: 5000, maxBytes: 100, retries: 2, timing });
  };
  expect(await ask([500, 503])).toMatchObject({ kind: 'fetched' });
  expect(waits).toEqual([1000, 4000]);
  expect(await ask([429], { 'retry-after': '86400' })).toMatchObject({ kind: 'fetched' });
  expect(waits).toEqual([30_000]);
  expect(await ask([500, 500, 500])).toEqual({ kind: 'failed', reason: 'it answers with status 500' });
  expect(await ask([403])).toMatchObject({ kind: 'failed', reason: expect.stringContaining('not public') as string });
  expect(waits).toEqual([]);
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
  expect((await buildSite(data)).report.warnings.map(({ code }) => code)).toEqual(['source-not-fetched']);
  truncateSync(join(data, '.cache/sync.json'), 3 * 1024 ** 3);
  expect((await buildSite(data)).report.warnings.map(({ code }) => code)).toEqual(['source-not-fetched']);
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
  const data = dataWith(Object.fromEntries(names.map((name) => [name, { source: `${url}/${name}`, format: 'ics' }])));
  expect((await synchronise(data)).sources.every(({ failure }) => failure === null)).toBe(true);
  expect(most).toBe(6);
});

test('check and build fetch with --sync, report a failed source once, and fail on it with --strict', async () => {
  const { data, url, handlers } = await serveSources({ '/a.ics': sends(calendar('Match')) });
  const run = async (...args: string[]): ReturnType<typeof runAlmanac> =>
    runAlmanac([...args, '--now', '2026-11-22T12:00:00Z'], { cwd: join(data, '..') });
  expect(await run('check', '--sync')).toMatchObject({ code: 0, stderr: '', stdout: 'data: no problems\n' });
  handlers['/a.ics'] = sends('gone');
  const kept = await run('build', '--sync', '--json');
  const lines = kept.stderr.split('\n').map((line) => line.split(': ').slice(0, 2).join(': '));
  expect([kept.code, lines]).toEqual([
    0,
    [`warning: ${url}/a.ics:1:1`, 'warning: data/games/chess/a.source.json:1:1', ''],
  ]);
  expect(JSON.parse(kept.stdout)).toMatchObject({ ok: true, catalogue: { upcoming: 1 } });
  for (const args of [['build'], ['check', '--sync']]) {
    const strict = await run(...args, '--strict', '--json');
    expect([strict.code, JSON.parse(strict.stdout)]).toMatchObject([1, { problems: [{ code: 'source-failed' }] }]);
  }
  expect(readFileSync(join(data, '../dist/api/v1/events.json'), 'utf8')).toContain('"Match"');
});

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Starts a server on this machine. It stops when the test ends, even if connections are open. */
async function serve(handlers: Record<string, Handler>): Promise<{ url: string; stop: () => Promise<void> }> {
  const { url, close } = await listen((request, response) => {
    const handler = handlers[request.url ?? ''];
    if (handler === undefined) response.writeHead(404).end();
    else handler(request, response);
  });
  onTestFinished(close);
  return { url, stop: close };
}

/** Serves sources by their file names. Returns a data folder with a source file for each. */
async function serveSources(handlers: Record<string, Handler>) {
  const server = await serve(handlers);
  const sources = Object.keys(handlers).map((path) => {
    const [name = '', format] = path.slice(1).split('.');
    return [name, { source: server.url + path, format }];
  });
  return { ...server, handlers, data: dataWith(Object.fromEntries(sources) as Record<string, object>) };
}

function sends(body: string | Buffer): Handler {
  return (_, response) => response.writeHead(200).end(body);
}

function redirects(to: string): Handler {
  return (_, response) => response.writeHead(302, { location: to }).end();
}

function sendsForever(chunk: Buffer): Handler {
  return (_, response) => {
    const send = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', send).on('error', () => {});
    send();
  };
}

function cutsOff(_: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { 'content-length': '1000' }).write('BEGIN:VCALENDAR\n', () => void response.destroy());
}

function calendar(title: string, ...lines: string[]): string {
  const start = lines.length > 0 ? lines : ['DTSTART:20270105T100000Z'];
  const event = ['BEGIN:VEVENT', 'UID:one', `SUMMARY:${title}`, ...start, 'END:VEVENT'];
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...event, 'END:VCALENDAR', ''].join('\r\n');
}

function dataWith(sources: Record<string, object>): string {
  const files = Object.entries(sources).map(([name, source]) => [`games/chess/${name}.source.json`, source]);
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

type Strictness = { readonly now?: number; readonly strict?: boolean };

async function buildWith(data: string, { now: at = now, strict = false }: Strictness): Promise<BuildReport> {
  return buildFolder(data, join(data, '../dist'), at, strict);
}

interface Listed {
  readonly id: string;
  readonly title: string;
  readonly subject: { readonly name: string };
}

async function buildSite(data: string, at = now): Promise<{ events: Listed[]; report: BuildReport }> {
  const report = await buildWith(data, { now: at });
  const { events } = JSON.parse(readFileSync(join(data, '../dist/api/v1/events.json'), 'utf8')) as { events: Listed[] };
  return { events, report };
}

async function problemsOf(data: string, options: Strictness): Promise<string[]> {
  const error: unknown = await buildWith(data, options).catch((thrown: unknown) => thrown);
  return error instanceof ProblemError ? error.problems.map(problemLine) : [String(error)];
}
