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

function seal(part: Record<string, Json>): void {
  part['sha256'] = hash('sha256', JSON.stringify({ ...part, sha256: undefined }));
}

test('join refuses a part in which any value was changed, and writes nothing', async () => {
  const cwd = await storeParts();
  const file = join(cwd, 'store/part-1-of-2.json');
  const written = readFileSync(file, 'utf8');
  const paths = pathsIn(JSON.parse(written) as Json).filter((path) => path.length > 0);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), foreignValue, async (path, value) => {
      const part = JSON.parse(written) as Json;
      mutate(part, path, value);
      fc.pre(JSON.stringify(part) !== written.trim());
      writeFileSync(file, JSON.stringify(part));
      const { code, stdout } = await runAlmanac(['join', 'store', '--json'], { cwd });
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

test('join of parts whose hashes fit writes nothing outside the site and ends in words, whatever they hold', async () => {
  const cwd = await storeParts();
  const file = join(cwd, 'store/part-1-of-2.json');
  const part = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Json>;
  const paths = pathsIn(part).filter((path) => path.length > 0 && path[0] !== 'sha256');
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), foreignValue, async (path, value) => {
      const changed = structuredClone(part);
      mutate(changed, path, value);
      seal(changed);
      writeFileSync(file, JSON.stringify(changed));
      const { code, stdout } = await runAlmanac(['join', 'store', '--json'], { cwd });
      expect(stdout).not.toContain('unexpected');
      expect([0, 1]).toContain(code);
      expect(readdirSync(join(cwd, '..'))).toEqual(['job']);
      rmSync(join(cwd, 'dist'), { recursive: true, force: true });
      expect(readdirSync(cwd).toSorted()).toEqual(['data', 'previous', 'store']);
    }),
    { numRuns: 200 },
  );
});

type Content = {
  catalogue: { categories: { id: string }[]; baseUrl: string };
  result: {
    summaries: { genres: { id: string }[] };
    pages: { byMonth: { 'entries of a map': [string, unknown][] } };
  };
};
type Part = { content: Content; files: Record<string, { bytes: number }>; packs: string[] };

const outside = '../../../../../outside';

/** What somebody who can write to the store may change together with the hash. */
const changes: Readonly<Record<string, (part: Part) => unknown>> = {
  'the id of a genre': ({ content }) => Object.assign(content.result.summaries.genres[0] ?? {}, { id: outside }),
  'the id of a category': ({ content }) => Object.assign(content.catalogue.categories[0] ?? {}, { id: outside }),
  'a month': ({ content }) => ((content.result.pages.byMonth['entries of a map'][0] ?? [])[0] = outside),
  'the base URL': ({ content }) => (content.catalogue.baseUrl = 'https://example.com'),
  'the list of packs': ({ packs }) => packs.splice(0),
  'the name of a pack': ({ packs }) => (packs[0] = outside),
  'a file that is left out': ({ files }) => delete files[Object.keys(files)[0] ?? ''],
  'the size of a file': ({ files }) => (Object.values(files)[0] ?? { bytes: 0 }).bytes++,
  'a file of another genre': ({ files }) => (files['genre/x-y/index.html'] = { bytes: 0, ...Object.values(files)[0] }),
};

test.each(Object.keys(changes))('join refuses a part in which %s was changed together with its hash', async (name) => {
  const cwd = await storeParts();
  for (const number of [1, 2]) {
    cpSync(join(cwd, 'store'), join(cwd, 'changed'), { recursive: true });
    const file = join(cwd, `changed/part-${number}-of-2.json`);
    const part = JSON.parse(readFileSync(file, 'utf8')) as Part;
    changes[name]?.(part);
    seal(part as unknown as Record<string, Json>);
    writeFileSync(file, JSON.stringify(part));
    const { code, stdout } = await runAlmanac(['join', 'changed', '--json'], { cwd });
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('"part-damaged"') });
    expect(existsSync(join(cwd, 'dist'))).toBe(false);
  }
});
