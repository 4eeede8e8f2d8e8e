import { Command, CommanderError } from 'commander';
import { ProblemError, type Problem } from '../problem/problem.ts';
import { addAdd } from './add.ts';
import { addBuild } from './build.ts';
import { addCheck } from './check.ts';
import { addHost } from './host.ts';
import { addServe } from './serve.ts';
import { addDiff } from './diff.ts';
import { addPublish } from './publish.ts';
import { failureDocument, printJson, printProblems, problemsIn, warningsDocument } from './report.ts';
import { addNotify } from './notify.ts';
import { addImport } from './import.ts';
import { addInit } from './init.ts';
import { addSchema } from './schema.ts';
import { addCommonOptions, withCommon } from './settings.ts';
import { addSync } from './sync.ts';
import { version, type Shell } from './shell.ts';
import { addVerify } from './verify.ts';

const commands = [
  addInit,
  addAdd,
  addBuild,
  addNotify,
  addCheck,
  addServe,
  addVerify,
  addSync,
  addImport,
  addSchema,
  addDiff,
  addPublish,
  addHost,
];

const examples = `Examples:
  almanac check              every problem in data/
  almanac build              data/ to dist/
  almanac help build         the options of a command
`;

/** Runs a command line. Returns the exit code: 0 done, 1 the data is invalid or the work failed, 2 wrong usage. */
export async function run(shell: Shell): Promise<number> {
  const help: string[] = [];
  const program = createProgram(shell, (text) => void help.push(text));
  if (shell.args.every((arg) => arg === '--')) {
    shell.stderr.write(`${examples}\n${program.helpInformation()}`);
    return 2;
  }
  try {
    await program.parseAsync([...shell.args], { from: 'user' });
  } catch (error) {
    const isDone = error instanceof CommanderError && helpCodes.has(error.code);
    const [name] = program.args;
    const command = program.commands.find((known) => known.name() === name);
    const problems = error instanceof CommanderError ? [usageProblem(error, command)] : problemsIn(error);
    const warnings = error instanceof ProblemError ? error.warnings : [];
    if (!isDone) return reportFailure(shell, name, problems, warnings);
  }
  const text = help.join('');
  if (text === '') return 0;
  if (wantsJson(shell)) printJson(shell, { ok: true, text });
  else shell.stdout.write(text);
  return 0;
}

/** The errors with which commander ends after it has shown its help or the version. */
const helpCodes: ReadonlySet<string> = new Set(['commander.helpDisplayed', 'commander.version']);

function createProgram(shell: Shell, onHelp: (text: string) => void): Command {
  const program = new Command('almanac')
    .description('Build a static, read-only catalogue of upcoming events.')
    .version(version)
    .exitOverride()
    .configureOutput({ writeOut: onHelp, writeErr: () => {} })
    .addHelpText('before', examples);
  addCommonOptions(program);
  for (const add of commands) add(program, shell);
  addHelp(program);
  return program;
}

/** Replaces commander's own command, which ignores unknown names and does not set the exit code. */
function addHelp(program: Command): void {
  const help = program.command('help').argument('[command]').description('show the options of a command');
  withCommon(help, 'json').action((name: string | undefined) => {
    const command = name === undefined ? program : program.commands.find((known) => known.name() === name);
    if (command === undefined) program.error(`unknown command '${name}'`);
    else command.outputHelp();
  });
}

/** Whether to print one JSON document, even if the option for it is misspelt. */
function wantsJson({ args }: Shell): boolean {
  return args.some((arg) => arg === '--json' || arg.startsWith('--json='));
}

/** Prints problems to stdout if they are the result of the command, else to stderr. */
function reportFailure(
  shell: Shell,
  command: string | undefined,
  problems: readonly Problem[],
  warnings: readonly Problem[],
): number {
  const isResult = command === 'check' && !problems.every(isUsage);
  if (wantsJson(shell)) printJson(shell, { ...failureDocument(problems), ...warningsDocument(warnings) });
  else printProblems(isResult ? shell.stdout : shell.stderr, problems);
  return problems.every(isUsage) ? 2 : 1;
}

/** `command` is the one that was used wrongly; undefined if there is none. */
function usageProblem({ code, message }: CommanderError, command: Command | undefined): Problem {
  const reason = message
    .replace(/^error: /, '')
    .replace(/\.$/, '')
    .replace(/\s*\n\s*/g, ' ');
  const shown =
    code === 'commander.help'
      ? 'found options and no command; expected a command, such as almanac build'
      : rewordings.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), reason);
  return {
    code: 'usage',
    place: null,
    reason: `${shown}; see almanac ${command === undefined ? '' : `${command.name()} `}--help`,
  };
}

/** The messages of commander, in the words of all other problems: what was found and what was expected. */
const rewordings: readonly (readonly [message: RegExp, replacement: string])[] = [
  [/^option '(\S+).*?' argument '(.*)' is invalid\. /s, 'found $1 "$2"; '],
  [/^command-argument value '(.*)' is invalid for argument '(.*?)'\. /s, 'found <$2> "$1"; '],
  [/^option '(\S+) (\S+)' argument missing$/, 'found $1 without a value; expected $1 $2'],
  [/^missing required argument '(.*)'$/, 'found no <$1>; expected this argument'],
  [/^too many arguments.* Expected (\d+) arguments? but got (\d+)$/, 'found too many arguments ($2); expected $1'],
  [/^option '(\S+).*?' cannot be used with option '(\S+).*?'$/, 'found $1 with $2; expected only one of the two'],
  [/^unknown (option|command) /, 'found the unknown $1 '],
  [/ \(Did you mean /, ' (did you mean '],
];

const usageCodes: ReadonlySet<string> = new Set(['usage', 'bad-now', 'bad-target', 'bad-endpoint', 'unknown-host']);

/** Whether a problem lies in the command line, not in the data or the machine. */
function isUsage(problem: Problem): boolean {
  // One in service.json has a place.
  if (problem.code === 'bad-base-url') return problem.place === null;
  return usageCodes.has(problem.code);
}
