import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { onPath } from '../setup/engines.ts';

/** How hard a server is loaded. */
export interface Effort {
  readonly connections: number;
  readonly seconds: number;
}

/** What a server did under load: answers a second, and the milliseconds within which 99 of 100 came. */
export interface Load {
  readonly perSecond: number;
  readonly p99: number;
}

/** Why no load can be made here; null where it can. A generator in JavaScript is slower than what it would measure. */
export function missingGenerator(): string | null {
  return onPath('wrk') === null ? 'wrk is missing, which makes the load: apt-get install wrk' : null;
}

/** Asks one address again and again, each connection as soon as it has its answer. Any failure is thrown. */
export async function load(address: string, { connections, seconds }: Effort): Promise<Load> {
  const script = resolve('test/bench/load.lua');
  const size = ['--threads=1', `--connections=${connections}`, `--duration=${seconds}s`];
  // An answer that comes late is a slow one, and no failure: miniflare lets a connection wait for seconds now and then.
  const args = [...size, '--timeout=10s', `--script=${script}`, address];
  const { stdout } = await promisify(execFile)('wrk', args);
  const { requests, microseconds, p99, failures } = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Counted;
  if (failures > 0) throw new Error(`${address}: ${failures} failures in ${requests} requests`);
  return { perSecond: (requests / microseconds) * 1e6, p99: p99 / 1000 };
}

/** What load.lua prints. */
type Counted = Readonly<Record<'requests' | 'microseconds' | 'p99' | 'failures', number>>;
