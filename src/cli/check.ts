import { isNote, printable, ProblemError } from '../problem/problem.ts';
import { fetchSources, strict, sync, verbose } from './build.ts';
import type { Command, OptionTable, Values } from './command.ts';
import { printResult, printWarnings, withProgress } from './report.ts';
import { chooseNow, common, baseUrlOption, publicFolder, output } from './settings.ts';
import { dataFolder } from './shell.ts';

const table = {
  sync,
  strict,
  data: common.data,
  public: common.public,
  baseUrl: common.baseUrl,
  now: common.now,
  ...output,
  verbose,
} as const satisfies OptionTable;
type Options = Values<typeof table>;

export const check: Command<Options> = {
  name: 'check',
  summary: 'report every problem in data/, but write nothing',
  arguments: [],
  options: table,
  examples: `  almanac check                 path:line:column: message, a line for each problem
  almanac check --sync          fetch the remote sources first, and check what they sent
  almanac check --strict        fail on warnings too
`,
  async run(shell, _args, options) {
    const { check: checkFolder } = await import('../builder/check.ts');
    const { verbose: isVerbose = false, strict: isStrict = false } = options;
    const now = await chooseNow(shell, options.now);
    if (options.sync) await fetchSources(shell, options, now);
    const { problems, warnings } = await withProgress(shell, options, 'genre', (onGenre) =>
      checkFolder({
        ...dataFolder(shell, options.data),
        publicFolder: publicFolder(shell, options.public),
        baseUrl: baseUrlOption(shell, options.baseUrl),
        strict: isStrict,
        verbose: isVerbose,
        now,
        onGenre,
      }),
    );
    // With --strict, the warnings are among the problems.
    const printed = isStrict ? warnings.filter(isNote) : warnings;
    if (problems.length === 0)
      return printResult(shell, options, {
        document: { problems },
        text: `${printable(options.data)}: no problems\n`,
        warnings: printed,
      });
    if (!options.quiet) printWarnings(shell, printed);
    throw new ProblemError(problems, isStrict ? [] : warnings);
  },
};
