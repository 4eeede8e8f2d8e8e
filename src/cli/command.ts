import {
  Argument,
  Command as Parser,
  Option as ParserOption,
  type CommanderError,
} from 'commander';
import { withoutCredentials } from '../catalogue/url.ts';
import { ProblemError } from '../problem/problem.ts';
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
  return new ProblemError([{ code: 'usage', place: null, reason }]);
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
    throw new ProblemError([{ code, place: null, path, reason: failureReason(error) }]);
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
    const [found] = row.flag.match(/\w+/) ?? [];
    const argument = new Argument(row.flag.startsWith('[') ? row.flag : `<${row.flag}>`, row.help);
    parser.addArgument(argument.argParser(valueReader(command, row, `${found}`)));
  }
  for (const row of Object.values(command.options as Readonly<Record<string, Option>>))
    parser.addOption(optionOf(command, row));
  parser.action(async () => {
    const values = (parser.processedArgs as readonly (string | undefined)[]).filter(
      (value) => value !== undefined,
    );
    await command.run(shell, values, parser.opts());
  });
}

function optionOf(command: Command, row: Option): ParserOption {
  const [name = '', value] = row.flag.split(' ');
  const option = new ParserOption(
    value === undefined ? name : `${name} <${value}>`,
    row.help,
  ).default(row.initial);
  if (row.isSpecial) option.helpGroup('More options:');
  return value === undefined ? option : option.argParser(valueReader(command, row, name));
}

function valueReader(
  command: Command,
  { read, expected, flag, isRepeatable }: Option,
  name: string,
) {
  return (written: string, previous: unknown): unknown => {
    // Commander takes the next option for the value of one without any.
    if (name.startsWith('--') && written.startsWith('--'))
      throw misuse(command, `found ${name} without a value; expected ${flag}`);
    const value = read === undefined ? written : read(written);
    const found = JSON.stringify(withoutCredentials(written));
    if (value === undefined) throw misuse(command, `found ${name} ${found}; expected ${expected}`);
    return isRepeatable ? [...(Array.isArray(previous) ? previous : []), value] : value;
  };
}

/**
 * Returns the problem of an error of the parser. `args` are the command and its arguments
 * as they were written.
 */
export function parserProblem(
  { message }: CommanderError,
  commands: readonly Command[],
  args: readonly string[],
): ProblemError {
  const [used] = args;
  const command = commands.find(({ name }) => name === used);
  const { name = '', arguments: rows = [], examples = '' } = command ?? {};
  const usageLine = ['almanac', name, ...rows.map(({ flag }) => flag)].join(' ');
  const [example = ''] = /almanac .*?(?= {2}|$)/m.exec(examples) ?? [];
  const spaces =
    name === 'import' || name === 'add' ? '; put what has spaces into quotation marks' : '';
  const names = commands.map((known) => known.name).join(', ');
  const folder = name === 'serve' ? 'site with --out DIR' : 'data with --data DIR';
  /**
   * The messages of commander in the words of all other problems: what was found and what was
   * expected.
   */
  const rewordings: readonly (readonly [message: RegExp, replacement: string])[] = [
    [/^option '(\S+) <(\S+)>' argument missing$/, 'found $1 without a value; expected $1 $2'],
    [
      /^missing required argument '(.*)'$/,
      `found no $1; expected ${usageLine}, such as ${example}`,
    ],
    [
      /^too many arguments.* but got 1$/,
      `found an argument; expected none: name the folder of the ${folder}`,
    ],
    [/^too many arguments.* but got (\d+)$/, `found $1 arguments; expected ${usageLine}${spaces}`],
    [/\n\(Did you mean (.*)\?\)$/, '; did you mean $1?'],
    [
      /^unknown option '(.*?)'/,
      `found ${command === undefined ? '$1 before a command' : 'the unknown option $1'}`,
    ],
    [/^unknown command '(.*?)'$/, `found the unknown command $1; expected one of ${names}`],
    [/^unknown command '(.*?)'/, 'found the unknown command $1'],
  ];
  const dash = args.find((text) => /^-?[–—]/.test(text));
  if (dash !== undefined)
    return misuse(
      command,
      `found ${JSON.stringify(dash)}, which begins with a long dash; ` +
        `write ${dash.replace(/^[-–—]+/, '--')} with two short ones`,
    );
  const plain = message.replace(/^error: /, '').replace(/\.$/, '');
  const reason = rewordings.reduce(
    (text, [pattern, replacement]) => text.replace(pattern, replacement),
    plain,
  );
  return misuse(command, reason);
}

function misuse(command: Command | undefined, reason: string): ProblemError {
  return usage(`${reason}; see almanac ${command === undefined ? '' : `${command.name} `}--help`);
}
