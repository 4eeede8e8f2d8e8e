import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildSite, dataOf } from '../setup/build-site.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';
import { serveFolder } from '../setup/serve-folder.ts';

// test/fixtures/sessions/diff.txt compares folders.
test('compares with a site at an address', async () => {
  const cwd = tempFolder();
  const now = '2026-11-20T12:17:00Z';
  const address = await serveFolder(
    await buildSite({ 'tv/drama/severance': { Premiere: '2027-01-15' } }, now, { cwd }),
  );
  writeTree(join(cwd, 'data'), dataOf({ 'tv/drama/severance': { Premiere: '2027-01-22' } }));
  const run = await runAlmanac(['diff', address, '--now', now], { cwd });
  expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('1 event moved') });
});
