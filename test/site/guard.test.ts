import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildSite, dataOf, type Events } from '../setup/build-site.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac, type Run } from '../setup/run-almanac.ts';
import { serveFolder } from '../setup/serve-folder.ts';

const now = '2026-11-20T12:17:00Z';
const month = (count: number, subject = 'Day'): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, day) => [
      `${subject} ${day + 1}`,
      `2027-01-${String(day + 1).padStart(2, '0')}`,
    ]),
  );
const six = (path: (n: number) => string): Events =>
  Object.fromEntries(Array.from({ length: 6 }, (_, n) => [path(n), month(2)]));
const full: Events = {
  'tv/drama/severance': month(20),
  'tv/comedy/hacks': month(10),
  'space/moon/moon': month(10),
};

async function build(
  events: Events,
  against: string,
  { now: at = now, args = [] as string[] } = {},
): Promise<Run & { dist: string }> {
  const cwd = tempFolder();
  const data = writeTree(tempFolder(), dataOf(events));
  const run = await runAlmanac(
    ['build', '--data', data, '--now', at, '--against', against, ...args],
    { cwd },
  );
  return { ...run, dist: join(cwd, 'dist') };
}

test('accepts a small loss, compared with a folder and with a host', async () => {
  const old = await buildSite(full, now);
  const less = { ...full, 'tv/drama/severance': month(15) };
  expect(await build(less, old)).toMatchObject({ code: 0 });
  expect(await build(less, await serveFolder(old))).toMatchObject({ code: 0 });
});

test.each<[string, Events, Events, string[]]>([
  [
    'upcoming',
    full,
    { 'tv/drama/severance': month(7), 'tv/comedy/hacks': month(9), 'space/moon/moon': month(8) },
    [
      'upcoming events fell from 40 to 24',
      'drama-tv (20 to 7), moon-space (10 to 8), comedy-tv (10 to 9)',
    ],
  ],
  [
    'genres',
    { ...full, ...six((n) => `tv/show-${n}/x`) },
    full,
    ['genres fell from 9 to 3', 'gone: show-0-tv (2 to 0), show-1-tv', 'subjects fell'],
  ],
  [
    'categories',
    { ...full, ...six((n) => `c${n}/show/x`) },
    full,
    ['categories fell from 8 to 2', 'gone: show-c0 (2 to 0), show-c1'],
  ],
])(
  'refuses a large loss of %s, names the losses and writes nothing',
  async (_, before, events, words) => {
    const { code, stderr, dist } = await build(events, await buildSite(before, now));
    expect(code).toBe(1);
    for (const word of words) expect(stderr).toContain(word);
    expect(existsSync(dist)).toBe(false);
  },
);

test('refuses a large loss of one genre, which the whole would hide', async () => {
  const old = await buildSite(full, now);
  const { code, stderr } = await build({ ...full, 'tv/drama/severance': month(13) }, old);
  expect(code).toBe(1);
  expect(stderr).toContain('upcoming events of drama-tv fell from 20 to 13, by more than 30%');
});

test.each<[string, number, number]>([
  ['0', 20, 0],
  ['0', 19, 1],
  ['25', 15, 0],
  ['24', 15, 1],
  ['24', 16, 0],
  ['100', 1, 0],
])('--max-loss %s of a genre of 20 that has %i left ends with %i', async (percent, left, code) => {
  const old = await buildSite({ ...full, 'space/moon/moon': month(28) }, now);
  const events = {
    ...full,
    'space/moon/moon': month(28),
    'tv/drama/severance': month(left),
  };
  const args = ['--max-loss', percent];
  expect(await build(events, old, { args })).toMatchObject({ code });
});

test.each(['101', '-1', '5%', '1.5'])('--max-loss %s is wrong usage', async (percent) => {
  const run = await runAlmanac(['build', '--max-loss', percent], { cwd: tempFolder() });
  const stderr = `found --max-loss "${percent}"; expected a whole number from 0 to 100`;
  expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining(stderr) });
});

test('accepts fewer than five losses and any cancellation, and names a genre that has no events left (genres-emptied)', async () => {
  const three = { 'tv/drama/severance': month(3), 'tv/comedy/hacks': month(1) };
  const old = await buildSite(three, now);
  const none = { 'tv/drama/severance': month(3), 'tv/comedy/hacks': {} };
  const { code, stderr } = await build(none, old);
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(
      'warning: found no upcoming event any more in comedy-tv (1 to 0);',
    ),
  });
  const dozen = await buildSite({ 'tv/drama/severance': month(12) }, now);
  expect(await build({ 'tv/drama/severance': month(8) }, dozen)).toMatchObject({ code: 0 });
  expect(await build({ 'tv/drama/severance': month(7) }, dozen)).toMatchObject({ code: 1 });
  const cancelled = Object.fromEntries(
    Object.entries(month(20)).map(([title, starts]) => [title, { starts, cancelled: true }]),
  );
  expect(
    await build({ ...full, 'tv/drama/severance': cancelled }, await buildSite(full, now)),
  ).toMatchObject({
    code: 0,
  });
});

test('compares the totals of a site without memory, and says so (site-without-bulk)', async () => {
  const old = await buildSite(full, now, { service: { formats: [] } });
  const { code, stderr } = await build(full, old);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining('only the totals of its index'),
  });
  const less = await build({ ...full, 'tv/drama/severance': month(7) }, old);
  expect(less).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('upcoming events fell from 40 to 27'),
  });
});

test('does not count expired events as a loss', async () => {
  const old = await buildSite(full, now);
  expect(await build(full, old, { now: '2027-01-20T12:17:00Z' })).toMatchObject({ code: 0 });
  const without = { ...full, 'tv/comedy/hacks': {}, 'space/moon/moon': {} };
  expect(await build(without, old, { now: '2027-01-20T12:17:00Z' })).toMatchObject({ code: 0 });
  expect(
    await build({ ...full, 'tv/drama/severance': month(13) }, old, { now: '2027-01-10T12:17:00Z' }),
  ).toMatchObject({ code: 1 });
});

test('counts an event as expired from the exact instant at which it stops being upcoming', async () => {
  const at = '2027-01-20T12:17:00Z';
  const old = await buildSite({ 'tv/drama/severance': { Finale: at.replace(':00Z', 'Z') } }, now);
  expect(await build({ 'tv/drama/severance': {} }, old, { now: at })).toMatchObject({ code: 0 });
});

test('names the ten genres that lost the most events', async () => {
  const shows = (lost: number): Events =>
    Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [
        `tv/show-${String(at).padStart(2, '0')}/x`,
        month(24 - at * lost),
      ]),
    );
  const { code, stderr } = await build(shows(2), await buildSite(shows(0), now));
  expect(code).toBe(1);
  const named = [...stderr.matchAll(/show-(\d\d)-tv \(24 to \d+\)/g)].map(([, show]) =>
    Number(show),
  );
  expect(named).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
});

test('--accept-loss accepts any loss, and a dry run accepts no other', async () => {
  const old = await buildSite(full, now);
  const less = { 'tv/drama/x': {} };
  const { code, stdout } = await build(less, old, { args: ['--dry-run', '--json'] });
  expect([code, JSON.parse(stdout)]).toMatchObject([1, { problems: [{ code: 'site-drop' }] }]);
  expect(await build(less, old, { args: ['--accept-loss'] })).toMatchObject({ code: 0 });
});

test('refuses a build if there is no previous site, and says how to build the first one (previous-site-missing)', async () => {
  const other = writeTree(tempFolder(), { 'notes.txt': '' });
  const files = [join(other, 'notes.txt'), join(other, 'notes.txt/site')];
  for (const nowhere of [
    join(other, 'none'),
    tempFolder(),
    other,
    ...files,
    await serveFolder(tempFolder()),
  ]) {
    const refused = await build(full, nowhere);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/found no site at .*; .*--against none/),
    });
  }
  expect(await build(full, 'none')).toMatchObject({ code: 0, stderr: '' });
});
