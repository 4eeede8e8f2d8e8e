import { Command, CommanderError } from 'commander';
import type { Problem } from '../problem/problem.ts';
import { addAdd } from './add.ts';
import { addBuild } from './build.ts';
import { addCheck } from './check.ts';
import { addHost } from './host.ts';
import { addServe } from './serve.ts';
import { addDiff } from './diff.ts';
import { addPublish } from './publish.ts';
import { failureDocument, printJson, printProblems, problemsIn } from './report.ts';
import { addImport } from './import.ts';
import { addInit } from './init.ts';
import { addSchema } from './schema.ts';
import { commandFirst, withCommon } from './settings.ts';
import { addSync } from './sync.ts';
import { version, type Shell } from './shell.ts';
import { addVerify } from './verify.ts';

/** The commands, one file each. */
const commands = [
  addInit,
  addAdd,
  addBuild,
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
  almanac check              what is wrong with data/, if anything
  almanac build              data/ to dist/
  almanac help build         all that a command can do
`;

/** Runs a command line. Returns the exit code: 0 done, 1 the data is invalid or the work failed, 2 wrong usage. */
export async function run(shell: Shell): Promise<number> {
  const help: string[] = [];
  const program = createProgram(shell, (text) => void help.push(text));
  if (shell.args.every((arg) => arg === '--')) {
    shell.stderr.write(`${examples}\n${program.helpInformation()}`);
    return 2;
  }
  let { args } = shell;
  try {
    args = commandFirst(args);
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) return reportFailure(shell, args, problemsIn(error));
    if (!helpCodes.has(error.code)) return reportFailure(shell, args, [usageProblem(error)]);
  }
  if (help.length > 0) printHelp(shell, help.join(''));
  return 0;
}

/** How commander ends once it has shown its help or the version. */
const helpCodes: ReadonlySet<string> = new Set(['commander.helpDisplayed', 'commander.version']);

function printHelp(shell: Shell, text: string): void {
  if (wantsJson(shell)) printJson(shell, { ok: true, text });
  else shell.stdout.write(text);
}

function createProgram(shell: Shell, onHelp: (text: string) => void): Command {
  const program = new Command('almanac')
    .description('Build a static, read-only catalogue of upcoming events.')
    .version(version)
    .exitOverride()
    .configureOutput({ writeOut: onHelp, writeErr: () => {} })
    .configureHelp({ sortOptions: false })
    .addHelpText('before', examples);
  for (const add of commands) add(program, shell);
  addHelp(program);
  return program;
}

/** In place of commander's own, which ends with the exit code that the process has and passes over unknown names. */
function addHelp(program: Command): void {
  const help = program.command('help').argument('[command]').description('all that a command can do');
  withCommon(help, 'json').action((name: string | undefined) => {
    const command = name === undefined ? program : program.commands.find((known) => known.name() === name);
    if (command === undefined) program.error(`unknown command '${name}'`);
    else command.outputHelp();
  });
}

/** Whether one JSON document is to be printed, even where the option for it is not written as it should be. */
function wantsJson({ args }: Shell): boolean {
  return args.some((arg) => arg === '--json' || arg.startsWith('--json='));
}

/** Where problems are the result that was asked for, they go to stdout; else they are why there is none. */
function reportFailure(shell: Shell, args: readonly string[], problems: readonly Problem[]): number {
  const isResult = args.find((arg) => arg !== '--') === 'check' && !problems.every(isUsage);
  if (wantsJson(shell)) printJson(shell, failureDocument(problems));
  else printProblems(isResult ? shell.stdout : shell.stderr, problems);
  return problems.every(isUsage) ? 2 : 1;
}

/** What commander refuses, as a problem. */
function usageProblem({ message }: CommanderError): Problem {
  const reason = message
    .replace(/^error: /, '')
    .replace(/\.$/, '')
    .replace(/\s*\n\s*/g, ' ');
  return { code: 'usage', place: null, reason: `${reason}; see almanac --help` };
}

const usageCodes: ReadonlySet<string> = new Set(['usage', 'bad-now', 'bad-target', 'bad-endpoint', 'unknown-host']);

/** Whether a problem lies in how the program was called, and not in the data or the machine. */
function isUsage(problem: Problem): boolean {
  // That of service.json has a place.
  if (problem.code === 'bad-base-url') return problem.place === null;
  return usageCodes.has(problem.code);
}
