import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** A program to run. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Measurements of a whole process. `cpu` and `megabytes` are null on a system without /usr/bin/time. */
export interface Reading {
  /** Wall time in seconds. */
  readonly seconds: number;
  /** Processor time in seconds. */
  readonly cpu: number | null;
  /** Peak memory. */
  readonly megabytes: number | null;
}

const timer = '/usr/bin/time';
const hasTimer = existsSync(timer);

/** Flushes earlier writes to the disk, then runs a command and measures it. Throws if the command fails. */
export function measure({ program, args, cwd, env }: Command): Reading {
  execFileSync('sync');
  const [file, ...rest] = hasTimer ? [timer, '--format=%U %S %M', program, ...args] : [program, ...args];
  const began = performance.now();
  const run = spawnSync(file, rest, { cwd, env: { ...process.env, ...env }, encoding: 'utf8', maxBuffer: 2 ** 28 });
  const seconds = (performance.now() - began) / 1000;
  if (run.error) throw run.error;
  if (run.status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${run.stdout}${run.stderr}`);
  if (!hasTimer) return { seconds, cpu: null, megabytes: null };
  const [user = 0, system = 0, kilobytes = 0] = (run.stderr.trimEnd().split('\n').at(-1) ?? '').split(' ').map(Number);
  return { seconds, cpu: user + system, megabytes: (kilobytes * 1024) / 1e6 };
}
