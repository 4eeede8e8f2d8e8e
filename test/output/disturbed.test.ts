import { spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac, spawnAlmanac } from '../setup/run-almanac.ts';
import { now, sample } from '../setup/sample.ts';

const smaller = {
  'data/service.json': { name: 'Sample', license: 'Free.', base_url: 'https://service.example' },
};

test('a site is replaced while a folder of it is the working folder of a process, even of the build itself', async () => {
  const cwd = writeTree(tempFolder(), sample);
  expect(await runAlmanac(['build', '--now', now], { cwd })).toMatchObject({ code: 0 });
  const shell = spawn('cat', [], { cwd: join(cwd, 'dist/api') });
  onTestFinished(() => void shell.kill('SIGKILL'));
  writeTree(cwd, smaller);
  expect(await runAlmanac(['build', '--now', now], { cwd })).toMatchObject({ code: 0, stderr: '' });
  const inside = ['build', '--now', now, '--data', '../data', '--out', '.'];
  expect(await runAlmanac(inside, { cwd: join(cwd, 'dist') })).toMatchObject({
    code: 0,
    stderr: '',
  });
  expect(await runAlmanac(['verify', 'dist'], { cwd })).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(cwd)).toEqual(['data', 'dist']);
});

describe('missing permissions', () => {
  const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  const withSite = async (): Promise<string> => {
    const cwd = writeTree(tempFolder(), sample);
    chmodSync(cwd, 0o755);
    expect(await runAlmanac(['build', '--now', now], { cwd })).toMatchObject({ code: 0 });
    return cwd;
  };

  test.each([
    ['verify', 'w/dist'],
    ['diff', 'w/dist'],
    ['serve', '--out', 'w/dist', '--port', '0'],
  ])(
    '%s fails with one line if it may not recover the site of a killed build',
    async (...command) => {
      const cwd = await withSite();
      mkdirSync(join(cwd, 'w'));
      cpSync(join(cwd, 'dist'), join(cwd, 'w/.dist.almanac-old'), { recursive: true });
      chmodSync(join(cwd, 'w'), 0o555);
      onTestFinished(() => chmodSync(join(cwd, 'w'), 0o755));
      const run = await spawnAlmanac(command, { cwd, ...nobody });
      expect(run).toMatchObject({ code: 1, stdout: '' });
      expect(run.stderr).toMatch(/^could not write [^\n]+: permission denied \(EACCES\)[^\n]+\n$/);
    },
  );

  test.each(['verify', 'build'])(
    '%s fails with one line if it may not read a part of the site',
    async (command) => {
      const cwd = await withSite();
      chmodSync(join(cwd, 'dist/api'), 0o000);
      onTestFinished(() => chmodSync(join(cwd, 'dist/api'), 0o755));
      const args = command === 'verify' ? ['verify', 'dist'] : ['build', '--now', now];
      const run = await spawnAlmanac(args, { cwd, ...nobody });
      expect(run).toMatchObject({ code: 1, stdout: '' });
      expect(run.stderr).toMatch(/^[^\n]*permission denied \(EACCES\)[^\n]*\n$/);
    },
  );

  test.each(['build', 'check'])(
    '%s reports every file of a folder that it may list but not enter',
    async (command) => {
      const cwd = await withSite();
      chmodSync(cwd, 0o777);
      chmodSync(join(cwd, 'data/tv/drama'), 0o444);
      onTestFinished(() => chmodSync(join(cwd, 'data/tv/drama'), 0o755));
      const { code, stdout, stderr } = await spawnAlmanac([command, '--now', now], {
        cwd,
        ...nobody,
      });
      expect(code).toBe(1);
      for (const name of ['genre', 'night-ferry']) {
        expect(stdout + stderr).toContain(
          `${name}.json:1:1: could not be read: permission denied (EACCES)`,
        );
      }
    },
  );
});
