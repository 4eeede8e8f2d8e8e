import {
  Argument,
  Command as Parser,
  Option as ParserOption,
  type CommanderError,
} from 'commander';
import { joinLines } from '../api/text.ts';
import { withoutCredentials } from '../catalogue/url.ts';
import { ProblemError, problemError } from '../problem/problem.ts';
import { failureReason } from '../system/failure.ts';
import type { Shell } from './shell.ts';

/** An option or an argument of a command. */
export interface Option {
  /**
   * `--base-url URL`, `--json` for a switch, `SITE` for an argument, `[FILE]` for one that may be
   * left out.
   */
  readonly flag: string;
  readonly help: string;
  /** The value if the option is not given. */
  readonly initial?: string | number | undefined;
  /** Reads the value. Returns undefined if it is not valid. Default: any text. */
  readonly read?: (written: string) => unknown;
  /** Describes a valid value: `a whole number from 0 to 65535`. */
  readonly expected?: string;
  /** Whether it may be given more than once. Its value is then a list. */
  readonly isRepeatable?: true;
  /** Whether the help shows it in its second group. */
  readonly isSpecial?: true;
}

/** The options of a command. The key of an option is its name in camel case, without `no-`. */
export type OptionTable = Readonly<Record<string, Option>>;

/**
 * The values of options, undefined if they are not given. Without a reader, a switch is true and
 * all else a text.
 */
export type Values<Table> = {
  readonly [Key in keyof Table]: Table[Key] extends { initial: string | number }
    ? ValueOf<Table[Key]>
    : ValueOf<Table[Key]> | undefined;
};

type ValueOf<Row> = Row extends { isRepeatable: true } ? readonly ReadValue<Row>[] : ReadValue<Row>;

type ReadValue<Row> = Row extends { read: (written: string) => infer Value }
  ? Exclude<Value, undefined>
  : Row extends { flag: `${string} ${string}` }
    ? string
    : boolean;

export interface Command<Options extends object = object> {
  readonly name: string;
  readonly summary: string;
  readonly arguments: readonly Option[];
  readonly options: { readonly [Key in keyof Options]-?: Option };
  /** Lines of the help that begin with two spaces and `almanac`, and sentences after them. */
  readonly examples: string;
  run(shell: Shell, args: readonly string[], options: Options): Promise<void>;
}

/** Returns the problem of a command line with wrong usage. */
export function usage(reason: string): ProblemError {
  return problemError({ code: 'usage', reason });
}

type FileProblem =
  | 'changes-not-written'
  | 'changes-unreadable'
  | 'host-not-written'
  | 'import-failed'
  | 'write-failed';

/**
 * Calls `work`. Any failure but a problem becomes a problem of this code, which gives the path and
 * the reason.
 */
export function orProblem<T>(code: FileProblem, path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    throw problemError({
      code,
      path,
      reason: failureReason(error),
    });
  }
}

/** Declares a command to the parser of the program. */
export function declare(program: Parser, command: Command, shell: Shell): void {
  const { name, summary, examples } = command;
  const parser = program
    .command(name)
    .description(summary)
    .addHelpText('before', `Examples:\n${examples}`);
  for (const row of command.arguments) {
    const [word] = row.flag.match(/\w+/) ?? [];
    const flag = row.flag.startsWith('[') ? row.flag : `<${row.flag}>`;
    const argument = new Argument(flag, joinLines(row.help));
    parser.addArgument(argument.argParser(valueReader(command, row, `${word}`)));
  }
  for (const row of Object.values(command.options as Readonly<Record<string, Option>>))
    parser.addOption(optionOf(command, row));
  parser.action(async () => {
    const values = parser.processedArgs as readonly (string | undefined)[];
    const args = values.filter((value) => value !== undefined);
    await command.run(shell, args, parser.opts());
  });
}

function optionOf(command: Command, row: Option): ParserOption {
  const [name = '', value] = row.flag.split(' ');
  const flags = value === undefined ? name : `${name} <${value}>`;
  const option = new ParserOption(flags, joinLines(row.help));
  option.default(row.initial);
  if (row.isSpecial) option.helpGroup('More options:');
  if (value === undefined) return option;
  return option.argParser(valueReader(command, row, name));
}

function valueReader(
  command: Command,
  { read, expected, flag, isRepeatable }: Option,
  name: string,
) {
  return (text: string, previous: unknown) => {
    // Commander takes the next option for the value of one without any.
    if (name.startsWith('--') && text.startsWith('--'))
      throw misuse(command, `found ${name} without a value; expected ${flag}`);
    const value = read === undefined ? text : read(text);
    if (value === undefined) {
      const quoted = JSON.stringify(withoutCredentials(text));
      throw misuse(command, `found ${name} ${quoted}; expected ${expected}`);
    }
    if (!isRepeatable) return value;
    if (Array.isArray(previous)) return [...previous, value];
    return [value];
  };
}

/**
 * Returns the problem of an error of the parser. `args` are the command and its arguments
 * as they were written.
 */
export function parserProblem(
  { code, message }: CommanderError,
  commands: readonly Command[],
  args: readonly string[],
): ProblemError {
  const command = commands.find(({ name }) => name === args[0]);
  const { name = '', arguments: rows = [], examples = '' } = command ?? {};
  const usageLine = ['almanac', name, ...rows.map(({ flag }) => flag)].join(' ');
  const [example = ''] = /almanac .*?(?= {2}|$)/m.exec(examples) ?? [];
  const dash = args.find((text) => /^-?[–—]/.test(text));
  if (dash !== undefined) {
    const option = dash.replace(/^[-–—]+/, '--');
    const reason = `found ${JSON.stringify(dash)},
      which begins with a long dash;
      write ${option} with two short ones`;
    return misuse(command, reason);
  }
  const takesTexts = name === 'import' || name === 'add';
  const spaces = takesTexts
    ? `; put what has spaces into double quotation marks,
      as in "Open day"`
    : '';
  const names = commands.map((candidate) => candidate.name).join(', ');
  const folder = name === 'serve' ? 'site with --out DIR' : 'data with --data DIR';
  const [, quoted = ''] = /'(.*?)'/.exec(message) ?? [];
  const [, proposal] = /\(Did you mean (.*)\?\)$/.exec(message) ?? [];
  const [, count = ''] = /but got (\d+)/.exec(message) ?? [];
  const hint = proposal === undefined ? '' : `; did you mean ${proposal}?`;
  const [option = ''] = quoted.split(' ');
  /** In the words of all other problems: what was found and what was expected. */
  const reasons: Readonly<Record<string, string>> = {
    optionMissingArgument: `found ${option} without a value;
      expected ${quoted.replace(/[<>]/g, '')}`,
    missingArgument: `found no ${quoted};
      expected ${usageLine},
      such as ${example}`,
    excessArguments:
      count === '1'
        ? `found an argument;
          expected none: name the folder of the ${folder}`
        : `found ${count} arguments;
          expected ${usageLine}${spaces}`,
    unknownOption:
      command === undefined
        ? `found ${quoted} before a command${hint}`
        : `found the unknown option ${quoted}${hint}`,
    unknownCommand: `found the unknown command ${quoted}${hint || `; expected one of ${names}`}`,
  };
  return misuse(command, reasons[code.replace('commander.', '')] ?? message);
}

function misuse(command: Command | undefined, reason: string): ProblemError {
  const name = command === undefined ? '' : `${command.name} `;
  return usage(`${reason}; see almanac ${name}--help`);
}
