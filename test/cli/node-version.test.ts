import { expect, test } from 'vitest';
import { tempFolder } from '../setup/folders.ts';
import { spawnAlmanac } from '../setup/run-almanac.ts';

async function runAt(version: string) {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  const node = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`];
  return spawnAlmanac(['--version'], { cwd: tempFolder(), node });
}

test.each(['20.19.0', '100.0.0', '21.0.0-nightly'])('%s is new enough', async (version) => {
  expect(await runAt(version)).toMatchObject({ code: 0, stderr: '' });
});

test.each(['0.12.18', '18.20.4', '20.9.0'])('%s is too old', async (version) => {
  const stderr = `almanac needs Node.js 20.19 or later; this is ${version}\n`;
  expect(await runAt(version)).toMatchObject({ code: 1, stdout: '', stderr });
});
