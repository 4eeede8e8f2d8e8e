import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { baseUrl, catalogueIn, type Size } from './catalogue.ts';
import { load, requireGenerator, type Load } from './load.ts';
import { installPeers } from './peers/peers.ts';
import { answers, checkAnswers, questionsTo, type Question } from './questions.ts';
import { machine, median, table } from './report.ts';
import { startServers, type Served, type Server } from './servers.ts';

export interface Effort {
  readonly connections: number;
  readonly seconds: number;
  readonly rounds: number;
}

/** The loads of one server, by question and round. A question that the server does not support has none. */
type Loads = readonly Load[][];

const head = ['', 'genre, a second', 'p99 ms', 'of SQLite', 'next ten, a second', 'p99 ms', 'of SQLite'];

/**
 * Puts servers of a catalogue under load in turn: the published files on nginx, our handler on two hosts, and live
 * servers with a store. Their responses must be the same before and after. Returns the report.
 */
export async function benchServers(cache: string, size: Size, effort: Effort, isMarkdown: boolean): Promise<string> {
  requireGenerator();
  installPeers();
  const served = buildSite(cache, size);
  const questions = questionsTo(served.site);
  const servers: Server[] = [];
  try {
    for await (const server of startServers(served)) servers.push(server);
    await checkAnswers(servers, questions);
    const loads = await loadInTurn(servers, questions, effort);
    await checkAnswers(servers, questions);
    const about = `${effort.connections} connections, medians of ${effort.rounds} rounds. ${machine()}.`;
    return `${table(head, servers.map(rowOf(loads)), isMarkdown)}${about}`;
  } finally {
    await Promise.all(servers.map(({ close }) => close()));
  }
}

/** Builds the site for the real time, because a live server drops past events. */
function buildSite(cache: string, size: Size): Served {
  const folder = join(cache, 'serve');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const data = catalogueIn(cache, size);
  const site = join(folder, 'dist');
  const to = ['--out', site, '--base-url', baseUrl, '--now', new Date().toISOString()];
  execFileSync(process.execPath, [resolve('lib/bin/main.js'), 'build', '--quiet', '--data', data, ...to]);
  return { data, site, folder };
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

/** Returns a function that formats the row of a server. All servers are compared with the last one. */
function rowOf(loads: ReadonlyMap<Server, Loads>): (server: Server) => string[] {
  const reference = [...loads.values()].at(-1) ?? [];
  return (server) => [
    server.name,
    ...(loads.get(server) ?? []).flatMap((rounds, question) => cells(rounds, reference[question] ?? [])),
  ];
}

function cells(rounds: readonly Load[], reference: readonly Load[]): string[] {
  if (rounds.length === 0) return ['', '', ''];
  const ratios = rounds.map(({ perSecond }, round) => perSecond / (reference[round]?.perSecond ?? 0));
  const perSecond = Math.round(median(rounds.map((one) => one.perSecond)));
  return [
    perSecond.toLocaleString('en-US'),
    median(rounds.map(({ p99 }) => p99)).toFixed(1),
    median(ratios).toFixed(1),
  ];
}
