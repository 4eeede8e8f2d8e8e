import type { BuildReport } from '../builder/build.ts';
import type { Host } from '../hosts/host.ts';
import { checkSize, findHost, hosts } from '../hosts/table.ts';
import { printable } from '../problem/problem.ts';
import { plural, printResult, printWarnings, size, warningsDocument, warnOfLocal } from './report.ts';
import type { Shell } from './shell.ts';
import type { SiteCommandOptions } from './site-options.ts';

/** Prints what a build did. `began` is the stopwatch at its start. */
export async function printReport(shell: Shell, options: SiteCommandOptions, report: BuildReport, began: number) {
  warn(shell, options, report, options.for === undefined ? null : await findHost(options.for));
  const duration = Math.round(shell.stopwatch() - began);
  printResult(shell, options, reportDocument(report, options.out, duration), summary(report, options, duration));
}

/** Prints the warnings of a build. A missing site to compare with is reported even with --quiet. */
function warn(shell: Shell, { quiet, against = '' }: SiteCommandOptions, report: BuildReport, host: Host | null): void {
  if (report.isGuarded === false) printWarnings(shell, [{ code: 'site-not-there-yet', place: null, site: against }]);
  if (quiet) return;
  printWarnings(shell, report.warnings);
  if (host !== null) return warnOfLocal(shell, report.baseUrl);
  const misfits = hosts.flatMap((other) => checkSize(other, report));
  printWarnings(shell, misfits);
}

function reportDocument(report: BuildReport, out: string, duration: number): object {
  const { totals, announced, floating, files, bytes, lastSync, isGuarded, warnings } = report;
  return {
    out,
    files,
    bytes,
    catalogue: { ...totals, last_sync: lastSync },
    withheld: announced,
    ...(floating > 0 && { floating }),
    ...(isGuarded !== null && { guarded: isGuarded }),
    ...warningsDocument(warnings),
    tzdata: process.versions['tz'],
    duration_ms: duration,
  };
}

function summary(report: BuildReport, options: SiteCommandOptions, duration: number): string {
  const { totals, baseUrl, announced, floating, files, bytes, lastSync } = report;
  const { categories, genres, subjects, upcoming } = totals;
  const done = options.dryRun ? 'Would build' : 'Built';
  return `${done} ${printable(options.out)} in ${(duration / 1000).toFixed(2)} s: ${plural(files, 'file')}, ${size(bytes)}
  ${plural(upcoming, 'upcoming event')} of ${plural(subjects, 'subject')} in ${plural(genres, 'genre')} and ${plural(categories, 'category')}
  ${plural(announced, 'event')} announced without a date
${floating === 0 ? '' : `  ${plural(floating, 'event')} published by date alone (a clock time without a zone)\n`}  base URL ${printable(baseUrl)}
  last_sync ${lastSync}
`;
}
