import { expect, test } from 'vitest';
import { tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';
import { sample } from '../setup/sample.ts';

test.runIf(process.platform === 'linux').each([
  ['init', '/proc/fairs/new', '--package', '@me/almanac'],
  ['build', '--out', '/proc/fairs/dist'],
  ['host', 'nginx', '--to', '/proc/fairs/nginx'],
])('almanac %s fails with one line where the system creates no folders', async (...args) => {
  const cwd = writeTree(tempFolder(), sample);
  const run = await runAlmanac(args, { cwd });
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toMatch(/^[^\n]+: the system does not create folders there; [^\n]+\n$/);
});
