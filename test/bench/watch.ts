/* eslint-disable no-console -- this is a program of its own */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { baseUrl, catalogueIn, now, sizes } from './catalogue.ts';
import { machine } from './machine.ts';
import { measure, median } from './measure.ts';
import { roomiest } from './race.ts';

const help = `Times how long an edited subject file takes to be served by almanac serve --watch, beside a whole build.

  npm run bench:watch                  5 builds, 15 edits
  npm run bench:watch -- --size 1m     instead of 100k (events)
`;

const { values: options } = parseArgs({
  options: { size: { type: 'string', default: '100k' }, help: { type: 'boolean', default: false } },
});
const program = resolve('lib/bin/main.js');
const common = ['--now', now, '--base-url', baseUrl, '--quiet'];

if (options.help) console.log(help);
else await compareWatch();

async function compareWatch(): Promise<void> {
  const size = sizes.find(({ name }) => name === options.size);
  if (size === undefined)
    throw new Error(`--size ${options.size}: choose of ${sizes.map(({ name }) => name).join(', ')}`);
  const cwd = mkdtempSync(join(roomiest(), 'almanac-watch-'));
  try {
    cpSync(catalogueIn(resolve('.bench'), size), join(cwd, 'data'), { recursive: true });
    const builds = Array.from({ length: 5 }, () => timeBuild(cwd));
    const edits = await timeEdits(cwd);
    const ratio = (100 * median(edits)) / median(builds);
    console.log(`a whole build      ${median(builds).toFixed(3)} s`);
    console.log(`an edit, served    ${median(edits).toFixed(3)} s, ${ratio.toFixed(1)} % of it`);
    console.log(`Medians of ${builds.length} builds and ${edits.length} edits, ${size.events} events. ${machine()}.`);
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

function timeBuild(cwd: string): number {
  rmSync(join(cwd, 'dist'), { recursive: true, force: true });
  return measure({ program: process.execPath, args: [program, 'build', ...common], cwd }).seconds;
}

/** Seconds from the writing of a file to the first answer that is another one; the first edits warm the server up. */
async function timeEdits(cwd: string): Promise<number[]> {
  const server = spawn(process.execPath, [program, 'serve', '--watch', '--port', '0', ...common], { cwd });
  try {
    const address = String((await once(server.stdout, 'data'))[0]).trim();
    const seconds: number[] = [];
    for (const [index, { path, genre }] of subjectsIn(join(cwd, 'data')).slice(0, 20).entries()) {
      seconds.push(await timeEdit(path, `${address}/api/v1/genre/${genre}/events.json`, index));
      // The server is to be at rest when the next edit comes.
      await delay(200);
    }
    return seconds.slice(5);
  } finally {
    await endServer(server);
  }
}

async function timeEdit(path: string, url: string, index: number): Promise<number> {
  const before = await etagOf(url);
  const subject = JSON.parse(readFileSync(path, 'utf8')) as { events: object[] };
  subject.events.push({ title: `Edit ${index}`, starts: now.slice(0, 'yyyy-mm-dd'.length) });
  const began = performance.now();
  writeFileSync(path, JSON.stringify(subject));
  while ((await etagOf(url)) === before) await delay(1);
  return (performance.now() - began) / 1000;
}

async function etagOf(url: string): Promise<string | null> {
  return (await fetch(url, { method: 'HEAD' })).headers.get('etag');
}

/** The first subject of every genre. */
function subjectsIn(data: string): { path: string; genre: string }[] {
  const folders = (path: string): string[] =>
    readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []));
  return folders(data).flatMap((category) =>
    folders(join(data, category)).flatMap((genre) => {
      const first = readdirSync(join(data, category, genre)).find((name) => name !== 'genre.json');
      return first === undefined ? [] : { path: join(data, category, genre, first), genre: `${genre}-${category}` };
    }),
  );
}

async function endServer(server: ChildProcess): Promise<void> {
  const ended = once(server, 'exit');
  server.kill();
  await ended;
}
