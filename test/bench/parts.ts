import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { folderInMemory } from '../setup/memory.ts';
import { baseUrl, catalogueIn, now, type Size } from './catalogue.ts';
import { measure, type Reading } from './measure.ts';
import { formatCount, machine, median, table } from './report.ts';

export interface PartsBench {
  readonly sizes: readonly Size[];
  readonly parts: number;
  readonly runs: number;
  readonly isMarkdown: boolean;
}

/** What a site costs in one process, and in parts. */
interface Round {
  readonly whole: Reading;
  readonly parts: readonly Reading[];
  readonly join: Reading;
}

/** Measures builds in parts, one after the other, and compares the site with that of one process. Returns the report. */
export function benchParts(cache: string, { sizes, parts, runs, isMarkdown }: PartsBench): string {
  const rows = sizes.flatMap((size) => {
    const data = catalogueIn(cache, size);
    const rounds = Array.from({ length: runs }, () => roundOf(data, size, parts));
    return rowsOf(size, rounds, parts);
  });
  const head = ['', 'events', 'seconds', 'CPU s', 'of one process', 'peak MB'];
  return `${table(head, rows, isMarkdown)}The same bytes. Medians of ${runs} runs. ${machine()}.`;
}

function roundOf(data: string, size: Size, of: number): Round {
  // Two sites.
  const cwd = mkdtempSync(join(folderInMemory(1e9 + size.events * 9000), 'almanac-bench-'));
  const run = (...args: readonly string[]): Reading =>
    measure({ program: process.execPath, args: [resolve('lib/bin/main.js'), ...args, '--quiet'], cwd });
  const build = ['build', '--data', data, '--now', now, '--base-url', baseUrl];
  try {
    const whole = run(...build, '--jobs', '1', '--out', 'whole');
    const parts = Array.from({ length: of }, (_, index) =>
      run(...build, '--part', `${index + 1}/${of}`, '--parts', 'parts'),
    );
    const joined = run('join', 'parts');
    execFileSync('diff', ['-rq', 'dist', 'whole'], { cwd });
    return { whole, parts, join: joined };
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

function rowsOf(size: Size, rounds: readonly Round[], of: number): string[][] {
  const row = (name: string, readings: (round: Round) => readonly Reading[]): string[] => {
    const figure = (field: keyof Reading, sum: (values: readonly number[]) => number): number =>
      median(rounds.map((round) => sum(readings(round).map((reading) => reading[field] ?? 0))));
    const share = median(rounds.map((round) => cpuOf(readings(round)) / cpuOf([round.whole])));
    const [seconds, cpu] = [figure('seconds', add).toFixed(2), figure('cpu', add).toFixed(2)];
    const megabytes = figure('megabytes', (values) => Math.max(...values)).toFixed(0);
    return [name, formatCount(size.events), seconds, cpu, share.toFixed(2), megabytes];
  };
  const longest = ({ parts }: Round): readonly Reading[] =>
    parts.toSorted((a, b) => cpuOf([b]) - cpuOf([a])).slice(0, 1);
  return [
    row('one process', ({ whole }) => [whole]),
    ...Array.from({ length: of }, (_, index) =>
      row(`part ${index + 1} of ${of}`, ({ parts }) => parts.slice(index, index + 1)),
    ),
    row('join', ({ join: joined }) => [joined]),
    row('longest part and join', (round) => [...longest(round), round.join]),
  ];
}

function cpuOf(readings: readonly Reading[]): number {
  return add(readings.map(({ cpu, seconds }) => cpu ?? seconds));
}

function add(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
