import { InvalidArgumentError, Option, type Command } from 'commander';
import { printable, ProblemError } from '../problem/problem.ts';
import type { SyncedSource, SyncReport } from '../source/remote/sync.ts';
import { plural, printResult, printWarnings, withProgress } from './report.ts';
import { chooseNow, withCommon, type CommonOptions } from './settings.ts';
import { dataFolder, type Shell } from './shell.ts';

export interface FetchOptions {
  readonly timeout: number;
  readonly retries: number;
  readonly deadline: number;
  readonly acceptEmpty?: true;
}

interface Options extends CommonOptions, FetchOptions {
  readonly strict?: true;
}

export function addSync(program: Command, shell: Shell): void {
  const command = program
    .command('sync')
    .description('fetch the remote sources into data/.cache/')
    .option('--strict', 'fail if any source fails, even if its last good copy is used')
    .action(async (_options, self: Command) => runSync(shell, self.optsWithGlobals()));
  withCommon(withFetch(command), 'data', 'now', 'json', 'quiet').addHelpText(
    'before',
    `Examples:
  almanac sync               fetch every {subject}.source.json, if it changed
  almanac sync --strict      fail if a source could not be fetched
  almanac sync --json        the result for each, for a program
`,
  );
}

/** Adds the options for fetching remote sources to a command. */
export function withFetch(command: Command): Command {
  return command
    .addOption(new Option('--timeout <seconds>', 'how long one request may take').default(30).argParser(readCount(1)))
    .addOption(
      new Option('--retries <number>', 'how often a failed request is repeated').default(2).argParser(readCount(0)),
    )
    .addOption(
      new Option('--deadline <seconds>', 'how long all sources together may take').default(600).argParser(readCount(1)),
    )
    .option('--accept-empty', 'accept a calendar or table without events, even if the copy in use has some');
}

/** Fetches the remote sources of a data folder, as `almanac sync` and `almanac build --sync` do. */
export async function fetchSources(
  shell: Shell,
  options: CommonOptions & FetchOptions,
  now: number,
): Promise<SyncReport> {
  const { sync } = await import('../source/remote/sync.ts');
  return withProgress(shell, options, 'source', (onSource) =>
    sync({
      ...dataFolder(shell, options.data),
      now,
      timeout: options.timeout * 1000,
      retries: options.retries,
      deadline: options.deadline * 1000,
      acceptEmpty: options.acceptEmpty,
      onSource,
    }),
  );
}

async function runSync(shell: Shell, options: Options): Promise<void> {
  const { lastSync, sources, problems } = await fetchSources(shell, options, await chooseNow(shell, options.now));
  const failed = sources.filter(({ status, hasCopy }) => status === 'failed' && (options.strict === true || !hasCopy));
  const leftOut = sources.flatMap(({ warnings }) => warnings);
  const wrong = [
    ...problems,
    ...failed.flatMap((source) => source.problems),
    ...(options.strict === true ? leftOut : []),
  ];
  const kept = sources.filter((source) => source.status === 'failed' && !failed.includes(source));
  if (!options.quiet) {
    const warnings = options.strict === true ? [] : leftOut;
    printWarnings(shell, [...kept.flatMap((source) => source.problems), ...warnings]);
  }
  if (wrong.length > 0) throw new ProblemError(wrong);
  const listed = sources.map(({ file, url, status }) => ({ file, url, status }));
  printResult(shell, options, { last_sync: lastSync, sources: listed }, summary(options.data, sources));
}

function summary(data: string, sources: readonly SyncedSource[]): string {
  const count = (status: SyncedSource['status']): number => sources.filter((source) => source.status === status).length;
  const kept = count('failed');
  return (
    `Synchronised ${plural(sources.length, 'source')} of ${printable(data)}: ${count('fetched')} fetched, ` +
    `${count('unchanged')} unchanged${kept === 0 ? '' : `, ${kept} kept as they were`}\n`
  );
}

function readCount(least: number): (written: string) => number {
  return (written) => {
    const number = Number(written);
    if (/^\d{1,6}$/.test(written) && number >= least) return number;
    throw new InvalidArgumentError(`expected a whole number of at least ${least}`);
  };
}

/** Reads a time span in days or hours, `14`, `14d` or `36h`. Returns milliseconds. */
export function readAge(written: string): number {
  const match = /^(\d{1,6})([dh]?)$/.exec(written);
  if (match === null) throw new InvalidArgumentError('expected a number of days such as 14, or of hours such as 36h');
  return Number(match[1]) * (match[2] === 'h' ? 3_600_000 : 86_400_000);
}
