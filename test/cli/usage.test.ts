import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../src/cli/program.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';
import { almanac, runAlmanac, spawnAlmanac } from '../setup/run-almanac.ts';
import { now, sample } from '../setup/sample.ts';

test('without arguments, prints the help on stderr and exits 2', async () => {
  const result = await runAlmanac([], { cwd: tempFolder() });
  expect(result).toMatchObject({ code: 2, stdout: '' });
  expect(result.stderr).toMatch(/^Examples:\n {2}almanac /);
});

test.each([['help'], ['--help'], ['help', 'build'], ['build', '--help'], ['--version']])(
  '%s %s exits 0 and prints text or, with --json, one document to stdout',
  async (...args) => {
    const cwd = tempFolder();
    const text = await runAlmanac(args, { cwd });
    expect(text).toEqual({
      code: 0,
      signal: null,
      stdout: expect.stringMatching(/\n$/),
      stderr: '',
    });
    const document = await runAlmanac([...args, '--json'], { cwd });
    expect({ ...document, stdout: JSON.parse(document.stdout) }).toEqual({
      ...text,
      stdout: { ok: true, text: text.stdout },
    });
  },
);

const values: Readonly<Record<string, readonly string[]>> = {
  '--data': ['data'],
  '--out': ['dist'],
  '--base-url': ['https://e.example'],
  '--now': [now],
  '--json': [],
  '--quiet': [],
};
const commands: readonly (readonly [command: string, args: readonly string[], uses: string])[] = [
  ['init', ['fairs', '--package', '@me/almanac'], '--base-url --json --quiet'],
  ['add', ['tv/drama/show', 'Finale', '2027-01-15', '--create'], '--data --json --quiet'],
  ['import', ['a.csv', '--into', 'tv/drama'], '--data --now --json --quiet'],
  ['check', [], '--data --base-url --now --json --quiet'],
  ['build', [], '--data --out --base-url --now --json --quiet'],
  ['serve', [], '--data --out --base-url --now --json --quiet'],
  ['diff', ['dist'], '--data --base-url --now --json --quiet'],
  ['verify', ['dist'], '--json --quiet'],
  ['publish', ['s3://bucket'], '--out --json --quiet'],
  ['notify', ['changes.json', '--markdown'], '--data --out --base-url --json --quiet'],
  ['host', ['s3'], '--data --out --base-url --json --quiet'],
];

test('the help of a command begins with examples of it, and it accepts the common options that its help lists', async () => {
  const cwd = writeTree(tempFolder(), sample);
  writeTree(cwd, {
    'a.csv': 'subject,title,starts\nA,One,2027-01-02\n',
    'changes.json': { changes: [] },
  });
  for (const [command, args, uses] of commands) {
    const { stdout: help } = await runAlmanac([command, '--help'], { cwd });
    expect(help).toMatch(new RegExp(`^Examples:\n {2}almanac ${command}\\b`));
    const listed = Object.keys(values).filter((option) => help.includes(`  ${option} `));
    expect([command, listed.join(' ')]).toEqual([command, uses]);
    const given = listed.flatMap((option) => [option, ...(values[option] ?? [])]);
    // It ends by a signal.
    if (command === 'serve') continue;
    const { stdout } = await runAlmanac([command, ...args, ...given], { cwd });
    // `publish` checks for credentials before it sends a request, so the missing keys are its first
    // problem.
    const wanted =
      command === 'publish' ? { problems: [{ code: 'credentials-missing' }] } : { ok: true };
    expect([command, JSON.parse(stdout)]).toMatchObject([command, wanted]);
  }
});

test('the help lists these commands, and a command refuses the common options that it does not use', async () => {
  const cwd = writeTree(tempFolder(), sample);
  const { stdout } = await runAlmanac(['--help'], { cwd });
  expect(stdout).toMatch(/^Examples:\n {2}almanac /);
  const listed = stdout.slice(stdout.indexOf('Commands:')).matchAll(/^ {2}([a-z]+) /gm);
  expect(Array.from(listed, ([, name]) => name)).toEqual(commands.map(([command]) => command));
  for (const [command, args, uses] of commands) {
    const others = Object.keys(values).filter((option) => !uses.split(' ').includes(option));
    for (const option of others) {
      const refused = await runAlmanac([command, ...args, option, ...(values[option] ?? [])], {
        cwd,
      });
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).toContain(`found the unknown option ${option};`);
    }
  }
  expect(readdirSync(cwd)).toEqual(['data']);
});

test('build --help shows two groups of options', async () => {
  const { stdout } = await runAlmanac(['build', '--help'], { cwd: tempFolder() });
  const [, everyday = '', special = ''] = stdout.split(/^(?:More options|Options):\n/m);
  const namesIn = (text: string): string =>
    Array.from(text.matchAll(/^ {2}(--\S+)/gm), ([, name]) => name).join(' ');
  expect(namesIn(everyday)).toBe(
    '--base-url --sync --against --accept-loss --max-loss --changes --dry-run --strict --data --out',
  );
  expect(namesIn(special)).toBe(
    '--public --now --for --compress --no-flush --json --quiet --verbose',
  );
});

test.runIf(existsSync('/dev/full'))(
  'fails with one line if the result cannot be printed (not-printed)',
  async () => {
    const cwd = writeTree(tempFolder(), sample);
    const full = openSync('/dev/full', 'w');
    const failed = await spawnAlmanac(['check', '--now', now], { cwd, stdout: full });
    expect(failed).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^could not print the result: .*ENOSPC.*\n$/),
    });
    const withoutStderr = await spawnAlmanac(['build', '--now', now], { cwd, stderr: full });
    expect(withoutStderr).toMatchObject({ code: 0, stdout: expect.stringContaining('Built dist') });
    closeSync(full);
  },
);

test('--version prints the version in package.json', async () => {
  const { version } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  const result = await runAlmanac(['--version'], { cwd: tempFolder() });
  expect(result).toEqual({ code: 0, signal: null, stdout: `${version}\n`, stderr: '' });
});

test('reports an unknown error as the problem unexpected and exits 1', async () => {
  const cwd = writeTree(tempFolder(), sample);
  const output: string[] = [];
  const stream = { write: (text: string) => output.push(text) } as unknown as NodeJS.WriteStream;
  const code = await run({
    args: ['check', '--json'],
    env: {},
    cwd,
    clock: () => {
      throw new Error('the clock\nis broken');
    },
    stopwatch: () => 0,
    readInput: () => '',
    ended: () => Promise.resolve(),
    stdout: stream,
    stderr: stream,
  });
  expect(code).toBe(1);
  const message = expect.stringContaining('the clock\\u000ais broken; please report it');
  expect(JSON.parse(output.join(''))).toMatchObject({
    ok: false,
    problems: [{ code: 'unexpected', message }],
  });
});

test('reports that the working folder no longer exists, with --json too', () => {
  const cwd = tempFolder();
  const [gone, script] = [join(cwd, 'gone'), 'rmdir "$PWD"; exec "$0" "$@"'];
  for (const args of [['check'], ['check', '--json']]) {
    mkdirSync(gone);
    const run = spawnSync('sh', ['-c', script, process.execPath, almanac, ...args], {
      cwd: gone,
      encoding: 'utf8',
    });
    expect([run.status, run.stdout + run.stderr]).toEqual([
      1,
      expect.stringContaining('the working directory no longer exists '),
    ]);
    if (!args.includes('--json')) continue;
    expect(JSON.parse(run.stdout)).toMatchObject({
      problems: [{ code: 'working-folder-gone', file: null }],
    });
  }
});

test('exits 0 if the reader of its output closes the pipe early', async () => {
  const child = spawn(process.execPath, [almanac, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = (await once(child, 'close')) as [number];
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});
