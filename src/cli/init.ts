import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { readBaseUrl } from '../api/address.ts';
import { withoutCredentials } from '../catalogue/url.ts';
import { printable, ProblemError } from '../problem/problem.ts';
import { failureReason } from '../system/failure.ts';
import { writeNewFiles } from '../system/write.ts';
import { catalogueFiles } from './init/files.ts';
import { findGenerator } from './init/generator.ts';
import { usage, type Command } from './command.ts';
import { plural, printResult, warnOfBaseUrl } from './report.ts';
import { common } from './settings.ts';
import type { Shell } from './shell.ts';

interface Options {
  readonly name?: string;
  readonly baseUrl?: string;
  readonly lang: string;
  readonly zone?: string;
  readonly package?: string;
  readonly json?: true;
  readonly quiet?: true;
}

export const init: Command<Options> = {
  name: 'init',
  summary: 'create a catalogue of your own: data, workflows and a README',
  arguments: [{ flag: 'DIR', help: 'the folder to create; it may exist if it is empty' }],
  options: {
    name: { flag: '--name TEXT', help: 'the name of the catalogue (default: from the name of the folder)' },
    baseUrl: { flag: '--base-url URL', help: 'the address that it will be served from (default: this machine)' },
    lang: {
      flag: '--lang TAG',
      help: 'the language of its pages and texts, a BCP 47 tag',
      initial: 'en',
      read: readLanguage,
      expected: 'a language tag, such as en or pt-BR',
    },
    zone: { flag: '--zone NAME', help: 'the IANA time zone of events that do not name one' },
    package: {
      flag: '--package FROM',
      help: 'where to install almanac from: a tarball, its address, or a package name',
    },
    json: common.json,
    quiet: common.quiet,
  },
  examples: `  almanac init fairs                                  a catalogue in the new folder fairs/
  almanac init fairs --name "Board game fairs" --lang de --zone Europe/Berlin
  almanac init fairs --package almanac-1.0.0.tgz      with a copy of this file, from which it is installed
`,
  run: runInit,
};

async function runInit(shell: Shell, [dir = '']: readonly string[], options: Options): Promise<void> {
  const folder = resolve(shell.cwd, dir);
  const baseUrl = checkBaseUrl(options.baseUrl ?? 'http://127.0.0.1:8080');
  refuseFolder(folder, dir);
  const generator = findGenerator(options.package, shell.cwd);
  const zone = await checkZone(options.zone ?? null);
  const { isoDate } = await import('../catalogue/time/time.ts');
  const { issueForm } = await import('../source/issue.ts');
  const name = checkName(options.name ?? titleOf(folder));
  const authority = authorityOf(baseUrl, folder);
  const exampleDate = isoDate(shell.clock() + exampleDistance);
  const catalogue = { name, baseUrl, authority, lang: options.lang, zone, exampleDate, generator };
  const files = catalogueFiles(catalogue, issueForm(options.lang));
  try {
    writeNewFiles(folder, files);
  } catch (error) {
    throw new ProblemError([{ code: 'write-failed', place: null, path: dir, reason: failureReason(error) }]);
  }
  if (options.baseUrl !== undefined && !options.quiet) warnOfBaseUrl(shell, baseUrl);
  const steps = nextSteps(folder, dir, files.size);
  printResult(shell, options, { out: dir, files: [...files.keys()] }, steps);
}

/** Half a year. */
const exampleDistance = 182 * 24 * 3600 * 1000;

/** Refuses a folder inside a clone of the generator, and one that contains anything but `.git`. */
function refuseFolder(folder: string, dir: string): void {
  const clone = findAround(folder, 'src/cli/init/generator.ts');
  if (clone !== null) {
    throw usage(
      `found ${JSON.stringify(dir)} inside a clone of almanac; expected a folder outside ${JSON.stringify(clone)}`,
    );
  }
  if (!existsSync(folder)) return;
  if (!statSync(folder).isDirectory()) throw usage(`found the file ${JSON.stringify(dir)}; expected a new folder`);
  const existing = readdirSync(folder).find((name) => name !== '.git');
  if (existing === undefined) return;
  throw usage(`found ${JSON.stringify(existing)} in ${JSON.stringify(dir)}; expected a new or an empty folder`);
}

/** Returns the innermost folder that contains `path` and is `folder` or around it. Null if there is none. */
function findAround(folder: string, path: string): string | null {
  if (existsSync(join(folder, path))) return folder;
  const parent = dirname(folder);
  return parent === folder ? null : findAround(parent, path);
}

/** `board-game-fairs` → `Board game fairs`. */
function titleOf(folder: string): string {
  const words = basename(folder).replace(/[-_\s]+/g, ' ');
  return words.trim().charAt(0).toUpperCase() + words.trim().slice(1);
}

function authorityOf(baseUrl: string, folder: string): string {
  const { hostname } = new URL(baseUrl);
  const isNamed = hostname.includes('.') && !/^[\d.]+$/.test(hostname);
  if (isNamed) return hostname;
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  return name.replace(/^-|-$/g, '') || 'almanac';
}

function nextSteps(folder: string, dir: string, count: number): string {
  const outer = findAround(folder, '.git') ?? folder;
  const steps = [
    `cd ${inShell(dir)}`,
    'npm install        install almanac; commit the package-lock.json that it writes',
    'npm start          look at the catalogue at http://127.0.0.1:8080, and edit data/',
    outer === folder
      ? 'git init --initial-branch main && git add --all && git commit --message "Start a catalogue"'
      : `give it a repository of its own: in ${printable(outer)}, GitHub runs only the workflows at the root`,
    'README.md says how to publish it',
  ];
  return `Created ${printable(dir)}: ${plural(count, 'file')}. Next:\n${steps.map((step) => `  ${step}\n`).join('')}`;
}

/** Quotes a path for a POSIX shell if it needs that. */
function inShell(path: string): string {
  return /^[\w./~-]+$/.test(path) ? path : `'${printable(path).replaceAll("'", String.raw`'\''`)}'`;
}

function checkName(written: string): string {
  if (written !== '' && written.length <= 200 && written === written.trim() && !/\p{Cc}/u.test(written)) return written;
  throw usage(`found the name ${JSON.stringify(written)}; expected 1 to 200 characters, as in --name "My catalogue"`);
}

async function checkZone(written: string | null): Promise<string | null> {
  const { isZone } = await import('../catalogue/time/zone.ts');
  if (written === null || isZone(written)) return written;
  throw usage(`found the zone ${JSON.stringify(written)}; expected UTC or an IANA zone, such as Europe/Berlin`);
}

function checkBaseUrl(written: string): string {
  const baseUrl = readBaseUrl(written);
  if (baseUrl !== null) return baseUrl;
  throw usage(
    `found the base URL ${JSON.stringify(withoutCredentials(written))}; ` +
      'expected an http or https address, such as https://example.org/almanac',
  );
}

function readLanguage(written: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(written)[0];
  } catch {
    return undefined;
  }
}
