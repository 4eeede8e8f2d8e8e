import { zoneTableVersion } from '../catalogue/time/zone-table.ts';
import { existsSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { isLocal } from '../api/address.ts';
import { joinLines } from '../api/text.ts';
import { changesPath } from '../api/paths.ts';
import type { BuildReport } from '../builder/build.ts';
import { checkSize, findHost } from '../hosts/table.ts';
import { printable, type Problem } from '../problem/problem.ts';
import { lossRule } from '../catalogue/loss.ts';
import type { Previous } from '../site/memory.ts';
import type { SyncOptions } from '../source/remote/sync.ts';
import { plural } from '../problem/text.ts';
import { writeWhole } from '../system/write.ts';
import {
  orProblem,
  usage,
  type Command,
  type Option,
  type OptionTable,
  type Values,
} from './command.ts';
import { describeCounts, printResult, printWarnings, size, withProgress } from './report.ts';
import {
  chooseNow,
  common,
  baseUrlOption,
  publicFolder,
  siteValue,
  type CommonOptions,
} from './settings.ts';
import { dataFolder, generator, readAssets, type Shell } from './shell.ts';

export const sync = {
  flag: '--sync',
  help: 'fetch the remote sources first',
} as const;
export const strict = {
  flag: '--strict',
  help: 'fail on any warning, such as a remote source that failed',
} as const;
export const verbose = {
  flag: '--verbose',
  help: 'also list calendar properties that almanac ignores',
} as const;

const table = {
  baseUrl: common.baseUrl,
  sync,
  against: {
    flag: '--against SITE',
    help: `the previous site (folder or URL),
      if it is not in --out: refuse to lose much of it;
      none: start without one`,
    ...siteValue,
  },
  acceptLoss: {
    flag: '--accept-loss',
    help: 'build even if more of that site or of a source disappears',
  },
  maxLoss: {
    flag: '--max-loss PERCENT',
    help: `how much of that site, of a genre or of a source
      may disappear (default: ${lossRule.maxLoss})`,
    read: (text) => (/^(\d{1,2}|100)$/.test(text) ? Number(text) : undefined),
    expected: 'a whole number from 0 to 100',
  },
  changes: {
    flag: '--changes FILE',
    help: "write this build's changes to a file, in the format of changes.json",
  },
  dryRun: {
    flag: '--dry-run',
    help: 'read and check everything, but write nothing',
  },
  strict,
  data: common.data,
  out: common.out,
  public: special(common.public),
  now: special(common.now),
  for: special({
    flag: '--for HOST',
    help: `target host: fail if the site exceeds its limits,
      and show its URLs in the reference page`,
  }),
  compress: special({
    flag: '--compress',
    help: `put .br and .gz copies next to files that get
      smaller, for nginx, Caddy and http-server`,
  }),
  flush: special({
    flag: '--no-flush',
    help: 'do not flush files to the disk: faster, for previews',
  }),
  json: special(common.json),
  quiet: special(common.quiet),
  verbose: special(verbose),
} as const satisfies OptionTable;
type Options = Values<typeof table>;

export const build: Command<Options> = {
  name: 'build',
  summary: 'build the site: data/ to dist/',
  arguments: [],
  options: table,
  examples: `  almanac build                                 data/ to dist/
  almanac build --base-url https://example.org  for this address
  almanac build --sync                          fetch the remote sources first
  almanac build --against https://example.org   continue the live site; refuse if much of it would be lost
  almanac build --now 2026-11-20T12:17:00Z      the same bytes every time
`,
  async run(shell, _args, options) {
    const start = shell.stopwatch();
    if (options.sync && options.dryRun)
      throw usage(`found --sync with --dry-run;
        expected one of the two,
        because fetching writes copies`);
    const holdsChanges = (folder: string) =>
      options.changes !== undefined &&
      resolve(shell.cwd, options.changes).startsWith(resolve(shell.cwd, folder) + sep);
    if (holdsChanges(options.data) || holdsChanges(options.out))
      throw usage(`found --changes
        ${JSON.stringify(options.changes)};
        expected a file outside the site and the data`);
    const now = await chooseNow(shell, options.now);
    const { build: buildSite } = await import('../builder/build.ts');
    const previous = previousSite(shell, options);
    const host = options.for === undefined ? null : await findHost(options.for);
    if (options.sync) await fetchSources(shell, options, now);
    const report = await withProgress(shell, options, 'genre', (onGenre) =>
      buildSite({
        ...dataFolder(shell, options.data),
        previous,
        acceptLoss: options.acceptLoss === true,
        ...(options.maxLoss !== undefined && { maxLoss: options.maxLoss }),
        isNowGiven: options.now !== undefined,
        out: resolve(shell.cwd, options.out),
        generator,
        assets: readAssets(),
        publicFolder: publicFolder(shell, options.public),
        baseUrl: baseUrlOption(shell, options.baseUrl),
        now,
        checkSize: host && ((built) => checkSize(host, built)),
        dryRun: options.dryRun === true,
        isDurable: options.flush !== false,
        compress: options.compress === true,
        strict: options.strict === true,
        verbose: options.verbose === true,
        cwd: shell.cwd,
        onGenre,
      }),
    );
    writeChanges(shell, options, report);
    if (!options.quiet) printWarnings(shell, baseUrlWarnings(report.baseUrl));
    const duration = Math.round(shell.stopwatch() - start);
    const document = reportDocument(report, options.out, duration);
    printResult(shell, options, {
      document,
      text: summary(report, options, duration),
      warnings: report.warnings,
    });
  },
};

function special<const Row extends Option>(option: Row) {
  return { ...option, isSpecial: true } as const;
}

/** Returns the site that the new one continues: the site of `--against`, or the one in `--out`. */
function previousSite(shell: Shell, { against, out }: Options): Previous | null {
  if (against === undefined) return { at: out, isNamed: false };
  if (against === 'none') {
    if (existsSync(resolve(shell.cwd, out, changesPath)))
      printWarnings(shell, [{ code: 'log-dropped', place: null, site: out }]);
    return null;
  }
  return { at: against, isNamed: true };
}

/**
 * Fetches the remote sources, and warns about problems in the fetched texts. What reads them
 * reports failed sources.
 */
export async function fetchSources(
  shell: Shell,
  options: Pick<CommonOptions, 'data' | 'quiet'> &
    Partial<Pick<SyncOptions, 'acceptLoss' | 'maxLoss'>>,
  now: number,
): Promise<void> {
  const { sync: syncSources } = await import('../source/remote/sync.ts');
  const { data, quiet, acceptLoss, maxLoss } = options;
  const folder = dataFolder(shell, data);
  const problems = await withProgress(shell, options, 'source', (onSource) =>
    syncSources({
      ...folder,
      now,
      acceptLoss,
      maxLoss,
      onSource,
    }),
  );
  if (!quiet) printWarnings(shell, problems);
}

/**
 * Warns of a base URL that visitors cannot use: an address of this machine, or that of the
 * repository.
 */
function baseUrlWarnings(baseUrl: string): Problem[] {
  if (isLocal(baseUrl)) return [{ code: 'base-url-local', place: null, baseUrl }];
  return new URL(baseUrl).hostname === 'github.com'
    ? [{ code: 'base-url-repository', place: null, baseUrl }]
    : [];
}

/** Writes the changes that a build saw to the file of `--changes`. A dry run writes nothing. */
function writeChanges(shell: Shell, { changes: file, dryRun }: Options, report: BuildReport): void {
  if (file === undefined || dryRun) return;
  const { counts, changes: log } = report;
  const { changes = [], since = null, complete_since: completeSince = null } = log ?? {};
  const document = {
    since,
    complete_since: completeSince,
    counts,
    changes,
  };
  const text = `${JSON.stringify(document)}\n`;
  orProblem('changes-not-written', file, () => writeWhole(resolve(shell.cwd, file), text));
}

function reportDocument(report: BuildReport, out: string, duration: number): object {
  const { files, bytes, counts, sources } = report;
  return {
    out,
    files,
    bytes,
    catalogue: { ...report.totals, last_sync: report.lastSync },
    counts,
    withheld: report.announced,
    ...(sources.length > 0 && { sources }),
    tzdata: zoneTableVersion,
    duration_ms: duration,
  };
}

function summary(report: BuildReport, options: Options, duration: number): string {
  const { totals, floating, files, bytes } = report;
  const changes = describeCounts(report.counts ?? {});
  const verb = options.dryRun ? 'Would build' : 'Built';
  const seconds = (duration / 1000).toFixed(2);
  const lines = [
    `${verb} ${printable(options.out)} in ${seconds} s:
    ${plural(files, 'file')}, ${size(bytes)}`,
    `  ${plural(totals.upcoming, 'upcoming event')}
    of ${plural(totals.subjects, 'subject')}
    in ${plural(totals.genres, 'genre')}
    and ${plural(totals.categories, 'category')}`,
    `  ${plural(report.announced, 'event')}
    announced without a date`,
  ];
  if (changes !== '') lines.push(`  changes: ${changes}`);
  if (floating > 0)
    lines.push(`  ${plural(floating, 'event')} published
    by date alone (a clock time without a zone)`);
  lines.push(`  base URL ${printable(report.baseUrl)}`);
  lines.push(`  last_sync ${report.lastSync}`);
  return `${lines.map(joinLines).join('\n')}\n`;
}
