import * as fc from 'fast-check';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { dataOf, type Events } from '../setup/build-site.ts';
import { lastingFolder, readTree, tempFolder, writeTree, type Tree } from '../setup/folders.ts';
import { runAlmanac, type Run } from '../setup/run-almanac.ts';

const now = '2027-01-01T00:00:00Z';

async function build(cwd: string, ...args: readonly string[]): Promise<Run> {
  return runAlmanac(['build', '--quiet', '--now', now, ...args], { cwd });
}

async function joinParts(cwd: string, ...args: readonly string[]): Promise<Run> {
  return runAlmanac(['join', 'store', '--quiet', ...args], { cwd });
}

/** Catalogues with valid and invalid dates, doubtful ones, events under way, cancelled events and empty genres. */
const event = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record(
      {
        starts: fc.constantFrom('2027-03-04', '2027-03-04T20:00Z', '2027-05', '2026-01-01', '2027-06-07', '2027-13-45'),
        cancelled: fc.boolean(),
        tags: fc.subarray(['a', 'b']),
        location: fc.constantFrom({ name: 'Here', country: 'DE' }, { name: 'There', country: 'FR' }),
      },
      { requiredKeys: ['starts'] },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({ starts: fc.constant('2026-12-01'), ends: fc.constantFrom('2027-01-05', '2027-02-05') }),
  },
);
const valid = event.filter(({ starts }) => !starts.startsWith('2027-13'));
const names = fc.constantFrom('a', 'b', 'a-b', 'c-1');
const catalogueOf = (events: typeof event): fc.Arbitrary<Events> =>
  fc.dictionary(
    fc.tuple(names, names, names).map((parts) => parts.join('/')),
    fc.dictionary(fc.constantFrom('One', 'Two', 'Three'), events),
    { maxKeys: 12 },
  );

/** Which pages the site has. Those of all subjects take most of the time of a build. */
const pages = fc.constantFrom('home', 'genres', 'all');

const collections = { mixed: { name: 'Mixed', tags: ['a'], countries: ['FR'] }, none: { name: 'None' } };

let runs = 0;
let folder = '';
/** Writes a catalogue into a new folder. */
function newCatalogue(tree: Tree): string {
  folder ||= lastingFolder();
  const cwd = join(folder, String(runs++));
  writeTree(join(cwd, 'data'), tree);
  return cwd;
}

test('any split, its parts in any order and any of them repeated, gives the bytes and the report of one build', async () => {
  let failed = 0;
  const split = fc.integer({ min: 1, max: 5 }).chain((of) => {
    const all = Array.from({ length: of }, (_, index) => index + 1);
    const repeated = fc.array(fc.constantFrom(...all), { maxLength: 3 });
    return fc
      .tuple(fc.shuffledSubarray(all, { minLength: of }), repeated)
      .map(([order, again]) => ({ of, order: [...order, ...again] }));
  });
  await fc.assert(
    fc.asyncProperty(fc.oneof(catalogueOf(valid), catalogueOf(event)), pages, split, async (events, pages, split) => {
      const { of, order } = split;
      const cwd = newCatalogue({ ...dataOf(events, { pages }), 'collections.json': collections });
      const whole = await build(cwd, '--jobs', '1', '--out', 'whole');
      for (const number of order) await build(cwd, '--part', `${number}/${of}`, '--parts', 'store');
      const joined = await joinParts(cwd);
      expect(joined).toEqual(whole);
      if (whole.code === 0) expect(readTree(join(cwd, 'dist'))).toEqual(readTree(join(cwd, 'whole')));
      else failed++;
      rmSync(cwd, { recursive: true });
    }),
    { numRuns: 60 },
  );
  expect(failed).toBeGreaterThan(0);
});

test('any number of threads gives the bytes and the report of one', async () => {
  await fc.assert(
    fc.asyncProperty(catalogueOf(valid), fc.integer({ min: 2, max: 4 }), async (events, jobs) => {
      const cwd = newCatalogue(dataOf(events));
      const whole = await build(cwd, '--jobs', '1', '--out', 'whole');
      expect(await build(cwd, '--jobs', `${jobs}`)).toEqual(whole);
      expect(readTree(join(cwd, 'dist'))).toEqual(readTree(join(cwd, 'whole')));
      // Unchanged files are taken over by each thread, and unchanged events are no changes.
      expect(await build(cwd, '--jobs', `${jobs}`, '--against', 'whole')).toMatchObject({ code: whole.code });
      expect(readTree(join(cwd, 'dist'))).toEqual(readTree(join(cwd, 'whole')));
      rmSync(cwd, { recursive: true });
    }),
    { numRuns: 8 },
  );
});

const events: Events = {
  'tv/drama/ferry': { One: '2027-03-04', Two: '2027-03-05' },
  'tv/comedy/clown': { One: '2027-03-04' },
  'film/drama/opera': { One: '2027-04-04' },
};

test('parts of a catalogue with many events under way count them like one build', async () => {
  const cwd = tempFolder();
  const shows = Object.fromEntries(
    Array.from({ length: 30 }, (_, n) => [
      `Show ${n}`,
      { starts: '2026-12-01', ends: `2027-02-${String((n % 28) + 1).padStart(2, '0')}` },
    ]),
  );
  const halls = ['art/photos/a', 'art/photos/b', 'art/prints/c', 'film/photos/d', 'film/reruns/e'];
  writeTree(join(cwd, 'data'), dataOf(Object.fromEntries(halls.map((path) => [path, shows]))));
  await build(cwd, '--jobs', '1', '--out', 'whole');
  for (const part of ['2/3', '3/3', '1/3']) await build(cwd, '--part', part, '--parts', 'store');
  expect(await joinParts(cwd)).toMatchObject({ code: 0 });
  expect(readTree(join(cwd, 'dist'))).toEqual(readTree(join(cwd, 'whole')));
  expect(readFileSync(join(cwd, 'dist/index.html'), 'utf8')).toContain('All 150 events on now');
});

test('any split, joined with a previous site to compare with, gives the bytes and the report of one build (previous-site-differs)', async () => {
  const later = ['--now', '2027-01-02T00:00:00Z'];
  let changes = 0;
  await fc.assert(
    fc.asyncProperty(
      catalogueOf(valid),
      catalogueOf(valid),
      fc.integer({ min: 1, max: 4 }),
      fc.constantFrom('30', '100'),
      // Which parts compare with the previous site.
      fc.constantFrom('all', 'all', 'none', 'some', 'another'),
      async (before, after, of, maxDrop, compared) => {
        const cwd = newCatalogue(dataOf(before));
        await build(cwd, '--out', 'previous');
        rmSync(join(cwd, 'data'), { recursive: true });
        writeTree(join(cwd, 'data'), dataOf(after));
        const against = ['--against', 'previous', '--max-drop', maxDrop];
        const whole = await build(cwd, ...later, '--out', 'whole', ...against);
        for (let number = 1; number <= of; number++) {
          const site = compared === 'all' || (compared === 'some' && number === 1) ? 'previous' : 'whole';
          const options = compared === 'none' || (site === 'whole' && whole.code !== 0) ? [] : ['--against', site];
          await build(cwd, ...later, '--part', `${number}/${of}`, '--parts', 'store', ...options);
        }
        const joined = await joinParts(cwd, ...against);
        const areAll = compared === 'all' || (compared === 'some' && of === 1);
        if (areAll) expect(joined).toEqual(whole);
        else expect(joined.code).toBe(1);
        if (whole.code === 0 && !areAll) expect(joined.stderr).toContain('another state of "previous"');
        if (areAll && whole.code === 0) {
          expect(readTree(join(cwd, 'dist'))).toEqual(readTree(join(cwd, 'whole')));
          changes += changesIn(join(cwd, 'dist')).length;
        }
        rmSync(cwd, { recursive: true });
      },
    ),
    { numRuns: 20 },
  );
  expect(changes).toBeGreaterThan(0);
});

test('parts with --against compare their genres, so that join reads no event of the previous site again', async () => {
  const cwd = tempFolder();
  writeTree(join(cwd, 'data'), dataOf(events));
  await build(cwd, '--out', 'previous');
  writeTree(join(cwd, 'data'), dataOf({ ...events, 'film/drama/opera': { One: '2027-04-05' } }));
  const against = ['--against', 'previous'];
  const whole = await build(cwd, '--jobs', '1', '--out', 'whole', ...against);
  for (const part of ['1/2', '2/2']) await build(cwd, '--part', part, '--parts', 'store', ...against);
  writeFileSync(join(cwd, 'previous/api/v1/genre/drama-film/events.ndjson'), 'not a record');
  expect(await joinParts(cwd, ...against)).toEqual(whole);
  expect(readTree(join(cwd, 'dist'))).toEqual(readTree(join(cwd, 'whole')));
  expect(changesIn(join(cwd, 'dist'))).toMatchObject([{ kind: 'moved', id: 'drama-film/opera/one' }]);
});

function changesIn(site: string): readonly object[] {
  return (JSON.parse(readFileSync(join(site, 'api/v1/changes.json'), 'utf8')) as { changes: object[] }).changes;
}

/** Stores both parts of a catalogue. */
async function storeParts(cwd: string): Promise<void> {
  for (const part of ['1/2', '2/2'])
    expect(await build(cwd, '--part', part, '--parts', 'store')).toMatchObject({ code: 0 });
}

async function codesOf(cwd: string): Promise<string[]> {
  const { code, stdout } = await joinParts(cwd, '--json');
  expect(code).toBe(1);
  expect(readdirSync(cwd)).not.toContain('dist');
  return (JSON.parse(stdout) as { problems: { code: string; message: string }[] }).problems.map(
    (problem) => `${problem.code}: ${problem.message}`,
  );
}

test('join names every part that is missing', async () => {
  const cwd = tempFolder();
  writeTree(join(cwd, 'data'), dataOf(events));
  expect(await codesOf(cwd)).toEqual([expect.stringMatching(/^parts-missing: found no part of a build in "store"/)]);
  await build(cwd, '--part', '2/4', '--parts', 'store');
  expect(await codesOf(cwd)).toEqual([expect.stringMatching(/^parts-missing: found no parts 1, 3, 4 of 4 in "store"/)]);
});

test.each([
  [
    'another --now',
    ['--now', '2027-01-02T00:00:00Z'],
    /^part-differs: found part-2-of-2\.json with the --now 2027-01-02/,
  ],
  ['another base URL', ['--base-url', 'https://example.com'], /^part-differs: .* with the options/],
  ['other warnings that are errors', ['--strict'], /^part-differs: .* with the options/],
])('join refuses a part with %s', async (_name, args, message) => {
  const cwd = tempFolder();
  writeTree(join(cwd, 'data'), dataOf(events));
  await storeParts(cwd);
  await build(cwd, '--part', '2/2', '--parts', 'store', ...args);
  expect(await codesOf(cwd)).toEqual([expect.stringMatching(message)]);
});

test('join refuses a part of other sources, of another count and of another version', async () => {
  const cwd = tempFolder();
  writeTree(join(cwd, 'data'), dataOf(events));
  await storeParts(cwd);
  writeTree(join(cwd, 'data'), dataOf({ 'tv/drama/ferry': { One: '2027-03-04', Seventh: '2027-03-05' } }));
  await build(cwd, '--part', '2/2', '--parts', 'store');
  expect(await codesOf(cwd)).toEqual([expect.stringMatching(/^part-differs: .* with the sources/)]);
  await storeParts(cwd);
  await build(cwd, '--part', '1/3', '--parts', 'store');
  const counts = (await codesOf(cwd)).map((line) => line.split(';')[0]);
  expect(counts).toEqual(['part-differs: found part-1-of-3.json with the number of parts 3']);
  rmSync(join(cwd, 'store/part-1-of-3.json'));
  const file = join(cwd, 'store/part-1-of-2.json');
  const written = readFileSync(file, 'utf8');
  writeFileSync(file, written.replace(/"zones":"[^"]*"/, '"zones":"tzdata 1999a, ICU 1.0"'));
  expect(await codesOf(cwd)).toEqual([
    expect.stringMatching(/^part-differs: .* with the time zones and languages of tzdata 1999a, ICU 1\.0; .*tzdata 20/),
  ]);
  writeFileSync(file, written.replace(/"generator":"[^"]*"/, '"generator":"almanac/0.9.0"'));
  expect(await codesOf(cwd)).toEqual([
    expect.stringMatching(/^part-differs: .* with the version of almanac almanac\/0/),
  ]);
});

test('join refuses parts of another time than --now', async () => {
  const cwd = tempFolder();
  writeTree(join(cwd, 'data'), dataOf(events));
  await storeParts(cwd);
  const later = await joinParts(cwd, '--json', '--now', '2027-01-02T00:00:00Z');
  expect(later).toMatchObject({ code: 1, stdout: expect.stringContaining('with the --now 2027-01-01T00:00:00.000Z') });
  expect(await joinParts(cwd, '--now', 'tomorrow')).toMatchObject({ code: 2 });
  expect(await joinParts(cwd, '--now', now)).toMatchObject({ code: 0 });
});

test.each(['ftp://example.org/parts', 'https://example.org/parts', '', 'data', 'data/parts', 'dist', './dist/parts'])(
  'build does not store parts in %j',
  async (store) => {
    const cwd = tempFolder();
    writeTree(join(cwd, 'data'), dataOf(events));
    expect(await build(cwd, '--part', '1/2', '--parts', store)).toMatchObject({ code: 2 });
    expect(readdirSync(cwd)).toEqual(['data']);
  },
);

test('join finds no parts at an address that is not of a bucket', async () => {
  const cwd = tempFolder();
  expect(await runAlmanac(['join', 'ftp://example.org/parts'], { cwd })).toMatchObject({ code: 2 });
});

test.each([
  ['tv/drama/ferry', '1/3'],
  ['tv/comedy/clown', '1/3'],
  ['film/drama/opera', '1/3'],
  ['tv/drama/ferry', '3/3'],
])('join refuses parts if %s had other bytes, but as many, when part %s was built', async (subject, part) => {
  const cwd = tempFolder();
  writeTree(join(cwd, 'data'), dataOf(events));
  for (const number of ['1/3', '2/3', '3/3']) await build(cwd, '--part', number, '--parts', 'store');
  const file = join(cwd, `data/${subject}.json`);
  writeFileSync(file, readFileSync(file, 'utf8').replace('-04', '-05'));
  await build(cwd, '--part', part, '--parts', 'store');
  const codes = (await codesOf(cwd)).map((line) => line.split(':')[0]);
  expect(new Set(codes)).toEqual(new Set(['part-differs']));
});

test('parts that find the sources as the first one did take the hash that it computed', async () => {
  const cwd = tempFolder();
  writeTree(join(cwd, 'data'), dataOf(events));
  await build(cwd, '--part', '1/2', '--parts', 'store');
  const name = readdirSync(join(cwd, 'store')).find((one) => one.startsWith('sources-')) ?? '';
  writeFileSync(join(cwd, 'store', name), 'f'.repeat(64));
  await build(cwd, '--part', '2/2', '--parts', 'store');
  expect(await codesOf(cwd)).toEqual([expect.stringMatching(/^part-differs: .* with the sources/)]);
  await build(cwd, '--part', '1/2', '--parts', 'store');
  expect(await joinParts(cwd)).toMatchObject({ code: 0 });
});

test('join refuses damaged parts', async () => {
  const cwd = tempFolder();
  writeTree(join(cwd, 'data'), dataOf(events));
  await storeParts(cwd);
  const file = join(cwd, 'store/part-1-of-2.json');
  const written = readFileSync(file, 'utf8');
  const { run } = JSON.parse(written) as { run: string };
  writeFileSync(file, written.replace('part-1-of-2.', 'part-1-of-2.../x'));
  expect(await codesOf(cwd)).toEqual([expect.stringMatching(/^part-damaged: .*it is not a part of a build/)]);
  writeFileSync(file, '{"part":');
  expect(await codesOf(cwd)).toEqual([expect.stringMatching(/^part-damaged: .*it is not a part of a build/)]);
  writeFileSync(file, written);
  rmSync(join(cwd, 'store', run, 'site'), { recursive: true });
  expect(await codesOf(cwd)).toEqual([expect.stringMatching(/^part-damaged: .*some of its files are missing/)]);
  rmSync(join(cwd, 'store', run), { recursive: true });
  expect(await codesOf(cwd)).toEqual([expect.stringMatching(/^part-damaged: .*content\.ndjson is missing/)]);
});

test('join leaves the parts if it fails, and otherwise empties the store, so that it serves the next build', async () => {
  const cwd = tempFolder();
  writeTree(join(cwd, 'data'), dataOf(events));
  await build(cwd, '--out', 'whole');
  await storeParts(cwd);
  writeTree(cwd, { 'dist/mine.txt': 'mine' });
  expect(await joinParts(cwd)).toMatchObject({ code: 1 });
  expect(await joinParts(cwd, '--out', 'other', '--dry-run')).toMatchObject({ code: 0 });
  for (const out of ['other', 'another']) {
    expect(await joinParts(cwd, '--out', out)).toMatchObject({ code: 0 });
    expect(readTree(join(cwd, out))).toEqual(readTree(join(cwd, 'whole')));
    expect(readdirSync(join(cwd, 'store'))).toEqual([]);
    await storeParts(cwd);
  }
});

test('unchanged files of parts are those of the site before, with their times', async () => {
  const cwd = tempFolder();
  writeTree(join(cwd, 'data'), dataOf(events));
  await build(cwd);
  const stats = (): Stats => statSync(join(cwd, 'dist/genre/drama-tv/index.html'));
  const { ino, mtimeMs, nlink } = stats();
  await storeParts(cwd);
  expect(await joinParts(cwd)).toMatchObject({ code: 0 });
  expect(stats()).toMatchObject({ ino, mtimeMs, nlink });
});

test.skipIf(!existsSync('/dev/shm'))('join copies the files of parts from another file system', async () => {
  const cwd = tempFolder();
  writeTree(join(cwd, 'data'), dataOf(events));
  // The temporary folder of the tests may be in memory, or not.
  const [store, other] = ['/dev/shm', process.cwd()].map((folder) => mkdtempSync(join(folder, '.almanac-'))) as [
    string,
    string,
  ];
  onTestFinished(() => [store, other].forEach((folder) => rmSync(folder, { recursive: true })));
  await build(cwd, '--jobs', '1', '--out', 'whole');
  for (const part of ['1/2', '2/2']) await build(cwd, '--part', part, '--parts', store);
  expect(await runAlmanac(['join', store, '--quiet', '--out', join(other, 'dist')], { cwd })).toMatchObject({
    code: 0,
  });
  expect(readTree(join(other, 'dist'))).toEqual(readTree(join(cwd, 'whole')));
});

test('a build without --parts stays whole in a job array, and a part needs a store and a time', async () => {
  const cwd = tempFolder();
  writeTree(join(cwd, 'data'), dataOf(events));
  const env = { SLURM_ARRAY_TASK_ID: '2', SLURM_ARRAY_TASK_COUNT: '2' };
  expect(await runAlmanac(['build', '--now', now, '--quiet'], { cwd, env })).toMatchObject({ code: 0 });
  expect(await runAlmanac(['build', '--parts', 'store', '--now', now], { cwd, env })).toMatchObject({ code: 0 });
  expect(readdirSync(join(cwd, 'store')).toSorted()).toEqual([
    expect.stringMatching(/^part-2-of-2\.\d+-/),
    'part-2-of-2.json',
    expect.stringMatching(/^sources-/),
  ]);
  expect(await runAlmanac(['build', '--parts', 'store'], { cwd, env })).toMatchObject({ code: 2 });
  expect(await runAlmanac(['build', '--part', '1/2'], { cwd })).toMatchObject({ code: 2 });
  expect(await build(cwd, '--parts', 'store', '--sync')).toMatchObject({ code: 2 });
  const dated = { ...env, SOURCE_DATE_EPOCH: '1798761600' };
  expect(await runAlmanac(['build', '--parts', 'other', '--quiet'], { cwd, env: dated })).toMatchObject({ code: 0 });
});
