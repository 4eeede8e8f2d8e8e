import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { run } from '../../src/cli/program.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';
import { almanac, runAlmanac } from '../setup/run-almanac.ts';
import { now, sample } from '../setup/sample.ts';

const wrong = [
  ['nope'],
  ['nope', '--json'],
  ['--json'],
  ['build', 'extra', '--json'],
  ['build', '--nope', '--json'],
  ['build', '--json', '--now'],
  ['check', '--json', '--out', 'x'],
  ['--nope'],
  ['\u001b[31mnope'],
];

test.each(wrong)('almanac %s %s %s: wrong usage, exit 2, one line or one document', async (...args) => {
  const cwd = tempFolder();
  const result = await runAlmanac(
    args.filter((arg) => arg !== undefined),
    { cwd },
  );
  expect(result.code).toBe(2);
  if (args.includes('--json')) {
    expect(result.stderr).toBe('');
    const problem = { code: 'usage', file: null, line: null, column: null, message: expect.any(String) };
    expect(JSON.parse(result.stdout)).toEqual({ ok: false, problems: [problem] });
  } else {
    expect(result.stdout).toBe('');
    // eslint-disable-next-line no-control-regex -- what came from outside is shown without its control characters
    expect(result.stderr).toMatch(/^[^\u0000-\u001f]+\n$/);
  }
  expect(readdirSync(cwd)).toEqual([]);
});

test('without arguments: the help on stderr, exit 2', async () => {
  const result = await runAlmanac([], { cwd: tempFolder() });
  expect(result).toMatchObject({ code: 2, stdout: '' });
  expect(result.stderr).toMatch(/^Examples:\n {2}almanac /);
});

test('--help of every command begins with examples that use it', async () => {
  const cwd = tempFolder();
  const top = await runAlmanac(['--help'], { cwd });
  expect(top).toMatchObject({ code: 0, stderr: '' });
  expect(top.stdout).toMatch(/^Examples:\n {2}almanac /);
  const listed = top.stdout.slice(top.stdout.indexOf('Commands:')).matchAll(/^ {2}([a-z]+) /gm);
  const names = [...listed].map(([, name = '']) => name);
  expect(names).toContain('build');
  expect(names).toContain('check');
  for (const name of names.filter((command) => command !== 'help')) {
    const help = await runAlmanac([name, '--help'], { cwd });
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toMatch(new RegExp(`^Examples:\n {2}almanac ${name}\\b`));
  }
});

test('--version is that of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const result = await runAlmanac(['--version'], { cwd: tempFolder() });
  expect(result).toEqual({ code: 0, signal: null, stdout: `${version}\n`, stderr: '' });
});

test('check: one line where nothing is wrong, nothing with --quiet, a document with --json', async () => {
  const cwd = writeTree(tempFolder(), sample);
  const plain = { code: 0, signal: null, stderr: '' };
  expect(await runAlmanac(['check', '--now', now], { cwd })).toEqual({ ...plain, stdout: 'data: no problems\n' });
  expect(await runAlmanac(['check', '--quiet'], { cwd })).toEqual({ ...plain, stdout: '' });
  expect(await runAlmanac(['check', '--json'], { cwd })).toEqual({ ...plain, stdout: '{"ok":true,"problems":[]}\n' });
  expect(readdirSync(cwd)).toEqual(['data']);
});

test('an error that nobody foresaw is the problem unexpected, and exit 1', async () => {
  const cwd = writeTree(tempFolder(), sample);
  const said: string[] = [];
  const stream = { write: (text: string) => said.push(text) } as unknown as NodeJS.WriteStream;
  const code = await run({
    args: ['check', '--json'],
    env: {},
    cwd,
    clock: () => {
      throw new Error('the clock\nis broken');
    },
    stopwatch: () => 0,
    ended: () => Promise.resolve(),
    stdout: stream,
    stderr: stream,
  });
  expect(code).toBe(1);
  const message = expect.stringContaining('the clock\\u000ais broken; please report it');
  expect(JSON.parse(said.join(''))).toMatchObject({ ok: false, problems: [{ code: 'unexpected', message }] });
});

test('a reader that has read enough ends nothing with an error', async () => {
  const child = spawn(process.execPath, [almanac, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = (await once(child, 'close')) as [number];
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});
