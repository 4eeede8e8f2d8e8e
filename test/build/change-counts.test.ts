import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ChangesDocument } from '../../src/api/documents.ts';
import { createClient } from '../../src/client/client.ts';
import { buildSite, dataOf, type Events } from '../setup/build-site.ts';
import { lastingFolder, tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';
import { serveFolder } from '../setup/serve-folder.ts';

/* Every change is counted, whatever its kind, although a log holds 1,000. */

const nightOf = (number: number): string =>
  new Date(Date.UTC(2026, 10, 19 + number, 12, 17)).toISOString();

function logIn(site: string): ChangesDocument {
  return JSON.parse(readFileSync(join(site, 'api/v1/changes.json'), 'utf8')) as ChangesDocument;
}

function eventsOf(count: number, starts: string): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`E ${index}`, starts]));
}

describe('2,500 changes in one build', () => {
  const cwd = lastingFolder();
  const counts = { removed: 500, moved: 2000 };
  const first: Events = {
    'tv/drama/moves': eventsOf(2000, '2027-05-01'),
    'tv/drama/stays': eventsOf(10, '2027-05-01'),
    'tv/drama/goes': eventsOf(500, '2027-05-01'),
  };
  const second: Events = {
    'tv/drama/moves': eventsOf(2000, '2027-05-02'),
    'tv/drama/stays': eventsOf(10, '2027-05-01'),
  };
  beforeAll(async () => {
    await buildSite(first, nightOf(1), { cwd, source: join(cwd, 'first'), out: 'live' });
    writeTree(join(cwd, 'data'), dataOf(second));
  });
  const run = async (...args: string[]) => runAlmanac([...args, '--now', nightOf(2)], { cwd });

  test('are counted by build, --changes, notify and diff, those that are gone first', async () => {
    const built = await run('build', '--against', 'live', '--changes', 'c.json', '--json');
    expect(JSON.parse(built.stdout)).toMatchObject({ counts });
    const written = JSON.parse(readFileSync(join(cwd, 'c.json'), 'utf8')) as ChangesDocument;
    expect(written).toMatchObject({ counts, complete_since: nightOf(2) });
    const kinds = written.changes.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'removed')).toHaveLength(500);
    const notice = await runAlmanac(['notify', 'c.json', '--markdown'], { cwd });
    expect(notice.stdout.replaceAll('\\', '')).toContain(
      '2,500 changes (500 removed, 2,000 moved)',
    );
    expect(notice.stdout).toContain('- goes: 500 events removed\n');
    expect(notice.stdout).toMatch(/\n- 1,984 more\n$/);
    const json = await run('diff', 'live', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ count: 2500, counts });
    const text = (await run('diff', 'live')).stdout.split('\n');
    const headings = text.filter((line) => !line.startsWith('  ') || line.startsWith('  and'));
    expect(headings.slice(0, 5)).toEqual([
      '500 events removed',
      '  and 300 more',
      '',
      '2,000 events moved',
      '  and 1,800 more',
    ]);
    const again = await run('build', '--against', 'live', '--out', 'again');
    expect(again.stdout).toContain('  changes: 500 removed, 2,000 moved\n');
  });
});

test('a client and the page of changes say that they lack some of 2,500 changes', async () => {
  const cwd = tempFolder();
  const build = async (night: number, starts: string): Promise<string> =>
    buildSite({ 'tv/drama/a': eventsOf(2500, starts) }, nightOf(night), {
      cwd,
      service: { lang: 'de', pages: 'all' },
    });
  await build(1, '2027-12-01');
  const dist = await build(2, '2027-12-02');
  const client = createClient({ baseUrl: await serveFolder(dist) });
  const { complete_since, changes } = await client.changes();
  const completeSince = complete_since ?? '';
  const seen = nightOf(1);
  expect(seen < completeSince).toBe(true);
  expect(changes).toHaveLength(1000);
  const upToDate = changes[0]?.at ?? '';
  expect(upToDate < completeSince).toBe(false);
  expect(readFileSync(join(dist, 'changes/index.html'), 'utf8')).toContain(
    'Nicht alle Änderungen bis 21. November 2026 sind aufgeführt.',
  );
});

test('complete_since is the newest time of which an entry was dropped, and since stays', async () => {
  const cwd = tempFolder();
  const build = async (night: number, events: Events): Promise<ChangesDocument> =>
    logIn(await buildSite(events, nightOf(night), { cwd }));
  const [old, more] = [eventsOf(600, '2027-12-01'), eventsOf(600, '2027-12-02')];
  const since = nightOf(1);
  expect(await build(1, { 'tv/drama/a': {} })).toEqual({
    since,
    complete_since: since,
    changes: [],
  });
  expect(await build(2, { 'tv/drama/a': old })).toMatchObject({ since, complete_since: since });
  const third = await build(3, { 'tv/drama/a': old, 'tv/drama/b': more });
  expect(third).toMatchObject({ since, complete_since: nightOf(2) });
  expect(third.changes).toHaveLength(1000);
  const quiet = await build(90, { 'tv/drama/a': old, 'tv/drama/b': more });
  expect(quiet).toEqual(third);
  const aged = await build(91, { 'tv/drama/a': old });
  expect(aged).toMatchObject({ since, complete_since: nightOf(3), changes: { length: 600 } });
});

describe('the kind of a change', () => {
  /** Builds a site before and after a change of one event. Returns the new entries. */
  async function changesOf(before: object, after: object): Promise<ChangesDocument['changes']> {
    const cwd = tempFolder();
    const other = { Other: '2028-01-01' };
    await buildSite({ 'tv/drama/show': { ...other, E: before } }, nightOf(1), { cwd });
    return logIn(await buildSite({ 'tv/drama/show': { ...other, E: after } }, nightOf(2), { cwd }))
      .changes;
  }
  const status = 'postponed';
  const starts = '2027-01-15T20:00Z';
  const noDate = { starts_at: null, date: null, time_known: null, precision: null };

  test('is postponed if its date no longer holds, and dated once there is a new one', async () => {
    const [postponed, ...others] = await changesOf({ starts }, { starts, status });
    expect(others).toEqual([]);
    expect(postponed).toMatchObject({
      kind: 'postponed',
      before: { status: 'confirmed', date: '2027-01-15', starts_at: '2027-01-15T20:00:00.000Z' },
      after: { status, ...noDate },
    });
    const later = { starts: '2027-04-01' };
    expect(await changesOf({ starts, status }, later)).toMatchObject([
      { kind: 'dated', before: { status, ...noDate }, after: { date: '2027-04-01' } },
    ]);
    expect(await changesOf({ starts, status }, { starts })).toMatchObject([{ kind: 'dated' }]);
    expect(await changesOf({ starts, status }, { starts: '2027-Q3' })).toMatchObject([
      { kind: 'moved', before: noDate, after: { period: '2027-Q3' } },
    ]);
    expect(await changesOf({ starts }, { starts: '2027-Q3', status })).toMatchObject([
      { kind: 'postponed', before: { date: '2027-01-15' }, after: { period: '2027-Q3' } },
    ]);
  });

  test('is moved if a date is corrected to one that has passed', async () => {
    expect(await changesOf({ starts: '2027-01-15' }, { starts: '2026-11-18' })).toMatchObject([
      { kind: 'moved', before: { date: '2027-01-15' }, after: { date: '2026-11-18' } },
    ]);
  });

  test('is said with words of its own in a feed, a message and the pages', async () => {
    const cwd = tempFolder();
    const site = async (night: number, event: object): Promise<string> =>
      buildSite({ 'tv/drama/show': { E: event } }, nightOf(night), {
        cwd,
        service: { lang: 'de' },
        args: ['--changes', 'c.json'],
      });
    await site(1, { starts });
    const folder = await site(2, { starts, status });
    const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
    expect(read('api/v1/feed.xml')).toContain(
      '<title>Verschoben, neuer Termin offen: show: E</title>',
    );
    expect(read('api/v1/feed.xml')).toContain('<category term="postponed"/>');
    expect(read('changes/index.html')).toMatch(
      /Verschoben, neuer Termin offen<[^]*<s><time [^>]*>15\. Jan/,
    );
    const page = read('genre/drama-tv/show/index.html');
    expect(page).toMatch(/<s class="w"><span class="d">Fr\., 15\. Jan/);
    expect(page).toContain('Verschoben, neuer Termin offen</span>');
    expect(page).not.toContain('Neuer Termin');
  });
});

test('the page of a subject keeps the addresses of rows that moved', async () => {
  const cwd = tempFolder();
  const pageOf = async (night: number, ...dates: string[]): Promise<string> => {
    const table = ['subject,title,starts', ...dates.map((date) => `Club,AGM,${date}`)].join('\n');
    const { 'service.json': service } = dataOf({});
    writeTree(join(cwd, 'data'), {
      'service.json': service,
      'town/category.json': { name: 'Town' },
      'town/clubs/genre.json': { name: 'Clubs' },
      'town/clubs/dates.csv': `${table}\n`,
    });
    const run = await runAlmanac(['build', '--now', nightOf(night)], { cwd });
    expect(run).toMatchObject({ code: 0 });
    return readFileSync(join(cwd, 'dist/genre/clubs-town/club/index.html'), 'utf8');
  };
  const ids = (page: string): string[] =>
    Array.from(page.matchAll(/\sid="(agm[^"]*)"/g), ([, id = '']) => id);
  expect(ids(await pageOf(1, '2027-02-13'))).toEqual(['agm-2027-02-13']);
  expect(ids(await pageOf(2, '2027-02-20'))).toEqual(['agm-2027-02-20', 'agm-2027-02-13']);
  const third = await pageOf(3, '2027-02-27');
  expect(ids(third)).toEqual(['agm-2027-02-27', 'agm-2027-02-20', 'agm-2027-02-13']);
  expect(logIn(join(cwd, 'dist')).changes[0]?.before).toMatchObject({
    id: 'clubs-town/club/agm-2027-02-20',
  });
  // Another event has one of the former ids now.
  const fourth = await pageOf(4, '2027-02-27', '2027-02-13');
  expect(ids(fourth).toSorted()).toEqual(['agm-2027-02-13', 'agm-2027-02-20', 'agm-2027-02-27']);
});
