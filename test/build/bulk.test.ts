import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { bySoonest } from '../../src/catalogue/soonest.ts';
import { buildSite, dataOf, type Events } from '../setup/build-site.ts';
import { lastingFolder, readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

const now = '2026-11-20T12:17:00Z';

const hall = { name: 'Hall', country: 'AT', latitude: 48.2, longitude: 16.5 };

/** More events than one part of a file holds, none of them in order. */
const many = Object.fromEntries(
  Array.from({ length: 2500 }, (_, index) => {
    const day = new Date(Date.UTC(2027, 0, 1 + ((index * 7) % 500))).toISOString().slice(0, 10);
    const starts = index % 3 === 0 ? day : `${day}T20:00Z`;
    return [`Night ${index}`, index % 2 === 0 ? { starts, location: hall } : starts];
  }),
);

/** By id, the genres of the two categories alternate: a-b, a-b-c, a-c, b-c. */
const events: Events = {
  'b/a/every-night': many,
  'c/a-b/formula': { First: '2027-01-15' },
  'c/a/quiet': {},
  'c/b/other': {
    Finale: { starts: '2027-03-01T21:00Z', location: hall },
    Past: '2020-01-01',
    Off: { starts: '2027-05-01', cancelled: true, location: hall },
  },
  'd/a/nobody': {},
};
const genres = ['a-b', 'a-b-c', 'a-c', 'a-d', 'b-c'];

let site = '';
beforeAll(async () => {
  site = await buildSite(events, now, { cwd: lastingFolder(), source: lastingFolder() });
});

const read = (path: string): string => readFileSync(join(site, 'api/v1', path), 'utf8');

interface Row {
  readonly id: string;
  readonly genre: string;
  readonly starts_at: string;
  readonly location: object | null;
  readonly state?: string;
}
const recordsIn = (path: string): Row[] =>
  read(path)
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Row);

test('the lines of a genre are all of its upcoming events, in the order of lists', () => {
  const records = recordsIn('genre/a-b/events.ndjson').map(({ state, ...record }) => {
    expect(state).toBe('upcoming');
    return record;
  });
  expect(records).toHaveLength(2500);
  const places = records.map(({ id, starts_at }) => ({ id, startsAt: Date.parse(starts_at) }));
  expect(places).toEqual(places.toSorted(bySoonest));
  const { total, events: listed } = JSON.parse(read('genre/a-b/events.json')) as {
    total: number;
    events: Row[];
  };
  expect(total).toBe(2500);
  expect(records.slice(0, 200)).toEqual(listed);
  const everything = JSON.parse(read('events.json')) as { total: number; events: Row[] };
  expect(everything.total).toBe(2502);
  const soonest = [
    ...records,
    ...recordsIn('genre/a-b-c/events.ndjson'),
    ...recordsIn('genre/b-c/events.ndjson'),
  ];
  expect(everything.events.map(({ id }) => id)).toEqual(
    soonest
      .toSorted((a, b) => (a.starts_at + a.id < b.starts_at + b.id ? -1 : 1))
      .slice(0, 200)
      .map(({ id }) => id),
  );
  expect(recordsIn('genre/b-c/events.ndjson').map(({ id, state }) => [id, state])).toEqual([
    ['b-c/other/finale', 'upcoming'],
    ['b-c/other/off', 'cancelled'],
  ]);
});

test('the lines of everything are those of its genres, in the order of their ids', () => {
  expect(read('events.ndjson')).toBe(
    genres.map((id) => read(`genre/${id}/events.ndjson`)).join(''),
  );
});

test('a map has every upcoming event with coordinates, in the order of lists across genres', () => {
  const records = genres
    .flatMap((id) => recordsIn(`genre/${id}/events.ndjson`))
    .filter(({ location, state }) => location !== null && state === 'upcoming')
    .toSorted((a, b) => (a.starts_at + a.id < b.starts_at + b.id ? -1 : 1));
  expect(records).toHaveLength(1251);
  const { type, features } = JSON.parse(read('events.geojson')) as {
    type: string;
    features: { id: string; geometry: unknown; properties: Record<string, unknown> }[];
  };
  expect(type).toBe('FeatureCollection');
  expect(features.map(({ id }) => id)).toEqual(records.map(({ id }) => id));
  const finale = features.find(({ id }) => id === 'b-c/other/finale');
  expect(finale?.geometry).toEqual({ type: 'Point', coordinates: [16.5, 48.2] });
  expect(finale?.properties).toMatchObject({ location: 'Hall', country: 'AT' });
});

test('without companions, everything else is the same, and the description names none of them', async () => {
  const tree = dataOf(events);
  const service = { ...(tree['service.json'] as object), formats: [] };
  const data = writeTree(tempFolder(), { ...tree, 'service.json': service });
  const cwd = tempFolder();
  expect(await runAlmanac(['build', '--data', data, '--now', now], { cwd })).toMatchObject({
    code: 0,
  });
  const [all, left] = [readTree(site), readTree(join(cwd, 'dist'))];
  const missing = [...all.keys()].filter((path) => !left.has(path));
  const isBulk = (path: string): boolean =>
    /^api\/.*\/(events\.(ics|ndjson|csv|geojson)|(next|now|announced|subjects|changes)\.json|feed\.xml)$|^changes\//.test(
      path,
    );
  expect(missing).toEqual([...all.keys()].filter(isBulk));
  // Pages link to the other formats of their lists, calendars show when the log began, and the
  // search knows how far back days have pages.
  const described =
    /\.html$|\.ics$|^(files\.json|llms\.txt|sitemap\.xml|assets\/search\.json|api\/v1\/(openapi\.json|index\.md))$/;
  for (const [path, bytes] of left)
    if (!described.test(path)) expect(bytes, path).toEqual(all.get(path));
  expect(String(left.get('api/v1/openapi.json'))).not.toMatch(
    /events\.(ndjson|csv|geojson)|feed\.xml|changes\.json|"\/api\/v1\/subjects\.json"/,
  );
  expect(String(left.get('llms.txt'))).not.toMatch(
    /events\.(ndjson|csv|geojson)|feed\.xml|changes\.json|v1\/subjects\.json/,
  );
  expect(await runAlmanac(['verify', 'dist'], { cwd })).toMatchObject({ code: 0, stderr: '' });
});
