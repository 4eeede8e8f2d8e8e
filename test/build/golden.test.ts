import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkInventory } from '../setup/check-inventory.ts';
import { isGolden, schemaOf } from '../setup/documents.ts';
import { readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

/*
 * Golden trees. test/fixtures/valid/{case} holds data/, options.json ("now", and "baseUrl" where the command line gives
 * one) and expected/: every JSON document that the build makes of it. A new case is a folder with the first two, then
 *
 *   ALMANAC_UPDATE_GOLDEN=1 npx vitest run --config test/vitest.config.ts test/site/golden.test.ts
 *
 * writes expected/ anew for all cases. Read what changed before you commit it.
 */
const isUpdate = process.env['ALMANAC_UPDATE_GOLDEN'] === '1';
const valid = join(import.meta.dirname, '../fixtures/valid');

interface CaseOptions {
  readonly now: string;
  readonly baseUrl?: string;
}

const cases = readdirSync(valid);

test.each(cases)('%s', async (name) => {
  const folder = join(valid, name);
  const site = await buildCase(folder);
  const golden = new Map([...site].filter(([path]) => isGolden(path)));
  const expected = join(folder, 'expected');
  if (isUpdate) {
    rmSync(expected, { recursive: true, force: true });
    writeTree(expected, Object.fromEntries(golden));
  }
  expect(texts(golden)).toEqual(texts(readTree(expected)));
  checkInventory(site);
  for (const [path, content] of site) {
    const schema = schemaOf(path);
    if (schema !== null) expect(schema.safeParse(JSON.parse(content.toString())).error, path).toBeUndefined();
  }
});

test('every case has what it needs', () => {
  expect(cases.length).toBeGreaterThan(9);
  for (const name of cases) {
    for (const part of ['data', 'expected', 'options.json']) expect(existsSync(join(valid, name, part))).toBe(true);
  }
});

async function buildCase(folder: string): Promise<Map<string, Buffer>> {
  const { now, baseUrl } = JSON.parse(readFileSync(join(folder, 'options.json'), 'utf8')) as CaseOptions;
  const cwd = tempFolder();
  const given = baseUrl === undefined ? [] : ['--base-url', baseUrl];
  const run = await runAlmanac(['build', '--data', join(folder, 'data'), '--now', now, ...given], { cwd });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  return readTree(join(cwd, 'dist'));
}

/** Bytes as text, one to one, so that a difference can be read. */
function texts(tree: ReadonlyMap<string, Buffer>): Record<string, string> {
  for (const content of tree.values()) expect(Buffer.from(content.toString())).toEqual(content);
  return Object.fromEntries([...tree].map(([path, content]) => [path, content.toString()]));
}
