import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { baseUrl, catalogueIn, now, type Size } from './catalogue.ts';
import { measure, type Command, type Reading } from './measure.ts';
import { compareDocuments, findPeers, type Peer } from './peers/peers.ts';
import { formatCount, machine, median, table } from './report.ts';

export interface BuildBench {
  readonly sizes: readonly Size[];
  readonly runs: number;
  /** A folder with another compiled version of almanac to compare with. */
  readonly against: string | undefined;
  readonly hasPeers: boolean;
  readonly isMarkdown: boolean;
}

/** A program to measure. */
interface Contender {
  readonly name: string;
  readonly command: Command;
  /** The folder that it writes. It is removed before each run. */
  readonly out?: string;
  /** Whether it is a peer, whose documents are compared with ours and removed after each run. */
  readonly isPeer?: true;
  /** The contender that this one is compared with: the processor time is divided by that of the rival. */
  readonly rival?: string;
}

interface Row {
  readonly contender: Contender;
  readonly readings: Reading[];
}

/** Measures builds of generated catalogues. Returns the report. */
export function benchBuilds(cache: string, bench: BuildBench): string {
  const peers = bench.hasPeers ? findPeers() : [];
  const rows = bench.sizes.flatMap((size) => {
    const scratch = mkdtempSync(join(roomiestFolder(), 'almanac-bench-'));
    try {
      return rowsOf(size, ...race(catalogueIn(cache, size), scratch, peers, bench));
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  });
  const head = ['', 'events', 'seconds', 'of LIMIT', 'CPU s', 'peak MB'];
  if (bench.against !== undefined) head.push(`CPU of ${basename(bench.against)}`);
  const about = 'LIMIT: read and JSON.parse the input, cp -r the output.';
  return `${table(head, rows, bench.isMarkdown)}${about} Medians of ${bench.runs} runs. ${machine()}.`;
}

/**
 * Measures all contenders once per run, so that other load on the machine affects all of them equally. Returns the
 * seconds of LIMIT by run, and a row for each contender. Throws if the documents of a peer differ.
 */
function race(data: string, scratch: string, peers: readonly Peer[], { runs, against }: BuildBench): [number[], Row[]] {
  const [site, copy] = [join(scratch, 'site'), join(scratch, 'copy')];
  const contenders = [...buildsOf(data, site, against), ...peers.map((peer) => contenderOf(peer, data, scratch))];
  measure(buildOf('.', data, site));
  for (const { command, out, isPeer } of contenders) {
    if (!isPeer || out === undefined) continue;
    measure(command);
    compareDocuments(site, out);
    rmSync(out, { recursive: true });
  }
  const limit: number[] = [];
  const rows = contenders.map((contender): Row => ({ contender, readings: [] }));
  for (let run = 0; run < runs; run++) {
    const read = measure(node(join(import.meta.dirname, 'limit.js'), data));
    limit.push(read.seconds + measure({ program: 'cp', args: ['-r', site, copy] }).seconds);
    rmSync(copy, { recursive: true });
    for (const { contender, readings } of rows) {
      const { command, out, isPeer } = contender;
      if (out !== undefined) rmSync(out, { recursive: true, force: true });
      readings.push(measure(command));
      if (isPeer && out !== undefined) rmSync(out, { recursive: true });
    }
  }
  return [limit, rows];
}

function rowsOf(size: Size, limit: readonly number[], rows: readonly Row[]): string[][] {
  const events = [formatCount(size.events), size.note].filter((part) => part !== undefined).join(', ');
  return [
    ['LIMIT', events, median(limit).toFixed(2), '1.00', '', ''],
    ...rows.map(({ contender, readings }) => {
      const rival = rows.find((row) => row.contender.name === contender.rival);
      return [
        contender.name,
        events,
        medianOf(readings, ({ seconds }) => seconds, 2),
        medianOf(readings, ({ seconds }, run) => seconds / (limit[run] ?? 0), 2),
        medianOf(readings, ({ cpu }) => cpu, 2),
        medianOf(readings, ({ megabytes }) => megabytes, 0),
        rival === undefined ? '' : medianOf(readings, ({ cpu }, run) => ratio(cpu, rival.readings[run]?.cpu), 2),
      ];
    }),
  ];
}

/** Returns the median of one figure of the readings, or '' if the system does not measure it. */
function medianOf(
  readings: readonly Reading[],
  figure: (reading: Reading, run: number) => number | null,
  digits: number,
): string {
  const values = readings.map(figure).filter((value) => value !== null);
  return values.length < readings.length ? '' : median(values).toFixed(digits);
}

function ratio(cpu: number | null, rival: number | null | undefined): number | null {
  return cpu === null || !rival ? null : cpu / rival;
}

function buildsOf(data: string, site: string, against: string | undefined): Contender[] {
  const builds = (program: string, out: string, suffix: string, rival?: string): Contender[] =>
    [
      { name: 'almanac build', command: buildOf(program, data, out), out },
      { name: 'almanac build, again', command: buildOf(program, data, out) },
      { name: 'almanac build --dry-run', command: buildOf(program, data, out, '--dry-run') },
    ].map((one) => ({
      ...one,
      name: one.name + suffix,
      ...(rival !== undefined && { rival: one.name + rival }),
    }));
  const start = { name: 'node -e 0', command: node('-e', '0') };
  if (against === undefined) return [start, ...builds('.', site, '')];
  const name = ` (${basename(against)})`;
  return [start, ...builds('.', site, '', name), ...builds(against, `${site}-of-rival`, name)];
}

function buildOf(program: string, data: string, site: string, ...more: string[]): Command {
  const common = ['--quiet', '--data', data, '--out', site, '--now', now, '--base-url', baseUrl];
  return node(resolve(program, 'lib/bin/main.js'), 'build', ...common, ...more);
}

function contenderOf(peer: Peer, data: string, scratch: string): Contender {
  const folder = join(scratch, peer.name);
  mkdirSync(folder);
  const out = `${folder}-out`;
  return { name: `${peer.name} ${peer.version()}`, command: peer.command(data, out, folder), out, isPeer: true };
}

function node(...args: string[]): Command {
  return { program: process.execPath, args };
}

/** Returns a folder in memory if it has room for two sites, so that the speed of the disk has no effect. */
function roomiestFolder(): string {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > 4e9 ? memory : tmpdir();
}
