import { join, relative, resolve, sep } from 'node:path';
import type { IndexDocument } from '../api/documents.ts';
import { baseUrlIn, indexPath } from '../api/paths.ts';
import { mountOf, readBaseUrl } from '../api/address.ts';
import { printable, ProblemError, wholeFile, type Problem } from '../problem/problem.ts';
import { findHost, hostNames } from '../hosts/table.ts';
import { failureReason } from '../system/failure.ts';
import { readRegular } from '../system/files.ts';
import { readReplaced, writeFiles } from '../system/write.ts';
import type { Command } from './command.ts';
import { printResult, warnOfBaseUrl } from './report.ts';
import { common, givenBaseUrl, type CommonOptions } from './settings.ts';
import { dataFolder, type Shell } from './shell.ts';

type SiteOptions = Pick<CommonOptions, 'data' | 'out' | 'baseUrl' | 'json' | 'quiet'>;

interface Options extends SiteOptions {
  readonly to?: string;
  readonly force?: true;
}

export const host: Command<Options> = {
  name: 'host',
  summary: 'write the files that a host needs next to dist/',
  arguments: [{ flag: 'NAME', help: `one of ${hostNames.join(', ')}` }],
  options: {
    to: { flag: '--to DIR', help: 'the folder to write into (default: host/NAME)' },
    force: { flag: '--force', help: 'replace files even if they were edited' },
    data: common.data,
    out: common.out,
    baseUrl: common.baseUrl,
    json: common.json,
    quiet: common.quiet,
  },
  examples: `  almanac host cloudflare        a worker and its wrangler.jsonc, in host/cloudflare/
  almanac host nginx --to etc    almanac.conf, in etc/
  almanac host node              a server for any machine with Node.js
  almanac host caddy --force     replace files even if they were edited
`,
  run: runHost,
};

async function runHost(shell: Shell, [name = '']: readonly string[], options: Options): Promise<void> {
  const { title, ...template } = await findHost(name);
  const to = options.to ?? join('host', name);
  const folder = resolve(shell.cwd, to);
  const site = resolve(shell.cwd, options.out);
  const { baseUrl, name: catalogue } = await describeSite(shell, site, options);
  if (!options.quiet) warnOfBaseUrl(shell, baseUrl);
  const { slug } = await import('../catalogue/id.ts');
  const location = {
    baseUrl,
    mount: mountOf(baseUrl),
    site,
    relativeSite: relative(folder, site).split(sep).join('/') || '.',
    name: slug(catalogue).slice(0, maxNameCharacters).replace(/-$/, '') || 'almanac',
  };
  const files = template.files(location);
  write(shell, folder, to, files, options.force === true);
  const written = Object.keys(files).map((file) => shownPath(to, file));
  const text = written.map((file) => `${printable(file)}\n`).join('');
  printResult(shell, options, { host: name, files: written }, text);
  const steps = template.steps(location).map((step) => `  ${step}\n`);
  if (!options.quiet) shell.stderr.write(`${title}:\n${steps.join('')}`);
}

/** The most characters that Cloudflare allows in the name of a worker. */
const maxNameCharacters = 63;

/** Returns the base URL and the name of a catalogue: those given, of the site in `folder`, or of the next build. */
export async function describeSite(
  shell: Shell,
  folder: string,
  options: SiteOptions,
): Promise<{ readonly baseUrl: string; readonly name: string }> {
  const given = givenBaseUrl(shell, options.baseUrl);
  const built = readIndex(folder);
  if (built !== null && given === null) return built;
  const { describeService } = await import('../builder/check.ts');
  return describeService({ ...dataFolder(shell, options.data), baseUrl: given });
}

/** Reads the index document of a site. Returns null if there is none that almanac built. */
function readIndex(folder: string): { readonly baseUrl: string; readonly name: string } | null {
  try {
    const { documentation, name } = JSON.parse(
      readRegular(join(folder, indexPath), maxIndexBytes).toString(),
    ) as IndexDocument;
    const baseUrl = readBaseUrl(baseUrlIn(documentation));
    return baseUrl === null ? null : { baseUrl, name };
  } catch {
    return null;
  }
}

const maxIndexBytes = 32 * 1024 ** 2;

/** Shows how existing files differ from the new ones, and throws a problem for each of them. */
function refuseEdited(shell: Shell, folder: string, to: string, files: Readonly<Record<string, string>>): void {
  const problems = Object.entries(files).flatMap(([file, text]): Problem[] => {
    const existing = readReplaced(folder, shell.cwd, file);
    if (existing === null || existing === text) return [];
    shell.stderr.write(`${printable(shownPath(to, file))}\n${differenceOf(existing, text)}`);
    return [{ code: 'host-file-edited', place: wholeFile(shownPath(to, file)) }];
  });
  if (problems.length > 0) throw new ProblemError(problems);
}

/** Returns the lines in which two texts differ, between those that they share at the start and at the end. */
function differenceOf(before: string, after: string): string {
  const [old, next] = [before.split('\n'), after.split('\n')];
  const most = Math.min(old.length, next.length);
  let start = 0;
  while (start < most && old[start] === next[start]) start++;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === next.at(-1 - end)) end++;
  const linesOf = (lines: readonly string[], mark: string): string[] =>
    lines.slice(start, lines.length - end).map((line) => `${mark} ${printable(line.slice(0, maxLineCharacters))}\n`);
  return [`  from line ${start + 1}:\n`, ...linesOf(old, '  -'), ...linesOf(next, '  +')].join('');
}

/** The bundled programs are one line of many thousand characters. */
const maxLineCharacters = 200;

function shownPath(to: string, file: string): string {
  return join(to, file).split(sep).join('/');
}

function write(shell: Shell, folder: string, to: string, files: Readonly<Record<string, string>>, force: boolean) {
  try {
    if (!force) refuseEdited(shell, folder, to, files);
    writeFiles(folder, shell.cwd, files);
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    throw new ProblemError([{ code: 'host-not-written', place: null, folder: to, reason: failureReason(error) }]);
  }
}
