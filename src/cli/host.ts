import { lstatSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import type { IndexDocument } from '../api/documents.ts';
import { baseUrlIn, indexPath } from '../api/paths.ts';
import { joinLines } from '../api/text.ts';
import { mountOf, readBaseUrl } from '../api/address.ts';
import { printable, ProblemError, wholeFile, type Problem } from '../problem/problem.ts';
import { findHost, hostNames } from '../hosts/table.ts';
import { openSite, readDocument } from '../site/site.ts';
import { linkBelow } from '../system/files.ts';
import { writeWhole } from '../system/write.ts';
import { orProblem, type Command, type OptionTable, type Values } from './command.ts';
import { printResult } from './report.ts';
import { common, baseUrlOption, type CommonOptions, output } from './settings.ts';
import { dataFolder, type Shell } from './shell.ts';

type SiteOptions = Pick<CommonOptions, 'data' | 'out' | 'baseUrl' | 'json' | 'quiet'>;

const table = {
  to: {
    flag: '--to DIR',
    help: 'the folder to write into (default: host/NAME)',
  },
  force: {
    flag: '--force',
    help: 'replace files even if they were edited',
  },
  data: common.data,
  out: common.out,
  baseUrl: common.baseUrl,
  ...output,
} as const satisfies OptionTable;
type Options = Values<typeof table>;

export const host: Command<Options> = {
  name: 'host',
  summary: 'write the files that a host needs next to dist/',
  arguments: [{ flag: 'NAME', help: `one of ${hostNames.join(', ')}` }],
  options: table,
  examples: `  almanac host cloudflare        a worker and its wrangler.jsonc, in host/cloudflare/
  almanac host nginx --to etc    almanac.conf, in etc/
  almanac host node              a server for any machine with Node.js
`,
  async run(shell, [name = ''], options) {
    const { title, ...template } = await findHost(name);
    const target = options.to ?? posix.join('host', name);
    const folder = resolve(shell.cwd, target);
    const site = resolve(shell.cwd, options.out);
    const { baseUrl, name: catalogue } = await describeSite(shell, site, options);
    const { slug } = await import('../catalogue/id.ts');
    const location = {
      baseUrl,
      mount: mountOf(baseUrl),
      site,
      relativeSite: relative(folder, site).split(sep).join('/') || '.',
      name: slug(catalogue).slice(0, maxNameCharacters).replace(/-$/, '') || 'almanac',
    };
    const files = template.files(location);
    write(shell, target, files, options.force === true);
    const paths = Object.keys(files).map((file) => posix.join(target, file));
    const text = paths.map((file) => `${printable(file)}\n`).join('');
    printResult(shell, options, {
      document: { host: name, files: paths },
      text,
    });
    const steps = template.steps(location).map((step) => `  ${joinLines(step)}\n`);
    if (!options.quiet) shell.stderr.write(`${title}:\n${steps.join('')}`);
  },
};

/** The most characters that Cloudflare allows in the name of a worker. */
const maxNameCharacters = 63;

/**
 * Returns the base URL and the name of a catalogue: as given, of the site in `folder`, or of the
 * next build.
 */
export async function describeSite(
  shell: Shell,
  folder: string,
  options: SiteOptions,
): Promise<{ readonly baseUrl: string; readonly name: string }> {
  const baseUrl = baseUrlOption(shell, options.baseUrl);
  if (baseUrl === null) {
    const site = openSite(folder, shell.cwd);
    const index = await readDocument<Partial<IndexDocument>>(site, indexPath);
    const address = index && readBaseUrl(baseUrlIn(String(index.documentation)));
    if (address) return { baseUrl: address, name: index?.name ?? '' };
  }
  const { describeService } = await import('../builder/check.ts');
  return describeService({
    ...dataFolder(shell, options.data),
    baseUrl,
  });
}

/**
 * Writes the files. Throws a problem for each existing file that differs from the new one, unless
 * `force` is set.
 */
function write(
  shell: Shell,
  target: string,
  files: Readonly<Record<string, string>>,
  force: boolean,
) {
  const folder = resolve(shell.cwd, target);
  const writeAll = (): void => {
    const edited = Object.entries(files).flatMap(([file, text]): Problem[] => {
      const path = join(folder, file);
      const link = linkBelow(shell.cwd, dirname(path));
      if (link !== null) throw new Error(`${relative(shell.cwd, link)} is a symbolic link`);
      // A link in place of the file is replaced.
      const isFile = lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
      if (!isFile || readFileSync(path, 'utf8') === text) return [];
      return [
        {
          code: 'host-file-edited',
          place: wholeFile(posix.join(target, file)),
        },
      ];
    });
    if (edited.length > 0 && !force) throw new ProblemError(edited);
    for (const [file, text] of Object.entries(files)) writeWhole(join(folder, file), text);
  };
  orProblem('host-not-written', target, writeAll);
}
