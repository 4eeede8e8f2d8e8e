import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

/*
 * The requirements for data/, whatever it contains. Besides this file only test/docs/ depends on
 * data/, because the examples of the documentation ask for the starter catalogue.
 */
const root = join(import.meta.dirname, '../..');
// Which warnings there are depends on the day.
const day = ['--now', '2026-11-27T00:00:00Z'];

test('the data has no problems', async () => {
  const run = await runAlmanac(['check', ...day], { cwd: root });
  expect(run).toMatchObject({ code: 0, stdout: 'data: no problems\n', stderr: '' });
});

test('the data builds into a whole site of valid documents', async () => {
  const cwd = tempFolder();
  // Tests do not use the network, so remote sources are left out.
  const isLocal = (path: string): boolean => !path.endsWith('.source.json');
  cpSync(join(root, 'data'), join(cwd, 'data'), { recursive: true, filter: isLocal });
  const run = await runAlmanac(['build', '--json', '--base-url', 'https://example.org', ...day], {
    cwd,
  });
  expect(run.code, run.stdout).toBe(0);
  expect(await runAlmanac(['verify', 'dist'], { cwd })).toMatchObject({ code: 0, stderr: '' });
});
