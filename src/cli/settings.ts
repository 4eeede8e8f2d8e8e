import { statSync } from 'node:fs';
import { isAbsolute, posix, relative, resolve } from 'node:path';
import type { BuildOptions } from '../builder/options.ts';
import { readBaseUrl } from '../api/address.ts';
import type { PublicFolder } from '../output/public.ts';
import { day, hour } from '../catalogue/time/time.ts';
import { problemError } from '../problem/problem.ts';
import { isAddress, openSite, type Site } from '../site/site.ts';
import { displayPathFrom } from '../system/files.ts';
import { usage, type OptionTable, type Values } from './command.ts';
import type { Shell } from './shell.ts';

const folder = {
  read: (text: string) => text || undefined,
  expected: 'a folder',
};

/** The options of how a command prints. */
export const output = {
  json: {
    flag: '--json',
    help: 'print exactly one JSON document on stdout',
  },
  quiet: { flag: '--quiet', help: 'print only problems' },
} as const satisfies OptionTable;

/** The options of more than one command. */
export const common = {
  data: {
    flag: '--data DIR',
    help: 'the folder of data files',
    initial: 'data',
    ...folder,
  },
  public: {
    flag: '--public DIR',
    help: `a folder of files to copy into the site,
      such as CNAME (default: public, if it exists)`,
    ...folder,
  },
  out: {
    flag: '--out DIR',
    help: 'the folder of the site',
    initial: 'dist',
    ...folder,
  },
  baseUrl: {
    flag: '--base-url URL',
    help: `the address that the site is served from
      (overrides BASE_URL and service.json)`,
  },
  now: {
    flag: '--now INSTANT',
    help: 'use this time instead of the clock, such as 2026-11-20T12:17:00Z',
  },
  ...output,
} as const satisfies OptionTable;
export type CommonOptions = Values<typeof common>;

/** Returns the current time in milliseconds since the Unix epoch: `--now`, or the clock. */
export async function chooseNow(shell: Shell, text: string | undefined): Promise<number> {
  if (text === undefined) return shell.clock();
  // date-fns is loaded only if there is an instant to read.
  const { readInstant } = await import('../catalogue/time/start.ts');
  const now = readInstant(text);
  if (now !== null) return now;
  throw problemError({ code: 'bad-now', found: text });
}

/** Returns `--base-url` or BASE_URL. Null leaves the base URL to service.json. */
export function baseUrlOption(shell: Shell, text: string | undefined): BuildOptions['baseUrl'] {
  if (text !== undefined)
    return {
      found: text,
      from: '--base-url',
    };
  const variable = shell.env['BASE_URL'];
  if (variable === undefined || variable === '') return null;
  return {
    found: variable,
    from: 'BASE_URL',
  };
}

/**
 * Returns the folder of files to copy into the site: that of `--public`, or `public` if it exists,
 * or null.
 */
export function publicFolder({ cwd }: Shell, text: string | undefined): PublicFolder | null {
  const path = resolve(cwd, text ?? 'public');
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
    return {
      folder: path,
      displayPath: displayPathFrom(cwd, ''),
    };
  if (text === undefined) return null;
  throw usage(`found no folder ${JSON.stringify(text)};
    expected a folder of files
    for the site: fix --public`);
}

/**
 * Returns the names on a path, which may begin with the data folder and end in `.json`. Null if it
 * leads out of it.
 */
export function pathInData({ cwd }: Shell, dataPath: string, text: string): string[] | null {
  const data = resolve(cwd, dataPath);
  const path = posix.normalize(text.replaceAll('\\', '/')).replace(/\/$/, '');
  const plain = path.replace(/\.json$/, '');
  const front = `${relative(cwd, data).replaceAll('\\', '/')}/`;
  let inner = plain;
  if (isAbsolute(plain)) inner = relative(data, plain);
  else if (plain.startsWith(front)) inner = plain.slice(front.length);
  const names = inner.split('/');
  if (names.some((name) => ['', '.', '..'].includes(name)) || isAbsolute(inner)) return null;
  return names;
}

/** A site: a folder or the base URL of one. An address with a typo in it is refused. */
export const siteValue = {
  read: (text: string): string | undefined => {
    const isMisspelt = text === '' || /^([a-z][a-z\d+.-]+:\/|https?:|https?\/\/)/i.test(text);
    if (isAddress(text) ? readBaseUrl(text) !== null : !isMisspelt) return text;
    return undefined;
  },
  expected: 'a folder, or an http or https address without a query, a fragment or a user name',
};

/**
 * Opens a site that the user named. First restores its folder if an interrupted build left it
 * without a site.
 *
 * @param signal ends every request to a host
 */
export async function openGivenSite(
  shell: Shell,
  site: string,
  signal?: AbortSignal,
): Promise<Site> {
  if (!isAddress(site)) {
    const { recover } = await import('../output/swap.ts');
    recover(resolve(shell.cwd, site));
  }
  return openSite(site, shell.cwd, signal);
}

/** A time span: a whole number of hours or days, in milliseconds. */
export const durationValue = {
  read: (text: string): number | undefined => {
    const [, number, unit] = /^(\d{1,6})([hd])$/.exec(text) ?? [];
    if (number === undefined) return undefined;
    return Number(number) * (unit === 'h' ? hour : day);
  },
  expected: 'a whole number and h or d, such as 36h or 2d',
};
