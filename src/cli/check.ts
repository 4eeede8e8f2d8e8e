import type { Command } from 'commander';
import { isNote, printable, ProblemError } from '../problem/problem.ts';
import { printResult, printWarnings, warningsDocument, withProgress } from './report.ts';
import {
  chooseNow,
  givenBaseUrl,
  openGivenSite,
  publicFolder,
  readSite,
  withCommon,
  type CommonOptions,
} from './settings.ts';
import { dataFolder, type Shell } from './shell.ts';

interface Options extends CommonOptions {
  readonly against?: string;
  readonly strict?: true;
  readonly verbose?: true;
}

export function addCheck(program: Command, shell: Shell): void {
  const command = program
    .command('check')
    .description('report every problem in data/, but write nothing')
    .option('--strict', 'fail on any warning')
    .option('--against <site>', 'hint at ids that changed since this site was built, and kept no address', readSite)
    .option('--verbose', 'also list what calendars contain that is not published')
    .action(async (_options, self: Command) => runCheck(shell, self.optsWithGlobals()));
  withCommon(command, 'data', 'public', 'baseUrl', 'now', 'json', 'quiet').addHelpText(
    'before',
    `Examples:
  almanac check                path:line:column: message, a line for each problem
  almanac check --data drafts  another folder
  almanac check --strict       fail on warnings too
  almanac check --against dist hint at subjects and events that probably were renamed
  almanac check --json         for a program
`,
  );
}

async function runCheck(shell: Shell, options: Options): Promise<void> {
  const { check } = await import('../builder/check.ts');
  const { ComparedSite } = await import('../site/earlier-site.ts');
  const { strict, verbose, against } = options;
  const baseUrl = givenBaseUrl(shell, options.baseUrl);
  const now = await chooseNow(shell, options.now);
  const { problems, warnings } = await withProgress(shell, options, 'genre', (onGenre) =>
    check({
      ...dataFolder(shell, options.data),
      publicFolder: publicFolder(shell, options.public),
      baseUrl,
      strict,
      previous: against === undefined ? null : new ComparedSite(openGivenSite(shell, against)),
      verbose,
      now,
      onGenre,
    }),
  );
  // With --strict, the warnings are among the problems.
  if (!options.quiet) printWarnings(shell, strict ? warnings.filter(isNote) : warnings);
  if (problems.length > 0) throw new ProblemError(problems, strict ? [] : warnings);
  const document = { problems, ...warningsDocument(warnings) };
  printResult(shell, options, document, `${printable(options.data)}: no problems\n`);
}
