/* eslint-disable no-console -- this is a program of its own */
import { cpus, tmpdir } from 'node:os';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { catalogueIn, now, sizes, type Size } from './catalogue.ts';
import { measure, median, type Command, type Reading } from './measure.ts';
import { table } from './table.ts';

const help = `Times the build beside the machine's limit: reading and parsing the input, and copying the output.

  npm run bench                        all sizes, 5 runs each
  npm run bench -- --sizes 2k,100k     some of 2k, 100k, 1m (events)
  npm run bench -- --runs 3
  npm run bench -- --markdown          the table as Markdown, with the machine and the versions

Ratios are paired run by run; every figure is a median. What is generated lies in .bench/, which may be deleted.
`;

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: sizes.map(({ name }) => name).join(',') },
    runs: { type: 'string', default: '5' },
    markdown: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** A program that is timed. `fresh`: what it wrote the last time is taken away before each run. */
interface Contender {
  readonly name: string;
  readonly command: Command;
  readonly fresh: boolean;
}

const cache = resolve('.bench');
const almanac = resolve('lib/cli/main.js');

/** The times of each contender, in the order of the runs. */
type Readings = ReadonlyMap<string, Reading[]>;

function contendersFor(data: string, site: string): Contender[] {
  const build = [
    almanac,
    'build',
    '--quiet',
    '--data',
    data,
    '--out',
    site,
    '--now',
    now,
    '--base-url',
    'https://example.org',
  ];
  return [
    { name: 'almanac build', command: node(...build), fresh: true },
    { name: 'almanac build, again', command: node(...build), fresh: false },
    { name: 'almanac build --dry-run', command: node(...build, '--dry-run'), fresh: false },
  ];
}

function node(...args: string[]): Command {
  return { program: process.execPath, args };
}

/** Times every contender in turn, run after run, so that whatever else the machine does falls on all alike. */
function race(size: Size, runs: number): { limit: number[]; readings: Readings; start: number[] } {
  const data = catalogueIn(cache, size);
  const scratch = mkdtempSync(join(roomiest(), 'almanac-bench-'));
  try {
    const [site, copy] = [join(scratch, 'site'), join(scratch, 'copy')];
    const contenders = contendersFor(data, site);
    const readings = new Map(contenders.map(({ name }) => [name, [] as Reading[]]));
    const [limit, start]: [number[], number[]] = [[], []];
    for (const { command } of contenders.slice(0, 1)) measure(command);
    for (let run = 0; run < runs; run++) {
      start.push(measure(node('-e', '0')).seconds);
      rmSync(copy, { recursive: true, force: true });
      const read = measure(node(join(import.meta.dirname, 'limit.js'), data));
      limit.push(read.seconds + measure({ program: 'cp', args: ['-r', site, copy] }).seconds);
      for (const { name, command, fresh } of contenders) {
        if (fresh) rmSync(site, { recursive: true, force: true });
        readings.get(name)?.push(measure(command));
      }
    }
    return { limit, readings, start };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Memory where the system has a file system in it with room for two sites, so that no disk is timed. */
function roomiest(): string {
  const shared = '/dev/shm';
  if (!existsSync(shared)) return tmpdir();
  const { bavail, bsize } = statfsSync(shared);
  return bavail * bsize > 4e9 ? shared : tmpdir();
}

function rowsOf(size: Size, { limit, readings, start }: ReturnType<typeof race>): string[][] {
  const row = (name: string, seconds: readonly number[], megabytes: readonly (number | null)[]): string[] => [
    name,
    size.events.toLocaleString('en-US'),
    median(seconds).toFixed(seconds.every((value) => value < 1) ? 3 : 2),
    median(seconds.map((value, run) => value / (limit[run] ?? 0))).toFixed(2),
    megabytes.some((value) => value === null) ? '' : median(megabytes.map(Number)).toFixed(0),
  ];
  return [
    row('node -e 0', start, [null]),
    row('LIMIT', limit, [null]),
    ...[...readings].map(([name, of]) =>
      row(
        name,
        of.map(({ seconds }) => seconds),
        of.map(({ megabytes }) => megabytes),
      ),
    ),
  ];
}

function machine(): string {
  const [first] = cpus();
  return `${cpus().length} × ${first?.model.trim()}, ${process.platform}, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}`;
}

if (options.help) console.log(help);
else {
  mkdirSync(cache, { recursive: true });
  const wanted = options.sizes.split(',');
  const chosen = sizes.filter(({ name }) => wanted.includes(name));
  if (chosen.length !== wanted.length)
    throw new Error(`--sizes ${options.sizes}: choose of ${sizes.map(({ name }) => name).join(', ')}`);
  const rows = chosen.flatMap((size) => rowsOf(size, race(size, Number(options.runs))));
  console.log(table(['', 'events', 'seconds', 'of LIMIT', 'peak MB'], rows, options.markdown));
  console.log(`LIMIT: read and JSON.parse the input, cp -r the output. Medians of ${options.runs}. ${machine()}.`);
}
