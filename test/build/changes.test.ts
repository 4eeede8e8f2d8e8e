import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ChangesDocument } from '../../src/api/documents.ts';
import { changesDocumentSchema } from '../../src/api/schemas.ts';
import { buildSite, dataOf, type Events } from '../setup/build-site.ts';
import { lastingFolder, readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { listen, plainHost } from '../setup/host.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

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
  const all = ['--against', 'dist', '--max-drop', '100', ...args];
  const site = await buildSite(events, nightOf(number), { cwd, args: all });
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
    expect(log.since).toBe(previous.since ?? (added.length > 0 ? nightOf(number - 1) : null));
    previous = log;
    return added.map(({ kind, id, before, after }) => [kind, id, before, after]);
  }

  test('the first has no earlier site and an empty log, and the second begins it', async () => {
    expect(await build(cwd, 1, catalogue)).toEqual({ since: null, changes: [] });
    previous = { since: null, changes: [] };
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
  const time = { date: '2027-05-01', time_known: false, precision: 'day' };
  expect(moved).toEqual([
    'moved',
    'fair',
    { ...time, ends_at: '2027-05-03T00:00:00.000Z', end_date: '2027-05-03', over_at: '2027-05-04T12:00:00.000Z' },
    { ...time, ends_at: '2027-05-04T00:00:00.000Z', end_date: '2027-05-04', over_at: '2027-05-05T12:00:00.000Z' },
  ]);
  const period = { period: '2027-Q2', window: { from: '2027-04-01', until: '2027-06-30' } };
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

test('a previous site without every event: its log is continued without a comparison, with a warning', async () => {
  const cwd = tempFolder();
  await build(cwd, 1, catalogue);
  const more = changed((all) => (all['tv/drama/new'] = { Pilot: '2027-06-01' }));
  const log = await build(cwd, 2, more);
  rmSync(join(cwd, 'dist/api/v1/events.ndjson'));
  const manifest = readFileSync(join(cwd, 'dist/files.json'), 'utf8');
  writeFileSync(join(cwd, 'dist/files.json'), manifest.replace(/"api\/v1\/events\.ndjson":\{[^}]*\},/, ''));
  const run = await runAlmanac(
    ['build', '--now', nightOf(3), '--against', 'dist', '--max-drop', '100', '--data', 'data', '--out', 'next'],
    {
      cwd: withData(cwd, catalogue),
    },
  );
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
  async function buildAgainst(
    status: number,
    cwd: string,
    path = 'files.json',
  ): Promise<{ code: number | null; stderr: string }> {
    const host = plainHost(join(cwd, 'dist'));
    const { url, close } = await listen((request, response) => {
      if (request.url === `/${path}` && status !== 200) response.writeHead(status).end();
      else host(request, response);
    });
    const args = ['build', '--now', nightOf(2), '--against', url, '--out', 'next', '--max-drop', '100', '--quiet'];
    const run = await runAlmanac(args, { cwd: withData(cwd, { 'tv/drama/severance': { Premiere: '2027-01-22' } }) });
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

  test('is no site yet if files.json is not found; any other failure ends the build', async () => {
    const cwd = tempFolder();
    await build(cwd, 1, catalogue);
    expect(await buildAgainst(404, cwd)).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, 'next/api/v1/changes.json'), 'utf8')).toBe('{"since":null,"changes":[]}\n');
    const refused = await buildAgainst(403, cwd);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain('the server answered 403');
  });

  test.each(['changes.json', 'events.ndjson', 'genre/drama-tv/events.ndjson', 'announced.json'])(
    'is failing if it does not find %s, which its manifest lists: the log is not lost',
    async (file) => {
      const cwd = tempFolder();
      await build(cwd, 1, catalogue);
      const refused = await buildAgainst(404, cwd, `api/v1/${file}`);
      expect(refused).toMatchObject({ code: 1 });
      expect(refused.stderr).toContain('it is missing, although files.json lists it');
    },
  );
});

describe('a previous site that cannot be compared stops the build, and nothing is lost', () => {
  const dramas = 'genre/drama-tv/events.ndjson';
  const cases: [string, (path: (file: string) => string) => void, string][] = [
    [
      'a broken line (site-line-invalid)',
      (path) => {
        const lines = readFileSync(path(dramas), 'utf8').split('\n');
        writeFileSync(path(dramas), [lines[0], lines[1]?.slice(0, -20), ...lines.slice(2)].join('\n'));
      },
      'dist/api/v1/genre/drama-tv/events.ndjson:2:1: found a line that is not the record of an event; ',
    ],
    [
      'a line without an end',
      (path) => writeFileSync(path(dramas), `{"id":"${'a'.repeat(2_000_000)}`),
      'dist/api/v1/genre/drama-tv/events.ndjson:1:1: found a line of more than 1,048,576 characters; ',
    ],
    [
      'a log from the future (change-log-ahead)',
      (path) => writeFileSync(path('changes.json'), '{"since":"2031-01-01T00:00:00.000Z","changes":[]}\n'),
      'dist/api/v1/changes.json:1:1: found the time 2031-01-01T00:00:00.000Z, which is later than this build',
    ],
    [
      'a log of 100 MB',
      (path) => writeFileSync(path('changes.json'), `{"since":null,"changes":[${' '.repeat(1e8)}]}`),
      'could not read "dist/api/v1/changes.json": it has more than 1,0',
    ],
    [
      'something else as its log',
      (path) => writeFileSync(path('changes.json'), '{"since":null,"changes":[{"at":"now"}]}\n'),
      'could not read "dist/api/v1/changes.json": it is not a change log; ',
    ],
  ];
  test.each(cases)('%s', async (_, damage, message) => {
    const cwd = tempFolder();
    await build(cwd, 1, catalogue);
    damage((file) => join(cwd, 'dist/api/v1', file));
    const before = readTree(join(cwd, 'dist'));
    const run = await runAlmanac(['build', '--now', nightOf(2), '--against', 'dist', '--data', 'data'], {
      cwd: withData(
        cwd,
        changed((all) => (all['tv/drama/new'] = { Pilot: '2027-06-01' })),
      ),
    });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr.startsWith(message), run.stderr.slice(0, 300)).toBe(true);
    expect(readTree(join(cwd, 'dist'))).toEqual(before);
  });
});
