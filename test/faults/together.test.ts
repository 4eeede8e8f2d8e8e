import fc from 'fast-check';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { tempFolder } from '../setup/folders.ts';
import { almanac, spawnAlmanac } from '../setup/run-almanac.ts';
import { countOf, report } from './counts.ts';
import { leftovers, prepareTwoSites, stateOf, type Letter } from './two-sites.ts';

const busy = /^another almanac \([^\n]+\) is building "[^"\n]+"; wait until it has ended and run this again\n$/;

const preload = fileURLToPath(new URL('kill-at-call.js', import.meta.url));

const race = fc.record({
  letters: fc.array(fc.constantFrom<Letter>('a', 'b'), { minLength: 2, maxLength: 4 }),
  /** Whether a killed run has left its lock. */
  hasDeadLock: fc.boolean(),
});

test('of concurrent builds into one folder, one wins whole and the others give way with one line', async () => {
  const two = await prepareTwoSites(tempFolder());
  const { cwd, build, siteIn } = two;
  const counts = { built: 0, gaveWay: 0 };
  mkdirSync(join(cwd, 'www'), { recursive: true });
  for (const { letters, hasDeadLock } of fc.sample(race, { numRuns: countOf('races'), seed: countOf('seed') })) {
    if (hasDeadLock) writeFileSync(join(cwd, 'www/.dist.almanac-lock'), '999999999 1');
    const runs = await Promise.all(letters.map((letter) => spawnAlmanac(build(letter), { cwd })));
    for (const { code, signal, stdout, stderr } of runs) {
      expect([code, signal, stdout]).toEqual([code === 0 ? 0 : 1, null, '']);
      expect(stderr).toMatch(code === 0 ? /^$/ : busy);
      counts[code === 0 ? 'built' : 'gaveWay']++;
    }
    const winners = letters.filter((_, index) => runs[index]?.code === 0);
    expect(winners).toContain(siteIn(join(cwd, 'www/dist')));
    expect(leftovers(cwd)).toEqual([]);
  }
  report(
    `${countOf('races')} races of 2 to 4 builds: ${counts.built} built, ${counts.gaveWay} gave way, 0 mixed sites`,
  );
});

test('a build that is paused before it takes its lock still builds when it continues', async () => {
  const { cwd, build, siteIn } = await prepareTwoSites(tempFolder());
  const env = { PATH: process.env['PATH'], KILL_CALL: '1', KILL_WHEN: 'before', KILL_NAME: 'linkSync' };
  const command = ['--import', preload, almanac, ...build('b')];
  const slow = spawn(process.execPath, command, { cwd, env: { ...env, KILL_SIGNAL: 'SIGSTOP' } });
  onTestFinished(() => void slow.kill('SIGKILL'));
  await expect.poll(() => stateOf(slow.pid), { timeout: 30_000 }).toBe('T');
  // The draft of its lock is there. This build removes leftovers next to its site, but not that draft.
  expect(await spawnAlmanac(build('a'), { cwd })).toMatchObject({ code: 0, stderr: '' });
  const ended = once(slow, 'exit');
  slow.kill('SIGCONT');
  expect(await ended).toEqual([0, null]);
  expect([siteIn(join(cwd, 'www/dist')), leftovers(cwd)]).toEqual(['b', []]);
});

test('a build that was killed between its renames is recovered through a symbolic link to the site', async () => {
  const two = await prepareTwoSites(tempFolder());
  const { cwd, build, siteIn } = two;
  mkdirSync(join(cwd, 'elsewhere/site'), { recursive: true });
  mkdirSync(join(cwd, 'www'));
  symlinkSync('../elsewhere/site', join(cwd, 'www/dist'));
  expect(await spawnAlmanac(build('a'), { cwd })).toMatchObject({ code: 0 });
  const env = { KILL_CALL: '1', KILL_WHEN: 'after', KILL_NAME: 'renameSync' };
  expect(await spawnAlmanac(build('b'), { cwd, node: ['--import', preload], env })).toMatchObject({
    signal: 'SIGKILL',
  });
  expect(siteIn(join(cwd, 'elsewhere/site'))).toBeNull();
  expect(await spawnAlmanac(build('a'), { cwd })).toMatchObject({ code: 0, stderr: '' });
  expect(siteIn(join(cwd, 'elsewhere/site'))).toBe('a');
  expect(siteIn(join(cwd, 'www/dist'))).toBe('a');
});

test('the lock of a zombie process is broken', async () => {
  const { cwd, build, siteIn } = await prepareTwoSites(tempFolder());
  mkdirSync(join(cwd, 'www'));
  // After `exec` the parent never waits for the child of the shell, as in a container without init.
  const env = { PATH: process.env['PATH'], KILL_CALL: '30', KILL_WHEN: 'before' };
  const command = [process.execPath, '--import', preload, almanac, ...build('b')];
  const parent = spawn('sh', ['-c', '"$@" & echo $!; exec sleep 600', 'sh', ...command], { cwd, env });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const pid = String((await once(parent.stdout, 'data'))[0]).trim();
  await expect.poll(() => stateOf(Number(pid)), { timeout: 30_000 }).toBe('Z');
  expect(readFileSync(join(cwd, 'www/.dist.almanac-lock'), 'utf8')).toContain(pid);
  expect(await spawnAlmanac(build('a'), { cwd })).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
  expect([siteIn(join(cwd, 'www/dist')), leftovers(cwd)]).toEqual(['a', []]);
});
