import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { joinLines } from '../api/text.ts';
import { readBaseUrl } from '../api/address.ts';
import { withoutCredentials } from '../catalogue/url.ts';
import { idPattern, nameOfSlug, slug } from '../catalogue/id.ts';
import { printable } from '../problem/problem.ts';
import { plural } from '../problem/text.ts';
import { isLanguage } from '../catalogue/language.ts';
import { writeNewFiles } from '../system/write.ts';
import { isAddress } from '../site/site.ts';
import { readPackageFile } from '../system/package.ts';
import { catalogueFiles, type Generator } from './init/files.ts';
import { orProblem, usage, type Command, type OptionTable, type Values } from './command.ts';
import { printResult } from './report.ts';
import { output } from './settings.ts';

const folderName = {
  read: (text: string) => (idPattern.test(text) ? text : undefined),
};

const table = {
  name: {
    flag: '--name TEXT',
    help: 'the name of the catalogue (default: from the name of the folder)',
    read: readName,
    expected: '1 to 200 characters, such as "My catalogue"',
  },
  baseUrl: {
    flag: '--base-url URL',
    help: 'the address that it will be served from (default: this machine)',
    read: (text) => readBaseUrl(text) ?? undefined,
    expected: 'an http or https address, such as https://example.org/almanac',
  },
  lang: {
    flag: '--lang TAG',
    help: 'the language of its pages and texts, a BCP 47 tag',
    initial: 'en',
    read: (text) => (isLanguage(text) ? Intl.getCanonicalLocales(text)[0] : undefined),
    expected: 'a language tag, such as en or pt-BR',
  },
  zone: {
    flag: '--zone NAME',
    help: 'the IANA time zone of events that do not name one',
  },
  category: {
    flag: '--category ID',
    help: 'the folder of the first category',
    initial: 'example',
    ...folderName,
    expected: 'lower-case letters a-z, digits and hyphens, such as club',
  },
  genre: {
    flag: '--genre ID',
    help: 'the folder of the first genre',
    initial: 'fairs',
    ...folderName,
    expected: 'lower-case letters a-z, digits and hyphens, such as talks',
  },
  package: {
    flag: '--package FROM',
    help: 'where to install almanac from: the path of a tarball, or a package name',
  },
  ...output,
} as const satisfies OptionTable;
type Options = Values<typeof table>;

export const init: Command<Options> = {
  name: 'init',
  summary: 'create a catalogue of your own: data, workflows and a README',
  arguments: [
    {
      flag: 'DIR',
      help: 'the folder to create; it may exist if it is empty',
    },
  ],
  options: table,
  examples: `  almanac init fairs                                  a catalogue in the new folder fairs/
  almanac init fairs --name "Board game fairs" --lang de --zone Europe/Berlin
  almanac init fairs --package almanac-1.0.0.tgz      with a copy of this file, from which it is installed
`,
  async run(shell, [dir = ''], options) {
    const folder = resolve(shell.cwd, dir);
    const { baseUrl = 'http://127.0.0.1:8080' } = options;
    refuseFolder(folder, dir);
    const { isZone } = await import('../catalogue/time/zone.ts');
    if (options.zone !== undefined && !isZone(options.zone))
      throw usage(`found --zone ${JSON.stringify(options.zone)};
        expected UTC or an IANA zone,
        such as Europe/Berlin`);
    const generator = findGenerator(options.package, shell.cwd);
    const name = options.name ?? readName(nameOfSlug(basename(folder)));
    if (name === undefined)
      throw usage(`found no name in ${JSON.stringify(dir)};
        expected --name "My catalogue"`);
    const { isoDate } = await import('../catalogue/time/time.ts');
    const { issueForm } = await import('../authoring/issue.ts');
    const catalogue = {
      name,
      baseUrl,
      authority: authorityOf(baseUrl, name),
      lang: options.lang,
      zone: options.zone ?? null,
      exampleDate: isoDate(shell.clock() + exampleDistance),
      generator,
      category: options.category,
      genre: options.genre,
    };
    const files = catalogueFiles(catalogue, issueForm(options.lang));
    orProblem('write-failed', dir, () => writeNewFiles(folder, files));
    printResult(shell, options, {
      document: { out: dir, files: [...files.keys()] },
      text: nextSteps(folder, dir, files.size),
    });
  },
};

/** Half a year. */
const exampleDistance = 182 * 24 * 3600 * 1000;

/** Refuses a folder that contains anything but `.git`. */
function refuseFolder(folder: string, dir: string): void {
  if (!existsSync(folder)) return;
  if (!statSync(folder).isDirectory())
    throw usage(`found the file ${JSON.stringify(dir)};
      expected a new folder`);
  const foreign = readdirSync(folder).find((name) => name !== '.git');
  if (foreign === undefined) return;
  throw usage(`found ${JSON.stringify(foreign)}
    in ${JSON.stringify(dir)};
    expected a new or an empty folder`);
}

/** Returns the root of the repository that a folder belongs to, or null if there is none. */
function repositoryOf(folder: string): string | null {
  if (existsSync(join(folder, '.git'))) return folder;
  const parent = dirname(folder);
  return parent === folder ? null : repositoryOf(parent);
}

/** Without an address, letters tell the ids of this catalogue from those of others of its name. */
function authorityOf(baseUrl: string, name: string): string {
  const { hostname } = new URL(baseUrl);
  const isNamed = hostname.includes('.') && !/^[\d.]+$/.test(hostname);
  if (isNamed) return hostname;
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  const letters = Array.from(bytes, (byte) => String.fromCharCode(97 + (byte % 26)));
  const prefix = slug(name.slice(0, 40)) || 'almanac';
  return `${prefix}-${letters.join('')}`;
}

function nextSteps(folder: string, dir: string, count: number): string {
  const outer = repositoryOf(folder) ?? folder;
  const steps = [
    `cd ${shellWord(dir)}`,
    'npm install        install almanac; commit the package-lock.json that it writes',
    'npm start          look at the catalogue at http://127.0.0.1:8080, and edit data/',
    outer === folder
      ? `git init --initial-branch main
        && git add --all
        && git commit --message "Start a catalogue"`
      : `give it a repository of its own:
        in ${printable(outer)},
        GitHub runs only the workflows at the root`,
    'README.md says how to publish it',
  ];
  const lines = steps.map((step) => `  ${joinLines(step)}\n`);
  const title = `Created ${printable(dir)}: ${plural(count, 'file')}. Next:\n`;
  return title + lines.join('');
}

/** Quotes a path for a POSIX shell if it needs that. */
function shellWord(path: string): string {
  if (/^[\w./~-]+$/.test(path)) return path;
  return `'${printable(path).replaceAll("'", String.raw`'\''`)}'`;
}

function readName(text: string): string | undefined {
  const isName = text !== '' && text.length <= 200 && text === text.trim() && !/\p{Cc}/u.test(text);
  return isName ? text : undefined;
}

/** The repository field of package.json begins with this until it names an owner. */
const unknownOwner = 'github:OWNER/';

type Manifest = Readonly<Record<'name' | 'version' | 'repository', string>>;

/**
 * Returns where a new catalogue installs almanac from: `option`, in `cwd`, or this package. Throws
 * `usage`.
 */
function findGenerator(option: string | undefined, cwd: string): Generator {
  const manifest = JSON.parse(readPackageFile('package.json')) as Manifest;
  const thisPackage = {
    dependency: manifest.name,
    version: `^${manifest.version}`,
  };
  if (option === undefined) {
    if (!manifest.repository.startsWith(unknownOwner)) return thisPackage;
    throw usage(`found no --package,
      and this copy of almanac does not know
      the name under which it is published;
      expected --package FILE.tgz
      or --package @scope/name`);
  }
  if (/\.(tgz|tar\.gz)$/.test(option) && !isAddress(option))
    return vendor(manifest, resolve(cwd, option.replace(/^file:/, '')), option);
  const [, name, version] = packageName.exec(option) ?? [];
  if (name !== undefined)
    return {
      dependency: name,
      version: version ?? thisPackage.version,
    };
  throw usage(`found the package
    ${JSON.stringify(withoutCredentials(option))};
    expected the path of a tarball (.tgz),
    or a package name such as @scope/almanac`);
}

const packageName =
  /^(@[a-z0-9~-][a-z0-9._~-]*\/[a-z0-9~-][a-z0-9._~-]*|[a-z0-9~-][a-z0-9._~-]*)(?:@([\w.^~<>=|* -]+))?$/;

/** A catalogue holds its tarball, so that its workflows and every clone have it. */
function vendor({ name, version }: Manifest, from: string, option: string): Generator {
  if (!existsSync(from))
    throw usage(`found no file ${JSON.stringify(option)};
      create it with npm pack`);
  // A file named by npm pack may have another version than this program.
  const isPacked = /-\d+\.\d+\.\d+[\w.-]*\.tgz$/.test(from);
  const file = isPacked
    ? basename(from)
    : `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
  const path = `vendor/${file}`;
  return {
    dependency: name,
    version: `file:${path}`,
    vendored: { path, from },
  };
}
