import { parse } from 'csv-parse/sync';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import type { EventRecord } from '../../src/api/documents.ts';
import { bySoonest } from '../../src/catalogue/soonest.ts';
import { buildSite, dataOf, type Events } from '../setup/build-site.ts';
import { engine, onPath } from '../setup/engines.ts';
import { lastingFolder, readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

const now = '2026-11-20T12:17:00Z';

/** More events than one part of a file holds, none of them in order. */
const many = Object.fromEntries(
  Array.from({ length: 2500 }, (_, index) => {
    const day = new Date(Date.UTC(2027, 0, 1 + ((index * 7) % 500))).toISOString().slice(0, 10);
    return [`Night ${index}`, index % 3 === 0 ? day : `${day}T20:00Z`];
  }),
);

/** By id, the genres of the two categories alternate: a-b, a-b-c, a-c, b-c. */
const events: Events = {
  'b/a/every-night': many,
  'c/a-b/formula': {
    '=1+1': { starts: '2027-01-15', id: 'equals' },
    '+1': { starts: '2027-01-16', id: 'plus' },
    '-1': { starts: '2027-01-17', id: 'minus' },
    '@sum': { starts: '2027-01-18', id: 'at' },
    'Say "when", then': { starts: '2027-01-19T20:00', zone: 'Europe/Berlin', url: 'https://example.org/a,b' },
    'a=b': { starts: '2027-01-20', id: 'inside' },
    'Ask;=1+1;"=2+2;x; "@sum;y': { starts: '2027-01-21', id: 'semicolons', url: 'https://example.org/a;=1+1;"=2;b=3' },
  },
  'c/a/quiet': {},
  'c/b/other': { Finale: '2027-03-01T21:00Z', Past: '2020-01-01', Off: { starts: '2027-05-01', cancelled: true } },
  'd/a/nobody': {},
};
const genres = ['a-b', 'a-b-c', 'a-c', 'a-d', 'b-c'];

let site = '';
beforeAll(async () => {
  site = await buildSite(events, now, { cwd: lastingFolder(), source: lastingFolder() });
});

const read = (path: string): string => readFileSync(join(site, 'api/v1', path), 'utf8');

/** Returns the rows of a genre in the table of everything, below its header. */
function tableOf(genre: string): string {
  const [header, ...rows] = read('events.csv').split('\r\n');
  return [header, ...rows.filter((row) => row.startsWith(`${genre}/`)), ''].join('\r\n');
}

interface Row {
  readonly id: string;
  readonly genre: string;
  readonly starts_at: string;
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
  const { total, events: listed } = JSON.parse(read('genre/a-b/events.json')) as { total: number; events: Row[] };
  expect(total).toBe(2500);
  expect(records.slice(0, 200)).toEqual(listed);
  expect(recordsIn('genre/b-c/events.ndjson').map(({ id, state }) => [id, state])).toEqual([
    ['b-c/other/finale', 'upcoming'],
    ['b-c/other/off', 'cancelled'],
  ]);
});

test('the lines of everything are those of its genres, in the order of their ids', () => {
  expect(read('events.ndjson')).toBe(genres.map((id) => read(`genre/${id}/events.ndjson`)).join(''));
});

test('a table has the header of the interface, a byte order mark and no cell that a spreadsheet runs', () => {
  const header =
    'id,title,subject_id,subject,genre,category,starts_at,ends_at,date,end_date,zone,time_known,precision,location,' +
    'address,country,latitude,longitude,url,upcoming_until,over_at,status,tags,description,image,attendance,organizer,' +
    'source,updated_at,starts_local';
  const rows = tableOf('a-b-c').split('\r\n');
  expect(rows).toEqual([
    `\ufeff${header}`,
    ...[
      ["'=1+1", 'equals', '15', '16'],
      ["'+1", 'plus', '16', '17'],
      ["'-1", 'minus', '17', '18'],
      ["'@sum", 'at', '18', '19'],
    ].map(
      ([title, id, day, next]) =>
        `a-b-c/formula/${id},${title},formula,formula,a-b-c,c,,,2027-01-${day},,,false,day,,,,,,,2027-01-${next}T12:00:00.000Z,,confirmed,,,,,,,,2027-01-${day}`,
    ),
    'a-b-c/formula/say-when-then,"Say ""when"", then",formula,formula,a-b-c,c,2027-01-19T19:00:00.000Z,,2027-01-19,,' +
      'Europe/Berlin,true,minute,,,,,,"https://example.org/a,b",2027-01-19T19:00:00.000Z,,' +
      'confirmed,,,,,,,,2027-01-19 20:00',
    'a-b-c/formula/inside,a=b,formula,formula,a-b-c,c,,,2027-01-20,,,false,day,,,,,,,2027-01-21T12:00:00.000Z,,' +
      'confirmed,,,,,,,,2027-01-20',
    `a-b-c/formula/semicolons,"Ask;'=1+1;'""=2+2;x;' ""@sum;y",formula,formula,a-b-c,c,,,2027-01-21,,,false,day,,,,,,` +
      '"https://example.org/a%3B=1+1%3B""=2;b=3",2027-01-22T12:00:00.000Z,,confirmed,,,,,,,,2027-01-21',
    '',
  ]);
});

test('next.json is the list cut to ten', () => {
  for (const scope of ['', 'category/c/', 'genre/a-b/', 'genre/a-d/']) {
    const list = JSON.parse(read(`${scope}events.json`)) as { events: Row[] };
    expect(read(`${scope}next.json`)).toBe(
      `${JSON.stringify({ ...list, limit: 10, events: list.events.slice(0, 10), now: [] })}\n`,
    );
  }
});

test('every subject is listed by genre and id, with its next event', () => {
  interface Subjects {
    readonly filters: object;
    readonly subjects: readonly { readonly id: string; readonly genre: string }[];
  }
  const { filters, subjects } = JSON.parse(read('subjects.json')) as Subjects;
  expect(filters).toEqual({ genre: null, category: null });
  expect(subjects.map(({ genre, id }) => `${genre}/${id}`)).toEqual([
    'a-b/every-night',
    'a-b-c/formula',
    'a-c/quiet',
    'a-d/nobody',
    'b-c/other',
  ]);
  const { id, title, date, starts_at, time_known } = recordsIn('genre/a-b/events.ndjson')[0] as unknown as EventRecord;
  const everyNight = { id: 'every-night', name: 'every-night', aliases: [], genre: 'a-b', category: 'b', url: null };
  expect(subjects[0]).toEqual({ ...everyNight, upcoming: 2500, next: { id, title, date, starts_at, time_known } });
  expect(subjects[2]).toMatchObject({ upcoming: 0, next: null });
  const ofCategory = {
    filters: { genre: null, category: 'c' },
    subjects: subjects.filter(({ genre }) => genre.endsWith('-c')),
  };
  expect(read('category/c/subjects.json')).toBe(`${JSON.stringify(ofCategory)}\n`);
  const ofGenre = { filters: { genre: 'a-d', category: null }, subjects: [subjects[3]] };
  expect(read('genre/a-d/subjects.json')).toBe(`${JSON.stringify(ofGenre)}\n`);
});

test('without companions, everything else is the same, and the description names none of them', async () => {
  const tree = dataOf(events);
  const service = { ...(tree['service.json'] as object), formats: [] };
  const data = writeTree(tempFolder(), { ...tree, 'service.json': service });
  const cwd = tempFolder();
  expect(await runAlmanac(['build', '--data', data, '--now', now], { cwd })).toMatchObject({ code: 0 });
  const [all, left] = [readTree(site), readTree(join(cwd, 'dist'))];
  const missing = [...all.keys()].filter((path) => !left.has(path));
  const isBulk = (path: string): boolean =>
    /^api\/.*\/(events\.(ics|ndjson|csv)|(next|now|announced|subjects|changes)\.json|feed\.xml)$|^changes\//.test(path);
  expect(missing).toEqual([...all.keys()].filter(isBulk));
  // Pages link to the other formats of their lists, and calendars show when the log began.
  const described = /\.html$|\.ics$|^(files\.json|llms\.txt|sitemap\.xml|api\/v1\/(openapi\.json|index\.md))$/;
  for (const [path, bytes] of left) if (!described.test(path)) expect(bytes, path).toEqual(all.get(path));
  expect(String(left.get('api/v1/openapi.json'))).not.toMatch(
    /events\.(ndjson|csv)|feed\.xml|changes\.json|"\/api\/v1\/subjects\.json"/,
  );
  expect(String(left.get('llms.txt'))).not.toMatch(/events\.(ndjson|csv)|feed\.xml|changes\.json|v1\/subjects\.json/);
  expect(await runAlmanac(['verify', 'dist'], { cwd })).toMatchObject({ code: 0, stderr: '' });
});

const soffice = engine(
  'LibreOffice',
  () => onPath('soffice'),
  'apt-get install --no-install-recommends libreoffice-calc-nogui',
);

test('the table has a column for each own field of an event, whichever genre it is of', async () => {
  const starts = '2027-01-15';
  const site = await buildSite(
    {
      'a/x/one': { Plain: starts, 'Say "yes", please': { starts, extra: { price_eur: 12.5, hall: ['A', 'B'] } } },
      'b/x/two': { Other: { starts, extra: { wheelchair: true, hall: '=1+1\n"x"' } } },
      'c/x/three': { Undated: { starts: '2027', extra: { never: 1 } } },
    },
    now,
  );
  const table = readFileSync(join(site, 'api/v1/events.csv'), 'utf8');
  const [header = '', ...rows] = parse(table, { bom: true });
  expect(header.slice(-4)).toEqual(['starts_local', 'hall', 'price_eur', 'wheelchair']);
  expect(rows.map((row) => [row[1], ...row.slice(-3)])).toEqual([
    ['Plain', '', '', ''],
    ['Say "yes", please', 'A, B', '12.5', ''],
    ['Other', '\'=1+1\n"x"', '', 'true'],
  ]);
  expect(table).not.toContain('\0');
});

test.skipIf(soffice === null)('a spreadsheet finds no formula in a table', () => {
  const titles = ["'=1+1", "'+1", "'-1", "'@sum", 'Say "when", then', 'a=b', `Ask;'=1+1;'"=2+2;x;' "@sum;y`];
  expect(titlesInSpreadsheet(tableOf('a-b-c'))).toEqual(titles);
  // Without the apostrophe, LibreOffice calculates.
  expect(titlesInSpreadsheet('id,title\r\nx,=1+1\r\n')).toEqual(['2']);
});

/** Opens a table in LibreOffice and returns what the column `title` then shows. */
function titlesInSpreadsheet(table: string): string[] {
  const folder = writeTree(tempFolder(), { 'events.csv': table });
  const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`;
  const args = [profile, '--headless', '--convert-to', 'csv', '--outdir', join(folder, 'seen'), 'events.csv'];
  execFileSync(soffice ?? '', args, { cwd: folder, stdio: 'ignore' });
  const seen = readFileSync(join(folder, 'seen/events.csv'), 'utf8');
  return parse<{ title: string }>(seen, { columns: true }).map(({ title }) => title);
}
