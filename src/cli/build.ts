import { InvalidArgumentError, Option, type Command } from 'commander';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { BuildReport, SiteOptions } from '../build-options.ts';
import { indexPath } from '../api/paths.ts';
import { printable, ProblemError } from '../problem/problem.ts';
import type { Guard } from '../deploy/guard.ts';
import { isAddress } from '../deploy/site.ts';
import type { Host } from '../deploy/hosts/host.ts';
import { checkSize, findHost, hosts } from '../deploy/hosts/table.ts';
import { fetchSources, readAge, withFetch, type FetchOptions } from './sync.ts';
import { plural, printJson, printWarnings, progress, size, warningsDocument, warnOfLocal } from './report.ts';
import { openSite } from './open-site.ts';
import { openStore } from './open-store.ts';
import {
  chooseNow,
  givenBaseUrl,
  givenNow,
  readFolder,
  readSite,
  usage,
  withCommon,
  type CommonOptions,
} from './settings.ts';
import { generator, displayPathIn, readAssets, type Shell } from './shell.ts';

/** The options of the commands that put a site together. */
interface SiteCommandOptions extends CommonOptions {
  readonly isDurable?: false;
  readonly dryRun?: true;
  readonly for?: string;
  readonly compress?: true;
  readonly against?: string;
  readonly maxDrop: number;
}

interface Options extends SiteCommandOptions, FetchOptions {
  readonly sync?: true;
  readonly strict?: true;
  readonly verbose?: true;
  readonly maxAge?: number;
  readonly jobs?: number;
  readonly part?: string;
  readonly parts?: string;
}

export function addBuild(program: Command, shell: Shell): void {
  const command = program.command('build').description('build the site: data/ to dist/');
  withSiteOptions(command, shell)
    .addOption(
      // A dry run writes nothing, and fetching writes copies. The parts of a build must find the same copies.
      new Option('--sync', 'fetch the remote sources first, as almanac sync does').conflicts(['dryRun', 'parts']),
    )
    .option('--strict', 'fail if there is a warning, such as a remote source that failed')
    .option('--verbose', 'also say what each calendar contains that is not published')
    .option(
      '--max-age <days>',
      'warn of copies of remote sources that are older, in days or such as 36h (default: 14)',
      readAge,
    )
    .option('--jobs <number>', 'how many threads share the work (default: as many as pay)', readJobs)
    .option('--parts <store>', 'build one part, and store it in a shared folder or at s3://bucket/prefix', readFolder)
    .option('--part <part>', 'which part, such as 3/16 (default: what the scheduler says; /16 takes its number alone)')
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
  almanac build --part 3/16 --parts /shared/parts --now 2026-11-20T12:17:00Z
                                                one part of it, for almanac join
`,
  );
}

/** Adds the options of the commands that put a site together. */
export function withSiteOptions(command: Command, shell: Shell): Command {
  return command
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
      // Not the opposite of --sync, which fetches.
      Object.assign(new Option('--no-sync', 'return before the site is safe from a power loss: faster, for previews'), {
        attributeName: () => 'isDurable',
      }),
    );
}

async function runBuild(shell: Shell, options: Options): Promise<void> {
  const began = shell.stopwatch();
  if (options.parts !== undefined) return runPart(shell, options, options.parts);
  if (options.part !== undefined)
    throw usage('found --part without --parts; name the store that all parts share with --parts');
  const { build } = await import('../build.ts');
  const now = await chooseNow(shell, options.now);
  const site = await siteOptions(shell, options);
  if (options.sync) await syncFirst(shell, options, now);
  const bar = progress(shell, options.quiet === true);
  const report = await build({ ...site, ...readOptions(shell, options, now), onGenre: onGenre(bar) }).finally(bar.end);
  await printReport(shell, options, report, began);
}

/** Builds one part of the site and stores it for `almanac join`. */
async function runPart(shell: Shell, options: Options, parts: string): Promise<void> {
  const began = shell.stopwatch();
  const [{ buildPart }, { choosePart }] = await Promise.all([
    import('../build-in-parts.ts'),
    import('../parts/choose.ts'),
  ]);
  const part = choosePart(options.part, shell.env);
  const now = await givenNow(shell, options.now);
  if (now === null)
    throw usage('found --parts without a time; parts start at different times: give all the same --now');
  const store = await openStore(shell, parts);
  const bar = progress(shell, options.quiet === true);
  const dryRun = options.dryRun === true;
  const common = readOptions(shell, { ...options, jobs: options.jobs ?? 1 }, now);
  const onEach = onGenre(bar);
  const report = await buildPart({ ...common, generator, dryRun, part, store, onGenre: onEach }).finally(bar.end);
  if (!options.quiet) printWarnings(shell, report.warnings);
  const [shown, seconds] = [`${part.number}/${part.of}`, (shell.stopwatch() - began) / 1000];
  if (options.json) {
    const { genres, files, warnings } = report;
    const found = warningsDocument(warnings);
    printJson(shell, {
      ok: true,
      part: shown,
      parts,
      genres,
      files,
      ...found,
      duration_ms: Math.round(seconds * 1000),
    });
  } else if (!options.quiet) {
    const counts = `${plural(report.genres, 'genre')}, ${plural(report.files, 'file')}`;
    const done = dryRun ? 'Would store' : 'Stored';
    shell.stdout.write(`${done} part ${shown} in ${printable(parts)} in ${seconds.toFixed(2)} s: ${counts}\n`);
  }
}

function readOptions(shell: Shell, options: Options, now: number) {
  return {
    data: resolve(shell.cwd, options.data),
    displayPath: displayPathIn(shell, options.data),
    baseUrl: givenBaseUrl(shell, options.baseUrl),
    now,
    strict: options.strict,
    verbose: options.verbose,
    maxAge: options.maxAge,
    threads: { jobs: options.jobs ?? null, cwd: shell.cwd },
  };
}

/** Returns how to put a site together. */
export async function siteOptions(shell: Shell, options: SiteCommandOptions): Promise<SiteOptions> {
  const host = options.for === undefined ? null : await findHost(options.for);
  return {
    data: resolve(shell.cwd, options.data),
    out: resolve(shell.cwd, options.out),
    generator,
    assets: readAssets(),
    dryRun: options.dryRun === true,
    refuse: (staged) => (host === null ? [] : checkSize(host, staged)),
    isDurable: options.isDurable,
    compress: options.compress === true,
    guard: await guardOf(shell, options),
  };
}

type Bar = ReturnType<typeof progress>;

function onGenre(bar: Bar): (done: number, of: number) => void {
  return (done, of) => bar.step(() => `genre ${done} of ${of}`);
}

/** Prints what a build did. `began` is the stopwatch at its start. */
export async function printReport(
  shell: Shell,
  options: SiteCommandOptions,
  report: BuildReport,
  began: number,
): Promise<void> {
  warn(shell, options, report, options.for === undefined ? null : await findHost(options.for));
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
function warn(shell: Shell, { quiet, against = '' }: SiteCommandOptions, report: BuildReport, host: Host | null): void {
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

/** Reads a number of threads. Anything else is a usage error. */
function readJobs(written: string): number {
  if (/^[1-9]\d{0,2}$/.test(written)) return Number(written);
  throw new InvalidArgumentError('allowed is a number from 1 to 999.');
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
async function guardOf(shell: Shell, { against, maxDrop }: SiteCommandOptions): Promise<Guard | null> {
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

function summary(report: BuildReport, options: SiteCommandOptions, duration: number): string {
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
