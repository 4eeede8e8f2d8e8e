import { InvalidArgumentError, Option, type Command } from 'commander';
import { resolve } from 'node:path';
import { printPartReport, printReport } from './build-report.ts';
import { assertStore, readStore, withNewParts } from './open-store.ts';
import { printWarnings, withProgress } from './report.ts';
import { chooseNow, givenBaseUrl, givenNow, usage, withCommon } from './settings.ts';
import { dataFolder, generator, type Shell } from './shell.ts';
import { previousSite, siteOptions, withSiteOptions, writeChanges, type SiteCommandOptions } from './site-options.ts';
import { fetchSources, readAge, withFetch, type FetchOptions } from './sync.ts';

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
    .option('--strict', 'fail on any warning, such as a remote source that failed')
    .option('--verbose', 'also list what calendars contain that is not published')
    .option(
      '--max-age <days>',
      'warn about copies of remote sources that are older: days, or hours such as 36h (default: 14)',
      readAge,
    )
    .option('--jobs <number>', 'number of threads (default: chosen from the size of the data)', readJobs)
    .option(
      '--parts <store>',
      'build only one part, and store it in this shared folder or at s3://bucket/prefix',
      readStore,
    )
    .option(
      '--part <part>',
      'which part to build, such as 3/16 (default: from the scheduler; /16 takes only the number from it)',
    )
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
  almanac build --part 3/16 --parts /shared/parts --now 2026-11-20T12:17:00Z
                                                one part, for almanac join
`,
  );
}

/** The options that the help shows first. */
const everyday = new Set(['sync', 'strict', 'verbose', 'against', 'first', 'max-drop', 'changes', 'dry-run']);

async function runBuild(shell: Shell, options: Options): Promise<void> {
  const began = shell.stopwatch();
  if (options.parts !== undefined) return runPart(shell, options, options.parts);
  if (options.part !== undefined)
    throw usage('found --part without --parts; expected --parts with the store that all parts share');
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

/** Builds one part of the site and stores it for `almanac join`. */
async function runPart(shell: Shell, options: Options, parts: string): Promise<void> {
  const began = shell.stopwatch();
  const [{ buildPart }, { choosePart }] = await Promise.all([
    import('../builder/parts.ts'),
    import('./choose-part.ts'),
  ]);
  const part = choosePart(options.part, shell.env);
  const now = await givenNow(shell, options.now);
  if (now === null) throw usage('found --parts without --now; expected the same --now for every part');
  assertStore(shell, parts, options);
  const common = readOptions(shell, { ...options, jobs: options.jobs ?? 1 }, now);
  const { isDurable, out } = options;
  const chosen = { generator, dryRun: options.dryRun === true, part, isDurable, out: resolve(shell.cwd, out) };
  const report = await withProgress(shell, options, 'genre', async (onGenre) => {
    const previous = await previousSite(shell, options);
    return withNewParts(shell, parts, (store) => buildPart({ ...common, ...chosen, ...previous, store, onGenre }));
  });
  printPartReport(shell, { ...options, parts }, report, shell.stopwatch() - began);
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
