import { Help, InvalidArgumentError, Option, type Command } from 'commander';
import { statSync } from 'node:fs';
import { isAbsolute, posix, relative, resolve } from 'node:path';
import type { BuildOptions } from '../builder/options.ts';
import { ProblemError } from '../problem/problem.ts';
import { list } from '../problem/text.ts';
import { hasCredentials, readBaseUrl, withoutCredentials } from '../catalogue/url.ts';
import { isAddress, openSite, type Site } from '../site/site.ts';
import type { PublicFolder } from '../output/public.ts';
import { recover } from '../output/swap.ts';
import { displayPathFrom } from '../system/files.ts';
import type { Shell } from './shell.ts';

export interface CommonOptions {
  readonly data: string;
  readonly public?: string;
  readonly out: string;
  readonly baseUrl?: string;
  readonly now?: string;
  readonly json?: true;
  readonly quiet?: true;
}

/** The options of more than one command. They may be written before or after its name. */
const options = {
  data: new Option('--data <dir>', 'the folder of source files').default('data').argParser(readFolder),
  public: new Option(
    '--public <dir>',
    'a folder of files to copy into the site, such as CNAME (default: public, if it exists)',
  ).argParser(readFolder),
  out: new Option('--out <dir>', 'the folder of the site').default('dist').argParser(readFolder),
  baseUrl: new Option(
    '--base-url <url>',
    'the address that the site is served from (overrides BASE_URL and service.json)',
  ),
  now: new Option(
    '--now <instant>',
    'use this time instead of the clock, such as 2026-11-20T12:17:00Z (overrides SOURCE_DATE_EPOCH)',
  ),
  json: new Option('--json', 'print exactly one JSON document on stdout'),
  quiet: new Option('--quiet', 'print only problems'),
} as const;

type Common = keyof typeof options;

/** The common options that a command uses. */
const used = new WeakMap<Command, readonly Option[]>();

export function addCommonOptions(program: Command): void {
  for (const option of Object.values(options)) program.addOption(option);
  program.configureHelp({
    sortOptions: false,
    visibleOptions(command) {
      const commandOptions = Help.prototype.visibleOptions.call(this, command);
      return [...commandOptions.slice(0, -1), ...(used.get(command) ?? []), ...commandOptions.slice(-1)];
    },
  });
  program.hook('preAction', (_program, command) => refuseUnused(program, command));
}

/** Throws the problem `usage` if a common option is given to a command that does not use it. */
function refuseUnused(program: Command, command: Command): void {
  const accepted = new Set([...(used.get(command) ?? []), ...command.options].map(({ long }) => long));
  const isGiven = (option: Option): boolean => program.getOptionValueSource(option.attributeName()) === 'cli';
  const unused = Object.values(options).filter((option) => isGiven(option) && !accepted.has(option.long));
  if (unused.length === 0) return;
  const [found, name] = [list(unused.map(({ long }) => long ?? '')), command.name()];
  throw usage(`found ${found}, which ${name} does not use; see almanac ${name} --help`);
}

/** Declares which common options a command uses. It refuses the others. */
export function withCommon(command: Command, ...names: Common[]): Command {
  used.set(
    command,
    names.map((name) => options[name]),
  );
  return command;
}

/** Returns the current time in milliseconds since the Unix epoch: `--now`, SOURCE_DATE_EPOCH or the clock. */
export async function chooseNow(shell: Shell, given: string | undefined): Promise<number> {
  return (await givenNow(shell, given)) ?? shell.clock();
}

/** Returns the time of `--now` or SOURCE_DATE_EPOCH in milliseconds since the Unix epoch. Null if neither is set. */
async function givenNow(shell: Shell, given: string | undefined): Promise<number | null> {
  if (given !== undefined) {
    // date-fns is loaded only if there is an instant to read.
    const { readInstant } = await import('../catalogue/time/instant.ts');
    return readInstant(given) ?? refuseNow(given, '--now');
  }
  const epoch = shell.env['SOURCE_DATE_EPOCH'];
  if (epoch === undefined || epoch === '') return null;
  const isSecond = /^\d{1,12}$/.test(epoch) && Number(epoch) <= lastSecond;
  return isSecond ? Number(epoch) * 1000 : refuseNow(epoch, 'SOURCE_DATE_EPOCH');
}

/** The end of the year 9999, the last that RFC 3339 can express. */
const lastSecond = 253_402_300_799;

/** Returns the clock of a command that keeps running. It does not advance if a time is given. */
export async function chooseClock(shell: Shell, given: string | undefined): Promise<() => number> {
  const isGiven = given !== undefined || (shell.env['SOURCE_DATE_EPOCH'] ?? '') !== '';
  const now = await chooseNow(shell, given);
  return isGiven ? () => now : shell.clock;
}

/** Returns `--base-url` or BASE_URL. Null leaves the base URL to service.json. */
export function givenBaseUrl(shell: Shell, given: string | undefined): BuildOptions['baseUrl'] {
  if (given !== undefined) return { found: given, from: '--base-url' };
  const found = shell.env['BASE_URL'];
  return found === undefined || found === '' ? null : { found, from: 'BASE_URL' };
}

/** Reads the path of a folder. An empty one, as from a variable that is not set, is a usage error. */
export function readFolder(written: string): string {
  if (written !== '') return written;
  throw new InvalidArgumentError('expected a folder');
}

/** Returns the folder of files to copy into the site: that of `--public`, or `public` if it exists, or null. */
export function publicFolder({ cwd }: Shell, given: string | undefined): PublicFolder | null {
  const folder = resolve(cwd, given ?? 'public');
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true)
    return { folder, displayPath: displayPathFrom(cwd, '') };
  if (given === undefined) return null;
  throw usage(`found no folder ${JSON.stringify(given)}; expected a folder of files for the site: fix --public`);
}

/** Returns the names on a path, which may begin with the data folder and end in `.json`. Null if it leads out of it. */
export function pathInData({ cwd }: Shell, folder: string, written: string): string[] | null {
  const data = resolve(cwd, folder);
  const path = posix.normalize(written.replaceAll('\\', '/')).replace(/\/$/, '');
  const plain = path.replace(/\.json$/, '');
  const front = `${relative(cwd, data).replaceAll('\\', '/')}/`;
  const inner = isAbsolute(plain) ? relative(data, plain) : plain.startsWith(front) ? plain.slice(front.length) : plain;
  const names = inner.split('/');
  return names.some((name) => ['', '.', '..'].includes(name)) || isAbsolute(inner) ? null : names;
}

/** Reads a folder or the base URL of a site. An address with a typo in it is a usage error. */
export function readSite(written: string): string {
  const isMisspelt = written === '' || /^([a-z][a-z\d+.-]+:\/|https?:|https?\/\/)/i.test(written);
  if (isAddress(written) ? readBaseUrl(written) !== null : !isMisspelt) return written;
  const expected = 'expected a folder, or an http or https address without a query, a fragment or a user name';
  if (!hasCredentials(written)) throw new InvalidArgumentError(expected);
  // Commander would print the password.
  throw usage(`found the site "${withoutCredentials(written)}"; ${expected}`);
}

/** Opens a site that the user named. First restores its folder if an interrupted build left it without a site. */
export function openGivenSite(shell: Shell, site: string): Site {
  if (!isAddress(site)) recover(resolve(shell.cwd, site));
  return openSite(site, shell.cwd);
}

/** Returns the problem of a command line with wrong usage. */
export function usage(reason: string): ProblemError {
  return new ProblemError([{ code: 'usage', place: null, reason }]);
}

function refuseNow(found: string, from: string): never {
  throw new ProblemError([{ code: 'bad-now', place: null, found, from }]);
}
