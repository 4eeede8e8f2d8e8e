import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildSite, type Events } from '../setup/build-site.ts';
import { tempFolder } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';
import { serveFolder } from '../setup/serve-folder.ts';

const now = '2026-11-20T12:17:00Z';

interface Found {
  added: { id: string }[];
  removed: { id: string }[];
  cancelled: { id: string }[];
  moved: { id: string; old: { starts_at: string }; new: { starts_at: string } }[];
  changed: { id: string; fields: string[] }[];
  passed: number;
  categories: object;
  genres: object;
  subjects: object;
  capped: { genre: string; compared_until: string; total: object }[];
}

async function diff(old: string, next: string, ...args: string[]): Promise<Found> {
  const times = args.includes('--now') ? [] : ['--now', now];
  const run = await runAlmanac(['diff', old, next, '--json', ...times, ...args], { cwd: tempFolder() });
  const { code, stdout, stderr } = run;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Found;
}

/** Reduces each change to the id of its event. */
function brief({ added, removed, cancelled, moved, changed, passed }: Found): object {
  const ids = (list: { id: string }[]): string[] => list.map(({ id }) => id);
  return {
    added: ids(added),
    removed: ids(removed),
    cancelled: ids(cancelled),
    moved: ids(moved),
    changed: ids(changed),
    passed,
  };
}

const nothing = { added: [], removed: [], cancelled: [], moved: [], changed: [], passed: 0 };
const old: Events = {
  'tv/drama/severance': { 'Season 3': '2027-01-15', Finale: '2027-03-19', Trailer: '2026-11-25' },
  'tv/drama/dark': { Rerun: '2027-02-01' },
  'tv/comedy/hacks': { 'Season 5': '2027-04-01', Special: '2027-05-01' },
  'film/noir/laura': { Release: '2027-06-01' },
};
const next: Events = {
  'tv/drama/severance': {
    'Season 3': '2027-01-22',
    Finale: { starts: '2027-03-19', url: 'https://example.org/finale' },
    Trailer: '2026-11-25',
    Reunion: '2027-09-01',
  },
  'tv/comedy/hacks': { 'Season 5': { starts: '2027-04-01', cancelled: true } },
  'space/moon/moon': { Eclipse: '2027-02-20T23:00Z' },
};

test('reports added, removed, moved, changed and cancelled events, and counts expired ones', async () => {
  const found = await diff(await buildSite(old, now), await buildSite(next, '2026-11-27T12:17:00Z'));
  expect(brief(found)).toEqual({
    added: ['drama-tv/severance/reunion', 'moon-space/moon/eclipse'],
    removed: ['comedy-tv/hacks/special', 'drama-tv/dark/rerun', 'noir-film/laura/release'],
    cancelled: ['comedy-tv/hacks/season-5'],
    moved: ['drama-tv/severance/season-3'],
    changed: ['drama-tv/severance/finale'],
    passed: 1,
  });
  expect(found.moved[0]).toMatchObject({
    old: { starts_at: '2027-01-15T00:00:00.000Z' },
    new: { starts_at: '2027-01-22T00:00:00.000Z' },
  });
  expect(found.changed[0]?.fields).toEqual(['url']);
  expect(found).toMatchObject({
    categories: { added: ['space'], removed: ['film'] },
    genres: { added: ['moon-space'], removed: ['noir-film'] },
    subjects: { added: ['moon-space/moon'], removed: ['drama-tv/dark', 'noir-film/laura'] },
    capped: [],
  });
});

test('ignores fields that only one version of almanac publishes', async () => {
  const [site, newer] = [await buildSite(old, now), await buildSite(old, now)];
  for (const genre of ['drama-tv', 'comedy-tv', 'noir-film']) {
    const path = join(newer, `api/v1/genre/${genre}/events.json`);
    const list = JSON.parse(readFileSync(path, 'utf8')) as { events: { id: string; title: string; subject: object }[] };
    const events = list.events.map((event) => ({
      ...event,
      fieldOfTheFuture: null,
      subject: { ...event.subject, aliases: [] },
      ...(event.id === 'noir-film/laura/release' && { url: 'https://example.org/' }),
    }));
    writeFileSync(path, JSON.stringify({ ...list, events }));
  }
  rmSync(join(newer, 'files.json'));
  for (const pair of [[site, newer] as const, [newer, site] as const]) {
    const found = await diff(...pair);
    expect(brief(found)).toEqual({ ...nothing, changed: ['noir-film/laura/release'] });
    expect(found.changed[0]?.fields).toEqual(['url']);
  }
});

test('finds no change between a site and itself, in a folder and on a host', async () => {
  const site = await buildSite(old, now);
  expect(brief(await diff(site, site))).toEqual(nothing);
  expect(brief(await diff(await serveFolder(site), site))).toEqual(nothing);
});

test('--now decides which events have expired', async () => {
  const [before, after] = [await buildSite(old, now), await buildSite({ ...old, 'tv/drama/severance': {} }, now)];
  expect(await diff(before, after)).toMatchObject({ passed: 0, removed: { length: 3 } });
  expect(await diff(before, after, '--now', '2027-02-01T00:00:00Z')).toMatchObject({
    passed: 2,
    removed: { length: 1 },
  });
});

test('a subject whose events expired or moved is not removed', async () => {
  const before = await buildSite(
    { 'tv/drama/severance': { Pilot: '2026-11-25' }, 'tv/drama/dark': { One: '2027-01-01' } },
    now,
  );
  const after = await buildSite(
    { 'tv/drama/severance': { Pilot: '2026-11-25' }, 'tv/drama/dark': { Two: '2027-01-01' } },
    '2026-12-20T12:17:00Z',
  );
  expect(await diff(before, after)).toMatchObject({ passed: 1, subjects: { added: [], removed: [] } });
});

test('reports that a subject replaced another one although the count is the same, in the order of genres', async () => {
  const before = await buildSite({ 'tv/drama/dark': { One: '2027-01-01' } }, now);
  const after = await buildSite(
    { 'art/dada/fair': { Opens: '2027-02-01' }, 'tv/drama/lost': { One: '2027-01-01' } },
    now,
  );
  expect((await diff(before, after)).subjects).toEqual({
    added: ['dada-art/fair', 'drama-tv/lost'],
    removed: ['drama-tv/dark'],
  });
});

/** Takes the files with every event from a site, as an older version built it. */
function withoutBulk(site: string): string {
  const manifest = JSON.parse(readFileSync(join(site, 'files.json'), 'utf8')) as { files: Record<string, object> };
  const files = Object.entries(manifest.files).filter(([path]) => !path.endsWith('/events.ndjson'));
  writeFileSync(join(site, 'files.json'), JSON.stringify({ ...manifest, files: Object.fromEntries(files) }));
  return site;
}

test('sees events beyond the end of lists; without a file of all events, compares lists up to their ends', async () => {
  const days = (count: number, from: number): Record<string, string> =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => {
        const date = new Date(Date.UTC(2027, 0, from + index)).toISOString().slice(0, 10);
        return [`Day ${from + index}`, date];
      }),
    );
  const before = await buildSite({ 'tv/daily/show': days(250, 1) }, now);
  const after = await buildSite(
    { 'tv/daily/show': { ...days(249, 2), 'Day 5': '2027-01-06', Extra: '2027-01-02' } },
    now,
  );
  const all = await diff(before, after);
  expect(all.capped).toEqual([]);
  expect(brief(all)).toEqual({
    ...nothing,
    added: ['daily-tv/show/extra'],
    removed: ['daily-tv/show/day-1'],
    moved: ['daily-tv/show/day-5'],
  });
  withoutBulk(before);
  const found = await diff(before, after);
  expect(brief(found)).toEqual({
    ...nothing,
    added: ['daily-tv/show/extra'],
    removed: ['daily-tv/show/day-1'],
    moved: ['daily-tv/show/day-5'],
  });
  expect(found.capped).toEqual([
    { genre: 'daily-tv', compared_until: '2027-07-19T00:00:00.000Z', total: { old: 250, new: 250 } },
  ]);
  const without = await buildSite({ 'tv/daily/show': { ...days(199, 1), ...days(50, 201) } }, now);
  expect(brief(await diff(before, without))).toEqual({ ...nothing, removed: ['daily-tv/show/day-200'] });
  const later = await buildSite({ 'tv/daily/show': days(250, 10) }, now);
  const ends = [await diff(before, later), await diff(later, before)].map(({ capped }) => capped[0]?.compared_until);
  expect(ends).toEqual(['2027-07-19T00:00:00.000Z', '2027-07-19T00:00:00.000Z']);
});

test('reports that nothing changed', async () => {
  const site = await buildSite({ 'tv/drama/x': { One: '2027-01-15' } }, '2026-11-20T12:17:00Z');
  const { stdout } = await runAlmanac(['diff', site, site, '--now', now], { cwd: tempFolder() });
  expect(stdout).toBe(
    'No event changed.\n\nIn all: 1 category, 1 genre, 1 subject, 1 upcoming event. 0 events expired.\n',
  );
});

test('prints text or Markdown, with text from the data escaped', async () => {
  const hostile = { 'tv/drama/dark': { '<b>|[x](http://y) \u202e#1': { starts: '2027-01-01', id: 'x' } } };
  const [before, after] = [await buildSite(old, now), await buildSite({ ...old, ...hostile }, now)];
  const run = async (...args: string[]): Promise<string> =>
    (await runAlmanac(['diff', before, after, '--now', now, ...args], { cwd: tempFolder() })).stdout;
  expect(await run()).toMatchInlineSnapshot(`
    "1 event added
      2027-01-01 dark: <b>|[x](http://y) \\u202e#1 (drama-tv/dark/x)

    1 event removed
      2027-02-01 dark: Rerun (drama-tv/dark/rerun)

    In all: 2 categories, 3 genres, 4 subjects, 7 upcoming events. 0 events expired.
    "
  `);
  expect(await run('--markdown')).toMatchInlineSnapshot(`
    "### 1 event added

    - 2027-01-01 dark\\: \\<b\\>\\|\\[x\\]\\(http\\://y\\) \\\\u202e\\#1 (drama\\-tv/dark/x)

    ### 1 event removed

    - 2027-02-01 dark\\: Rerun (drama\\-tv/dark/rerun)

    In all: 2 categories, 3 genres, 4 subjects, 7 upcoming events. 0 events expired.
    "
  `);
});

test.each([
  [200, []],
  [201, ['  and 1 more']],
])('prints at most 200 of %i added events and counts the rest', async (count, more) => {
  const before = await buildSite({ 'tv/drama/x': {}, 'tv/comedy/y': {} }, now);
  const titles = Array.from({ length: count }, (_, index) => `Episode ${index + 1}`);
  const events = (of: readonly string[]): Events[string] =>
    Object.fromEntries(of.map((title) => [title, '2027-01-15']));
  const after = await buildSite(
    { 'tv/drama/x': events(titles.slice(0, 100)), 'tv/comedy/y': events(titles.slice(100)) },
    now,
  );
  const { stdout } = await runAlmanac(['diff', before, after, '--now', now], { cwd: tempFolder() });
  const lines = stdout.split('\n').filter((line) => line.startsWith('  '));
  expect([lines.length, lines.slice(200)]).toEqual([200 + more.length, more]);
});

test('fails if there is no site', async () => {
  const run = await runAlmanac(['diff', tempFolder(), await buildSite(old, now)], { cwd: tempFolder() });
  expect(run).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('found no site') });
});

test.each([
  ['genres', 'api/v1/genres.json'],
  ['events', 'api/v1/genre/drama-tv/events.json'],
])('fails if a list of %s has an item that is not a record, and names the list', async (what, path) => {
  const damaged = await buildSite(old, now);
  writeFileSync(join(damaged, path), JSON.stringify({ [what]: [null] }));
  const run = await runAlmanac(['diff', await buildSite({}, now), withoutBulk(damaged)], { cwd: tempFolder() });
  expect(run).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(`it lists no ${what}`) });
});
