import { ProblemError, type Problem } from '../problem/problem.ts';
import { add } from './add.ts';
import { build } from './build.ts';
import { check } from './check.ts';
import { helpOf, readCommandLine, usage, type Command } from './command.ts';
import { diff } from './diff.ts';
import { host } from './host.ts';
import { importFile } from './import.ts';
import { init } from './init.ts';
import { notify } from './notify.ts';
import { publish } from './publish.ts';
import { failureDocument, printJson, printProblems, problemsIn, warningsDocument } from './report.ts';
import { serve } from './serve.ts';
import { version, type Shell } from './shell.ts';
import { verify } from './verify.ts';

const commands: readonly Command[] = [init, add, importFile, check, build, serve, diff, verify, publish, notify, host];

/** Runs a command line. Returns the exit code: 0 done, 1 the data is invalid or the work failed, 2 wrong usage. */
export async function run(shell: Shell): Promise<number> {
  if (shell.args.every((arg) => arg === '--')) {
    shell.stderr.write(help());
    return 2;
  }
  try {
    const text = await textOf(shell.args);
    if (text === null) await runCommand(shell);
    else if (wantsJson(shell)) printJson(shell, { ok: true, text });
    else shell.stdout.write(text);
    return 0;
  } catch (error) {
    const warnings = error instanceof ProblemError ? error.warnings : [];
    return reportFailure(shell, problemsIn(error), warnings);
  }
}

/** Returns the help or the version that a command line asks for. Null if it asks for work. */
async function textOf([first = '', ...rest]: readonly string[]): Promise<string | null> {
  const words = [first, ...rest.slice(0, rest.includes('--') ? rest.indexOf('--') : undefined)];
  const asksHelp = words.some((word) => word === '--help' || word === '-h');
  if (first === '--version' || first === '-V') return `${version}\n`;
  if (first === 'help' || (first.startsWith('-') && asksHelp)) {
    const [name, ...others] = rest.filter((word) => !['--json', '--help', '-h'].includes(word));
    if (others.length > 0) throw usage(`found ${others.join(', ')} as well; expected almanac help COMMAND`);
    return name === undefined ? help() : helpOf(await findCommand(name));
  }
  return asksHelp ? helpOf(await findCommand(first)) : null;
}

async function runCommand(shell: Shell): Promise<void> {
  const [name = '', ...rest] = shell.args;
  const command = await findCommand(name);
  const { args, options } = await readCommandLine(command, rest);
  await command.run(shell, args, options);
}

/** Throws the problem `usage` if there is no such command. */
async function findCommand(name: string): Promise<Command> {
  const command = commands.find((known) => known.name === name);
  if (command !== undefined) return command;
  if (name.startsWith('-'))
    throw usage(
      `found ${name} before a command; expected the command first, such as almanac build; see almanac --help`,
    );
  const { nearest } = await import('../problem/nearest.ts');
  const names = commands.map((known) => known.name);
  const near = nearest(name, names);
  const advice = near === null ? `expected one of ${names.join(', ')}` : `did you mean ${near}?`;
  throw usage(`found the unknown command ${JSON.stringify(name)}; ${advice}; see almanac --help`);
}

function help(): string {
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(7)}  ${summary}\n`);
  return `Examples:
  almanac init fairs         a catalogue of your own, in the new folder fairs/
  almanac check              every problem in data/
  almanac build              data/ to dist/
  almanac build --help       the options of a command

Build a website, calendars and a JSON API from a folder of events.

Commands:
${lines.join('')}`;
}

/** Whether to print one JSON document, even if the option for it is misspelt. */
function wantsJson({ args }: Shell): boolean {
  return args.some((arg) => arg === '--json' || arg.startsWith('--json='));
}

/** Prints problems to stdout if they are the result of the command, else to stderr. */
function reportFailure(shell: Shell, problems: readonly Problem[], warnings: readonly Problem[]): number {
  const isMisuse = problems.every(isUsage);
  const isResult = shell.args[0] === 'check' && !isMisuse;
  if (wantsJson(shell)) printJson(shell, { ...failureDocument(problems), ...warningsDocument(warnings) });
  else printProblems(isResult ? shell.stdout : shell.stderr, problems);
  return isMisuse ? 2 : 1;
}

const usageCodes: ReadonlySet<string> = new Set(['usage', 'bad-now', 'bad-target', 'bad-endpoint', 'unknown-host']);

/** Whether a problem lies in the command line, not in the data or the machine. */
function isUsage(problem: Problem): boolean {
  // One in service.json has a place.
  if (problem.code === 'bad-base-url') return problem.place === null;
  return usageCodes.has(problem.code);
}
