import { InvalidArgumentError, Option, type Command } from 'commander';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { BuildReport } from '../build.ts';
import { indexPath } from '../api/paths.ts';
import { printable, ProblemError } from '../problem/problem.ts';
import type { Guard } from '../deploy/guard.ts';
import { isAddress } from '../deploy/site.ts';
import type { Host } from '../deploy/hosts/host.ts';
import { checkSize, findHost, hosts } from '../deploy/hosts/table.ts';
import { fetchSources, readAge, withFetch, type FetchOptions } from './sync.ts';
import { plural, printJson, printWarnings, progress, size, warningsDocument, warnOfLocal } from './report.ts';
import { openSite } from './open-site.ts';
import { chooseNow, givenBaseUrl, readSite, withCommon, type CommonOptions } from './settings.ts';
import { generator, displayPathIn, readAssets, type Shell } from './shell.ts';

interface Options extends CommonOptions, FetchOptions {
  readonly sync?: true;
  readonly isDurable?: false;
  readonly strict?: true;
  readonly maxAge?: number;
  readonly dryRun?: true;
  readonly for?: string;
  readonly compress?: true;
  readonly against?: string;
  readonly maxDrop: number;
}

export function addBuild(program: Command, shell: Shell): void {
  const command = program
    .command('build')
    .description('build the site: data/ to dist/')
    .option('--dry-run', 'read and check everything, write nothing')
    .option('--for <host>', 'fail if the site does not fit on this host')
    .option('--compress', 'put .br and .gz copies next to files that get smaller, for nginx, Caddy and http-server')
    .option(
      '--against <site>',
      'refuse to publish much less than this site: a folder or an http or https address',
      (at) => readGuard(at, shell.cwd),
    )
    .option('--max-drop <percent>', 'how much of a total may be missing; 100 accepts any loss', readPercent, 30)
    .addOption(
      // A dry run writes nothing, and fetching writes copies.
      new Option('--sync', 'fetch the remote sources first, as almanac sync does').conflicts('dryRun'),
    )
    .addOption(
      // Not the opposite of --sync, which fetches.
      Object.assign(new Option('--no-sync', 'return before the site is safe from a power loss: faster, for previews'), {
        attributeName: () => 'isDurable',
      }),
    )
    .option('--strict', 'fail if there is a warning, such as a remote source that failed')
    .option(
      '--max-age <days>',
      'warn of copies of remote sources that are older, in days or such as 36h (default: 14)',
      readAge,
    )
    .action(async (_options, self: Command) => runBuild(shell, self.optsWithGlobals()));
  withCommon(withFetch(command), 'data', 'out', 'baseUrl', 'now', 'json', 'quiet').addHelpText(
    'before',
    `Examples:
  almanac build                                 data/ to dist/
  almanac build --base-url https://example.org  for this address
  almanac build --now 2026-11-20T12:17:00Z      the same bytes every time
  almanac build --dry-run --json                what it would build, as JSON
  almanac build --sync                          fetch the remote sources first
  almanac build --for github-pages              refuse what would not fit there
  almanac build --against https://example.org   refuse if much of it is gone
`,
  );
}

async function runBuild(shell: Shell, options: Options): Promise<void> {
  const began = shell.stopwatch();
  const { build } = await import('../build.ts');
  const now = await chooseNow(shell, options.now);
  const host = options.for === undefined ? null : await findHost(options.for);
  const guard = await guardOf(shell, options);
  if (options.sync) await syncFirst(shell, options, now);
  const bar = progress(shell, options.quiet === true);
  const report = await build({
    data: resolve(shell.cwd, options.data),
    displayPath: displayPathIn(shell, options.data),
    out: resolve(shell.cwd, options.out),
    baseUrl: givenBaseUrl(shell, options.baseUrl),
    now,
    strict: options.strict,
    maxAge: options.maxAge,
    generator,
    assets: readAssets(),
    dryRun: options.dryRun === true,
    refuse: (staged) => (host === null ? [] : checkSize(host, staged)),
    isDurable: options.isDurable,
    compress: options.compress === true,
    guard,
    onGenre: (done, of) => bar.step(() => `genre ${done} of ${of}`),
  }).finally(bar.end);
  warn(shell, options, report, host);
  const duration = Math.round(shell.stopwatch() - began);
  if (options.json) printJson(shell, reportDocument(report, options.out, duration));
  else if (!options.quiet) shell.stdout.write(summary(report, options, duration));
}

/** Fetches the remote sources, and warns of what is wrong with the fetched texts. The build reports failed sources. */
async function syncFirst(shell: Shell, options: Options, now: number): Promise<void> {
  const { sources } = await fetchSources(shell, options, now);
  const details = sources.flatMap(({ problems }) => problems).filter(({ code }) => code !== 'source-failed');
  if (!options.quiet) printWarnings(shell, details);
}

/** Prints the warnings of a build. A missing site to compare with is reported even with --quiet. */
function warn(shell: Shell, { quiet, against = '' }: Options, report: BuildReport, host: Host | null): void {
  if (report.isGuarded === false) printWarnings(shell, [{ code: 'site-not-there-yet', place: null, site: against }]);
  if (quiet) return;
  printWarnings(shell, report.warnings);
  if (host !== null) return warnOfLocal(shell, report.baseUrl);
  const misfits = hosts.flatMap((other) => checkSize(other, report));
  printWarnings(shell, misfits);
}

/** Reads a number from 0 to 100. Anything else is a usage error. */
function readPercent(written: string): number {
  if (/^(100|\d{1,2}(\.\d+)?)$/.test(written)) return Number(written);
  throw new InvalidArgumentError('allowed is a number from 0 to 100.');
}

/** Reads a site to compare with, which may not exist yet. What can never be one is a usage error. */
function readGuard(written: string, cwd: string): string {
  const at = readSite(written);
  if (isAddress(at) || isFolder(resolve(cwd, at))) return at;
  throw new InvalidArgumentError('allowed is a folder, or an http or https address.');
}

/** Whether a path is a folder or could become one. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    // Below a file there can be no folder. `throwIfNoEntry` ignores that on some versions of Node.
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/**
 * Opens the site to compare the new one with. Throws the problem `site-missing` if its folder has files but no site. An
 * empty folder is allowed, because the site may be built later.
 */
async function guardOf(shell: Shell, { against, maxDrop }: Options): Promise<Guard | null> {
  if (against === undefined) return null;
  const site = openSite(shell, against);
  const folder = resolve(shell.cwd, against);
  const isOther = !isAddress(against) && existsSync(folder) && readdirSync(folder).length > 0;
  if (isOther && !existsSync(join(folder, indexPath)))
    throw new ProblemError([{ code: 'site-missing', place: null, site: against }]);
  return { against: site, maxDrop };
}

function reportDocument(report: BuildReport, out: string, duration: number): object {
  const { totals, announced, floating, files, bytes, lastSync, isGuarded, warnings } = report;
  return {
    ok: true,
    out,
    files,
    bytes,
    catalogue: { ...totals, last_sync: lastSync },
    withheld: announced,
    ...(floating > 0 && { floating }),
    ...(report.private > 0 && { private: report.private }),
    ...(isGuarded !== null && { guarded: isGuarded }),
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
  ${plural(announced, 'event')} withheld (announced, not dated)
${floating === 0 ? '' : `  ${plural(floating, 'event')} published by date alone (a clock time without a zone)\n`}${report.private === 0 ? '' : `  ${plural(report.private, 'event')} published that a calendar marks as private (CLASS)\n`}  base URL ${printable(baseUrl)}
  last_sync ${lastSync}
`;
}
