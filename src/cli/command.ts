import { parseArgs } from 'node:util';
import { withoutCredentials } from '../catalogue/url.ts';
import { ProblemError } from '../problem/problem.ts';
import type { Shell } from './shell.ts';

/** An option or an argument of a command. */
export interface Option {
  /** `--base-url URL`, `--json` for a switch, `SITE` for an argument, `[FILE]` for one that may be left out. */
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

export interface Command<Options extends object = object> {
  readonly name: string;
  readonly summary: string;
  readonly arguments: readonly Option[];
  readonly options: { readonly [Key in keyof Options]-?: Option };
  /** Lines of the help that begin with two spaces and `almanac`, and sentences after them. */
  readonly examples: string;
  run(shell: Shell, args: readonly string[], options: Options): Promise<void>;
}

type Rows = Readonly<Record<string, Option>>;

/** Returns the problem of a command line with wrong usage. */
export function usage(reason: string): ProblemError {
  return new ProblemError([{ code: 'usage', place: null, reason }]);
}

/** Reads the arguments and options of a command line. Throws the problem `usage`. */
export async function readCommandLine(command: Command, written: readonly string[]) {
  const rows = Object.entries(command.options as Rows);
  const types = rows.map(([, { flag }]) => [nameOf(flag), { type: isSwitch(flag) ? 'boolean' : 'string' }] as const);
  const options = Object.fromEntries(types);
  const { tokens } = parseArgs({ args: [...written], options, strict: false, allowPositionals: true, tokens: true });
  const initials = rows.flatMap(([key, { initial }]) => (initial === undefined ? [] : [[key, initial] as const]));
  const values = new Map<string, unknown>(initials);
  const args: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') args.push(token.value);
    if (token.kind !== 'option') continue;
    const [key, option] = rows.find(([, { flag }]) => nameOf(flag) === token.name) ?? [];
    if (key === undefined || option === undefined) throw misuse(command, await unknownOption(token.rawName, rows));
    const value = readOption(command, option, token);
    const previous = values.get(key);
    values.set(key, option.isRepeatable ? [...(Array.isArray(previous) ? previous : []), value] : value);
  }
  return { args: readArguments(command, args), options: Object.fromEntries(values) };
}

function nameOf(flag: string): string {
  return flag.split(' ')[0]?.slice(2) ?? '';
}

function isSwitch(flag: string): boolean {
  return !flag.includes(' ');
}

async function unknownOption(found: string, rows: readonly (readonly [string, Option])[]): Promise<string> {
  const { nearest } = await import('../problem/nearest.ts');
  const near = nearest(
    found.replace(/^-+/, ''),
    rows.map(([, { flag }]) => nameOf(flag)),
  );
  return `found the unknown option ${found}${near === null ? '' : `; did you mean --${near}?`}`;
}

interface Written {
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function readOption(command: Command, option: Option, { value, inlineValue }: Written): unknown {
  const name = `--${nameOf(option.flag)}`;
  if (isSwitch(option.flag)) {
    if (value === undefined) return true;
    throw misuse(command, `found ${name}=${value}; expected ${name} without a value`);
  }
  const isMissing = value === undefined || (inlineValue !== true && value.startsWith('-'));
  if (isMissing) throw misuse(command, `found ${name} without a value; expected ${option.flag}`);
  return readValue(command, option, name, value);
}

function readValue(command: Command, { read, expected }: Option, name: string, written: string): unknown {
  const value = read === undefined ? written : read(written);
  if (value !== undefined) return value;
  const found = JSON.stringify(withoutCredentials(written));
  throw misuse(command, `found ${name} ${found}; expected ${expected}`);
}

function readArguments(command: Command, written: readonly string[]): string[] {
  const rows = command.arguments;
  if (written.length > rows.length) {
    const found = written.slice(rows.length).map((one) => JSON.stringify(withoutCredentials(one)));
    throw misuse(command, `found ${found.join(', ')} as well; expected ${usageLine(command)}`);
  }
  return rows.flatMap((row, index) => {
    const value = written[index];
    if (value !== undefined) return [readValue(command, row, row.flag.replace(/[[\]]/g, ''), value) as string];
    if (row.flag.startsWith('[')) return [];
    const [example = ''] = /almanac .*?(?= {2}|$)/m.exec(command.examples) ?? [];
    throw misuse(command, `found no ${row.flag}; expected ${usageLine(command)}, such as ${example}`);
  });
}

function misuse(command: Command, reason: string): ProblemError {
  return usage(`${reason}; see almanac ${command.name} --help`);
}

function usageLine({ name, arguments: rows }: Command): string {
  return ['almanac', name, ...rows.map(({ flag }) => flag)].join(' ');
}

/** Returns the help of a command: examples first, the options in one group or two. */
export function helpOf(command: Command): string {
  const rows = Object.values(command.options as Rows);
  const [special, everyday] = [true, false].map((isSpecial) =>
    rows.filter((option) => (option.isSpecial ?? false) === isSpecial),
  );
  const sections = [
    `Examples:\n${command.examples}`,
    `Usage: ${usageLine(command)} [options]\n${command.summary}\n`,
    section('Arguments', command.arguments),
    section('Options', everyday ?? []),
    section('More options', special ?? []),
  ];
  return sections.filter((text) => text !== '').join('\n');
}

function section(title: string, rows: readonly Option[]): string {
  const width = Math.max(...rows.map(({ flag }) => flag.length));
  const lines = rows.map(({ flag, help, initial }) => {
    const ending = initial === undefined || help.includes('default:') ? '' : ` (default: ${initial})`;
    return `  ${flag.padEnd(width)}  ${help}${ending}\n`;
  });
  return lines.length === 0 ? '' : `${title}:\n${lines.join('')}`;
}
