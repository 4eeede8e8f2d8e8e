import { InvalidArgumentError, type Command } from 'commander';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { readBaseUrl, withoutCredentials } from '../catalogue/url.ts';
import { printable, ProblemError } from '../problem/problem.ts';
import { failureReason } from '../system/failure.ts';
import { writeNewFiles } from '../system/write.ts';
import { catalogueFiles, type NewCatalogue, type WorkflowSource } from './init/files.ts';
import { findGenerator } from './init/generator.ts';
import { plural, printResult } from './report.ts';
import { chooseNow, usage, withCommon } from './settings.ts';
import type { Shell } from './shell.ts';

interface Options {
  readonly name?: string;
  readonly baseUrl: string;
  readonly lang: string;
  readonly zone?: string;
  readonly package?: string;
  readonly workflows?: WorkflowSource;
  readonly json?: true;
  readonly quiet?: true;
}

export function addInit(program: Command, shell: Shell): void {
  const command = program
    .command('init')
    .argument('<dir>', 'the folder to create; it may exist if it is empty')
    .description('create a catalogue of your own: data, workflows and a README, without a copy of the generator')
    .option('--name <text>', 'the name of the catalogue (default: from the name of the folder)')
    .option('--base-url <url>', 'the address that it will be served from', 'http://127.0.0.1:8080')
    .option('--lang <tag>', 'the language of its pages, a BCP 47 tag', checkLanguage, 'en')
    .option('--zone <name>', 'the IANA time zone of events that do not name one')
    .option('--package <package>', 'where to install almanac from: a tarball, its address, or a package name')
    .option(
      '--workflows <source>',
      'call the workflows of this repository instead of writing whole ones: OWNER/REPO@REF',
      readWorkflows,
    )
    .action(async (dir: string, _options, self: Command) => runInit(shell, dir, self.optsWithGlobals()));
  withCommon(command, 'json', 'quiet').addHelpText(
    'before',
    `Examples:
  almanac init fairs                                  a catalogue in the new folder fairs/
  almanac init fairs --name "Board game fairs" --lang de --zone Europe/Berlin
  almanac init fairs --package almanac-1.0.0.tgz      with a copy of this file, from which it is installed
`,
  );
}

async function runInit(shell: Shell, dir: string, options: Options): Promise<void> {
  const folder = resolve(shell.cwd, dir);
  const baseUrl = checkBaseUrl(options.baseUrl);
  refuseFolder(folder, dir);
  const generator = findGenerator(options.package, shell.cwd);
  const zone = await checkZone(options.zone ?? null);
  const { isoDate } = await import('../catalogue/time/time.ts');
  const files = await filesOf({
    name: checkName(options.name ?? titleOf(folder)),
    baseUrl,
    authority: authorityOf(baseUrl, folder),
    lang: options.lang,
    zone,
    exampleDate: isoDate((await chooseNow(shell, undefined)) + exampleDistance),
    generator,
    workflows: options.workflows ?? null,
  });
  try {
    writeNewFiles(folder, files);
  } catch (error) {
    throw new ProblemError([{ code: 'write-failed', place: null, path: dir, reason: failureReason(error) }]);
  }
  const steps = nextSteps(folder, dir, files.size);
  printResult(shell, options, { out: dir, files: [...files.keys()] }, steps);
}

async function filesOf(catalogue: NewCatalogue): Promise<ReadonlyMap<string, string | Uint8Array>> {
  const [{ editorSchemas }, { issueForm }] = await Promise.all([
    import('../source/json/schemas.ts'),
    import('../source/issue.ts'),
  ]);
  return catalogueFiles(catalogue, editorSchemas(), issueForm());
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

/** Reads `OWNER/REPO@REF`. Anything else is a usage error. */
function readWorkflows(written: string): WorkflowSource {
  const [, repository, ref] = /^([\w-]+\/[\w.-]+)@([\w./-]+)$/.exec(written) ?? [];
  if (repository !== undefined && ref !== undefined) return { repository, ref };
  throw new InvalidArgumentError('expected OWNER/REPO@REF, such as me/almanac@v1');
}

function checkLanguage(written: string): string {
  try {
    const [tag] = Intl.getCanonicalLocales(written);
    if (tag !== undefined) return tag;
  } catch {
    // Reported below.
  }
  throw new InvalidArgumentError('expected a language tag, such as en or pt-BR');
}
