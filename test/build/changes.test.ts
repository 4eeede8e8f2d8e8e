import { hash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ChangesDocument } from '../../src/api/documents.ts';
import { changesDocumentSchema } from '../../src/api/schemas.ts';
import { buildSite, dataOf, type Events } from '../setup/build-site.ts';
import { lastingFolder, readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { listen, plainHost } from '../setup/host.ts';
import { runAlmanac, type Run } from '../setup/run-almanac.ts';
import { serveFolder } from '../setup/serve-folder.ts';

const catalogue = {
  'tv/drama/severance': { Premiere: '2027-01-15', Finale: { starts: '2027-03-19T21:00', zone: 'America/New_York' } },
  'film/comedy/hacks': { Opening: '2027-02-01', Tonight: '2026-11-20T20:00Z' },
} satisfies Events;

type Subjects = Record<string, Record<string, string | object>>;

/** Returns a copy of the catalogue that `change` has changed. */
function changed(change: (events: Subjects) => void): Events {
  const copy: Subjects = structuredClone(catalogue);
  change(copy);
  return copy;
}

function nightOf(number: number): string {
  return new Date(Date.UTC(2026, 10, 19 + number, 12, 17)).toISOString();
}

/** Builds the site of a night over that of the night before. Returns its change log. */
async function build(cwd: string, number: number, events: Events, ...args: string[]): Promise<ChangesDocument> {
  const site = await buildSite(events, nightOf(number), { cwd, args });
  return changesDocumentSchema.parse(JSON.parse(readFileSync(join(site, 'api/v1/changes.json'), 'utf8')));
}

/** Writes a data folder into a folder, and returns that. */
function withData(cwd: string, events: Events): string {
  writeTree(join(cwd, 'data'), dataOf(events));
  return cwd;
}

const severance = 'drama-tv/severance';
const premiere = { date: '2027-01-15', starts_at: '2027-01-15T00:00:00.000Z', time_known: false, precision: 'day' };
const later = { date: '2027-01-22', starts_at: '2027-01-22T00:00:00.000Z', time_known: false, precision: 'day' };

describe('ten nights', () => {
  const cwd = lastingFolder();
  let previous: ChangesDocument = { since: null, changes: [] };

  /** Builds a night and returns the kind, the id, and what was before and after of each new entry. */
  async function newEntries(number: number, events: Events): Promise<unknown[]> {
    const log = await build(cwd, number, events);
    const added = log.changes.filter(({ at }) => at === nightOf(number));
    expect(log.changes.slice(added.length)).toEqual(previous.changes);
    expect(log.since).toBe(nightOf(1));
    previous = log;
    return added.map(({ kind, id, before, after }) => [kind, id, before, after]);
  }

  test('the first begins the log, and the second has nothing to add', async () => {
    previous = await build(cwd, 1, catalogue);
    expect(previous).toEqual({ since: nightOf(1), changes: [] });
    expect(await newEntries(2, catalogue)).toEqual([]);
  });

  test('an event is added, and one that has expired is no change', async () => {
    const entries = await newEntries(
      3,
      changed((all) => (all['tv/drama/severance'] = { ...all['tv/drama/severance'], Reunion: '2027-05-01' })),
    );
    expect(entries).toEqual([
      ['added', `${severance}/reunion`, null, expect.objectContaining({ date: '2027-05-01', title: 'Reunion' })],
    ]);
  });

  test('it is removed, and another one moves', async () => {
    const entries = await newEntries(
      4,
      changed((all) => (all['tv/drama/severance'] = { ...all['tv/drama/severance'], Premiere: '2027-01-22' })),
    );
    expect(entries).toEqual([
      ['moved', `${severance}/premiere`, expect.objectContaining(premiere), expect.objectContaining(later)],
      ['removed', `${severance}/reunion`, expect.objectContaining({ date: '2027-05-01' }), null],
    ]);
    const feed = readFileSync(join(cwd, 'dist/api/v1/genre/drama-tv/feed.xml'), 'utf8');
    expect(feed).toContain(`<link rel="alternate" href="https://example.org/almanac/genre/${severance}/#premiere"/>`);
  });

  test('it moves back, and a title and an address change', async () => {
    const url = 'https://example.org/opening';
    const entries = await newEntries(
      5,
      changed((all) => (all['film/comedy/hacks'] = { 'First night': { starts: '2027-02-01', id: 'opening', url } })),
    );
    expect(entries).toEqual([
      ['changed', 'comedy-film/hacks/opening', { title: 'Opening', url: null }, { title: 'First night', url }],
      ['moved', `${severance}/premiere`, expect.objectContaining(later), expect.objectContaining(premiere)],
    ]);
  });

  test('a quiet night changes no byte of the log or a feed', async () => {
    const logs = (): Map<string, Buffer> =>
      new Map([...readTree(join(cwd, 'dist'))].filter(([path]) => /(changes\.json|feed\.xml)$/.test(path)));
    const before = logs();
    const url = 'https://example.org/opening';
    const same = changed(
      (all) => (all['film/comedy/hacks'] = { 'First night': { starts: '2027-02-01', id: 'opening', url } }),
    );
    expect(await newEntries(6, same)).toEqual([]);
    expect(logs()).toEqual(before);
    expect(before.size).toBe(1 + 1 + 2 + 2);
  });

  test('an event is cancelled, and then no longer', async () => {
    const entries = await newEntries(
      7,
      changed(
        (all) =>
          (all['tv/drama/severance'] = {
            ...all['tv/drama/severance'],
            Premiere: { starts: '2027-01-15', cancelled: true },
          }),
      ),
    );
    expect(entries).toContainEqual(['cancelled', `${severance}/premiere`, expect.objectContaining(premiere), null]);
    const again = await newEntries(8, catalogue);
    expect(again).toEqual([['added', `${severance}/premiere`, null, expect.objectContaining(premiere)]]);
  });

  test('a source shrinks and recovers, with a whole genre', async () => {
    const entries = await newEntries(9, { 'film/comedy/hacks': catalogue['film/comedy/hacks'] });
    expect(entries.map((entry) => (entry as string[]).slice(0, 2))).toEqual([
      ['removed', `${severance}/finale`],
      ['removed', `${severance}/premiere`],
    ]);
    const recovered = await newEntries(10, catalogue);
    expect(recovered.map((entry) => (entry as string[]).slice(0, 2))).toEqual([
      ['added', `${severance}/finale`],
      ['added', `${severance}/premiere`],
    ]);
  });
});

test('an announced event gets a date, loses it again, and is cancelled; its end is a part of a move', async () => {
  const cwd = tempFolder();
  await build(cwd, 1, {
    'tv/drama/severance': { Finale: '2027-Q2', Fair: { starts: '2027-05-01', ends: '2027-05-03' } },
  });
  const entry = async (number: number, events: Events): Promise<unknown[]> => {
    const { changes } = await build(cwd, number, events);
    return changes
      .filter((change) => change.at === nightOf(number))
      .map(({ kind, id, before, after }) => [kind, id.split('/')[2], before, after]);
  };
  const fair = { starts: '2027-05-01', ends: '2027-05-04' };
  const [moved, dated] = await entry(2, { 'tv/drama/severance': { Finale: '2027-04-02', Fair: fair } });
  const time = { date: '2027-05-01', time_known: false, precision: 'day', zone: null };
  expect(moved).toEqual([
    'moved',
    'fair',
    { ...time, ends_at: '2027-05-03T00:00:00.000Z', end_date: '2027-05-03', over_at: '2027-05-04T12:00:00.000Z' },
    { ...time, ends_at: '2027-05-04T00:00:00.000Z', end_date: '2027-05-04', over_at: '2027-05-05T12:00:00.000Z' },
  ]);
  const period = { period: '2027-Q2', window: { from: '2027-04-01', until: '2027-06-30' }, zone: null };
  const date = expect.objectContaining({
    date: '2027-04-02',
    time_known: false,
    precision: 'day',
    starts_at: '2027-04-02T00:00:00.000Z',
  }) as object;
  expect(dated).toEqual(['dated', 'finale', period, date]);
  expect(await entry(3, { 'tv/drama/severance': { Finale: '2027-Q2', Fair: fair } })).toEqual([
    ['moved', 'finale', date, period],
  ]);
  expect(await entry(4, { 'tv/drama/severance': { Finale: '2027-Q3', Fair: fair } })).toMatchObject([
    ['moved', 'finale', { period: '2027-Q2' }, { period: '2027-Q3' }],
  ]);
  const cancelled = { starts: '2027-Q3', cancelled: true };
  expect(await entry(5, { 'tv/drama/severance': { Finale: cancelled, Fair: fair } })).toMatchObject([
    ['cancelled', 'finale', { period: '2027-Q3' }, null],
  ]);
  expect(await entry(6, { 'tv/drama/severance': { Finale: '2027-Q3', Fair: fair } })).toMatchObject([
    ['added', 'finale', null, { period: '2027-Q3' }],
  ]);
  expect(await entry(7, { 'tv/drama/severance': { Fair: fair } })).toMatchObject([
    ['removed', 'finale', { period: '2027-Q3' }, null],
  ]);
});

test('a previous site without a log: the log begins at its last_sync', async () => {
  const cwd = tempFolder();
  await build(cwd, 1, catalogue);
  rmSync(join(cwd, 'dist/api/v1/changes.json'));
  const { since, changes } = await build(
    cwd,
    2,
    changed((all) => (all['tv/drama/severance'] = { Premiere: '2027-01-15' })),
  );
  expect(since).toBe(nightOf(1));
  expect(changes).toMatchObject([{ at: nightOf(2), kind: 'removed', id: `${severance}/finale` }]);
});

describe('the site that a build continues', () => {
  const next = changed((all) => (all['tv/drama/new'] = { Pilot: '2027-06-01' }));
  const logIn = (site: string): ChangesDocument =>
    JSON.parse(readFileSync(join(site, 'api/v1/changes.json'), 'utf8')) as ChangesDocument;

  test('is the one that it replaces, without --against', async () => {
    const cwd = tempFolder();
    await buildSite(catalogue, nightOf(1), { cwd });
    const log = logIn(await buildSite(next, nightOf(2), { cwd }));
    expect(log).toMatchObject({ since: nightOf(1), changes: [{ at: nightOf(2), id: 'drama-tv/new/pilot' }] });
    expect(logIn(await buildSite(next, nightOf(3), { cwd }))).toEqual(log);
  });

  test('is the one that --against names, although there is one in --out', async () => {
    const cwd = tempFolder();
    await buildSite(catalogue, nightOf(1), { cwd, out: 'live' });
    await buildSite(next, nightOf(2), { cwd });
    const site = await buildSite(next, nightOf(3), { cwd, args: ['--against', 'live'] });
    expect(logIn(site)).toMatchObject({ since: nightOf(1), changes: [{ at: nightOf(3) }] });
  });

  test('is none with --against none, which says that it drops a log (log-dropped)', async () => {
    const cwd = tempFolder();
    await buildSite(catalogue, nightOf(1), { cwd });
    const run = await runAlmanac(['build', '--now', nightOf(2), '--against', 'none'], { cwd: withData(cwd, next) });
    expect(run).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('found a change log at "dist", which this build does not'),
    });
    expect(logIn(join(cwd, 'dist'))).toEqual({ since: nightOf(2), changes: [] });
  });

  test('gives an event that changes twice at the same time two entries with different times', async () => {
    const cwd = tempFolder();
    await buildSite(catalogue, nightOf(1), { cwd });
    for (const date of ['2027-01-16', '2027-01-17']) {
      const moved = changed((all) => (all['tv/drama/severance'] = { ...all['tv/drama/severance'], Premiere: date }));
      await buildSite(moved, nightOf(2), { cwd });
    }
    const { changes } = logIn(join(cwd, 'dist'));
    expect(changes.map(({ at }) => Date.parse(at) - Date.parse(nightOf(2)))).toEqual([1, 0]);
    const feed = readFileSync(join(cwd, 'dist/api/v1/feed.xml'), 'utf8');
    const ids = [...feed.matchAll(/<entry>\n<id>(.*)<\/id>/g)].map(([, id]) => id);
    expect(ids).toEqual(changes.map(({ at }) => `tag:example.org,2026-11-20:${severance}/premiere@${at}`));
  });

  test('the time of a change is that of the build, although no source answers any more', async () => {
    const cwd = tempFolder();
    await buildSite(catalogue, nightOf(1), { cwd });
    expect(logIn(await buildSite(next, nightOf(4), { cwd })).changes).toMatchObject([{ at: nightOf(4) }]);
  });
});

test('--changes writes what this build saw, and nothing in a dry run (changes-not-written)', async () => {
  const cwd = tempFolder();
  await buildSite(catalogue, nightOf(1), { cwd });
  const more = changed((all) => (all['tv/drama/new'] = { Pilot: '2027-06-01' }));
  await buildSite(more, nightOf(2), { cwd, args: ['--changes', 'dry.json', '--dry-run'] });
  await buildSite(more, nightOf(2), { cwd, args: ['--changes', 'second.json'] });
  const last = changed((all) => (all['tv/drama/new'] = { Pilot: '2027-06-02' }));
  await buildSite(last, nightOf(3), { cwd, args: ['--changes', 'third.json'] });
  await buildSite(last, nightOf(4), { cwd, args: ['--changes', 'fourth.json'] });
  expect(existsSync(join(cwd, 'dry.json'))).toBe(false);
  const seen = ['second', 'third', 'fourth'].map((name) => {
    const document: unknown = JSON.parse(readFileSync(join(cwd, `${name}.json`), 'utf8'));
    const { since, changes } = changesDocumentSchema.parse(document);
    return [since, changes.map(({ at, kind }) => `${at} ${kind}`)];
  });
  const since = nightOf(1);
  expect(seen).toEqual([
    [since, [`${nightOf(2)} added`]],
    [since, [`${nightOf(3)} moved`]],
    [since, []],
  ]);
  const run = await runAlmanac(['build', '--now', nightOf(5), '--changes', 'data'], { cwd: withData(cwd, last) });
  expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('could not write the changes to "data"') });
});

test('a previous site without every event: its log is continued without a comparison, with a warning', async () => {
  const cwd = tempFolder();
  await build(cwd, 1, catalogue);
  const more = changed((all) => (all['tv/drama/new'] = { Pilot: '2027-06-01' }));
  const log = await build(cwd, 2, more);
  rmSync(join(cwd, 'dist/api/v1/events.ndjson'));
  const manifest = readFileSync(join(cwd, 'dist/files.json'), 'utf8');
  writeFileSync(join(cwd, 'dist/files.json'), manifest.replace(/"api\/v1\/events\.ndjson":\{[^}]*\},/, ''));
  const run = await runAlmanac(['build', '--now', nightOf(3), '--against', 'dist', '--data', 'data', '--out', 'next'], {
    cwd: withData(cwd, catalogue),
  });
  expect(run).toMatchObject({ code: 0 });
  expect(run.stderr).toMatch(/^warning: found no events\.ndjson at "dist"/);
  expect(JSON.parse(readFileSync(join(cwd, 'next/api/v1/changes.json'), 'utf8'))).toEqual(log);
});

test('entries of more than 60 days are dropped when another one is added, and at most 1,000 stay', async () => {
  const cwd = tempFolder();
  const first = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`Show ${index}`, '2027-12-01']));
  await build(cwd, 1, {});
  await build(cwd, 2, { 'tv/drama/first': first });
  expect((await build(cwd, 3, { 'tv/drama/first': first, 'tv/drama/second': first })).changes).toHaveLength(1000);
  const quiet = await build(cwd, 100, { 'tv/drama/first': first, 'tv/drama/second': first });
  expect(quiet.changes).toHaveLength(1000);
  const { changes } = await build(cwd, 101, { 'tv/drama/first': first });
  expect(changes).toHaveLength(600);
  expect(new Set(changes.map(({ at, kind }) => `${at} ${kind}`))).toEqual(new Set([`${nightOf(101)} removed`]));
});

describe('a site at an address', () => {
  async function buildAgainst(status: number, cwd: string, path = 'files.json', ...args: string[]): Promise<Run> {
    const host = plainHost(join(cwd, 'dist'));
    const { url, close } = await listen((request, response) => {
      if (request.url === `/${path}` && status !== 200) response.writeHead(status).end();
      else host(request, response);
    });
    const all = ['build', '--now', nightOf(2), '--against', url, '--out', 'next', '--accept-loss', '--quiet'];
    const run = await runAlmanac([...all, ...args], {
      cwd: withData(cwd, { 'tv/drama/severance': { Premiere: '2027-01-22' } }),
    });
    await close();
    return run;
  }

  test('is compared like a folder', async () => {
    const cwd = tempFolder();
    await build(cwd, 1, catalogue);
    expect(await buildAgainst(200, cwd)).toMatchObject({ code: 0, stderr: '' });
    const { changes } = JSON.parse(readFileSync(join(cwd, 'next/api/v1/changes.json'), 'utf8')) as ChangesDocument;
    expect(changes.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
      'removed comedy-film/hacks/opening',
      `removed ${severance}/finale`,
      `moved ${severance}/premiere`,
    ]);
  });

  test('ends the build if it is missing or fails, and the message says what to do', async () => {
    const cwd = tempFolder();
    await build(cwd, 1, catalogue);
    const missing = await buildAgainst(404, cwd);
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('with --against none') });
    expect(existsSync(join(cwd, 'next'))).toBe(false);
    const refused = await buildAgainst(403, cwd);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('the server answered 403') });
  });

  test.each(['changes.json', 'events.ndjson', 'genre/drama-tv/events.ndjson', 'genres.json'])(
    'does not find %s, which its manifest lists: a warning',
    async (file) => {
      const cwd = tempFolder();
      await build(cwd, 1, catalogue);
      const run = await buildAgainst(404, cwd, `api/v1/${file}`, '--json');
      expect(run).toMatchObject({ code: 0 });
      const { warnings } = JSON.parse(run.stdout) as { warnings: { code: string; message: string }[] };
      // The next catalogue has no event of one of the genres.
      const others = warnings.filter(({ code }) => code !== 'genres-emptied');
      expect(others).toMatchObject([{ code: 'previous-site-damaged' }]);
      expect(others[0]?.message).toContain(file);
    },
  );
});

describe('a previous site that is damaged is compared as far as it is whole, with a warning', () => {
  const dramas = 'genre/drama-tv/events.ndjson';
  const edit = (path: string, change: (text: string) => string): void =>
    writeFileSync(path, change(readFileSync(path, 'utf8')));
  const entry = {
    at: nightOf(1),
    kind: 'added',
    id: 'drama-tv/gone/e',
    title: 'Gone',
    subject: { id: 'gone', name: 'Gone' },
    genre: 'drama-tv',
    category: 'tv',
    before: null,
    after: { date: '2027-01-01' },
  };
  const logOf = (...changes: object[]): string => JSON.stringify({ since: nightOf(1), changes });
  const cases: [string, (path: (file: string) => string) => void, string][] = [
    [
      'a broken line',
      (path) => edit(path(dramas), (text) => text.replace('"title":"Premiere"', '"title":"Premiere')),
      'found a record of drama-tv/severance/premiere that is not valid',
    ],
    [
      'a line without an end',
      (path) => writeFileSync(path(dramas), `{"id":"${'a'.repeat(2_000_000)}`),
      'found a line of more than 1,048,576 characters',
    ],
    ['no index', (path) => rmSync(path('index.json')), 'it is missing'],
    ['a page in place of the index', (path) => writeFileSync(path('index.json'), '<html>'), 'files.json lists'],
    ['a huge index', (path) => writeFileSync(path('index.json'), ' '.repeat(2e6)), 'it has more than 1,0'],
    ['no manifest of a site', (path) => writeFileSync(path('../../files.json'), '{'), 'it is not JSON'],
    [
      'a log of 100 MB',
      (path) => writeFileSync(path('changes.json'), `{"a":[${' '.repeat(1e8)}]}`),
      'it has more than',
    ],
    ['something else as its log', (path) => writeFileSync(path('changes.json'), '{"since":null}'), 'files.json lists'],
  ];
  test.each(cases)('%s (previous-site-damaged)', async (_, damage, message) => {
    const cwd = tempFolder();
    await buildSite(catalogue, nightOf(1), { cwd, out: 'live' });
    damage((file) => join(cwd, 'live/api/v1', file));
    const more = changed((all) => {
      all['film/comedy/hacks'] = { ...all['film/comedy/hacks'], Closing: '2027-06-01' };
      all['tv/drama/severance'] = { ...all['tv/drama/severance'], Finale: '2027-04-01' };
    });
    const run = await runAlmanac(['build', '--now', nightOf(2), '--against', 'live', '--data', 'data'], {
      cwd: withData(cwd, more),
    });
    expect(run).toMatchObject({ code: 0 });
    expect(run.stderr.match(/^warning: .*$/gm)).toEqual([expect.stringContaining(message)]);
    const { changes } = JSON.parse(readFileSync(join(cwd, 'dist/api/v1/changes.json'), 'utf8')) as ChangesDocument;
    const added = changes.filter(({ kind }) => kind === 'added').map(({ id }) => id);
    expect(added).toEqual(['comedy-film/hacks/closing']);
  });

  test.each<[string, object]>([
    ['of tomorrow', { at: nightOf(3) }],
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
  ])('an entry %s is left out, and the others stay', async (_, wrong) => {
    const cwd = tempFolder();
    await buildSite(catalogue, nightOf(1), { cwd, out: 'live' });
    const good = { ...entry, title: 'Good' };
    const log = logOf({ ...entry, id: 'drama-tv/gone/f', ...wrong }, good);
    writeFileSync(join(cwd, 'live/api/v1/changes.json'), log);
    const manifest = join(cwd, 'live/files.json');
    const listed = { bytes: log.length, sha256: hash('sha256', log) };
    edit(manifest, (text) => text.replace(/(?<="api\/v1\/changes\.json":)\{.*?\}/, JSON.stringify(listed)));
    const run = await runAlmanac(['build', '--now', nightOf(2), '--against', 'live'], {
      cwd: withData(cwd, catalogue),
    });
    expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining('1 of its entries') });
    expect(JSON.parse(readFileSync(join(cwd, 'dist/api/v1/changes.json'), 'utf8'))).toEqual(JSON.parse(logOf(good)));
  });

  test('a genre that its list names several times is compared once', async () => {
    const cwd = tempFolder();
    await buildSite(catalogue, nightOf(1), { cwd, out: 'live' });
    const repeat = (list: string): string => list.replace(/(?<="genres":\[)(.*)(?=\]\})/, '$1,$1,$1');
    edit(join(cwd, 'live/api/v1/genres.json'), repeat);
    const { 'tv/drama/severance': rest } = catalogue;
    const run = await runAlmanac(['build', '--now', nightOf(2), '--against', 'live', '--accept-loss'], {
      cwd: withData(cwd, { 'tv/drama/severance': rest }),
    });
    expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining('files.json lists') });
    const { changes } = JSON.parse(readFileSync(join(cwd, 'dist/api/v1/changes.json'), 'utf8')) as ChangesDocument;
    expect(changes.map(({ kind, id }) => [kind, id])).toEqual([['removed', 'comedy-film/hacks/opening']]);
  });

  test('the guard does not count less of a genre whose events are missing', async () => {
    const cwd = tempFolder();
    await build(cwd, 1, {
      ...catalogue,
      'tv/drama/long': Object.fromEntries(many.map((at) => [`E ${at}`, '2027-05-05'])),
    });
    rmSync(join(cwd, 'dist/api/v1', dramas));
    const less = await runAlmanac(['build', '--now', nightOf(2), '--against', 'dist', '--out', 'next'], {
      cwd: withData(cwd, catalogue),
    });
    expect(less).toMatchObject({ code: 1, stderr: expect.stringContaining('upcoming events fell from') });
  });
});

test('almanac diff needs every line (site-line-invalid)', async () => {
  const cwd = tempFolder();
  await buildSite(catalogue, nightOf(1), { cwd, out: 'old' });
  await buildSite({ 'tv/drama/severance': { Premiere: '2027-01-16' } }, nightOf(1), { cwd, out: 'new' });
  const file = 'old/api/v1/genre/drama-tv/events.ndjson';
  writeFileSync(join(cwd, file), '{}\n');
  const run = await runAlmanac(['diff', 'old', 'new'], { cwd });
  expect(run).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`${file}:1:1: found a line that is not the record`),
  });
});

const many = Array.from({ length: 20 }, (_, index) => index);

test('a site that is replaced while threads compare with it ends the build (previous-site-differs)', async () => {
  const cwd = tempFolder();
  const live = await buildSite(catalogue, nightOf(1), { cwd, out: 'live' });
  withData(cwd, catalogue);
  const next = readFileSync(join(live, 'files.json'), 'utf8').replace('404.html', '405.html');
  let readings = 0;
  const address = await serveFolder(live, (path) => {
    if (path === 'files.json' && readings++ > 0) writeFileSync(join(live, path), next);
    return 200;
  });
  const args = ['build', '--now', nightOf(2), '--against', address, '--jobs', '2'];
  const { code, stderr } = await runAlmanac(args, { cwd });
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('was replaced while its genres') });
  expect(existsSync(join(cwd, 'dist'))).toBe(false);
});
