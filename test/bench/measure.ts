import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

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

/** Flushes earlier writes to the disk, then runs Node.js and measures it. Throws if it fails. */
export function measure(args: readonly string[]): Reading {
  if (!existsSync(timer)) throw new Error(`found no ${timer}, which measures a process; run apt-get install time`);
  execFileSync('sync');
  const timed = ['--format=%U %S %M', process.execPath, ...args];
  const began = performance.now();
  const run = spawnSync(timer, timed, { encoding: 'utf8' });
  const seconds = (performance.now() - began) / 1000;
  if (run.error) throw run.error;
  if (run.status !== 0) throw new Error(`node ${args.join(' ')} failed:\n${run.stdout}${run.stderr}`);
  const [user = 0, system = 0, kilobytes = 0] = (run.stderr.trimEnd().split('\n').at(-1) ?? '').split(' ').map(Number);
  return { seconds, cpu: user + system, megabytes: (kilobytes * 1024) / 1e6 };
}
