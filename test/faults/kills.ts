import fc from 'fast-check';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { spawnAlmanac, type Run } from '../setup/run-almanac.ts';
import { countOf } from './counts.ts';

const preload = ['--import', fileURLToPath(new URL('kill-at-call.js', import.meta.url))];

/** The share of the kills that each command gets. */
const shares = { build: 0.4, 'build --sync': 0.2, 'serve --watch': 0.2, publish: 0.2 } as const;
export type Command = keyof typeof shares;

export function killsOf(command: Command): number {
  return Math.ceil(countOf('kills') * shares[command]);
}

/** The moment of a kill. `at` is a fraction of the time or of the calls; `swap` counts back from the last call. */
export const instant = fc.record({
  how: fc.constantFrom('delay', 'delay', 'call', 'swap'),
  at: fc.noBias(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
  when: fc.constantFrom('before', 'halfway', 'after'),
});
type Instant = typeof instant extends fc.Arbitrary<infer I> ? I : never;
/** The two renames are among the last calls. */
const swapCalls = 4;

/** The duration of an undisturbed run, and the number of its calls that change the file system. */
export interface Measured {
  readonly milliseconds: number;
  readonly calls: number;
}

export async function measure(cwd: string, args: readonly string[]): Promise<Measured> {
  const began = performance.now();
  expect(await spawnAlmanac(args, { cwd })).toMatchObject({ code: 0, stderr: '' });
  const milliseconds = performance.now() - began;
  const file = join(cwd, 'calls');
  await spawnAlmanac(args, { cwd, node: preload, env: { CALLS_FILE: file } });
  const calls = Number(readFileSync(file, 'utf8'));
  rmSync(file);
  return { milliseconds, calls };
}

/** Runs the command and kills it at an instant, unless it ends first. */
export async function runKilled(
  cwd: string,
  args: readonly string[],
  { how, at, when }: Instant,
  { milliseconds, calls }: Measured,
): Promise<Run> {
  if (how === 'delay') return spawnAlmanac(args, { cwd, killAfter: Math.ceil(at * milliseconds) + 1 });
  const call = how === 'swap' ? calls - Math.floor(at * swapCalls) : 1 + Math.floor(at * calls);
  return spawnAlmanac(args, { cwd, node: preload, env: { KILL_CALL: String(call), KILL_WHEN: when } });
}

/**
 * Repeats `attack` until the command has been killed as often as planned, and calls `settle` after each attack. Returns
 * the number of runs that were killed and the number that ended first.
 */
export async function killAtRandom<T>(
  command: Command,
  drawing: fc.Arbitrary<T>,
  attack: (drawn: T) => Promise<Pick<Run, 'signal' | 'stderr'>>,
  settle: (drawn: T) => Promise<void>,
): Promise<{ readonly killed: number; readonly ended: number }> {
  const counts = { killed: 0, ended: 0 };
  for (const drawn of fc.sample(drawing, { numRuns: killsOf(command) * 4, seed: countOf('seed') })) {
    const { signal, stderr } = await attack(drawn);
    expect(stderr, JSON.stringify(drawn)).toBe('');
    counts[signal === 'SIGKILL' ? 'killed' : 'ended']++;
    await settle(drawn);
    if (counts.killed >= killsOf(command)) break;
  }
  expect(counts.killed).toBe(killsOf(command));
  return counts;
}

/** Expects `almanac verify` to accept the site. */
export async function expectVerified(cwd: string, site: string): Promise<void> {
  const run = await spawnAlmanac(['verify', site, '--quiet'], { cwd });
  expect(run).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
}
