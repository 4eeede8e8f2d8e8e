import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EventsDocument, SubjectDocument } from '../../src/api/documents.ts';
import { buildSite } from '../setup/build-site.ts';
import { tempFolder } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

const nightOf = (day: number): string => new Date(Date.UTC(2026, 10, day, 12)).toISOString();

type Event = string | { readonly starts: string; readonly [key: string]: unknown };

/** Builds a site night after night, and returns what it says of a genre. */
function nights() {
  const cwd = tempFolder();
  const json = (path: string): unknown =>
    JSON.parse(readFileSync(join(cwd, 'dist/api/v1', path), 'utf8'));
  return {
    cwd,
    build: async (
      day: number,
      events: Readonly<Record<string, Event>>,
      service: object = {},
    ): Promise<void> => {
      await buildSite({ 'tv/drama/show': events }, nightOf(day), { cwd, service });
    },
    times: (): Record<string, string | null> =>
      Object.fromEntries(
        (json('genre/drama-tv/events.json') as EventsDocument).events.map(
          ({ title, updated_at }) => [title, updated_at],
        ),
      ),
    subject: (): SubjectDocument => json('genre/drama-tv/subject/show.json') as SubjectDocument,
    calendar: (path = 'genre/drama-tv/events.ics'): string =>
      readFileSync(join(cwd, 'dist/api/v1', path), 'utf8').replaceAll('\r\n ', ''),
  };
}

test('the past comes from the data and from the previous site, and calendars keep it', async () => {
  const { build, calendar, subject } = nights();
  const titles = (): string[] => subject().past.map(({ title }) => title);
  await build(1, {
    Old: '2026-10-20',
    Ancient: '2026-03-01',
    Soon: '2026-11-03',
    Later: '2027-05-05',
  });
  expect(titles()).toEqual(['Old']);
  // The source drops what is over, and an event before its time.
  await build(6, { Last: '2027-06-01' });
  expect(titles()).toEqual(['Soon', 'Old']);
  expect(calendar()).toMatch(/UID:drama-tv\/show\/soon@[^]*UID:drama-tv\/show\/last@/);
  expect(calendar('genre/drama-tv/subject/show.ics')).toContain('UID:drama-tv/show/old@');
  expect(subject().events.map(({ title }) => title)).toEqual(['Last']);
  await build(7, { Last: '2027-06-01', Soon: '2027-07-01' });
  expect(titles()).toEqual(['Old']);
  await build(8, { Last: '2027-06-01' }, { past: 0 });
  expect(titles()).toEqual([]);
});

test('the past ends after 180 days', async () => {
  const { build, subject } = nights();
  const last = { Last: '2029-06-01' };
  await build(1, { ...last, Old: '2026-10-20' });
  await build(1 + 168, last);
  expect(subject().past).toHaveLength(1);
  await build(1 + 170, last);
  expect(subject().past).toEqual([]);
});

test('all of 2,100 past events of a genre stay, and at most 5,000', async () => {
  const { cwd, build } = nights();
  const eventsBefore = (count: number): Record<string, string> =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => {
        const date = new Date(Date.UTC(2026, 9, 31 - (index % 160)));
        return [`E ${index}`, date.toISOString().slice(0, 10)];
      }),
    );
  const past = (): number =>
    readFileSync(join(cwd, 'dist/api/v1/events.ndjson'), 'utf8').split('"state":"over"').length - 1;
  const last = { Last: '2029-06-01' };
  await build(5, { ...last, ...eventsBefore(2100) });
  expect(past()).toBe(2100);
  await build(6, last);
  expect(past()).toBe(2100);
  await build(7, { ...last, ...eventsBefore(5100) });
  expect(past()).toBe(5000);
});

test('records of an older version have not changed because this one has more fields', async () => {
  const { build, times, subject, cwd } = nights();
  await build(1, { Pilot: '2027-05-05', Soon: '2026-11-03' });
  const lines = join(cwd, 'dist/api/v1/genre/drama-tv/events.ndjson');
  writeFileSync(lines, readFileSync(lines, 'utf8').replaceAll(/,"status":.*?(?=\}\n)/g, ''));
  await build(6, { Pilot: '2027-05-05' });
  expect(times()).toEqual({ Pilot: null });
  expect(subject().past).toMatchObject([
    { title: 'Soon', status: 'confirmed', tags: [], details: null, updated_at: null },
  ]);
  expect(await runAlmanac(['verify', 'dist'], { cwd })).toMatchObject({ code: 0, stderr: '' });
});
