import fc from 'fast-check';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { tempFolder } from '../setup/folders.ts';
import { almanac, runAlmanac, type Run } from '../setup/run-almanac.ts';
import { countOf, tell } from './counts.ts';
import { besides, isFolder, now, prepareTwoSites, type Letter, type TwoSites } from './two-sites.ts';

const preload = ['--import', fileURLToPath(new URL('kill-at-call.js', import.meta.url))];
const letter = fc.constantFrom<Letter>('a', 'b');

/** `at` is a share of the run's time or of its calls; `swap` counts the calls from the end, where the swap is. */
const plan = fc.record({
  target: letter,
  next: letter,
  how: fc.constantFrom('delay', 'delay', 'call', 'swap'),
  at: fc.noBias(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
  when: fc.constantFrom('before', 'halfway', 'after'),
  isKilledAgain: fc.constantFrom(true, false, false, false),
});
type Plan = typeof plan extends fc.Arbitrary<infer P> ? P : never;

/** What a run that is left alone takes: milliseconds, and calls that change the file system. */
interface Measured {
  readonly milliseconds: number;
  readonly calls: Readonly<Record<Letter, number>>;
}
const swapCalls = 12;

test('build, killed at any instant: a whole site is there, and the next run leaves nothing else', async () => {
  const two = await prepareTwoSites(tempFolder());
  const measured = await measure(two);
  const tally = { killed: 0, ended: 0, absent: 0 };
  const possible = new Set<Letter>(['a']);
  for (const drawn of fc.sample(plan, { numRuns: countOf('kills') * 2, seed: countOf('seed') })) {
    const run = await runKilled(two, drawn, measured);
    expect(run.stderr).toBe('');
    tally[run.signal === 'SIGKILL' ? 'killed' : 'ended']++;
    possible.add(drawn.target);
    const { dist, beside } = wholeSites(two);
    if (dist === null) tally.absent++;
    const whole = dist === null ? beside : [dist];
    expect(
      whole.some((site) => possible.has(site)),
      JSON.stringify(drawn),
    ).toBe(true);
    if (tally.killed >= countOf('kills')) break;
    // Some are killed again before anything puts it right.
    if (drawn.isKilledAgain) continue;
    await expectBuilt(two, drawn.next);
    possible.clear();
    possible.add(drawn.next);
  }
  await expectBuilt(two, 'a');
  expect(tally.killed).toBe(countOf('kills'));
  tell(
    `${tally.killed} kills of build (${tally.absent} between its renames; ${tally.ended} ended first): 0 sites lost`,
  );
});

test('serve --watch, killed while it builds: a whole site is there, and the next run leaves nothing else', async () => {
  const two = await prepareTwoSites(tempFolder());
  const { cwd } = two;
  await expectBuilt(two, 'a');
  const rounds = Math.ceil(countOf('kills') / 10);
  const delays = fc.sample(fc.noBias(fc.integer({ min: 0, max: 400 })), { numRuns: rounds, seed: countOf('seed') });
  for (const [round, milliseconds] of delays.entries()) {
    const args = ['serve', '--watch', '--data', 'live', '--out', 'www/dist', '--port', '0', '--now', now, '--quiet'];
    rmSync(join(cwd, 'live'), { recursive: true, force: true });
    cpSync(join(cwd, round % 2 === 0 ? 'a' : 'b'), join(cwd, 'live'), { recursive: true });
    const server = spawn(process.execPath, [almanac, ...args], { cwd, env: { PATH: process.env['PATH'] } });
    const ended = once(server, 'exit');
    // It builds once before it answers, and again after a change.
    if (round % 4 > 1) await once(server.stdout, 'data');
    writeFileSync(join(cwd, 'live/README.md'), '');
    await delay(milliseconds);
    server.kill('SIGKILL');
    await ended;
    const { dist, beside } = wholeSites(two);
    expect([dist, ...beside].some((site) => site !== null)).toBe(true);
    expect(dist === null && isFolder(join(cwd, 'www/dist'))).toBe(false);
    if (round % 4 === 3) await expectBuilt(two, 'a');
  }
  await expectBuilt(two, 'b');
  tell(`${rounds} kills of serve --watch: 0 sites lost`);
});

async function measure(two: TwoSites): Promise<Measured> {
  await expectBuilt(two, 'b');
  const began = performance.now();
  await expectBuilt(two, 'a');
  const milliseconds = performance.now() - began;
  return { milliseconds, calls: { b: await countCalls(two, 'b'), a: await countCalls(two, 'a') } };
}

async function countCalls({ cwd, build }: TwoSites, target: Letter): Promise<number> {
  const file = join(cwd, 'calls');
  await runAlmanac(build(target), { cwd, node: preload, env: { CALLS_FILE: file } });
  return Number(readFileSync(file, 'utf8'));
}

async function runKilled({ cwd, build }: TwoSites, drawn: Plan, { milliseconds, calls }: Measured): Promise<Run> {
  const { how, at, when, target } = drawn;
  if (how === 'delay') return runAlmanac(build(target), { cwd, killAfter: Math.ceil(at * milliseconds) + 1 });
  const call = how === 'swap' ? calls[target] - Math.floor(at * swapCalls) : 1 + Math.floor(at * calls[target]);
  const env = { KILL_CALL: String(call), KILL_WHEN: when };
  return runAlmanac(build(target), { cwd, node: preload, env });
}

async function expectBuilt({ cwd, build, siteIn }: TwoSites, target: Letter): Promise<void> {
  const run = await runAlmanac(build(target), { cwd });
  expect(run).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
  expect([siteIn(join(cwd, 'www/dist')), besides(cwd)]).toEqual([target, []]);
}

/** The whole sites that are there: `dist`, and those beside it from which the next run takes one. */
function wholeSites({ cwd, siteIn }: TwoSites): { dist: Letter | null; beside: Letter[] } {
  const beside = besides(cwd).flatMap((name) => siteIn(join(cwd, 'www', name)) ?? []);
  return { dist: siteIn(join(cwd, 'www/dist')), beside };
}
