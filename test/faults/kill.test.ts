import fc from 'fast-check';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { tempFolder } from '../setup/folders.ts';
import { radosgw } from '../setup/radosgw.ts';
import { almanac, spawnAlmanac } from '../setup/run-almanac.ts';
import { report } from './counts.ts';
import { expectVerified, instant, killAtRandom, killsOf, measure, runKilled, type Command } from './kills.ts';
import { openBucket } from './published-bucket.ts';
import { prepareRemoteSites } from './remote-sites.ts';
import { leftovers, isFolder, now, prepareTwoSites, type Letter, type TwoSites } from './two-sites.ts';

const letter = fc.constantFrom<Letter>('a', 'b');
/** The number of killed runs of each command. */
const killed = new Map<Command, number>();

afterAll(() => {
  const counts = [...killed].map(([command, count]) => `${count} of ${command}`);
  const total = [...killed.values()].reduce((sum, count) => sum + count, 0);
  report(`${total} kills in all: ${counts.join(', ')}`);
});

const attack = fc.record({
  target: letter,
  next: letter,
  instant,
  isKilledAgain: fc.constantFrom(true, false, false, false),
  isVerified: fc.boolean(),
});

test('build, killed at any instant, leaves a whole site, and the next run removes everything else', async () => {
  const two = await prepareTwoSites(tempFolder());
  await expectBuilt(two, 'a');
  const { cwd, build } = two;
  const measured = { b: await measure(cwd, build('b')), a: await measure(cwd, build('a')) };
  const possible = new Set<Letter>(['a']);
  let absent = 0;
  const kill = async ({ target, instant: at }: { target: Letter; instant: Parameters<typeof runKilled>[2] }) => {
    possible.add(target);
    return runKilled(cwd, build(target), at, measured[target]);
  };
  const counts = await killAtRandom('build', attack, kill, async ({ next, isKilledAgain, isVerified }) => {
    const { dist, others } = wholeSites(two);
    if (dist === null) absent++;
    const whole = dist === null ? others : [dist];
    expect(whole.some((site) => possible.has(site))).toBe(true);
    // Some runs are killed again before a run completes.
    if (isKilledAgain) return;
    if (isVerified) {
      await expectVerified(cwd, 'www/dist');
      expect([...possible]).toContain(two.siteIn(join(cwd, 'www/dist')));
    }
    await expectBuilt(two, next);
    possible.clear();
    possible.add(next);
  });
  await expectBuilt(two, 'a');
  killed.set('build', counts.killed);
  report(`${counts.killed} kills of build (${absent} between its renames; ${counts.ended} ended first): 0 sites lost`);
});

test('build --sync, killed at any instant, leaves a whole site and whole copies, and the next run completes', async () => {
  const remote = await prepareRemoteSites(tempFolder());
  const { cwd, build, source } = remote;
  const measured = await measure(cwd, build);
  const possible = new Set<Letter>(['a']);
  const kill = async ({ target, instant: at }: { target: Letter; instant: Parameters<typeof runKilled>[2] }) => {
    source.sends = target;
    possible.add(target);
    return runKilled(cwd, build, at, measured);
  };
  const counts = await killAtRandom('build --sync', attack, kill, async ({ next, isKilledAgain, isVerified }) => {
    const { dist, others } = wholeSites(remote);
    expect((dist === null ? others : [dist]).some((site) => possible.has(site))).toBe(true);
    remote.expectCopies(['a', 'b']);
    if (isKilledAgain) return;
    if (isVerified) await expectVerified(cwd, 'www/dist');
    source.sends = next;
    expect(await spawnAlmanac(build, { cwd })).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
    expect([remote.siteIn(join(cwd, 'www/dist')), leftovers(cwd)]).toEqual([next, []]);
    remote.expectCopies([next]);
    remote.expectOnlyCopies();
    possible.clear();
    possible.add(next);
  });
  killed.set('build --sync', counts.killed);
  report(`${counts.killed} kills of build --sync (${counts.ended} ended first): 0 sites and 0 copies lost`);
});

test('serve --watch, killed while it builds, leaves a whole site, and the next run removes everything else', async () => {
  const two = await prepareTwoSites(tempFolder());
  const { cwd } = two;
  await expectBuilt(two, 'a');
  const milliseconds = fc.noBias(fc.integer({ min: 0, max: 400 }));
  let round = 0;
  const kill = async (wait: number) => {
    const address = ['--port', '0', '--base-url', 'https://example.org'];
    const args = ['serve', '--watch', '--data', 'live', '--out', 'www/dist', ...address, '--now', now, '--quiet'];
    rmSync(join(cwd, 'live'), { recursive: true, force: true });
    cpSync(join(cwd, round % 2 === 0 ? 'a' : 'b'), join(cwd, 'live'), { recursive: true });
    const server = spawn(process.execPath, [almanac, ...args], { cwd, env: { PATH: process.env['PATH'] } });
    const ended = once(server, 'exit');
    // It builds once before it answers, and again after a change.
    if (round % 4 > 1) await once(server.stdout, 'data');
    writeFileSync(join(cwd, 'live/README.md'), '');
    await delay(wait);
    server.kill('SIGKILL');
    await ended;
    return { signal: server.signalCode, stderr: '' };
  };
  const counts = await killAtRandom('serve --watch', milliseconds, kill, async () => {
    const { dist, others } = wholeSites(two);
    expect([dist, ...others].some((site) => site !== null)).toBe(true);
    expect(dist === null && isFolder(join(cwd, 'www/dist'))).toBe(false);
    if (round % 4 === 1) await expectVerified(cwd, 'www/dist');
    if (round % 4 === 3) await expectBuilt(two, 'a');
    round++;
  });
  await expectBuilt(two, 'b');
  killed.set('serve --watch', counts.killed);
  report(`${counts.killed} kills of serve --watch: 0 sites lost`);
});

test.skipIf(radosgw === null)(
  'publish, killed at any instant, leaves a bucket that answers, and the next run completes it',
  async () => {
    const two = await prepareTwoSites(tempFolder());
    const bucket = await openBucket(two);
    await bucket.publish('a');
    const kill = fc.record({
      target: letter,
      next: letter,
      how: fc.constantFrom('delay', 'request', 'answer'),
      at: instant,
    });
    const counts = await killAtRandom('publish', kill, bucket.kill, async ({ next }) => {
      await bucket.expectAnswers();
      for (const site of ['a', 'b'] as const) expect(two.siteIn(join(two.cwd, `model-${site}`))).toBe(site);
      await bucket.publish(next);
      await bucket.expectSite(next);
    });
    killed.set('publish', counts.killed);
    report(
      `${counts.killed} kills of publish (${counts.ended} ended first): the bucket answered after each, 0 sites lost`,
    );
  },
);

test('every command was killed as often as planned', () => {
  const commands = [...killed.keys()];
  expect(commands).toEqual(expect.arrayContaining(['build', 'build --sync', 'serve --watch']));
  for (const [command, count] of killed) expect(count).toBe(killsOf(command));
});

async function expectBuilt({ cwd, build, siteIn }: TwoSites, target: Letter): Promise<void> {
  const run = await spawnAlmanac(build(target), { cwd });
  expect(run).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
  expect([siteIn(join(cwd, 'www/dist')), leftovers(cwd)]).toEqual([target, []]);
}

/** Returns the whole sites in the folder: `dist`, and those next to it, one of which the next run can restore. */
function wholeSites({ cwd, siteIn }: Pick<TwoSites, 'cwd' | 'siteIn'>): { dist: Letter | null; others: Letter[] } {
  const others = leftovers(cwd).flatMap((name) => siteIn(join(cwd, 'www', name)) ?? []);
  return { dist: siteIn(join(cwd, 'www/dist')), others };
}
