/* eslint-disable no-console -- this is a program of its own */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { baseUrl, catalogueIn, sizes } from './catalogue.ts';
import { load, missingGenerator, type Load } from './load.ts';
import { machine } from './machine.ts';
import { median } from './measure.ts';
import { installPeers } from './peers/peers.ts';
import { answers, checkAnswers, questionsTo, type Question } from './questions.ts';
import { starts, type Served, type Server } from './servers.ts';
import { table } from './table.ts';

const help = `Loads what can serve a catalogue: the published files on nginx, the handler, and live servers over a store.

  npm run bench:serve                          3 rounds of 3 seconds for each server and question
  npm run bench:serve -- --rounds 5 --seconds 10
  npm run bench:serve -- --connections 64      instead of 16
  npm run bench:serve -- --size 1m             instead of 100k (events)
  npm run bench:serve -- --markdown            the table as Markdown

All are asked for the events of one genre, and for the next ten of it; their answers have to be the same before and
after. Each is a process on 127.0.0.1. wrk makes the load (apt install wrk); nginx is left out where it is missing (apt
install nginx-light); Fastify and SQLite are installed into .bench/. Ratios are paired round by round; every figure is a
median.
`;

const { values: options } = parseArgs({
  options: {
    size: { type: 'string', default: '100k' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '16' },
    markdown: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const effort = { connections: Number(options.connections), seconds: Number(options.seconds) };

const head = ['', 'genre, a second', 'p99 ms', 'of SQLite', 'next ten, a second', 'p99 ms', 'of SQLite'];

/** The loads of one server: for each question, round by round; none for a question that it does not answer. */
type Loads = readonly Load[][];

if (options.help) console.log(help);
else await compareServers();

async function compareServers(): Promise<void> {
  const missing = missingGenerator();
  if (missing !== null) throw new Error(missing);
  installPeers();
  const served = buildSite();
  const questions = questionsTo(served.site);
  const servers: Server[] = [];
  try {
    for (const start of starts) {
      const server = await start(served);
      if (server !== null) servers.push(server);
    }
    await checkAnswers(servers, questions);
    const loads = await loadInTurn(servers, questions);
    await checkAnswers(servers, questions);
    console.log(table(head, servers.map(rowOf(loads)), options.markdown));
    console.log(`${effort.connections} connections, medians of ${options.rounds} rounds. ${machine()}.`);
  } finally {
    await Promise.all(servers.map(({ close }) => close()));
  }
}

/** Builds the site as of now and not of the catalogue's own time: who answers live drops what the clock has passed. */
function buildSite(): Served {
  const size = sizes.find(({ name }) => name === options.size);
  if (size === undefined)
    throw new Error(`--size ${options.size}: choose of ${sizes.map(({ name }) => name).join(', ')}`);
  const folder = resolve('.bench/serve');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const data = catalogueIn(resolve('.bench'), size);
  const site = join(folder, 'dist');
  const to = ['--out', site, '--base-url', baseUrl, '--now', new Date().toISOString()];
  execFileSync(process.execPath, [resolve('lib/cli/main.js'), 'build', '--quiet', '--data', data, ...to]);
  return { data, site, folder };
}

/** Loads one server after another, round after round; the first round is for warming up and is not counted. */
async function loadInTurn(servers: readonly Server[], questions: readonly Question[]): Promise<Map<Server, Loads>> {
  const loads = new Map(servers.map((server) => [server, questions.map((): Load[] => [])]));
  for (let round = 0; round <= Number(options.rounds); round++) {
    for (const [index, question] of questions.entries()) {
      for (const server of servers.filter((one) => answers(one, question))) {
        const reading = await load(`${server.address}/${question.path}`, effort);
        if (round > 0) loads.get(server)?.[index]?.push(reading);
      }
    }
  }
  return loads;
}

/** Makes the row of a server. The last server is what the others are compared with. */
function rowOf(loads: ReadonlyMap<Server, Loads>): (server: Server) => string[] {
  const yardstick = [...loads.values()].at(-1) ?? [];
  return (server) => [
    server.name,
    ...(loads.get(server) ?? []).flatMap((rounds, question) => cells(rounds, yardstick[question] ?? [])),
  ];
}

function cells(rounds: readonly Load[], yardstick: readonly Load[]): string[] {
  if (rounds.length === 0) return ['', '', ''];
  const ratios = rounds.map(({ perSecond }, round) => perSecond / (yardstick[round]?.perSecond ?? 0));
  const perSecond = Math.round(median(rounds.map((one) => one.perSecond)));
  return [
    perSecond.toLocaleString('en-US'),
    median(rounds.map(({ p99 }) => p99)).toFixed(1),
    median(ratios).toFixed(1),
  ];
}
