import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { checkManifest } from './setup/check-manifest.ts';
import { schemaOf } from './setup/documents.ts';
import { readTree, tempFolder } from './setup/folders.ts';
import { runAlmanac } from './setup/run-almanac.ts';

/* What must hold for data/ whatever stands in it: here alone, so that no other test fails by an edit of the data. */
const root = fileURLToPath(new URL('..', import.meta.url));

test('the data have no problems', async () => {
  const run = await runAlmanac(['check'], { cwd: root });
  expect(run).toEqual({ code: 0, signal: null, stdout: 'data: no problems\n', stderr: '' });
});

test('they build into a whole site, each document of the schema it is typed by, compact, with one final newline', async () => {
  const cwd = tempFolder();
  // A test asks nothing of the network, where the sources that have an address would be fetched from.
  const isHere = (path: string): boolean => !path.endsWith('.source.json');
  cpSync(join(root, 'data'), join(cwd, 'data'), { recursive: true, filter: isHere });
  const run = await runAlmanac(['build', '--json', '--base-url', 'https://example.org'], { cwd });
  expect(run.code, run.stdout).toBe(0);
  const site = readTree(join(cwd, 'dist'));
  checkManifest(site);
  for (const [path, content] of site) {
    const schema = schemaOf(path);
    if (schema === null) continue;
    const text = content.toString();
    expect(text === `${JSON.stringify(JSON.parse(text))}\n`, path).toBe(true);
    expect(schema.safeParse(JSON.parse(text)).error, path).toBeUndefined();
  }
  expect(await runAlmanac(['verify', 'dist'], { cwd })).toMatchObject({ code: 0, stderr: '' });
});
