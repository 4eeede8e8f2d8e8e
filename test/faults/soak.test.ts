import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { CategoriesDocument, EventsDocument } from '../../src/api/documents.ts';
import worker from '../../src/server/worker.ts';
import { readTree, tempFolder } from '../setup/folders.ts';
import { freePort } from '../setup/processes.ts';
import { almanac, spawnAlmanac } from '../setup/run-almanac.ts';
import { countOf, report } from './counts.ts';
import { now, prepareTwoSites, type Letter, type TwoSites } from './two-sites.ts';

const seconds = countOf('soakSeconds');
const loops = 4;
const secondsBetweenBuilds = 2;

/** The requests, sent in turn: complete, filtered and limited lists, and invalid requests. */
const questions: readonly { readonly path: string; readonly status: number }[] = [
  { path: '/api/v1/events', status: 200 },
  { path: '/api/v1/events?category=c1', status: 200 },
  { path: '/api/v1/events?genre=g2-c3&limit=5', status: 200 },
  { path: '/api/v1/category/c0/genre/g1-c0/events.json', status: 200 },
  { path: '/api/v1/categories', status: 200 },
  { path: '/api/v1/events?limit=0', status: 400 },
  { path: '/api/v1/events?genre=none', status: 404 },
  { path: '/no/such/file', status: 404 },
];

/** The number of events of a site and of each category: 4 categories × 6 or 5 genres × 3 subjects × 4 events. */
const totals = { a: { all: 288, category: 72 }, b: { all: 240, category: 60 } } as const;

type Ask = (path: string, tag: string | null) => Promise<Response>;

test.concurrent('the preview stays correct under load while another process builds', async ({ onTestFinished }) => {
  const two = await prepareTwoSites(tempFolder(onTestFinished));
  expect(await spawnAlmanac(two.build('a'), { cwd: two.cwd })).toMatchObject({ code: 0 });
  const preview = await startPreview(onTestFinished, two, ['--out', 'www/dist']);
  await soakServer('serve', preview, async (letter) => {
    expect(await spawnAlmanac(two.build(letter), { cwd: two.cwd })).toMatchObject({ code: 0, stderr: '' });
  });
});

test.concurrent('the preview stays correct under load while it rebuilds with --watch', async ({ onTestFinished }) => {
  const two = await prepareTwoSites(tempFolder(onTestFinished));
  cpSync(join(two.cwd, 'b'), join(two.cwd, 'data'), { recursive: true });
  const preview = await startPreview(onTestFinished, two, ['--watch', '--out', 'www/dist']);
  await soakServer('serve --watch', preview, async (letter) => {
    // Rename the file, because a half-written one would be invalid.
    const draft = join(two.cwd, 'data/.service.json');
    cpSync(join(two.cwd, letter, 'service.json'), draft);
    renameSync(draft, join(two.cwd, 'data/service.json'));
  });
});

test.concurrent('the Node server stays correct under load while another process builds', async ({ onTestFinished }) => {
  const two = await prepareTwoSites(tempFolder(onTestFinished));
  const rebuild = async (letter: Letter): Promise<void> => {
    expect(await spawnAlmanac(two.build(letter), { cwd: two.cwd })).toMatchObject({ code: 0, stderr: '' });
  };
  await rebuild('a');
  const host = ['host', 'node', '--data', 'a', '--out', 'www/dist', '--quiet'];
  expect(await spawnAlmanac(host, { cwd: two.cwd })).toMatchObject({ code: 0 });
  const port = await freePort();
  // The Node server has no option for the time.
  const clock = `data:text/javascript,Date.now = () => ${Date.parse(now)}`;
  const server = spawn(process.execPath, ['--import', clock, join(two.cwd, 'host/node/server.mjs')], {
    env: { PORT: String(port), HOST: '127.0.0.1' },
  });
  onTestFinished(() => void server.kill('SIGKILL'));
  const address = `http://127.0.0.1:${port}`;
  while (server.exitCode === null && (await fetch(address).catch(() => null)) === null);
  await soakServer('Node host', { server, address }, rebuild);
});

test.concurrent('the worker stays correct under load while its assets are replaced', async ({ onTestFinished }) => {
  const two = await prepareTwoSites(tempFolder(onTestFinished));
  const sites = { a: readTree(join(two.cwd, 'model-a')), b: readTree(join(two.cwd, 'model-b')) };
  let current = sites.a;
  const ASSETS = {
    fetch: async ({ pathname }: URL): Promise<Response> => {
      const bytes = current.get(pathname.slice(1));
      return bytes === undefined ? new Response(null, { status: 404 }) : new Response(new Uint8Array(bytes));
    },
  };
  const ask: Ask = (path, tag) => {
    const headers = tag === null ? {} : { 'If-None-Match': tag };
    return worker.fetch(new Request(`https://host.example${path}`, { headers }), { ASSETS });
  };
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const megabytes = (): number => {
    collect();
    return process.memoryUsage().heapUsed / 1e6;
  };
  const { answers, builds, memory } = await soak(ask, megabytes, async (letter) => {
    current = sites[letter];
  });
  report(`worker: ${answers} answers in ${seconds} s over ${builds} sites, ${memory}: 0 errors, 0 mixed`);
});

/** A server in a separate process. */
interface Server {
  readonly server: ChildProcessWithoutNullStreams;
  readonly address: string;
}

async function startPreview(
  whenDone: (stop: () => void) => void,
  { cwd }: TwoSites,
  args: readonly string[],
): Promise<Server> {
  const command = [almanac, 'serve', ...args, '--port', '0', '--now', now, '--quiet'];
  const server = spawn(process.execPath, command, { cwd, env: { PATH: process.env['PATH'] } });
  whenDone(() => void server.kill('SIGKILL'));
  const address = String((await once(server.stdout, 'data'))[0]).trim();
  return { server, address };
}

async function soakServer(
  name: string,
  { server, address }: Server,
  rebuild: (letter: Letter) => Promise<void>,
): Promise<void> {
  let output = '';
  server.stderr.on('data', (text) => (output += String(text)));
  const ask: Ask = (path, tag) => fetch(address + path, tag === null ? {} : { headers: { 'If-None-Match': tag } });
  const { answers, builds, memory } = await soak(ask, () => residentMegabytes(server), rebuild);
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(output).toBe('');
  report(`${name}: ${answers} answers in ${seconds} s over ${builds} builds, ${memory}: 0 errors, 0 mixed`);
}

/** Sends requests without a pause while sites change. Memory is read every second; the first quarter is warm-up. */
async function soak(ask: Ask, megabytes: () => number, rebuild: (letter: Letter) => Promise<void>) {
  const end = performance.now() + seconds * 1000;
  const isOver = (): boolean => performance.now() > end;
  const counts = { answers: 0, builds: 0 };
  const readings: number[] = [];
  const load = async (first: number): Promise<void> => {
    const tags = new Map<string, string>();
    for (let turn = first; !isOver(); turn++) {
      const question = questions[turn % questions.length] ?? { path: '/', status: 0 };
      await askOnce(ask, question, turn % 3 === 0 ? (tags.get(question.path) ?? null) : null, tags);
      counts.answers++;
      // Yield to the builds, because the worker runs in this thread.
      if (turn % 16 === 0) await delay(1);
    }
  };
  const build = async (): Promise<void> => {
    for (let turn = 0; !isOver(); turn++) {
      await rebuild(turn % 2 === 0 ? 'b' : 'a');
      counts.builds++;
      await delay(secondsBetweenBuilds * 1000);
    }
  };
  const watch = async (): Promise<void> => {
    for (; !isOver(); await delay(1000)) readings.push(megabytes());
  };
  await Promise.all([build(), watch(), ...Array.from({ length: loops }, (_, index) => load(index * 2))]);
  return { ...counts, memory: describeMemory(readings) };
}

async function askOnce(
  ask: Ask,
  { path, status }: (typeof questions)[number],
  tag: string | null,
  tags: Map<string, string>,
): Promise<void> {
  const response = await ask(path, tag);
  const body = await response.text();
  if (response.status === 304) return expect([tag, body]).toEqual([response.headers.get('etag'), '']);
  expect([path, response.status]).toEqual([path, status]);
  const etag = response.headers.get('etag');
  if (etag !== null) tags.set(path, etag);
  if (status === 200) expectOneBuild(path, JSON.parse(body) as Partial<EventsDocument & CategoriesDocument>);
}

/** Expects all names, titles and counts of a list to be from one site. Names and titles end with its letter. */
function expectOneBuild(
  path: string,
  { categories, events, filters, total }: Partial<EventsDocument & CategoriesDocument>,
) {
  const letters = new Set(
    [...(categories ?? []), ...(events ?? [])].map((item) => ('name' in item ? item.name : item.title).at(-1)),
  );
  const [letter] = letters as ReadonlySet<Letter>;
  expect([path, letters.size]).toEqual([path, 1]);
  const of = totals[letter ?? 'a'];
  for (const category of categories ?? []) expect(category.upcoming).toBe(of.category);
  if (events === undefined) return;
  const expected = filters?.genre ? 12 : filters?.category ? of.category : of.all;
  expect([path, total]).toEqual([path, expected]);
}

/** Expects the memory at the end to be at most a quarter and 24 MB above the memory after the warm-up. */
function describeMemory(readings: readonly number[]): string {
  const quarter = Math.max(1, Math.floor(readings.length / 4));
  const warm = Math.max(...readings.slice(quarter, 2 * quarter));
  const last = Math.min(...readings.slice(-quarter));
  expect(last).toBeLessThan(warm * 1.25 + 24);
  return `${Math.round(warm)} MB warm, ${Math.round(last)} MB at the end`;
}

function residentMegabytes({ pid }: ChildProcess): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1000;
}
