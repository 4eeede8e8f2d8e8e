import type { Command } from 'commander';
import { resolve } from 'node:path';
import { printable, ProblemError } from '../problem/problem.ts';
import { printJson, printWarnings, progress } from './report.ts';
import { chooseNow, withCommon, type CommonOptions } from './settings.ts';
import { displayPathIn, type Shell } from './shell.ts';

export function addCheck(program: Command, shell: Shell): void {
  const command = program
    .command('check')
    .description('report every problem in data/, write nothing')
    .action(async (_options, self: Command) => runCheck(shell, self.optsWithGlobals()));
  withCommon(command, 'data', 'now', 'json', 'quiet').addHelpText(
    'before',
    `Examples:
  almanac check                path:line:column: message, a line for each problem
  almanac check --data drafts  another folder
  almanac check --json         for a program
`,
  );
}

async function runCheck(shell: Shell, options: CommonOptions): Promise<void> {
  const { check } = await import('../build.ts');
  const bar = progress(shell, options.quiet === true);
  const { problems, warnings } = await check({
    data: resolve(shell.cwd, options.data),
    displayPath: displayPathIn(shell, options.data),
    now: await chooseNow(shell, options.now),
    onGenre: (done, of) => bar.step(() => `genre ${done} of ${of}`),
  }).finally(bar.end);
  if (!options.quiet) printWarnings(shell, warnings);
  if (problems.length > 0) throw new ProblemError(problems);
  if (options.json) printJson(shell, { ok: true, problems });
  else if (!options.quiet) shell.stdout.write(`${printable(options.data)}: no problems\n`);
}
