import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkManifest } from '../setup/check-manifest.ts';
import { schemaOf } from '../setup/documents.ts';
import { readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { isUpdate, recordPerLine } from '../setup/golden.ts';
import { spawnAlmanac } from '../setup/run-almanac.ts';

/*
 * Golden sites. A case is a folder test/fixtures/valid/{case} with data/, options.json (`now`, and `baseUrl` if the
 * command line gives one) and expected/, which holds the JSON documents of the site with one record on each line.
 *
 *   ALMANAC_UPDATE_GOLDEN=1 npx vitest run --config test/vitest.config.ts test/build/golden.test.ts
 *
 * writes expected/ of every case. Read the difference before you commit it.
 */
const valid = join(import.meta.dirname, '../fixtures/valid');
const cases = readdirSync(valid);

type Documents = Readonly<Record<string, unknown>>;

test.each(cases)('%s', async (name) => {
  const site = await buildCase(name);
  const expected = join(valid, name, 'expected');
  if (isUpdate) writeGolden(expected, parse(published(site)));
  const golden = parse(readTree(expected));
  expect(parse(published(site))).toEqual(golden);
  for (const [path, document] of Object.entries(golden)) {
    expect(schemaOf(path)?.safeParse(document).error, path).toBeUndefined();
    // Compact, with the keys in the order of the golden document, and one newline at the end.
    expect(String(site.get(path)), path).toBe(`${JSON.stringify(document)}\n`);
  }
  for (const alias of aliases) expect(site.get(alias), alias).toEqual(site.get(`${alias}.json`));
  expect(String(site.get('.nojekyll'))).toBe('');
  checkManifest(site);
});

test('every case is complete', () => {
  expect(cases.length).toBeGreaterThan(9);
  for (const name of cases) {
    for (const part of ['data', 'expected', 'options.json']) expect(existsSync(join(valid, name, part))).toBe(true);
  }
});

interface CaseOptions {
  readonly now: string;
  readonly baseUrl?: string;
}

async function buildCase(name: string): Promise<Map<string, Buffer>> {
  const { now, baseUrl } = JSON.parse(readFileSync(join(valid, name, 'options.json'), 'utf8')) as CaseOptions;
  const cwd = tempFolder();
  const base = baseUrl === undefined ? [] : ['--base-url', baseUrl];
  const data = join(valid, name, 'data');
  // Some cases have dates that a build warns of.
  const run = await spawnAlmanac(['build', '--quiet', '--data', data, '--now', now, ...base], { cwd });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  return readTree(join(cwd, 'dist'));
}

/** The documents that are published under a second path, without the file extension. */
const aliases = ['api/v1/categories', 'api/v1/genres', 'api/v1/events'];

/** The documents that a golden site holds: all but the aliases and the manifest, whose hashes cover the pages too. */
function published(site: ReadonlyMap<string, Buffer>): Map<string, Buffer> {
  const isGolden = (path: string): boolean =>
    schemaOf(path) !== null && path !== 'files.json' && !aliases.includes(path);
  return new Map([...site].filter(([path]) => isGolden(path)));
}

function parse(files: ReadonlyMap<string, Buffer>): Documents {
  return Object.fromEntries(Array.from(files, ([path, bytes]) => [path, JSON.parse(String(bytes)) as unknown]));
}

function writeGolden(folder: string, documents: Documents): void {
  rmSync(folder, { recursive: true, force: true });
  const files = Object.entries(documents).map(([path, document]) => [path, recordPerLine(document as Documents)]);
  writeTree(folder, Object.fromEntries(files));
}
