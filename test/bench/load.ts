import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { onPath } from '../setup/engines.ts';

/** The performance of a server under load: responses per second, and the 99th percentile latency in milliseconds. */
export interface Load {
  readonly perSecond: number;
  readonly p99: number;
}

/** Throws if wrk is missing. A load generator in JavaScript would be slower than the servers. */
export function requireGenerator(): void {
  if (onPath('wrk') === null) throw new Error('found no wrk, which generates the load; run apt-get install wrk');
}

/** Sends the same request repeatedly on each connection. Throws if any request fails. */
export async function load(
  address: string,
  { connections, seconds }: { readonly connections: number; readonly seconds: number },
): Promise<Load> {
  const script = resolve('test/bench/load.lua');
  const size = ['--threads=1', `--connections=${connections}`, `--duration=${seconds}s`];
  // A late response does not count as a failure, because miniflare sometimes makes a connection wait for seconds.
  const args = [...size, '--timeout=10s', `--script=${script}`, address];
  const { stdout } = await promisify(execFile)('wrk', args);
  const { requests, microseconds, p99, failures } = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Summary;
  if (failures > 0) throw new Error(`${address}: ${failures} failures in ${requests} requests`);
  return { perSecond: (requests / microseconds) * 1e6, p99: p99 / 1000 };
}

/** The line that load.lua prints. */
type Summary = Readonly<Record<'requests' | 'microseconds' | 'p99' | 'failures', number>>;
