import { Command as Parser, CommanderError } from 'commander';
import { ProblemError, type Problem } from '../problem/problem.ts';
import { version } from '../system/package.ts';
import { add } from './add.ts';
import { build } from './build.ts';
import { check } from './check.ts';
import { declare, parserProblem, type Command } from './command.ts';
import { diff } from './diff.ts';
import { host } from './host.ts';
import { importFile } from './import.ts';
import { init } from './init.ts';
import { notify } from './notify.ts';
import { publish } from './publish.ts';
import {
  failureDocument,
  printJson,
  printProblems,
  problemsIn,
  warningsDocument,
} from './report.ts';
import { serve } from './serve.ts';
import type { Shell } from './shell.ts';
import { verify } from './verify.ts';

const commands: readonly Command[] = [
  init,
  add,
  importFile,
  check,
  build,
  serve,
  diff,
  verify,
  publish,
  notify,
  host,
];

const examples = `Examples:
  almanac init fairs         a catalogue of your own, in the new folder fairs/
  almanac check              every problem in data/
  almanac build              data/ to dist/
  almanac build --help       the options of a command
`;

/**
 * Runs a command line. Returns the exit code: 0 done, 1 the data is invalid or the work failed, 2
 * wrong usage.
 */
export async function run(shell: Shell): Promise<number> {
  const help: string[] = [];
  const program = createProgram(shell, (text) => void help.push(text));
  try {
    const [first, ...rest] = shell.args;
    await program.parseAsync(first === 'help' ? [...rest, '--help'] : [...shell.args], {
      from: 'user',
    });
  } catch (error) {
    if (!(error instanceof CommanderError)) return reportFailure(shell, error);
    // Without a command, the help is on stderr.
    if (error.code === 'commander.help') return 2;
    if (!helpCodes.has(error.code))
      return reportFailure(shell, parserProblem(error, commands, program.args));
  }
  const text = help.join('');
  if (text === '') return 0;
  if (wantsJson(shell)) printJson(shell, { ok: true, text });
  else shell.stdout.write(text);
  return 0;
}

/** The errors with which commander ends after it has shown its help or the version. */
const helpCodes: ReadonlySet<string> = new Set(['commander.helpDisplayed', 'commander.version']);

function createProgram(shell: Shell, onHelp: (text: string) => void): Parser {
  const program = new Parser('almanac')
    .description('Build a website, calendars and a JSON API from a folder of events.')
    .version(version)
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: onHelp,
      writeErr: (text) => shell.stderr.write(text),
      outputError: () => {},
    })
    .configureHelp({
      optionTerm: ({ flags }) => flags.replace(/[<>]/g, ''),
      subcommandTerm: (command) => command.name(),
    })
    .addHelpText('before', examples);
  for (const command of commands) declare(program, command, shell);
  return program;
}

/** Whether to print one JSON document, even if the option for it is misspelt. */
function wantsJson({ args }: Shell): boolean {
  return args.some((arg) => arg === '--json' || arg.startsWith('--json='));
}

/** Prints problems to stdout if they are the result of the command, else to stderr. */
function reportFailure(shell: Shell, error: unknown): number {
  const problems = problemsIn(error);
  const warnings = error instanceof ProblemError ? error.warnings : [];
  const isMisuse = problems.every(isUsage);
  const isResult =
    shell.args[0] === 'check' && !isMisuse && problems.every(({ code }) => code !== 'sync-busy');
  if (wantsJson(shell))
    printJson(shell, {
      ...failureDocument(problems),
      ...warningsDocument(warnings),
    });
  else printProblems(isResult ? shell.stdout : shell.stderr, problems);
  return isMisuse ? 2 : 1;
}

const usageCodes: ReadonlySet<string> = new Set([
  'usage',
  'bad-now',
  'bad-target',
  'bad-endpoint',
  'unknown-host',
]);

function isUsage(problem: Problem): boolean {
  // One in service.json has a place.
  if (problem.code === 'bad-base-url') return problem.place === null;
  return usageCodes.has(problem.code);
}
