import { mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { baseUrl, catalogueIn, now, type Size } from './catalogue.ts';
import { measure } from './measure.ts';
import { formatCount, machine, median, table } from './report.ts';

const nextDay = now.replace('-20T', '-21T');

/**
 * Measures the cost of flushing a site to the disk of this folder: the time of a first build, and of the next night's
 * build with the same data, with and without --no-flush. Returns the report.
 */
export function benchSync(cache: string, sizes: readonly Size[], runs: number, isMarkdown: boolean): string {
  const catalogues = [
    { name: 'starter', data: resolve('data') },
    ...sizes.map((size) => ({ name: `${formatCount(size.events)} events`, data: catalogueIn(cache, size) })),
  ];
  const rows = catalogues.flatMap(({ name, data }) => {
    const scratch = mkdtempSync(join(cache, 'sync-'));
    try {
      return rowsOf(name, data, join(scratch, 'site'), runs);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  });
  const head = ['', 'build', 'seconds', 'with --no-flush', 'cost'];
  return `${table(head, rows, isMarkdown)}Medians of ${runs} runs, paired run by run, on a disk. ${machine()}.`;
}

function rowsOf(name: string, data: string, out: string, runs: number): string[][] {
  const seconds = (at: string, ...more: string[]): number => {
    const args = ['build', '--quiet', '--data', data, '--out', out, '--now', at, '--base-url', baseUrl, ...more];
    return measure({ program: process.execPath, args: [resolve('lib/bin/main.js'), ...args] }).seconds;
  };
  const first = (...more: string[]): number => {
    rmSync(out, { recursive: true, force: true });
    return seconds(now, ...more);
  };
  // The nights alternate between two times, so that only the index changes.
  const nights = Array.from({ length: runs }, () => {
    const [plain, safe] = [first('--no-flush'), first()];
    return { first: [plain, safe], night: [seconds(nextDay, '--no-flush'), seconds(now)] };
  });
  return (['first', 'night'] as const).map((kind) => {
    const of = (index: number): number[] => nights.map((reading) => reading[kind][index] ?? 0);
    const cost = nights.map((reading) => (reading[kind][1] ?? 0) - (reading[kind][0] ?? 0));
    const shown = [of(1), of(0), cost].map((values) => median(values).toFixed(2));
    return [name, kind === 'first' ? 'first' : 'quiet night', ...shown];
  });
}
