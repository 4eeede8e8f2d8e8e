import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** A program to run. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Measurements of a whole process. */
export interface Reading {
  /** Wall time in seconds. */
  readonly seconds: number;
  /** Processor time in seconds. */
  readonly cpu: number;
  /** Peak memory. */
  readonly megabytes: number;
}

const timer = '/usr/bin/time';

/**
 * Flushes earlier writes to the disk, then runs a command and measures it. Throws if the command
 * fails.
 */
export function measure({ program, args, cwd, env }: Command): Reading {
  if (!existsSync(timer))
    throw new Error(`found no ${timer}, which measures a process; run apt-get install time`);
  execFileSync('sync');
  const timed = ['--format=%U %S %M', program, ...args];
  const began = performance.now();
  const run = spawnSync(timer, timed, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const seconds = (performance.now() - began) / 1000;
  if (run.error) throw run.error;
  if (run.status !== 0)
    throw new Error(`${program} ${args.join(' ')} failed:\n${run.stdout}${run.stderr}`);
  const [user = 0, system = 0, kilobytes = 0] = (run.stderr.trimEnd().split('\n').at(-1) ?? '')
    .split(' ')
    .map(Number);
  return { seconds, cpu: user + system, megabytes: (kilobytes * 1024) / 1e6 };
}
