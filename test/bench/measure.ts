import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** A program to run, and in which surroundings. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A whole process measured: wall time in seconds, the most memory it held in MB (null where the system cannot tell). */
export interface Reading {
  readonly seconds: number;
  readonly megabytes: number | null;
}

const timer = '/usr/bin/time';
const hasTimer = existsSync(timer);

/** Runs a command to its end. Writing that others left behind is waited for first; a failure is thrown with its words. */
export function measure({ program, args, cwd, env }: Command): Reading {
  execFileSync('sync');
  const [file, ...rest] = hasTimer ? [timer, '--format=%M', program, ...args] : [program, ...args];
  const began = performance.now();
  const run = spawnSync(file, rest, { cwd, env: { ...process.env, ...env }, encoding: 'utf8', maxBuffer: 2 ** 28 });
  const seconds = (performance.now() - began) / 1000;
  if (run.error) throw run.error;
  if (run.status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${run.stdout}${run.stderr}`);
  const kilobytes = hasTimer ? Number(run.stderr.trimEnd().split('\n').at(-1)) : null;
  return { seconds, megabytes: kilobytes === null ? null : (kilobytes * 1024) / 1e6 };
}

/** The middle value; of an even number of them, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1);
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}
