import type { BuildReport } from '../builder/build.ts';
import { checkSize, hosts } from '../hosts/table.ts';
import { printable } from '../problem/problem.ts';
import { plural, printResult, printWarnings, size, warningsDocument, warnOfBaseUrl } from './report.ts';
import type { CommonOptions } from './settings.ts';
import type { Shell } from './shell.ts';

interface Options extends Pick<CommonOptions, 'out' | 'json' | 'quiet'> {
  readonly for?: string;
  readonly dryRun?: true;
}

/** Prints what a build did, and its warnings. `duration` is in milliseconds. */
export function printReport(shell: Shell, options: Options, report: BuildReport, duration: number): void {
  if (!options.quiet) {
    printWarnings(shell, report.warnings);
    warnOfBaseUrl(shell, report.baseUrl);
    if (options.for === undefined)
      printWarnings(
        shell,
        hosts.flatMap((host) => checkSize(host, report)),
      );
  }
  printResult(shell, options, reportDocument(report, options.out, duration), summary(report, options, duration));
}

function reportDocument(report: BuildReport, out: string, duration: number): object {
  const { totals, announced, files, bytes, lastSync, warnings } = report;
  return {
    out,
    files,
    bytes,
    catalogue: { ...totals, last_sync: lastSync },
    withheld: announced,
    ...warningsDocument(warnings),
    tzdata: process.versions['tz'],
    duration_ms: duration,
  };
}

function summary(report: BuildReport, options: Options, duration: number): string {
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
