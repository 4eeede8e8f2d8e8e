import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { baseUrl, now } from './catalogue.ts';
import { measure, type Command, type Reading } from './measure.ts';
import { compareDocuments, type Peer } from './peers/peers.ts';

/** A program that is timed; what it left at `clear` is taken away before each run. */
interface Contender {
  readonly name: string;
  readonly command: Command;
  readonly clear?: string;
}

/** What was measured, run by run. `limit` is in seconds. */
export interface Race {
  readonly limit: readonly number[];
  readonly readings: ReadonlyMap<string, readonly Reading[]>;
}

/**
 * Times the build and its peers in turn, run after run, so that whatever else the machine does falls on all alike.
 * A peer that makes other documents than almanac is refused before anything is timed.
 */
export function race(data: string, peers: readonly Peer[], runs: number): Race {
  const scratch = mkdtempSync(join(roomiest(), 'almanac-bench-'));
  try {
    const [site, copy] = [join(scratch, 'site'), join(scratch, 'copy')];
    const contenders = [...builds(data, site), ...peers.map((peer) => contenderOf(peer, data, scratch))];
    measure(buildOf(data, site));
    for (const { command, clear } of contenders) {
      if (clear === undefined || clear === site) continue;
      measure(command);
      compareDocuments(site, clear);
      rmSync(clear, { recursive: true });
    }
    const limit: number[] = [];
    const readings = new Map(contenders.map(({ name }) => [name, [] as Reading[]]));
    for (let run = 0; run < runs; run++) {
      const read = measure(node(join(import.meta.dirname, 'limit.js'), data));
      limit.push(read.seconds + measure({ program: 'cp', args: ['-r', site, copy] }).seconds);
      rmSync(copy, { recursive: true });
      for (const { name, command, clear } of contenders) {
        if (clear !== undefined) rmSync(clear, { recursive: true, force: true });
        readings.get(name)?.push(measure(command));
        if (clear !== undefined && clear !== site) rmSync(clear, { recursive: true });
      }
    }
    return { limit, readings };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function builds(data: string, site: string): Contender[] {
  return [
    { name: 'node -e 0', command: node('-e', '0') },
    { name: 'almanac build', command: buildOf(data, site), clear: site },
    { name: 'almanac build, again', command: buildOf(data, site) },
    { name: 'almanac build --dry-run', command: buildOf(data, site, '--dry-run') },
  ];
}

function buildOf(data: string, site: string, ...more: string[]): Command {
  const common = ['--quiet', '--data', data, '--out', site, '--now', now, '--base-url', baseUrl];
  return node(resolve('lib/bin/main.js'), 'build', ...common, ...more);
}

function contenderOf(peer: Peer, data: string, scratch: string): Contender {
  const own = join(scratch, peer.name);
  mkdirSync(own);
  return {
    name: `${peer.name} ${peer.version()}`,
    command: peer.command(data, `${own}-out`, own),
    clear: `${own}-out`,
  };
}

function node(...args: string[]): Command {
  return { program: process.execPath, args };
}

/** Memory where the system has a file system in it with room for two sites, so that no disk is timed. */
export function roomiest(): string {
  const shared = '/dev/shm';
  if (!existsSync(shared)) return tmpdir();
  const { bavail, bsize } = statfsSync(shared);
  return bavail * bsize > 4e9 ? shared : tmpdir();
}
