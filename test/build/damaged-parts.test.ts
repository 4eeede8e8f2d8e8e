import * as fc from 'fast-check';
import { hash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dataOf } from '../setup/build-site.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';
import { foreignValue, mutate, pathsIn, type Json } from '../setup/mutate.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

const now = '2027-01-01T00:00:00Z';

/** Parts with events, announcements, events under way and cancelled ones, and with changes since a previous site. */
async function storeParts(): Promise<string> {
  const cwd = join(tempFolder(), 'job');
  const genre = { One: '2027-03-04', Two: { starts: '2027-05' }, Gone: { starts: '2027-02-01', cancelled: true } };
  const long = { starts: '2026-12-01', ends: '2027-02-05' };
  const events = { 'tv/drama/ferry': { ...genre, Long: long }, 'tv/comedy/clown': genre, 'film/noir/opera': genre };
  writeTree(join(cwd, 'data'), dataOf({ 'tv/drama/ferry': { Other: '2027-03-04' } }));
  await runAlmanac(['build', '--quiet', '--now', now, '--out', 'previous'], { cwd });
  writeTree(join(cwd, 'data'), dataOf(events));
  for (const part of ['1/2', '2/2']) {
    const args = ['build', '--quiet', '--now', now, '--part', part, '--parts', 'store', '--against', 'previous'];
    expect(await runAlmanac(args, { cwd })).toMatchObject({ code: 0 });
  }
  return cwd;
}

interface Header {
  run: string;
  sha256: string[];
}

/** Returns the folder of the run of a part. */
function runOf(store: string, number: number): string {
  const { run } = JSON.parse(readFileSync(join(store, `part-${number}-of-2.json`), 'utf8')) as Header;
  return join(store, run);
}

/** Writes the hashes of a part again. */
function seal(store: string, number: number): void {
  const file = join(store, `part-${number}-of-2.json`);
  const header = JSON.parse(readFileSync(file, 'utf8')) as Header;
  const texts = ['content.ndjson', 'events.ndjson'].map((name) => readFileSync(join(store, header.run, name)));
  writeFileSync(file, JSON.stringify({ ...header, sha256: texts.map((text) => hash('sha256', text)) }));
}

/** Returns the outcome of joining a copy of the store, which `change` has changed. */
async function joinChanged(cwd: string, change: (store: string) => void): Promise<{ code: number; stdout: string }> {
  cpSync(join(cwd, 'store'), join(cwd, 'changed'), { recursive: true });
  change(join(cwd, 'changed'));
  const { code, stdout } = await runAlmanac(['join', 'changed', '--json'], { cwd });
  rmSync(join(cwd, 'changed'), { recursive: true });
  return { code: code ?? 0, stdout };
}

/** The files of the first part that hold values. */
const files = {
  'part-1-of-2.json': (store: string) => join(store, 'part-1-of-2.json'),
  'content.ndjson': (store: string) => join(runOf(store, 1), 'content.ndjson'),
  'events.ndjson': (store: string) => join(runOf(store, 1), 'events.ndjson'),
} as const;

const changedFile = fc.constantFrom(...(Object.keys(files) as (keyof typeof files)[]));

/** Changes a value in one of the lines of a file. Returns whether the file changed. */
function changeValue(file: string, at: number, value: Json | undefined): boolean {
  const before = readFileSync(file, 'utf8');
  const values = before
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Json);
  const paths = pathsIn(values).filter((path) => path.length > 1);
  mutate(values, paths[at % paths.length] ?? [], value);
  const after = values.map((one) => `${JSON.stringify(one)}\n`).join('');
  writeFileSync(file, after);
  return after !== before;
}

test('join refuses a part in which any value was changed, and writes nothing', async () => {
  const cwd = await storeParts();
  await fc.assert(
    fc.asyncProperty(changedFile, fc.nat(), foreignValue, async (name, at, value) => {
      let isChanged = false;
      const { code, stdout } = await joinChanged(cwd, (store) => {
        isChanged = changeValue(files[name](store), at, value);
      });
      rmSync(join(cwd, 'dist'), { recursive: true, force: true });
      fc.pre(isChanged);
      const { problems } = JSON.parse(stdout) as { problems: { code: string; message: string }[] };
      expect({ code, codes: problems.map((problem) => problem.code) }).toEqual({
        code: 1,
        codes: [expect.stringMatching(/^part-(damaged|differs)$/)],
      });
      expect(readdirSync(cwd).toSorted()).toEqual(['data', 'previous', 'store']);
    }),
    { numRuns: 100 },
  );
});

test('join of parts whose hashes fit writes nothing outside the site, whatever they hold', async () => {
  const cwd = await storeParts();
  await fc.assert(
    fc.asyncProperty(changedFile, fc.nat(), foreignValue, async (name, at, value) => {
      const { code } = await joinChanged(cwd, (store) => {
        changeValue(files[name](store), at, value);
        if (name !== 'part-1-of-2.json') seal(store, 1);
      });
      expect([0, 1]).toContain(code);
      expect(readdirSync(join(cwd, '..'))).toEqual(['job']);
      rmSync(join(cwd, 'dist'), { recursive: true, force: true });
      expect(readdirSync(cwd).toSorted()).toEqual(['data', 'previous', 'store']);
    }),
    { numRuns: 200 },
  );
});

type Content = [
  {
    catalogue: { categories: { id: string }[]; baseUrl: string };
    result: {
      summaries: { genres: { id: string }[]; scopes: { upcoming: unknown[] }[] };
      pages: { byMonth: { 'entries of a map': [string, unknown][] } };
    };
  },
  { files: Record<string, { bytes: number }> },
];

const outside = '../../../../../outside';

/** What somebody who can write to the store may change together with the hash. */
const changes: Readonly<Record<string, (content: Content, run: string) => unknown>> = {
  'the id of a genre': ([known]) => Object.assign(known.result.summaries.genres[0] ?? {}, { id: outside }),
  'the id of a category': ([known]) => Object.assign(known.catalogue.categories[0] ?? {}, { id: outside }),
  'a month': ([known]) => ((known.result.pages.byMonth['entries of a map'][0] ?? [])[0] = outside),
  'the base URL': ([known]) => (known.catalogue.baseUrl = 'https://example.com'),
  'the place of an event': ([known]) => known.result.summaries.scopes[0]?.upcoming.push(1000),
  'a file that is left out': ([, { files: listed }]) => delete listed[Object.keys(listed)[0] ?? ''],
  'the size of a file': ([, { files: listed }]) => (Object.values(listed)[0] ?? { bytes: 0 }).bytes++,
  'a file of another genre': ([, { files: listed }]) => {
    listed['genre/x-y/index.html'] = { bytes: 0, ...Object.values(listed)[0] };
  },
  'a file outside the site': ([, { files: listed }]) => (listed[outside] = { bytes: 0, ...Object.values(listed)[0] }),
  'the events': (_, run) => writeFileSync(join(run, 'events.ndjson'), '[]\n'),
};

test.each(Object.keys(changes))('join refuses a part in which %s was changed together with its hash', async (name) => {
  const cwd = await storeParts();
  for (const number of [1, 2]) {
    const { code, stdout } = await joinChanged(cwd, (store) => {
      const run = runOf(store, number);
      const lines = readFileSync(join(run, 'content.ndjson'), 'utf8').trim().split('\n');
      const content = lines.map((line) => JSON.parse(line) as unknown) as Content;
      changes[name]?.(content, run);
      writeFileSync(join(run, 'content.ndjson'), content.map((line) => `${JSON.stringify(line)}\n`).join(''));
      seal(store, number);
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('"part-damaged"') });
    expect(existsSync(join(cwd, 'dist'))).toBe(false);
  }
});
