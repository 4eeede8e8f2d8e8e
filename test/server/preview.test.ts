import * as fc from 'fast-check';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { build } from '../../src/builder/build.ts';
import { SitePreview } from '../../src/builder/preview.ts';
import { companions } from '../../src/catalogue/model.ts';
import { ProblemError, type Problem } from '../../src/problem/problem.ts';
import { displayPathFrom } from '../../src/system/files.ts';
import { readTree, tempFolder, writeTree, type Tree } from '../setup/folders.ts';

/*
 * A preview answers each path with the bytes of a first build of the data as they are now, whatever
 * was edited, and however much time has passed.
 */
const start = Date.parse('2027-01-01T12:00:00Z');
const hour = 3_600_000;

const title = fc.constantFrom('Alpha', 'Beta', 'Gamma & Co');
const starts = fc.constantFrom(
  '2026-12-30',
  '2026-12-31T20:00:00Z',
  '2027-01-01',
  '2027-01-01T13:00:00Z',
  '2027-01-02T00:30:00+14:00',
  '2027-03-04T20:00:00Z',
  '2027-Q2',
  '2027-01',
);
const when = fc.oneof(
  { weight: 12, arbitrary: starts.map((text) => ({ starts: text })) },
  fc.constant({ starts: '2027-01-01T13:00:00Z', ends: '2027-01-01T14:00:00Z' }),
  fc.constant({ starts: '2027-01-01', ends: '2027-03-04' }),
  fc.constant({ starts: '2026-12-20T09:00:00Z', repeat: 'FREQ=MONTHLY' }),
  fc.constant({ starts: '2026-12-20', repeat: 'FREQ=DAILY;UNTIL=2027-01-03' }),
  fc.constant({ starts: 'nonsense' }),
);
const details = fc.record(
  {
    title,
    tags: fc.subarray(['jazz', 'open-air']),
    location: fc.constantFrom('Here', { name: 'There', country: 'DE', latitude: 1, longitude: 2 }),
    status: fc.constantFrom('confirmed', 'cancelled', 'postponed'),
    extra: fc.constantFrom({ price: 5 }, { stage: 'a', door_time: ['x', 'y'] }),
  },
  { requiredKeys: ['title'] },
);
const event = fc.tuple(when, details).map(([time, more]) => ({ ...time, ...more }));
const names = ['a', 'b'] as const;
const subject = fc.record(
  {
    name: fc.constantFrom('One', 'Two'),
    events: fc.uniqueArray(event, { maxLength: 3, selector: ({ title: text }) => text }),
    formerly: fc.constantFrom(['old'], ['a-x/old', 'gone'], ['b-x/a']),
    aliases: fc.constant(['Other name']),
  },
  { requiredKeys: ['name', 'events'] },
);
const row = fc.tuple(
  fc.constantFrom('One', 'Two'),
  title,
  starts,
  fc.constantFrom('Here', '"A, B"'),
);
const table = fc
  .array(row, { maxLength: 4 })
  .map((rows) => `subject,title,starts,location\n${rows.map((one) => one.join(',')).join('\n')}\n`);
const calendar = fc
  .constantFrom('20270101T130000Z', '20270304T200000Z')
  .map((at) =>
    [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:x',
      'BEGIN:VEVENT',
      'UID:1',
      'DTSTAMP:20260101T000000Z',
      `DTSTART:${at}`,
      'SUMMARY:Kickoff',
      'RRULE:FREQ=WEEKLY;COUNT=3',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ].join('\r\n'),
  );
const service = fc.record(
  {
    name: fc.constantFrom('Test', 'Other'),
    license: fc.constant('Free'),
    formats: fc.subarray([...companions]),
    pages: fc.constantFrom('all', 'genres', 'home'),
    labels: fc.constant({ door_time: 'Doors' }),
    authority: fc.constant('other.example'),
    credit: fc.constant(false),
    extra: fc.constant({ price: 9 }),
    lang: fc.constantFrom('en', 'de'),
    past: fc.constantFrom(0, 1, 2, 30),
    zone: fc.constantFrom('Europe/Berlin', 'Asia/Tokyo'),
    accent: fc.constantFrom('#336699'),
  },
  { requiredKeys: ['name', 'license'] },
);
const genre = fc.record(
  {
    name: fc.constantFrom('Genre', 'Else'),
    tags: fc.constant(['live']),
    formerly: fc.constantFrom(['former-x'], ['b-y'], ['b-x']),
  },
  { requiredKeys: ['name'] },
);
const collections = fc.constantFrom<object>(
  { best: { name: 'Best', genres: ['a-x'], tags: ['jazz'] } },
  { best: { name: 'Best', subjects: ['a-x/a'] } },
);

const mapping = fc.constantFrom<object>(
  { columns: { subject: 'subject', title: 'title', starts: 'starts', location: 'description' } },
  { ignore: ['location'] },
  { subject: 'Fixed' },
);

/** A file and what it becomes; null: it is removed. */
type Edit = readonly [path: string, content: unknown];
const inGenre = fc.constantFrom(...names);
const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 6, arbitrary: fileIn(fc.constantFrom('a.json', 'b.json'), subject) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('data/x/a/t.csv'), table) },
  { weight: 2, arbitrary: fileIn(fc.constant('c.ics'), calendar) },
  { weight: 1, arbitrary: fileIn(fc.constant('genre.json'), genre) },
  fc.tuple(fc.constant('data/service.json'), service),
  fc.tuple(fc.constant('data/collections.json'), fc.option(collections)),
  fc.tuple(fc.constantFrom('public/hello.txt', 'public/robots.txt'), fc.option(title)),
  fc.tuple(fc.constant('data/x/category.json'), fc.constantFrom({ name: 'X' }, { name: 'Ex' })),
  { weight: 2, arbitrary: fc.tuple(fc.constant('data/x/a/t.columns.json'), fc.option(mapping)) },
);

function fileIn(name: fc.Arbitrary<string>, content: fc.Arbitrary<unknown>): fc.Arbitrary<Edit> {
  const path = fc.tuple(inGenre, name).map((parts) => `data/x/${parts.join('/')}`);
  return fc.tuple(path, fc.option(content, { freq: 5 }));
}

const initial: Tree = {
  'data/service.json': { name: 'Test', license: 'Free' },
  'data/x/category.json': { name: 'X' },
  'data/x/a/genre.json': { name: 'A' },
  'data/x/a/t.csv': 'subject,title,starts,location\n',
  'data/x/b/genre.json': { name: 'B' },
  'public/hello.txt': 'hello',
};

test('a preview answers each path with the bytes of a first build, after any edits', async () => {
  let [valid, refused] = [0, 0];
  const step = fc.record({
    edits: fc.array(edit, { maxLength: 3 }),
    hours: fc.constantFrom(0, 1, 2, 11, 13, 24, 24 * 30),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
      const pair = openPair(initial);
      for (const { edits, hours } of steps) {
        for (const [path, content] of edits) apply(pair.cwd, path, content);
        if (await pair.step(hours)) valid++;
        else refused++;
      }
    }),
    { numRuns: 20 },
  );
  expect(Math.min(valid, refused)).toBeGreaterThan(15);
});

test('a preview of unchanged data follows the time', async () => {
  const events = [
    { title: 'Daily', starts: '2026-12-01T18:00:00Z', repeat: 'FREQ=DAILY' },
    { title: 'Long', starts: '2027-01-01T10:00:00Z', ends: '2027-01-01T15:00:00Z' },
    { title: 'Off', starts: '2027-01-01T20:00:00Z', status: 'cancelled' },
    { title: 'Day', starts: '2027-01-01' },
    { title: 'Past', starts: '2026-12-31T21:30:00Z' },
    { title: 'Soon', starts: '2027-01' },
  ];
  const service = { name: 'Test', license: 'Free', past: 1 };
  // Each in a genre of its own, so that none is read again because of another.
  const genres = events.map((one, index) => ({
    [`data/x/g${index}/genre.json`]: { name: one.title },
    [`data/x/g${index}/s.json`]: { name: 'S', events: [one] },
  }));
  const tree: Tree = Object.assign({ ...initial, 'data/service.json': service }, ...genres);
  const pair = openPair(tree);
  for (const hours of [0, 2, 2, 5, 6, 12, 14, 10, 24 * 30])
    expect(await pair.step(hours)).toBe(true);
});

/** A data folder, its preview, and a build that is made again at each step. */
function openPair(tree: Tree) {
  const cwd = tempFolder();
  writeTree(cwd, tree);
  const [data, out] = [join(cwd, 'data'), join(cwd, 'dist')];
  let now = start;
  const options = {
    data,
    displayPath: displayPathFrom(cwd, data),
    baseUrl: { found: 'https://example.org', from: '--base-url' },
    generator: 'almanac/1.0.0',
    assets: [{ path: 'assets/style.css', content: 'a{}' }],
    publicFolder: { folder: join(cwd, 'public'), displayPath: displayPathFrom(cwd, '') },
  };
  const preview = new SitePreview(options, () => now);
  let site = new Map<string, Buffer>();
  /** Compares the two after some hours. Returns whether the data is valid. */
  const step = async (hours: number): Promise<boolean> => {
    now += hours * hour;
    rmSync(out, { recursive: true, force: true });
    const built = await problemsOf(() =>
      build({ ...options, now, out, dryRun: false, isDurable: false }),
    );
    expect(await problemsOf(() => preview.update())).toEqual(built);
    const isValid = built === null;
    if (isValid) site = readTree(out);
    // As long as the data is not valid, the previous site stays.
    else if (hours > 0) return false;
    for (const [path, bytes] of site) {
      const answer = await preview.read(path);
      expect([path, answer && Buffer.from(answer).toString()]).toEqual([path, bytes.toString()]);
    }
    expect(await preview.read('none.html')).toBeNull();
    return isValid;
  };
  return { cwd, preview, step };
}

function apply(cwd: string, path: string, content: unknown): void {
  if (content === null) rmSync(join(cwd, path), { force: true });
  else writeTree(cwd, { [path]: content });
}

async function problemsOf(work: () => Promise<unknown>): Promise<readonly Problem[] | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof ProblemError) return error.problems;
    throw error;
  }
}

test('a renamed folder of a genre has other addresses', async () => {
  const { cwd, preview, step } = openPair({
    ...initial,
    'data/x/a/s.json': { name: 'S', events: [] },
  });
  await step(0);
  expect(await preview.read('genre/a-x/s/index.html')).not.toBeNull();
  renameSync(join(cwd, 'data/x/a'), join(cwd, 'data/x/c'));
  await step(0);
  expect(await preview.read('genre/a-x/s/index.html')).toBeNull();
  expect(await preview.read('genre/c-x/s/index.html')).not.toBeNull();
});

test('a file of the repository that a source names is read again after an edit', async () => {
  const list = (day: string): string => `- title: Open day\n  date: ${day}\n`;
  const { cwd, preview, step } = openPair({
    ...initial,
    'data/x/a/s.source.json': {
      name: 'S',
      file: '_data/events.yml',
      format: 'yaml',
      subject: 'S',
      columns: { title: 'title', date: 'starts' },
    },
    '_data/events.yml': list('2027-03-04'),
  });
  const events = async (): Promise<string> =>
    new TextDecoder().decode((await preview.read('api/v1/events.json')) ?? undefined);
  await step(0);
  expect(await events()).toContain('"date":"2027-03-04"');
  writeFileSync(join(cwd, '_data/events.yml'), list('2027-03-05'));
  await step(0);
  expect(await events()).toContain('"date":"2027-03-05"');
});

test('settings of the service and collections apply to genres that did not change', async () => {
  const events = [{ title: 'A', starts: '2027-03-04T20:00:00Z', tags: ['jazz'] }];
  const { cwd, step } = openPair({
    ...initial,
    'data/service.json': { name: 'Test', license: 'Free', pages: 'home' },
    'data/x/a/s.json': { name: 'S', events },
    'data/y/category.json': { name: 'Y' },
    'data/y/c/genre.json': { name: 'C' },
    'data/y/c/s.json': { name: 'S', events },
  });
  await step(0);
  const edits: readonly Edit[] = [
    ['data/service.json', { name: 'Test', license: 'Free', pages: 'all' }],
    ['data/collections.json', { best: { name: 'Best', genres: ['a-x'], tags: ['jazz'] } }],
    ['data/collections.json', { best: { name: 'Best', subjects: ['c-y/s'] } }],
    ['data/collections.json', { other: { name: 'Other', genres: ['a-x'] } }],
    ['data/collections.json', null],
    [
      'data/service.json',
      { name: 'Test', license: 'Free', pages: 'genres', labels: { price: 'Price' } },
    ],
    ['data/service.json', { name: 'Test', license: 'Free', authority: 'other.example', past: 0 }],
    ['data/y/category.json', { name: 'Other', formerly: ['z'] }],
  ];
  for (const [path, content] of edits) {
    apply(cwd, path, content);
    expect([path, await step(0)]).toEqual([path, true]);
  }
});

test('a mistake, a genre that goes and one that comes, and a link whose time is over', async () => {
  const events = [
    { title: 'Tonight', starts: '2027-01-01T18:00:00Z' },
    { title: 'Later', starts: '2027-03-04T20:00:00Z', url: 'https://example.org/old' },
  ];
  const subject = { name: 'S', events };
  const { cwd, preview, step } = openPair({
    ...initial,
    'data/x/a/s.json': subject,
    'data/x/b/s.json': subject,
  });
  expect(await step(0)).toBe(true);
  const read = async (path: string): Promise<string> =>
    new TextDecoder().decode((await preview.read(path)) ?? undefined);
  const home = await read('index.html');
  // While there is a mistake, each file stays as it was, also those of other genres.
  apply(cwd, 'data/x/a/s.json', '{"name": "S", "events": [');
  apply(cwd, 'data/x/b/s.json', { ...subject, name: 'Other' });
  expect(await step(0)).toBe(false);
  expect(await read('index.html')).toBe(home);
  apply(cwd, 'data/x/a/s.json', subject);
  expect(await step(0)).toBe(true);
  expect(await read('genre/b-x/index.html')).toContain('Other');
  // A genre goes with its addresses, and comes back with others.
  rmSync(join(cwd, 'data/x/b'), { recursive: true });
  expect(await step(0)).toBe(true);
  expect(await preview.read('genre/b-x/index.html')).toBeNull();
  writeTree(cwd, { 'data/x/d/genre.json': { name: 'D' }, 'data/x/d/new.json': subject });
  expect(await step(0)).toBe(true);
  expect(await preview.read('genre/d-x/new/index.html')).not.toBeNull();
  // The first event is over, and only then an address of the second one changes.
  const later = { title: 'Later', starts: '2027-03-04T20:00:00Z', url: 'https://example.org/new' };
  apply(cwd, 'data/x/a/s.json', { name: 'S', events: [events[0], later] });
  expect(await step(24)).toBe(true);
  expect(await step(24 * 90)).toBe(true);
});
