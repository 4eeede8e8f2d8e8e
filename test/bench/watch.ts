import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { folderInMemory } from '../setup/memory.ts';
import { catalogueIn, now, type Size } from './catalogue.ts';
import { findPeers, type Peer } from './peers/peers.ts';
import { formatCount, machine, median, table } from './report.ts';

export interface WatchBench {
  readonly sizes: readonly Size[];
  /** The number of edits, at least 2. */
  readonly edits: number;
  /** Whether to measure the watch modes of peers as well. */
  readonly hasPeers: boolean;
}

/** A program that makes a site again at each edit. */
interface Preview {
  readonly name: string;
  /** Starts it. `scratch` is a folder for its own files. */
  readonly start: (data: string, scratch: string) => Promise<RunningPreview>;
}

interface RunningPreview {
  readonly child: ChildProcess;
  /** Returns the text of a file of the site, or '' if it is not there yet. */
  readonly read: (path: string) => Promise<string>;
}

/** A peer that takes longer than this from an edit to its list is left alone. */
const limitSeconds = 60;

/** Measures what passes from the save of an edited title until its list is there. */
export async function benchWatch(cache: string, bench: WatchBench): Promise<string> {
  const peers = bench.hasPeers ? findPeers().flatMap(previewOf) : [];
  const rows: string[][] = [];
  for (const size of bench.sizes) {
    for (const { name, start } of [{ name: 'almanac', start: startAlmanac }, ...peers]) {
      const scratch = mkdtempSync(join(folderInMemory(1e9), 'almanac-watch-'));
      try {
        const data = join(scratch, 'data');
        cpSync(catalogueIn(cache, size), data, { recursive: true });
        const began = performance.now();
        const preview = await start(data, scratch);
        const figures = await followEdits(data, preview, began, bench.edits);
        rows.push([name, formatCount(size.events), ...figures]);
      } finally {
        rmSync(scratch, { recursive: true, force: true });
      }
    }
  }
  const head = [
    '',
    'events',
    'first, s',
    'CPU s',
    'edit, s',
    'CPU s',
    'worst',
    'MB after 1',
    'MB after all',
  ];
  const load = loadavg().map((value) => value.toFixed(1));
  return `${table(head, rows)}Medians of ${bench.edits} edits of one title. ${machine()}, load ${load.join(' ')}.`;
}

async function followEdits(
  data: string,
  { child, read }: RunningPreview,
  began: number,
  edits: number,
): Promise<string[]> {
  const { path, list, title } = firstUpcoming(data);
  try {
    const shows = async (text: string): Promise<boolean> => {
      const asked = performance.now();
      while (performance.now() - asked < limitSeconds * 1000) {
        if ((await read(list)).includes(text)) return true;
        await pause(2);
      }
      return false;
    };
    if (!(await shows(title))) return [`not there in ${limitSeconds} s`];
    const first = [(performance.now() - began) / 1000, cpuOf(child)];
    await settle(child);
    const source = readFileSync(path, 'utf8');
    const [seconds, cpu, memory]: [number[], number[], number[]] = [[], [], []];
    for (let edit = 1; edit <= edits; edit++) {
      const before = cpuOf(child);
      const saved = performance.now();
      writeFileSync(path, source.replace(JSON.stringify(title), `"Edited title ${edit}."`));
      if (!(await shows(`Edited title ${edit}.`))) break;
      seconds.push((performance.now() - saved) / 1000);
      // The work may go on after the list is there.
      await settle(child);
      cpu.push(cpuOf(child) - before);
      memory.push(megabytesOf(child));
    }
    const figures = [median(seconds), median(cpu), Math.max(...cpu)];
    return [
      ...first.map((value) => value.toFixed(2)),
      ...(memory.length === edits
        ? figures.map((value) => value.toFixed(2))
        : [`edit ${memory.length + 1} not there in ${limitSeconds} s`, '', '']),
      ...[memory[0] ?? 0, memory.at(-1) ?? 0].map((value) => value.toFixed(0)),
    ];
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
}

/** A file, a title that only one event of it has, and the path of the list that has the event. */
function firstUpcoming(data: string) {
  const category = 'category-0';
  const genre = readdirSync(join(data, category)).find((name) => !name.includes('.')) ?? '';
  const folder = join(data, category, genre);
  const list = `api/v1/genre/${genre}-${category}/events.json`;
  for (const name of readdirSync(folder).filter((file) => file !== 'genre.json')) {
    const path = join(folder, name);
    const text = readFileSync(path, 'utf8');
    const { events } = JSON.parse(text) as { events: { title: string; starts: string }[] };
    const titles = events.filter(({ starts }) => starts.startsWith('2026-12'));
    const single = titles.find(({ title }) => text.split(JSON.stringify(title)).length === 2);
    if (single !== undefined) return { path, list, title: single.title };
  }
  throw new Error(`found no event in December 2026 below ${folder}`);
}

/** Starts our preview. Its first line is its address. */
async function startAlmanac(data: string): Promise<RunningPreview> {
  const program = resolve('lib/bin/main.js');
  const args = ['serve', '--watch', '--port', '0', '--now', now, '--data', data];
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, read: readerAt(String(line).trim()) };
}

/** Returns the watch mode of a peer, or nothing if it has none. */
function previewOf({ name, command, watch, servesFiles }: Peer): Preview[] {
  if (watch === undefined) return [];
  const start = async (data: string, scratch: string): Promise<RunningPreview> => {
    const out = join(scratch, 'out');
    const { program, args, cwd, env } = command(data, out, join(scratch, 'files'));
    const port = await freePort();
    const child = spawn(program, watch(args, port), {
      cwd,
      env: { ...process.env, ...env },
      stdio: 'ignore',
    });
    const readFromDisk = async (path: string): Promise<string> =>
      readFile(join(out, path), 'utf8').catch(() => '');
    return { child, read: servesFiles ? readerAt(`http://127.0.0.1:${port}`) : readFromDisk };
  };
  return [{ name, start }];
}

function readerAt(address: string): RunningPreview['read'] {
  return async (path) => {
    try {
      const answer = await fetch(`${address}/${path}`);
      return await answer.text();
    } catch {
      // A peer may end an answer while it writes the file.
      return '';
    }
  };
}

/** Returns a port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Waits until a process has used no processor time for a while. */
async function settle(child: ChildProcess): Promise<void> {
  for (let last = -1; last !== cpuOf(child);) {
    last = cpuOf(child);
    await pause(200);
  }
}

/** Processor time in seconds. */
function cpuOf({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

const ticksPerSecond = Number(spawnSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).stdout);

/** Memory in use. */
function megabytesOf({ pid }: ChildProcess): number {
  const [, kilobytes = 0] =
    /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kilobytes) * 1024) / 1e6;
}
