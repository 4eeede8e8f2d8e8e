import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EventRecord } from '../../src/api/documents.ts';
import { eventSchema as published } from '../../src/api/schemas.ts';
import type { Event } from '../../src/catalogue/model.ts';
import { readCatalogue } from '../../src/source/read-catalogue.ts';
import { problemLine } from '../../src/problem/problem.ts';
import { eventRecord } from '../../src/render/records.ts';
import { sync } from '../../src/source/remote/sync.ts';
import { buildFolder } from '../setup/build-site.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';
import { serveFolder } from '../setup/serve-folder.ts';
import { readSections } from '../setup/sections.ts';

/*
 * A catalogue that takes its events from another one.
 */
const now = Date.parse('2026-11-20T12:17:00Z');
const valid = join(import.meta.dirname, '../fixtures/valid');
const genre = { id: 'g-c', name: 'G', category: 'c', zone: 'Europe/Berlin' };

const file = { stem: 'x', genre, now: 0, name: null, url: null };

/** The lists of all events of the cases. */
const lists = readdirSync(valid)
  .map((name) => [name, readSections(join(valid, name, 'expected.txt')).get('api/v1/events.ndjson') ?? ''] as const)
  .filter(([, text]) => text !== '');

test.each(lists)('the events of %s keep their times, names and details', (_, text) => {
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as EventRecord);
  const records = lines.filter((record) => 'starts_at' in record);
  const address = 'https://other.example/api/v1/events.ndjson';
  const { subjects, findings, warnings } = readCatalogue(text, { ...file, address });
  expect([findings, warnings]).toEqual([[], []]);
  for (const { source } of subjects.flatMap((subject) => subject.source.events ?? [])) {
    expect(source).toMatch(/^https:\/\//);
  }
  const taken = subjects.flatMap((one) => [one.upcoming, one.under_way, one.cancelled, one.over].flat());
  const seen = taken.map(({ startsAt, end, date, ...event }) => {
    return [startsAt, end?.endsAt, end?.endDate, date, ...factsOf(event)];
  });
  const wanted = records.map(({ starts_at, ends_at, end_date, date, ...record }) => {
    const [endsAt, endDate] = ends_at === null ? [] : [Date.parse(ends_at), end_date];
    // Without a zone, nobody can tell in which offset a date is.
    const isVague = record.zone === null && record.time_known;
    return [Date.parse(starts_at), endsAt, endDate, isVague ? starts_at.slice(0, 10) : date, ...factsOf(record)];
  });
  const sorted = (list: readonly unknown[][]): string[] => list.map((one) => JSON.stringify(one)).toSorted();
  expect(sorted(seen)).toEqual(sorted(wanted));
});

type Facts = 'zone' | 'precision' | 'title' | 'subject' | 'status' | 'tags' | 'location' | 'details';

function factsOf({
  zone,
  precision,
  title,
  subject,
  status,
  tags,
  location,
  details,
}: Pick<Event | EventRecord, Facts>) {
  return [zone, precision, title, subject.name, status, tags, location, details?.description];
}

/** Every field of a published event with a value, whose names and addresses differ. */
const full: EventRecord = {
  id: 'g-c/show/final',
  title: 'Final',
  subject: { id: 'show', name: 'Show' },
  genre: 'g-c',
  category: 'c',
  starts_at: '2027-01-02T19:00:30.000Z',
  ends_at: '2027-01-02T21:00:00.000Z',
  date: '2027-01-02',
  end_date: '2027-01-02',
  zone: 'Europe/Berlin',
  starts_local: '2027-01-02T20:00:30',
  time_known: true,
  precision: 'second',
  location: { name: 'Hall', address: 'Street 1', country: 'DE', latitude: 52.5, longitude: 13.4 },
  url: 'https://example.org/final',
  upcoming_until: '2027-01-02T19:00:30.000Z',
  over_at: '2027-01-02T21:00:00.000Z',
  status: 'postponed',
  tags: ['jazz'],
  details: {
    description: 'Text',
    image: { url: 'https://example.org/image', alt: 'Alt' },
    attendance: 'hybrid',
    organizer: { name: 'Organizer', url: 'https://example.org/organizer' },
    source: 'https://example.org/source',
  },
  extra: { price_eur: 12, halls: ['A', 'B'] },
  updated_at: '2026-01-02T19:00:30.000Z',
};

test('every field of an event survives, except when it changed', () => {
  expect(JSON.stringify(full)).not.toContain('null');
  expect(published.parse(full)).toEqual(full);
  const schema = published.shape.details.unwrap();
  expect(Object.keys(full.details ?? {})).toEqual(Object.keys(schema.shape));
  const { subjects } = readCatalogue(JSON.stringify(full), file);
  const [event] = subjects.flatMap(({ upcoming }) => upcoming);
  expect(event && eventRecord(event)).toEqual({ ...full, updated_at: null });
});

const service = { name: 'S', license: 'L' };

async function publish(files: Record<string, string | object>): Promise<{ data: string; url: string }> {
  const folder = writeTree(tempFolder(), files);
  const data = join(folder, 'data');
  const out = join(folder, 'dist');
  await buildFolder(data, out, now);
  return { data, url: await serveFolder(out) };
}

function catalogue(baseUrl: string, genreFiles: Record<string, string | object>): Record<string, string | object> {
  return {
    'data/service.json': { ...service, base_url: baseUrl, pages: 'home' },
    'data/c/category.json': { name: 'C' },
    'data/c/g/genre.json': { name: 'G', zone: 'Europe/Berlin' },
    ...Object.fromEntries(Object.entries(genreFiles).map(([name, content]) => [`data/c/g/${name}`, content])),
  };
}

test('takes the events of another catalogue with their subjects, ids and times', async () => {
  const show = {
    name: 'Show',
    events: [
      { title: 'Premiere', starts: '2027-01-02T20:00' },
      { title: 'Day', starts: '2027-02-03' },
    ],
  };
  const own = { name: 'Own', events: [{ title: 'Fact', starts: '2027-03-04', source: 'https://facts.example/1' }] };
  const first = await publish(catalogue('https://first.example', { 'show.json': show, 'own.json': own }));
  const source = { source: `${first.url}/api/v1/genre/g-c/events.ndjson`, format: 'almanac' };
  const second = writeTree(tempFolder(), catalogue('https://second.example/x/', { 'first.source.json': source }));
  const data = join(second, 'data');
  const synced = await sync({ data, displayPath: (path) => path, now });
  expect(synced).toEqual([]);
  const report = await buildFolder(data, join(second, 'dist'), now);
  expect(report.warnings).toEqual([]);
  const lines = readFileSync(join(second, 'dist/api/v1/events.ndjson'), 'utf8').trim().split('\n');
  const events = lines.map((line) => JSON.parse(line) as EventRecord);
  expect(events.map(({ id, date, starts_at, details }) => [id, date, starts_at, details?.source])).toEqual([
    ['g-c/show/premiere', '2027-01-02', '2027-01-02T19:00:00.000Z', undefined],
    ['g-c/show/day', '2027-02-03', '2027-02-03T00:00:00.000Z', undefined],
    ['g-c/own/fact', '2027-03-04', '2027-03-04T00:00:00.000Z', 'https://facts.example/1'],
  ]);
});

test('leaves out a line that is no event, and gives subjects of one id in two genres ids of their own', () => {
  const record = JSON.parse(lists[0]?.[1].split('\n')[0] ?? '') as EventRecord;
  const line = (changes: object): string => JSON.stringify({ ...record, ...changes });
  const good = [line({ id: 'a-b/s/one' }), line({ id: 'c-b/s/one' }), line({ id: 'c-b/t/two' })];
  const bad = ['{', '7', 'null', line({ id: 'a/b' }), line({ id: 'a/../c' }), line({ id: 'a/b/c', title: ' ' })];
  bad.push(line({ id: 'a/b/c', date: 7, precision: 'day' }), line({ id: 'a/b/c', subject: null }), good[0] ?? '');
  const { subjects, findings, warnings } = readCatalogue([...good, '', ...bad].join('\n'), file);
  expect(findings).toEqual([]);
  expect(subjects.map(({ id }) => id)).toEqual(['s-a-b', 's-c-b', 't']);
  expect(warnings.map(({ problem }) => problem.code)).toEqual(bad.map(() => 'bad-event-line'));
  expect(readCatalogue('<html>', file).findings).toMatchObject([{ problem: { code: 'bad-event-line' }, offset: 0 }]);
  expect(readCatalogue('', file)).toMatchObject({ subjects: [], findings: [], warnings: [] });
  expect(problemLine({ ...(warnings[0]?.problem as { code: 'bad-event-line' }), place: null })).toContain(
    'events.ndjson',
  );
});

test('a text with more invalid events than a file may report is read without any of them', () => {
  const text = lists.find(([name]) => name === 'minimal')?.[1] ?? lists[0]?.[1] ?? '';
  const record = JSON.parse(text.slice(0, text.indexOf('\n'))) as EventRecord;
  const lines = Array.from({ length: 2500 }, (_, index) => ({ ...record, id: `a-b/c/d${Math.min(index, 1)}` }));
  const { subjects, warnings } = readCatalogue(lines.map((line) => JSON.stringify(line)).join('\n'), file);
  expect(subjects.flatMap(({ source: { events = [] } }) => events.map(({ id }) => id))).toEqual(['d0', 'd1']);
  expect(warnings).toHaveLength(2498);
});
