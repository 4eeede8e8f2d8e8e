import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ChangesDocument } from '../../src/api/documents.ts';
import { changesDocumentSchema } from '../../src/api/schemas.ts';
import { buildSite, dataOf, type Events } from '../setup/build-site.ts';
import { readTree, tempFolder, writeTree } from '../setup/folders.ts';
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

const url = 'https://example.org/opening';
const withReunion = changed(
  (all) => (all['tv/drama/severance'] = { ...all['tv/drama/severance'], Reunion: '2027-05-01' }),
);
const withPremiere = (starts: string | object): Events =>
  changed((all) => (all['tv/drama/severance'] = { ...all['tv/drama/severance'], Premiere: starts }));
const renamed = changed(
  (all) => (all['film/comedy/hacks'] = { 'First night': { starts: '2027-02-01', id: 'opening', url } }),
);
const cancelled = withPremiere({ starts: '2027-01-15', cancelled: true });
const like = (fields: object): unknown => expect.objectContaining(fields);

/* In each night between two builds, the event `Tonight` expires, which is no change. */
test.each<[string, Events, Events, unknown[]]>([
  ['nothing', catalogue, catalogue, []],
  [
    'an event is added',
    catalogue,
    withReunion,
    [['added', `${severance}/reunion`, null, like({ date: '2027-05-01', title: 'Reunion' })]],
  ],
  [
    'one is removed, and another one moves',
    withReunion,
    withPremiere('2027-01-22'),
    [
      ['moved', `${severance}/premiere`, like(premiere), like(later)],
      ['removed', `${severance}/reunion`, like({ date: '2027-05-01' }), null],
    ],
  ],
  [
    'a title and an address change',
    catalogue,
    renamed,
    [['changed', 'comedy-film/hacks/opening', { title: 'Opening', url: null }, { title: 'First night', url }]],
  ],
  ['an event is cancelled', catalogue, cancelled, [['cancelled', `${severance}/premiere`, like(premiere), null]]],
  ['no longer', cancelled, catalogue, [['added', `${severance}/premiere`, null, like(premiere)]]],
  [
    'a genre is gone',
    catalogue,
    { 'film/comedy/hacks': catalogue['film/comedy/hacks'] },
    [
      ['removed', `${severance}/finale`, like({ date: '2027-03-19' }), null],
      ['removed', `${severance}/premiere`, like(premiere), null],
    ],
  ],
])('%s', async (_, before, after, entries) => {
  const cwd = tempFolder();
  expect(await build(cwd, 1, before)).toEqual({ since: nightOf(1), changes: [] });
  const log = await build(cwd, 2, after);
  expect(log.since).toBe(nightOf(1));
  expect(log.changes.map(({ kind, id, before: old, after: now }) => [kind, id, old, now])).toEqual(entries);
  expect(new Set(log.changes.map(({ at }) => at))).toEqual(new Set(entries.length > 0 ? [nightOf(2)] : []));
});

test('entries stay with the newest first, and a quiet night changes no byte of the log or a feed', async () => {
  const cwd = tempFolder();
  await build(cwd, 1, catalogue);
  const second = await build(cwd, 2, withPremiere('2027-01-22'));
  const third = await build(cwd, 3, { 'film/comedy/hacks': catalogue['film/comedy/hacks'] });
  expect(third.changes.map(({ at }) => at)).toEqual([nightOf(3), nightOf(3), nightOf(2)]);
  expect(third.changes.slice(2)).toEqual(second.changes);
  await build(cwd, 4, catalogue);
  const feed = readFileSync(join(cwd, 'dist/api/v1/genre/drama-tv/feed.xml'), 'utf8');
  expect(feed).toContain(`<link rel="alternate" href="https://example.org/almanac/genre/${severance}/#premiere"/>`);
  const logs = (): Map<string, Buffer> =>
    new Map([...readTree(join(cwd, 'dist'))].filter(([path]) => /(changes\.json|feed\.xml)$/.test(path)));
  const before = logs();
  expect((await build(cwd, 5, catalogue)).changes).toHaveLength(5);
  expect(logs()).toEqual(before);
  expect(before.size).toBe(1 + 1 + 2 + 2);
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

describe('the site that a build continues', () => {
  const next = changed((all) => (all['tv/drama/new'] = { Pilot: '2027-06-01' }));
  const logIn = (site: string): ChangesDocument =>
    JSON.parse(readFileSync(join(site, 'api/v1/changes.json'), 'utf8')) as ChangesDocument;

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
