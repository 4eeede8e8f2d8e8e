import fc from 'fast-check';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { tempFolder } from '../setup/folders.ts';
import { almanac, spawnAlmanac, type Run } from '../setup/run-almanac.ts';
import { countOf, report } from './counts.ts';
import {
  expectVerified,
  isFolder,
  leftovers,
  now,
  prepareRemoteSites,
  prepareTwoSites,
  success,
  type Letter,
  type Sites,
} from './sites.ts';

const preload = ['--import', fileURLToPath(new URL('../setup/interrupt.mjs', import.meta.url))];

/** The removal of the previous site, which ends a build, would take most calls. */
const CALL = 'linkSync,mkdirSync,renameSync,rmSync,writeFileSync';

/** The share of the kills that each command gets. */
const shares = { build: 0.5, 'build --sync': 0.25, 'serve --watch': 0.25 } as const;
type Command = keyof typeof shares;

function killsOf(command: Command): number {
  return Math.ceil(countOf('kills') * shares[command]);
}

/**
 * The moment of a kill. `at` is a fraction of the time or of the calls; `swap` counts back from the
 * last call.
 */
const instant = fc.record({
  how: fc.constantFrom('delay', 'delay', 'call', 'swap'),
  at: fc.noBias(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
  when: fc.constantFrom('before', 'halfway', 'after'),
});
type Instant = typeof instant extends fc.Arbitrary<infer I> ? I : never;
/** The two renames are among the last calls. */
const swapCalls = 4;

const letter = fc.constantFrom<Letter>('a', 'b');

const attack = fc.record({
  target: letter,
  next: letter,
  instant,
  isKilledAgain: fc.constantFrom(true, false, false, false),
  isVerified: fc.boolean(),
});

test.each([
  ['build', prepareTwoSites],
  ['build --sync', prepareRemoteSites],
] as const)(
  '%s, killed at any instant, leaves a whole site and whole copies, and the next run removes everything else',
  async (command, prepare) => {
    const sites = await prepare(tempFolder());
    const { cwd, build, siteIn, expectCopies } = sites;
    await expectBuilt(sites, 'a');
    const measured = { b: await measure(cwd, build('b')), a: await measure(cwd, build('a')) };
    const possible = new Set<Letter>(['a']);
    let absent = 0;
    const kill = async ({ target, instant: at }: { target: Letter; instant: Instant }) => {
      possible.add(target);
      return runKilled(cwd, build(target), at, measured[target]);
    };
    const counts = await killAtRandom(
      command,
      attack,
      kill,
      async ({ next, isKilledAgain, isVerified }) => {
        const { dist, others } = wholeSites(sites);
        if (dist === null) absent++;
        const whole = dist === null ? others : [dist];
        expect(whole.some((site) => possible.has(site))).toBe(true);
        expectCopies(['a', 'b'], true);
        // Some runs are killed again before a run completes.
        if (isKilledAgain) return;
        if (isVerified) {
          await expectVerified(cwd);
          expect([...possible]).toContain(siteIn(join(cwd, 'www/dist')));
        }
        await expectBuilt(sites, next);
        expectCopies([next]);
        possible.clear();
        possible.add(next);
      },
    );
    await expectBuilt(sites, 'a');
    const between = `${absent} between its renames; ${counts.ended} ended first`;
    report(`${counts.killed} kills of ${command} (${between}): 0 sites and 0 copies lost`);
  },
);

test('serve --watch, killed while it builds, leaves a whole site, and the next run removes everything else', async () => {
  const two = await prepareTwoSites(tempFolder());
  const { cwd } = two;
  await expectBuilt(two, 'a');
  const milliseconds = fc.noBias(fc.integer({ min: 0, max: 400 }));
  let round = 0;
  const kill = async (wait: number) => {
    const address = ['--port', '0', '--base-url', 'https://example.org'];
    const args = [
      'serve',
      '--watch',
      '--data',
      'live',
      '--out',
      'www/dist',
      ...address,
      '--now',
      now,
      '--quiet',
    ];
    rmSync(join(cwd, 'live'), { recursive: true, force: true });
    cpSync(join(cwd, round % 2 === 0 ? 'a' : 'b'), join(cwd, 'live'), { recursive: true });
    const server = spawn(process.execPath, [almanac, ...args], {
      cwd,
      env: { PATH: process.env['PATH'] },
    });
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
    if (round % 4 === 1) await expectVerified(cwd);
    if (round % 4 === 3) await expectBuilt(two, 'a');
    round++;
  });
  await expectBuilt(two, 'b');
  report(`${counts.killed} kills of serve --watch: 0 sites lost`);
});

/** The duration of an undisturbed run, and the number of its calls that change the file system. */
interface Measured {
  readonly milliseconds: number;
  readonly calls: number;
}

async function measure(cwd: string, args: readonly string[]): Promise<Measured> {
  const began = performance.now();
  expect(await spawnAlmanac(args, { cwd })).toMatchObject({ code: 0, stderr: '' });
  const milliseconds = performance.now() - began;
  const { stderr } = await spawnAlmanac(args, { cwd, node: preload, env: { AT: '0', CALL } });
  return { milliseconds, calls: stderr.split('\n').length - 1 };
}

/** Runs the command and kills it at an instant, unless it ends first. */
async function runKilled(
  cwd: string,
  args: readonly string[],
  { how, at, when }: Instant,
  { milliseconds, calls }: Measured,
): Promise<Run> {
  if (how === 'delay')
    return spawnAlmanac(args, { cwd, killAfter: Math.ceil(at * milliseconds) + 1 });
  const call = how === 'swap' ? calls - Math.floor(at * swapCalls) : 1 + Math.floor(at * calls);
  return spawnAlmanac(args, {
    cwd,
    node: preload,
    env: { AT: String(call), CALL, HOW: 'SIGKILL', WHEN: when },
  });
}

/**
 * Repeats `attack` until the command has been killed as often as planned, and calls `settle` after
 * each attack. Returns the number of runs that were killed and the number that ended first.
 */
async function killAtRandom<T>(
  command: Command,
  drawing: fc.Arbitrary<T>,
  attack: (drawn: T) => Promise<Pick<Run, 'signal' | 'stderr'>>,
  settle: (drawn: T) => Promise<void>,
): Promise<{ readonly killed: number; readonly ended: number }> {
  const counts = { killed: 0, ended: 0 };
  for (const drawn of fc.sample(drawing, {
    numRuns: killsOf(command) * 4,
    seed: countOf('seed'),
  })) {
    const { signal, stderr } = await attack(drawn);
    expect(stderr, JSON.stringify(drawn)).toMatch(/^(\w+Sync\n)?$/);
    counts[signal === 'SIGKILL' ? 'killed' : 'ended']++;
    await settle(drawn);
    if (counts.killed >= killsOf(command)) break;
  }
  expect(counts.killed).toBe(killsOf(command));
  return counts;
}

async function expectBuilt({ cwd, build, siteIn }: Sites, target: Letter): Promise<void> {
  expect(await spawnAlmanac(build(target), { cwd })).toEqual(success);
  expect([siteIn(join(cwd, 'www/dist')), leftovers(cwd)]).toEqual([target, []]);
}

/**
 * Returns the whole sites in the folder: `dist`, and those next to it, one of which the next run
 * can restore.
 */
function wholeSites({ cwd, siteIn }: Sites): { dist: Letter | null; others: Letter[] } {
  const others = leftovers(cwd).flatMap((name) => siteIn(join(cwd, 'www', name)) ?? []);
  return { dist: siteIn(join(cwd, 'www/dist')), others };
}
