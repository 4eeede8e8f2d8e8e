import fc from 'fast-check';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ChangesDocument } from '../../src/api/documents.ts';
import { buildSite, dataOf, type Events } from '../setup/build-site.ts';
import { lastingFolder, readTree, writeTree } from '../setup/folders.ts';
import { foreignValue, mutate, pathsIn, type Json } from '../setup/mutate.ts';
import { withoutHistory } from '../setup/shows-changes.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

const first: Events = {
  'tv/drama/severance': { Premiere: '2027-01-15', Finale: '2027-03-19', Return: '2028-Q1' },
  'film/comedy/hacks': { Opening: '2027-02-01', Closing: '2027-02-09' },
};
const second: Events = { ...first, 'film/comedy/hacks': { Opening: '2027-02-02', Closing: '2027-02-09' } };
const third: Events = { ...second, 'tv/drama/severance': { ...second['tv/drama/severance'], Finale: '2027-03-20' } };

type Damage = 'remove' | 'cut' | 'replace' | number;

/** @param damage a number changes the bits that it has in one byte */
function damaged(bytes: Buffer, damage: Damage, share: number): Buffer {
  const at = Math.floor(share * bytes.length);
  if (damage === 'cut') return bytes.subarray(0, at);
  if (typeof damage === 'string') return Buffer.from('<!doctype html><title>Not found</title>');
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ damage;
  return copy;
}

const log = 'api/v1/changes.json';
const none = Buffer.of();

const now = ['--now', '2026-11-22T12:17:00Z'];

async function expectWhole(cwd: string): Promise<void> {
  expect(await runAlmanac(['verify', 'next'], { cwd })).toMatchObject({ code: 0, stderr: '' });
}

/** Builds a live site with a log, and the data of the next night. */
async function setUp() {
  const cwd = lastingFolder();
  await buildSite(first, '2026-11-20T12:17:00Z', { cwd, out: 'live' });
  const live = await buildSite(second, '2026-11-21T12:17:00Z', { cwd, out: 'live' });
  return { cwd, live, data: writeTree(lastingFolder(), dataOf(third)) };
}

test('a build against a site with any one file or byte damaged: a whole site, the log, and at most warnings', async () => {
  const { cwd, live, data } = await setUp();
  const args = ['build', '--data', data, ...now, '--against', 'live', '--json', '--no-flush'];
  await runAlmanac([...args, '--out', 'expected'], { cwd });
  const expected = readTree(join(cwd, 'expected'));
  const { changes } = JSON.parse(readFileSync(join(live, log), 'utf8')) as ChangesDocument;
  expect(changes).not.toEqual([]);
  const documents = [...readTree(live).keys()].filter((path) => /^api\/.*json$|^files\.json$/.test(path));
  const path = fc.oneof(fc.constantFrom(...documents), fc.constantFrom(...readTree(live).keys()));
  const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const bits = fc.integer({ min: 1, max: 255 });
  const damages = fc.oneof(bits, fc.constantFrom<Damage>('remove', 'cut', 'replace'));
  await fc.assert(
    fc.asyncProperty(path, damages, share, async (file, damage, at) => {
      // Without the manifest there is no site, which is a problem.
      fc.pre(file !== 'files.json' || damage !== 'remove');
      const whole = readFileSync(join(live, file));
      if (damage === 'remove') rmSync(join(live, file));
      else writeFileSync(join(live, file), damaged(whole, damage, at));
      const run = await runAlmanac([...args, '--out', 'next'], { cwd });
      writeFileSync(join(live, file), whole);
      expect(run.stderr.replaceAll(/^warning: .*\n/gm, '')).toBe('');
      expect(run.code, run.stdout).toBe(0);
      const next = readTree(join(cwd, 'next'));
      const differing = [...next.keys(), ...expected.keys()].filter(
        (name) => withoutHistory(name, next.get(name) ?? none) !== withoutHistory(name, expected.get(name) ?? none),
      );
      expect(differing).toEqual([]);
      const found = JSON.parse(readFileSync(join(cwd, 'next', log), 'utf8')) as ChangesDocument;
      if (file !== log) expect(found.changes).toEqual(expect.arrayContaining(changes));
      await expectWhole(cwd);
    }),
    { numRuns: 150 },
  );
});

const read = ['index', 'categories', 'genres', 'changes', 'announced'].map((name) => `api/v1/${name}.json`);
const lines = 'api/v1/genre/drama-tv/events.ndjson';

/** The values of a document, or those of the records of a file of lines. */
function parse(path: string, text: string): Json {
  return path === lines
    ? text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Json)
    : (JSON.parse(text) as Json);
}

function serialize(path: string, value: Json): string {
  return path === lines
    ? (value as Json[]).map((record) => `${JSON.stringify(record)}\n`).join('')
    : JSON.stringify(value);
}

const odd = fc.oneof(
  foreignValue,
  fc.constantFrom<Json>(
    ['tv'],
    ['drama'],
    '2027-02-31',
    '+012345-01-01T00:00:00.000Z',
    '\u0007\u202e',
    'y'.repeat(5000),
  ),
  fc.constantFrom<Json>(
    { '\u0007': 1 },
    { date: 'x' },
    { date: null, starts_at: 1 },
    { ends_at: null },
    { zone: 'No/Where' },
  ),
);

type Run = (...args: string[]) => ReturnType<typeof runAlmanac>;

/** Replaces values in what a build reads of a previous site, and checks what runs against that site do. */
async function againstOdd(numRuns: number, check: (run: Run, cwd: string) => Promise<void>): Promise<void> {
  const { cwd, live, data } = await setUp();
  const common = ['--against', 'live', '--quiet', '--no-flush'];
  const run: Run = async (command = '', ...args) =>
    runAlmanac([command, ...args, ...common, ...(command === 'build' ? ['--data', data, ...now] : [])], { cwd });
  const places = [...read, lines, 'files.json'].flatMap((file) => {
    const paths = pathsIn(parse(file, readFileSync(join(live, file), 'utf8')));
    return paths.filter((path) => path.length > 0).map((path) => ({ file, path }));
  });
  const place = fc.oneof(
    fc.constantFrom(...places.filter(({ file }) => file === log)),
    fc.constantFrom(...places.filter(({ file }) => file !== 'files.json')),
    fc.constantFrom(...places),
  );
  await fc.assert(
    fc.asyncProperty(place, odd, async ({ file, path }, value) => {
      const whole = readFileSync(join(live, file), 'utf8');
      const document = parse(file, whole);
      mutate(document, path, value);
      writeFileSync(join(live, file), serialize(file, document));
      await check(run, cwd).finally(() => writeFileSync(join(live, file), whole));
    }),
    { numRuns },
  );
}

const anyLoss = ['--accept-loss'];

test('a build against a site with any value of a document replaced: a whole site, and at most warnings', async () => {
  await againstOdd(250, async (run, cwd) => {
    const { code, stderr } = await run('build', '--out', 'next', ...anyLoss);
    expect({ code, stderr: stderr.replaceAll(/^warning: .*\n/gm, '') }).toEqual({ code: 0, stderr: '' });
    await expectWhole(cwd);
  });
});

test('threads make the same site and warnings against such a site', async () => {
  await againstOdd(30, async (run, cwd) => {
    const one = await run('build', '--out', 'one', ...anyLoss);
    expect(await run('build', '--out', 'two', '--jobs', '2', ...anyLoss)).toEqual(one);
    expect(readTree(join(cwd, 'two'))).toEqual(readTree(join(cwd, 'one')));
  });
});
