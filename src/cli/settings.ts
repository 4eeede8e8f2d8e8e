import { InvalidArgumentError, Option, type Command } from 'commander';
import type { BuildOptions } from '../build.ts';
import { ProblemError } from '../problem/problem.ts';
import { hasCredentials, readBaseUrl, withoutCredentials } from '../catalogue/url.ts';
import { isAddress } from '../deploy/site.ts';
import type { Shell } from './shell.ts';

/** The options that commands share. */
export interface CommonOptions {
  readonly data: string;
  readonly out: string;
  readonly baseUrl?: string;
  readonly now?: string;
  readonly json?: true;
  readonly quiet?: true;
}

const options = {
  data: () => new Option('--data <dir>', 'the folder of source files').default('data').argParser(readFolder),
  out: () => new Option('--out <dir>', 'the folder of the site').default('dist').argParser(readFolder),
  baseUrl: () => new Option('--base-url <url>', 'where the site is served from (over BASE_URL, over service.json)'),
  now: () =>
    new Option('--now <instant>', 'take this as the time, such as 2026-11-20T12:17:00Z (over SOURCE_DATE_EPOCH)'),
  json: () => new Option('--json', 'print exactly one JSON document on stdout'),
  quiet: () => new Option('--quiet', 'print nothing but problems'),
} as const;

type Common = keyof typeof options;

/**
 * Gives a command the common options that mean something to it, and takes the others without a word: who runs several
 * commands may give all of them the same ones.
 */
export function withCommon(command: Command, ...names: Common[]): Command {
  for (const name of names) command.addOption(options[name]());
  for (const name of Object.keys(options) as Common[]) {
    if (!names.includes(name)) command.addOption(options[name]().hideHelp());
  }
  return command;
}

/**
 * The arguments with the common options that stand before the command behind it, where commander takes them. Throws the
 * problem `usage` where no command follows, of which commander would say that it does not know the options.
 */
export function commandFirst(args: readonly string[]): readonly string[] {
  const known = Object.values(options).map((option) => option());
  let at = 0;
  for (;;) {
    const [name, value] = args[at]?.split('=', 2) ?? [];
    const option = known.find(({ long }) => long === name);
    if (option === undefined) break;
    at += option.required && value === undefined ? 2 : 1;
  }
  const command = args[at];
  if (command === undefined) {
    const reason = 'found options and no command; name one, such as almanac build; see almanac --help';
    throw new ProblemError([{ code: 'usage', place: null, reason }]);
  }
  if (command.startsWith('-')) return args;
  return [command, ...args.slice(0, at), ...args.slice(at + 1)];
}

/** The time that counts as now, in milliseconds since 1970: `--now`, SOURCE_DATE_EPOCH or the clock. */
export async function chooseNow(shell: Shell, given: string | undefined): Promise<number> {
  return (await givenNow(shell, given)) ?? shell.clock();
}

/** The time given from outside, in milliseconds since 1970: `--now` or SOURCE_DATE_EPOCH; null where neither is. */
export async function givenNow(shell: Shell, given: string | undefined): Promise<number | null> {
  if (given !== undefined) {
    // date-fns is loaded only where there is an instant to read.
    const { readInstant } = await import('../catalogue/time/instant.ts');
    return readInstant(given) ?? refuseNow(given, '--now');
  }
  const epoch = shell.env['SOURCE_DATE_EPOCH'];
  if (epoch === undefined || epoch === '') return null;
  const isSecond = /^\d{1,12}$/.test(epoch) && Number(epoch) <= lastSecond;
  return isSecond ? Number(epoch) * 1000 : refuseNow(epoch, 'SOURCE_DATE_EPOCH');
}

/** That of the year 9999, which is as far as an instant is written. */
const lastSecond = 253_402_300_799;

/** The clock of a program that runs on: it stands still where a time is given. */
export async function chooseClock(shell: Shell, given: string | undefined): Promise<() => number> {
  const isGiven = given !== undefined || (shell.env['SOURCE_DATE_EPOCH'] ?? '') !== '';
  const now = await chooseNow(shell, given);
  return isGiven ? () => now : shell.clock;
}

/** The base URL given from outside: `--base-url` or BASE_URL; null leaves it to service.json. */
export function givenBaseUrl(shell: Shell, given: string | undefined): BuildOptions['baseUrl'] {
  if (given !== undefined) return { found: given, from: '--base-url' };
  const found = shell.env['BASE_URL'];
  return found === undefined || found === '' ? null : { found, from: 'BASE_URL' };
}

/** The path of a folder. Throws commander's own error where there is none, as of a variable that is not set. */
export function readFolder(written: string): string {
  if (written !== '') return written;
  throw new InvalidArgumentError('It must name a folder.');
}

/** A folder or the base URL of a site. Throws commander's own error on an address with a typo in it. */
export function readSite(written: string): string {
  const isMisspelt = written === '' || /^([a-z][a-z\d+.-]+:\/|https?:|https?\/\/)/i.test(written);
  if (isAddress(written) ? readBaseUrl(written) !== null : !isMisspelt) return written;
  const allowed = 'allowed is a folder, or an http or https address without a query, a fragment or a user name';
  if (!hasCredentials(written)) throw new InvalidArgumentError(`${allowed}.`);
  // Commander would print the password.
  const reason = `found the site "${withoutCredentials(written)}"; ${allowed}`;
  throw new ProblemError([{ code: 'usage', place: null, reason }]);
}

function refuseNow(found: string, from: string): never {
  throw new ProblemError([{ code: 'bad-now', place: null, found, from }]);
}
