import type { Command } from 'commander';
import { isNote, printable, ProblemError } from '../problem/problem.ts';
import { printJson, printWarnings, progress, warningsDocument } from './report.ts';
import { chooseNow, givenBaseUrl, withCommon, type CommonOptions } from './settings.ts';
import { dataFolder, type Shell } from './shell.ts';

interface Options extends CommonOptions {
  readonly strict?: true;
  readonly verbose?: true;
}

export function addCheck(program: Command, shell: Shell): void {
  const command = program
    .command('check')
    .description('report every problem in data/, but write nothing')
    .option('--strict', 'fail if there is a warning')
    .option('--verbose', 'also say what each calendar contains that is not published')
    .action(async (_options, self: Command) => runCheck(shell, self.optsWithGlobals()));
  withCommon(command, 'data', 'baseUrl', 'now', 'json', 'quiet').addHelpText(
    'before',
    `Examples:
  almanac check                path:line:column: message, a line for each problem
  almanac check --data drafts  another folder
  almanac check --strict       fail if there is a warning, too
  almanac check --json         for a program
`,
  );
}

async function runCheck(shell: Shell, options: Options): Promise<void> {
  const { check } = await import('../check.ts');
  const bar = progress(shell, options.quiet === true);
  const { problems, warnings } = await check({
    ...dataFolder(shell, options.data),
    baseUrl: givenBaseUrl(shell, options.baseUrl),
    strict: options.strict,
    verbose: options.verbose,
    now: await chooseNow(shell, options.now),
    onGenre: (done, of) => bar.step(() => `genre ${done} of ${of}`),
  }).finally(bar.end);
  // With --strict, the warnings are among the problems.
  if (!options.quiet) printWarnings(shell, options.strict ? warnings.filter(isNote) : warnings);
  if (problems.length > 0) throw new ProblemError(problems, options.strict ? [] : warnings);
  if (options.json) printJson(shell, { ok: true, problems, ...warningsDocument(warnings) });
  else if (!options.quiet) shell.stdout.write(`${printable(options.data)}: no problems\n`);
}
