import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { engine } from '../setup/engines.ts';
import { tempFolder } from '../setup/folders.ts';
import { almanac } from '../setup/run-almanac.ts';

const path = join(import.meta.dirname, '../nodes/node_modules/node-18/bin/node');
const install = 'npm ci --prefix test/nodes --ignore-scripts';
const old = engine('Node.js 18', () => (existsSync(path) ? path : null), install);
const sentence = 'almanac needs Node.js 20.19 or later; this is 18.20.4';

function runOld(
  cwd: string,
  ...args: string[]
): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(old ?? '', args, {
    cwd,
    encoding: 'utf8',
    env: { PORT: '0' },
  });
  return { status, stdout, stderr };
}

test.skipIf(old === null).each([['build'], ['init', 'fairs'], ['--help'], []])(
  'almanac %s needs a newer Node.js',
  (...args) => {
    expect(runOld(tempFolder(), almanac, ...args)).toEqual({
      status: 1,
      stdout: '',
      stderr: `${sentence}\n`,
    });
  },
);

test.skipIf(old === null)('with --json, the sentence is in the one document on stdout', () => {
  const { status, stdout, stderr } = runOld(tempFolder(), almanac, 'check', '--json');
  expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
  const problem = { code: 'node-too-old', file: null, line: null, column: null, message: sentence };
  expect(JSON.parse(stdout)).toEqual({ ok: false, problems: [problem] });
});
