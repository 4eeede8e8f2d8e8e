import { InvalidArgumentError, Option, type Command } from 'commander';
import { printReport } from './build-report.ts';
import { printWarnings, withProgress } from './report.ts';
import { chooseNow, givenBaseUrl, withCommon } from './settings.ts';
import { dataFolder, type Shell } from './shell.ts';
import { siteOptions, withSiteOptions, writeChanges, type SiteCommandOptions } from './site-options.ts';
import { fetchSources, readAge, withFetch, type FetchOptions } from './sync.ts';

interface Options extends SiteCommandOptions, FetchOptions {
  readonly sync?: true;
  readonly strict?: true;
  readonly verbose?: true;
  readonly maxAge?: number;
  readonly jobs?: number;
}

export function addBuild(program: Command, shell: Shell): void {
  const command = program.command('build').description('build the site: data/ to dist/');
  withSiteOptions(command, shell)
    .addOption(
      // A dry run writes nothing, and fetching writes copies.
      new Option('--sync', 'fetch the remote sources first, as almanac sync does').conflicts('dryRun'),
    )
    .option('--strict', 'fail on any warning, such as a remote source that failed')
    .option('--verbose', 'also list what calendars contain that is not published')
    .option(
      '--max-age <days>',
      'warn about copies of remote sources that are older: days, or hours such as 36h (default: 14)',
      readAge,
    )
    .option('--jobs <number>', 'number of threads (default: chosen from the size of the data)', readJobs)
    .action(async (_options, self: Command) => runBuild(shell, self.optsWithGlobals()));
  withFetch(command);
  for (const option of command.options) if (!everyday.has(option.name())) option.helpGroup('Special options:');
  withCommon(command, 'data', 'public', 'out', 'baseUrl', 'now', 'json', 'quiet').addHelpText(
    'before',
    `Examples:
  almanac build                                 data/ to dist/
  almanac build --base-url https://example.org  for this address
  almanac build --now 2026-11-20T12:17:00Z      the same bytes every time
  almanac build --dry-run --json                what it would build, as JSON
  almanac build --sync                          fetch the remote sources first
  almanac build --for github-pages              fail if the site does not fit there
  almanac build --against https://example.org   refuse if much of it would be lost
`,
  );
}

/** The options that the help shows first. */
const everyday = new Set(['sync', 'strict', 'verbose', 'against', 'first', 'max-drop', 'changes', 'dry-run']);

async function runBuild(shell: Shell, options: Options): Promise<void> {
  const began = shell.stopwatch();
  const { build } = await import('../builder/build.ts');
  const now = await chooseNow(shell, options.now);
  const site = await siteOptions(shell, options);
  if (options.sync) await syncFirst(shell, options, now);
  const report = await withProgress(shell, options, 'genre', (onGenre) =>
    build({ ...site, ...readOptions(shell, options, now), onGenre }),
  );
  writeChanges(shell, options, report);
  await printReport(shell, options, report, began);
}

function readOptions(shell: Shell, options: Options, now: number) {
  return {
    ...dataFolder(shell, options.data),
    baseUrl: givenBaseUrl(shell, options.baseUrl),
    now,
    strict: options.strict,
    verbose: options.verbose,
    maxAge: options.maxAge,
    jobs: options.jobs ?? null,
    cwd: shell.cwd,
  };
}

/** Fetches the remote sources, and warns about problems in the fetched texts. The build reports failed sources. */
async function syncFirst(shell: Shell, options: Options, now: number): Promise<void> {
  const { sources } = await fetchSources(shell, options, now);
  const details = sources.flatMap(({ problems }) => problems).filter(({ code }) => code !== 'source-failed');
  if (!options.quiet) printWarnings(shell, details);
}

function readJobs(written: string): number {
  if (/^[1-9]\d{0,2}$/.test(written)) return Number(written);
  throw new InvalidArgumentError('expected a number from 1 to 999');
}
