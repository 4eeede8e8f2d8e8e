import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { onPath } from '../setup/engines.ts';
import { baseUrl, catalogueIn, withSettings, type Size } from './catalogue.ts';
import { answers, checkAnswers, questionsTo, type Question } from './questions.ts';
import { formatCount, machine, median, table } from './report.ts';
import { startServers, type Served, type Server } from './servers.ts';

export interface Effort {
  readonly connections: number;
  readonly seconds: number;
  readonly rounds: number;
}

/**
 * The performance of a server under load: responses per second, and the 99th percentile latency in
 * milliseconds.
 */
interface Load {
  readonly perSecond: number;
  readonly p99: number;
}

/**
 * The loads of one server, by question and round. A question that the server does not support has
 * none.
 */
type Loads = readonly Load[][];

const head = ['', 'file, per s', 'p99 ms', 'genre, per s', 'p99 ms', 'next ten, per s', 'p99 ms'];

/**
 * Puts servers of a catalogue under load in turn: the published files on nginx, and our handler on
 * two hosts. Their responses must be the same before and after. Returns the report.
 */
export async function benchServers(cache: string, size: Size, effort: Effort): Promise<string> {
  // A load generator in JavaScript would be slower than the servers.
  if (onPath('wrk') === null)
    throw new Error('found no wrk, which generates the load; run apt-get install wrk');
  const served = buildSite(cache, size);
  const questions = questionsTo(served.site);
  const servers: Server[] = [];
  try {
    for await (const server of startServers(served)) servers.push(server);
    await checkAnswers(servers, questions);
    const loads = await loadInTurn(servers, questions, effort);
    await checkAnswers(servers, questions);
    const rows = servers.map((server) => [
      server.name,
      ...(loads.get(server) ?? []).flatMap(cells),
    ]);
    const about = `${effort.connections} connections, medians of ${effort.rounds} rounds. ${machine()}.`;
    return `${table(head, rows)}${about}`;
  } finally {
    await Promise.all(servers.map(({ close }) => close()));
  }
}

/**
 * Builds the lists for the time of the requests. Files of all events would be too large for
 * Cloudflare.
 */
function buildSite(cache: string, size: Size): Served {
  const folder = join(cache, 'serve');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const data = catalogueIn(cache, size);
  const site = join(folder, 'dist');
  const to = ['--out', site, '--base-url', baseUrl, '--now', new Date().toISOString()];
  const args = [resolve('lib/bin/main.js'), 'build', '--quiet', '--data', data, ...to];
  withSettings(data, { formats: [], pages: 'home' }, () => execFileSync(process.execPath, args));
  return { site, folder };
}

/** Puts each server under load in each round. The first round is a warm-up and does not count. */
async function loadInTurn(
  servers: readonly Server[],
  questions: readonly Question[],
  effort: Effort,
): Promise<Map<Server, Loads>> {
  const loads = new Map(servers.map((server) => [server, questions.map((): Load[] => [])]));
  for (let round = 0; round <= effort.rounds; round++) {
    for (const [index, question] of questions.entries()) {
      for (const server of servers.filter((one) => answers(one, question))) {
        const reading = await load(`${server.address}/${question.path}`, effort);
        if (round > 0) loads.get(server)?.[index]?.push(reading);
      }
    }
  }
  return loads;
}

function cells(rounds: readonly Load[]): string[] {
  if (rounds.length === 0) return ['', ''];
  const perSecond = Math.round(median(rounds.map((one) => one.perSecond)));
  return [formatCount(perSecond), median(rounds.map(({ p99 }) => p99)).toFixed(1)];
}

/** Sends the same request repeatedly on each connection. Throws if any request fails. */
async function load(address: string, { connections, seconds }: Effort): Promise<Load> {
  const script = resolve('test/bench/load.lua');
  const size = ['--threads=1', `--connections=${connections}`, `--duration=${seconds}s`];
  // A late response does not count as a failure, because miniflare sometimes makes a connection
  // wait for seconds.
  const args = [...size, '--timeout=10s', `--script=${script}`, address];
  const { stdout } = await promisify(execFile)('wrk', args);
  const { requests, microseconds, p99, failures } = JSON.parse(
    stdout.trimEnd().split('\n').at(-1) ?? '',
  ) as Summary;
  if (failures > 0) throw new Error(`${address}: ${failures} failures in ${requests} requests`);
  return { perSecond: (requests / microseconds) * 1e6, p99: p99 / 1000 };
}

/** The line that load.lua prints. */
type Summary = Readonly<Record<'requests' | 'microseconds' | 'p99' | 'failures', number>>;
