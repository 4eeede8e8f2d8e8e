import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readTree, tempFolder, writeTree, type Tree } from '../setup/folders.ts';
import { runAlmanac, spawnAlmanac } from '../setup/run-almanac.ts';
import { now, sample } from '../setup/sample.ts';

const smaller = { 'data/service.json': { name: 'Small', license: 'Free.', base_url: 'https://example.org' } };

describe('an open handle in the site', () => {
  test('a file that another program reads: it reads on in the site that was, and the next one is whole', async () => {
    const cwd = writeTree(tempFolder(), sample);
    expect(await runAlmanac(['build', '--now', now], { cwd })).toMatchObject({ code: 0 });
    const before = readFileSync(join(cwd, 'dist/api/v1/events.json'), 'utf8');
    const reader = spawn('sh', ['-c', 'exec 3<dist/api/v1/events.json; cat <&3; cat'], { cwd });
    onTestFinished(() => void reader.kill('SIGKILL'));
    expect(String((await once(reader.stdout, 'data'))[0])).toBe(before);
    writeTree(cwd, smaller);
    expect(await runAlmanac(['build', '--now', now], { cwd })).toMatchObject({ code: 0, stderr: '' });
    expect(await runAlmanac(['verify', 'dist'], { cwd })).toMatchObject({ code: 0, stderr: '' });
    expect(readlinkSync(`/proc/${reader.pid}/fd/3`)).toMatch(/api\/v1\/events\.json \(deleted\)$/);
    expect(readdirSync(cwd)).toEqual(['data', 'dist']);
  });

  test('a shell that stands in it: the site is replaced under its feet, and the command works there too', async () => {
    const cwd = writeTree(tempFolder(), sample);
    expect(await runAlmanac(['build', '--now', now], { cwd })).toMatchObject({ code: 0 });
    const shell = spawn('cat', [], { cwd: join(cwd, 'dist/api') });
    onTestFinished(() => void shell.kill('SIGKILL'));
    writeTree(cwd, smaller);
    expect(await runAlmanac(['build', '--now', now], { cwd })).toMatchObject({ code: 0, stderr: '' });
    const inside = ['build', '--now', now, '--data', '../data', '--out', '.'];
    expect(await runAlmanac(inside, { cwd: join(cwd, 'dist') })).toMatchObject({ code: 0, stderr: '' });
    expect(await runAlmanac(['verify', 'dist'], { cwd })).toMatchObject({ code: 0, stderr: '' });
    expect(readdirSync(cwd)).toEqual(['data', 'dist']);
  });
});

describe('a file and a folder that changed places in the site', () => {
  const changes: readonly [string, (site: string) => void, string | null][] = [
    ['an empty folder for a file', (site) => replace(site, 'api/v1/events.json', null), null],
    ['an empty folder for the inventory', (site) => replace(site, 'files.json', null), 'no site that almanac built'],
    [
      'a folder with a file for a file',
      (site) => replace(site, 'api/v1/events.json', { 'notes.txt': 'mine' }),
      'notes',
    ],
    ['a file for a folder', (site) => replace(site, 'api/v1/category', 'mine'), '"api/v1/category"'],
    ['a file for the site', (site) => replace(site, '', 'mine'), 'it is a file'],
  ];
  test.each(changes)('%s', async (_, change, refusal) => {
    const cwd = writeTree(tempFolder(), sample);
    expect(await runAlmanac(['build', '--now', now], { cwd })).toMatchObject({ code: 0 });
    change(join(cwd, 'dist'));
    const before = [...readTree(cwd)];
    const verdict = await runAlmanac(['verify', 'dist'], { cwd });
    expect([verdict.code, verdict.stderr]).toEqual([1, expect.not.stringContaining('does not know')]);
    const run = await runAlmanac(['build', '--now', now, '--quiet'], { cwd });
    if (refusal === null) {
      expect(run).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
      expect(await runAlmanac(['verify', 'dist'], { cwd })).toMatchObject({ code: 0, stderr: '' });
    } else {
      expect(run).toMatchObject({ code: 1, stdout: '' });
      expect(run.stderr).toMatch(/^refused to replace [^\n]+\n$/);
      expect(run.stderr).toContain(refusal);
      expect([...readTree(cwd)]).toEqual(before);
    }
  });

  /** Puts a file (text), or a folder of files, in the place of something. */
  function replace(site: string, path: string, by: string | Tree | null): void {
    rmSync(join(site, path), { recursive: true });
    if (typeof by === 'string') return writeFileSync(join(site, path), by);
    mkdirSync(join(site, path));
    writeTree(join(site, path), by ?? {});
  }
});

test.each([
  ['lock', 'a folder'],
  ['lock/x', 'a folder that holds something'],
  ['next', 'a folder'],
  ['old/x', 'a folder that holds something'],
])('beside the site, .dist.almanac-%s is %s: it is cleared away', async (name) => {
  const cwd = writeTree(tempFolder(), sample);
  expect(await runAlmanac(['build', '--now', now], { cwd })).toMatchObject({ code: 0 });
  mkdirSync(join(cwd, `.dist.almanac-${name}`), { recursive: true });
  expect(await runAlmanac(['build', '--now', now], { cwd })).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(cwd)).toEqual(['data', 'dist']);
});

describe('no permission', () => {
  const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  const inFolder = async (): Promise<string> => {
    const cwd = writeTree(tempFolder(), sample);
    chmodSync(cwd, 0o755);
    expect(await runAlmanac(['build', '--now', now], { cwd })).toMatchObject({ code: 0 });
    return cwd;
  };

  test.each([
    ['verify', 'w/dist'],
    ['diff', 'w/dist', 'dist'],
    ['serve', '--out', 'w/dist', '--port', '0'],
  ])('a killed build that may not be put right: %s ends in one line', async (...command) => {
    const cwd = await inFolder();
    mkdirSync(join(cwd, 'w'));
    cpSync(join(cwd, 'dist'), join(cwd, 'w/.dist.almanac-next'), { recursive: true });
    chmodSync(join(cwd, 'w'), 0o555);
    onTestFinished(() => chmodSync(join(cwd, 'w'), 0o755));
    const run = await spawnAlmanac(command, { cwd, ...nobody });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(/^the site could not be written: permission denied \(EACCES\)[^\n]+\n$/);
  });

  test.each(['verify', 'build'])('a part of the site that may not be read: %s ends in one line', async (command) => {
    const cwd = await inFolder();
    chmodSync(join(cwd, 'dist/api'), 0o000);
    onTestFinished(() => chmodSync(join(cwd, 'dist/api'), 0o755));
    const args = command === 'verify' ? ['verify', 'dist'] : ['build', '--now', now];
    const run = await spawnAlmanac(args, { cwd, ...nobody });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(/^[^\n]*permission denied \(EACCES\)[^\n]*\n$/);
  });

  test.each(['data', 'data/tv', 'data/tv/drama', 'data/tv/drama/night-ferry.json', 'data/service.json'])(
    '%s may not be read: exit 1 and a line that says so, the last site stays',
    async (path) => {
      const cwd = await inFolder();
      chmodSync(cwd, 0o777);
      const before = [...readTree(join(cwd, 'dist'))];
      const mode = statSync(join(cwd, path)).mode;
      chmodSync(join(cwd, path), 0o000);
      onTestFinished(() => chmodSync(join(cwd, path), mode));
      const run = await spawnAlmanac(['build', '--now', now], { cwd, ...nobody });
      expect(run).toMatchObject({ code: 1, stdout: '' });
      expect(run.stderr).toContain(`${path}:1:1: could not be read: permission denied (EACCES)`);
      expect([...readTree(join(cwd, 'dist'))]).toEqual(before);
    },
  );

  test.each(['build', 'check'])(
    'a folder that names its files and lets none be read: %s tells each',
    async (command) => {
      const cwd = await inFolder();
      chmodSync(cwd, 0o777);
      chmodSync(join(cwd, 'data/tv/drama'), 0o444);
      onTestFinished(() => chmodSync(join(cwd, 'data/tv/drama'), 0o755));
      const { code, stdout, stderr } = await spawnAlmanac([command, '--now', now], { cwd, ...nobody });
      expect(code).toBe(1);
      for (const name of ['genre', 'night-ferry']) {
        expect(stdout + stderr).toContain(`${name}.json:1:1: could not be read: permission denied (EACCES)`);
      }
    },
  );
});
