import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EventRecord, EventsDocument, SubjectDocument } from '../../src/api/documents.ts';
import { buildSite } from '../setup/build-site.ts';
import { readTree, tempFolder } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';
import { serveFolder } from '../setup/serve-folder.ts';

const nightOf = (day: number): string => new Date(Date.UTC(2026, 10, day, 12)).toISOString();
const timeOf = nightOf;

type Event = string | { readonly starts: string; readonly [key: string]: unknown };

/** Returns the records of a genre that are in a state, as the file of every event has them. */
function entriesIn(cwd: string, state: string): EventRecord[] {
  const lines = readFileSync(join(cwd, 'dist/api/v1/genre/drama-tv/events.ndjson'), 'utf8').split('\n').filter(Boolean);
  const ending = `,"state":"${state}"}`;
  const records = lines.filter((line) => line.endsWith(ending)).map((line) => `${line.slice(0, -ending.length)}}`);
  return records.map((record) => JSON.parse(record) as EventRecord);
}

/** Builds a site night after night, and returns what it says of a genre. */
function nights(args: readonly string[] = []) {
  const cwd = tempFolder();
  const json = (path: string): unknown => JSON.parse(readFileSync(join(cwd, 'dist/api/v1', path), 'utf8'));
  return {
    cwd,
    build: async (day: number, events: Readonly<Record<string, Event>>, service: object = {}): Promise<void> => {
      await buildSite({ 'tv/drama/show': events }, nightOf(day), { cwd, service, args: [...args] });
    },
    times: (): Record<string, string | null> =>
      Object.fromEntries(
        (json('genre/drama-tv/events.json') as EventsDocument).events.map(({ title, updated_at }) => [
          title,
          updated_at,
        ]),
      ),
    cancelled: (): EventRecord[] => entriesIn(cwd, 'cancelled'),
    past: (): EventRecord[] => entriesIn(cwd, 'over'),
    subject: (): SubjectDocument => json('genre/drama-tv/subject/show.json') as SubjectDocument,
    calendar: (path = 'genre/drama-tv/events.ics'): string =>
      readFileSync(join(cwd, 'dist/api/v1', path), 'utf8').replaceAll('\r\n ', ''),
  };
}

test('a cancelled event has a list of its own until it would have been over, and comes back as a new one', async () => {
  const { build, cancelled, times, calendar } = nights();
  await build(1, { Pilot: '2026-11-10' });
  await build(2, { Pilot: { starts: '2026-11-10', cancelled: true } });
  expect(cancelled()).toMatchObject([{ title: 'Pilot', updated_at: timeOf(2) }]);
  expect(calendar()).toContain('STATUS:CANCELLED');
  await build(3, { Pilot: { starts: '2026-11-10', cancelled: true } });
  expect(cancelled()).toMatchObject([{ updated_at: timeOf(2) }]);
  await build(4, { Pilot: '2026-11-10' });
  expect([cancelled(), times()]).toEqual([[], { Pilot: timeOf(4) }]);
  await build(5, { Pilot: { starts: '2026-11-10', cancelled: true } });
  await build(12, { Pilot: { starts: '2026-11-10', cancelled: true } });
  expect(cancelled()).toEqual([]);
});

test('the past comes from the data and from the previous site, and calendars keep it', async () => {
  const { build, past, calendar, subject } = nights();
  const titles = (): string[] => past().map(({ title }) => title);
  await build(1, { Old: '2026-10-20', Ancient: '2026-03-01', Soon: '2026-11-03', Later: '2027-05-05' });
  expect(titles()).toEqual(['Old']);
  // The source drops what is over, and an event before its time.
  await build(6, { Last: '2027-06-01' });
  expect(titles()).toEqual(['Soon', 'Old']);
  expect(calendar()).toMatch(/UID:drama-tv\/show\/soon@[^]*UID:drama-tv\/show\/last@/);
  expect(calendar('genre/drama-tv/subject/show.ics')).toContain('UID:drama-tv/show/old@');
  expect(subject()).toMatchObject({ subject: { id: 'show' }, past: [{ title: 'Soon' }, { title: 'Old' }] });
  expect(subject().events.map(({ title }) => title)).toEqual(['Last']);
  await build(7, { Last: '2027-06-01', Soon: '2027-07-01' });
  expect(titles()).toEqual(['Old']);
  await build(8, { Last: '2027-06-01' }, { past: 0 });
  expect(titles()).toEqual([]);
});

test('the past ends after 180 days', async () => {
  const { build, past } = nights();
  const last = { Last: '2029-06-01' };
  await build(1, { ...last, Old: '2026-10-20' });
  await build(1 + 168, last);
  expect(past()).toHaveLength(1);
  await build(1 + 170, last);
  expect(past()).toEqual([]);
});

test('records of an older version have not changed because this one has more fields', async () => {
  const { build, times, past, cwd } = nights();
  await build(1, { Pilot: '2027-05-05', Soon: '2026-11-03' });
  const lines = join(cwd, 'dist/api/v1/genre/drama-tv/events.ndjson');
  writeFileSync(lines, readFileSync(lines, 'utf8').replaceAll(/,"status":.*?(?=\}\n)/g, ''));
  await build(6, { Pilot: '2027-05-05' });
  expect(times()).toEqual({ Pilot: null });
  expect(past()).toMatchObject([{ title: 'Soon', status: 'confirmed', tags: [], details: null, updated_at: null }]);
  expect(await runAlmanac(['verify', 'dist'], { cwd })).toMatchObject({ code: 0, stderr: '' });
});

test('builds that continue a site in its folder and at its address give the same bytes', async () => {
  const { build, cwd } = nights();
  await build(1, { Pilot: '2027-05-05', Soon: '2026-11-03' });
  const data = await buildSite(
    { 'tv/drama/show': { Pilot: '2027-05-06' }, 'film/noir/laura': { Release: '2027-06-01' } },
    nightOf(6),
    { cwd, source: join(cwd, 'data'), out: 'whole', args: ['--against', 'dist', '--accept-loss'] },
  );
  expect(data).toBe(join(cwd, 'whole'));
  const address = await serveFolder(join(cwd, 'dist'));
  const remote = ['build', '--now', nightOf(6), '--against', address, '--accept-loss', '--out', 'remote'];
  expect(await runAlmanac(remote, { cwd })).toMatchObject({ code: 0 });
  expect(readTree(join(cwd, 'remote'))).toEqual(readTree(join(cwd, 'whole')));
});
