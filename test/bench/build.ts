import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Manifest } from '../../src/api/documents.ts';
import { companions } from '../../src/catalogue/model.ts';
import { folderInMemory } from '../setup/memory.ts';
import { baseUrl, catalogueIn, now, withSettings, type Size } from './catalogue.ts';
import { measure, type Command, type Reading } from './measure.ts';
import { compareDocuments, findPeers, type Peer } from './peers/peers.ts';
import { formatCount, machine, median, table } from './report.ts';

export interface BuildBench {
  readonly sizes: readonly Size[];
  readonly runs: number;
  /**
   * What to compare with: peers, another compiled version of almanac in a folder, or builds without
   * a kind of output.
   */
  readonly rivals: 'peers' | 'formats' | { readonly folder: string } | null;
}

/** A program to measure. */
interface Contender {
  readonly name: string;
  readonly command: Command;
  /** The folder that it writes. */
  readonly out: string;
  /** Settings that service.json gets for it. */
  readonly settings: object;
  /** Whether it is a peer, whose documents are compared with ours. */
  readonly isPeer?: true;
  /**
   * The contender that this one is compared with: the processor time is divided by that of the
   * rival.
   */
  readonly rival?: string;
}

/** Two builds in a row, and the site that they make. */
interface Round {
  readonly first: Reading;
  readonly unchanged: Reading;
  readonly files: number;
  readonly bytes: number;
}

interface Row {
  readonly contender: Contender;
  readonly rounds: Round[];
}

/** Measures builds of generated catalogues. Returns the report. */
export function benchBuilds(cache: string, bench: BuildBench): string {
  const { rivals } = bench;
  const peers = rivals === 'peers' ? findPeers() : [];
  const tables = bench.sizes.map((size) => {
    // A site and the one that replaces it.
    const scratch = mkdtempSync(join(folderInMemory(1e9 + size.events * 6000), 'almanac-bench-'));
    try {
      const data = catalogueIn(cache, size);
      const contenders = contendersOf(data, scratch, peers, rivals);
      if (rivals === 'peers') comparePeers(data, contenders);
      return { size, rows: race(data, contenders, bench.runs) };
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  });
  if (rivals === 'peers')
    return `${comparison(tables)}Medians of ${bench.runs} runs. ${machine()}.`;
  const rows = tables.flatMap((measured) => rowsOf(measured.size, measured.rows));
  const head = ['', 'events', 'files', 'MB', 'first, s', 'CPU s', 'again, s', 'CPU s', 'peak MB'];
  if (rivals !== null)
    head.push(`CPU of ${rivals === 'formats' ? 'all' : basename(rivals.folder)}`);
  const about = 'The second build of each has nothing to change. Memory is the peak of both.';
  return `${table(head, rows)}${about} Medians of ${bench.runs} runs. ${machine()}.`;
}

/**
 * Returns a table with a row for each contender and, for each size, its time, processor time and
 * memory.
 */
function comparison(tables: readonly { size: Size; rows: readonly Row[] }[]): string {
  const head = tables.flatMap(({ size }) => [
    `${formatCount(size.events)} events, s`,
    'CPU s',
    'MB',
  ]);
  const names = (tables[0]?.rows ?? []).map(({ contender }) => contender.name);
  const body = names.map((name, index) => {
    const figures = tables.flatMap(({ rows }) => {
      const rounds = rows[index]?.rounds ?? [];
      const seconds = medianOf(rounds, ({ first }) => first.seconds, 2);
      return [seconds, medianOf(rounds, ({ first }) => first.cpu, 2), medianOf(rounds, peakOf, 0)];
    });
    return [name, ...figures];
  });
  return table(['', ...head], body);
}

/** Throws if the documents of a peer differ from those of the first contender. */
function comparePeers(data: string, [own, ...others]: readonly Contender[]): void {
  if (own === undefined) return;
  const { command: build, out: site, settings } = own;
  withSettings(data, settings, () => measure(build));
  for (const { command, out } of others.filter(({ isPeer }) => isPeer)) {
    measure(command);
    compareDocuments(site, out);
    rmSync(out, { recursive: true });
  }
  rmSync(site, { recursive: true });
}

/**
 * Measures all contenders once per run, so that other load on the machine affects all of them
 * equally.
 */
function race(data: string, contenders: readonly Contender[], runs: number): Row[] {
  const rows = contenders.map((contender): Row => ({ contender, rounds: [] }));
  for (let run = 0; run < runs; run++) {
    for (const { contender, rounds } of rows)
      rounds.push(withSettings(data, contender.settings, () => roundOf(contender)));
  }
  return rows;
}

/** Builds a site, and builds it again. */
function roundOf({ command, out, isPeer }: Contender): Round {
  try {
    const first = measure(command);
    const unchanged = measure(command);
    const sizes = isPeer ? [] : sizesIn(out);
    return {
      first,
      unchanged,
      files: sizes.length,
      bytes: sizes.reduce((sum, bytes) => sum + bytes, 0),
    };
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** Returns the bytes of each file of a site. */
function sizesIn(site: string): readonly number[] {
  const { files } = JSON.parse(readFileSync(join(site, 'files.json'), 'utf8')) as Manifest;
  return Object.values(files).map(({ bytes }) => bytes);
}

function rowsOf(size: Size, rows: readonly Row[]): string[][] {
  return rows.map(({ contender, rounds }) => {
    const rival = rows.find((row) => row.contender.name === contender.rival);
    const ofRival = (round: Round, run: number) =>
      round.first.cpu / (rival?.rounds[run]?.first.cpu ?? 0);
    return [
      contender.name,
      formatCount(size.events),
      formatCount(rounds[0]?.files ?? 0),
      formatCount(Math.round((rounds[0]?.bytes ?? 0) / 1e6)),
      medianOf(rounds, ({ first }) => first.seconds, 2),
      medianOf(rounds, ({ first }) => first.cpu, 2),
      medianOf(rounds, ({ unchanged }) => unchanged.seconds, 2),
      medianOf(rounds, ({ unchanged }) => unchanged.cpu, 2),
      medianOf(rounds, peakOf, 0),
      ...(rival === undefined ? [] : [medianOf(rounds, ofRival, 2)]),
    ];
  });
}

function peakOf({ first, unchanged }: Round): number {
  return Math.max(first.megabytes, unchanged.megabytes);
}

/** Returns the median of one figure of the rounds. */
function medianOf(
  rounds: readonly Round[],
  figure: (round: Round, run: number) => number,
  digits: number,
): string {
  return median(rounds.map(figure)).toFixed(digits);
}

/** A build of almanac, and the settings of the site. */
interface Variant {
  readonly name: string;
  readonly settings: object;
}

/** The lists that the peers also write, and the home page. */
const sameWork: readonly Variant[] = [{ name: 'lists', settings: { formats: [], pages: 'home' } }];

const everything: readonly Variant[] = [{ name: 'everything', settings: {} }];

/** Builds without one kind of output each. */
const reduced: readonly Variant[] = [
  { name: 'everything', settings: {} },
  ...companions.map((format) => {
    const formats = companions.filter((other) => other !== format);
    return { name: `without ${format}`, settings: { formats } };
  }),
  { name: 'pages of genres', settings: { pages: 'genres' } },
  { name: 'home page', settings: { pages: 'home' } },
  { name: 'lists alone', settings: { formats: [], pages: 'home' } },
];

/** Returns the contenders in the order of the table: those that do the same work first. */
function contendersOf(
  data: string,
  scratch: string,
  peers: readonly Peer[],
  rivals: BuildBench['rivals'],
): readonly Contender[] {
  const builds = (
    variants: readonly Variant[],
    program: string,
    suffix: string,
    rival: string | null,
  ): Contender[] =>
    variants.map(({ name: variant, settings }) => {
      const out = join(scratch, `site-${variant}`);
      const common = ['--data', data, '--out', out, '--now', now, '--base-url', baseUrl];
      const args = ['build', '--quiet', ...common];
      const command = node(resolve(program, 'lib/bin/main.js'), ...args);
      const own = `almanac, ${variant}`;
      return {
        name: own + suffix,
        command,
        out,
        settings,
        ...(rival !== null && { rival: own + rival }),
      };
    });
  const others = peers.map((peer) => contenderOf(peer, data, scratch));
  if (others.length > 0)
    return [...builds(sameWork, '.', '', null), ...others, ...builds(everything, '.', '', null)];
  if (rivals === 'formats') {
    const [first, ...others] = builds(reduced, '.', '', null);
    return first === undefined
      ? []
      : [first, ...others.map((one) => ({ ...one, rival: first.name }))];
  }
  if (rivals === null || rivals === 'peers') return builds(everything, '.', '', null);
  const suffix = ` (${basename(rivals.folder)})`;
  return [
    ...builds(everything, '.', '', suffix),
    ...builds(everything, rivals.folder, suffix, suffix),
  ];
}

function contenderOf(peer: Peer, data: string, scratch: string): Contender {
  const folder = join(scratch, peer.name);
  mkdirSync(folder);
  const out = `${folder}-out`;
  const command = peer.command(data, out, folder);
  return { name: `${peer.name} ${peer.version()}`, command, out, settings: {}, isPeer: true };
}

function node(...args: string[]): Command {
  return { program: process.execPath, args };
}
