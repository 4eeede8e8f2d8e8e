import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { changesPath, manifestPath } from '../api/paths.ts';
import type { BuildReport } from '../builder/build.ts';
import { checkSize, findHost } from '../hosts/table.ts';
import { ProblemError } from '../problem/problem.ts';
import type { Previous } from '../site/memory.ts';
import { isAddress } from '../site/site.ts';
import { failureReason } from '../system/failure.ts';
import { writeWhole } from '../system/write.ts';
import { printReport } from './build-report.ts';
import { usage, type Command, type Option } from './command.ts';
import { printWarnings, withProgress } from './report.ts';
import { chooseNow, common, givenBaseUrl, publicFolder, siteValue, type CommonOptions } from './settings.ts';
import { dataFolder, generator, readAssets, type Shell } from './shell.ts';

export interface Options extends CommonOptions {
  readonly sync?: true;
  readonly against?: string;
  readonly acceptLoss?: true;
  readonly changes?: string;
  readonly dryRun?: true;
  readonly strict?: true;
  readonly for?: string;
  readonly compress?: true;
  readonly flush: boolean;
  readonly jobs?: number;
  readonly verbose?: true;
}

export const sync: Option = { flag: '--sync', help: 'fetch the remote sources first' };
export const strict: Option = { flag: '--strict', help: 'fail on any warning, such as a remote source that failed' };
export const verbose: Option = { flag: '--verbose', help: 'also list calendar properties that almanac ignores' };

export const build: Command<Options> = {
  name: 'build',
  summary: 'build the site: data/ to dist/',
  arguments: [],
  options: {
    baseUrl: common.baseUrl,
    sync,
    against: {
      flag: '--against SITE',
      help: 'the previous site (folder or URL), if it is not in --out: refuse to lose much of it; none: start without one',
      ...siteValue,
    },
    acceptLoss: {
      flag: '--accept-loss',
      help: 'build even if more than 30 % of that site disappears, or all events of a source',
    },
    changes: { flag: '--changes FILE', help: "write this build's changes to a file, in the format of changes.json" },
    dryRun: { flag: '--dry-run', help: 'read and check everything, but write nothing' },
    strict,
    data: common.data,
    out: common.out,
    public: special(common.public),
    now: special(common.now),
    for: special({
      flag: '--for HOST',
      help: 'target host: fail if the site exceeds its limits, and show its URLs in the reference page',
    }),
    compress: special({
      flag: '--compress',
      help: 'put .br and .gz copies next to files that get smaller, for nginx, Caddy and http-server',
    }),
    flush: special({ flag: '--no-flush', help: 'do not flush files to the disk: faster, for previews' }),
    jobs: special({
      flag: '--jobs NUMBER',
      help: 'number of threads (default: chosen from the size of the data)',
      read: (written) => (/^[1-9]\d{0,2}$/.test(written) ? Number(written) : undefined),
      expected: 'a number from 1 to 999',
    }),
    json: special(common.json),
    quiet: special(common.quiet),
    verbose: special(verbose),
  },
  examples: `  almanac build                                 data/ to dist/
  almanac build --base-url https://example.org  for this address
  almanac build --sync                          fetch the remote sources first
  almanac build --against https://example.org   continue the live site; refuse if much of it would be lost
  almanac build --dry-run --json                what it would build, as JSON
  almanac build --now 2026-11-20T12:17:00Z      the same bytes every time
  almanac build --for github-pages              fail if the site does not fit there
`,
  run: runBuild,
};

function special(option: Option): Option {
  return { ...option, isSpecial: true };
}

async function runBuild(shell: Shell, _args: readonly string[], options: Options): Promise<void> {
  const began = shell.stopwatch();
  if (options.sync && options.dryRun)
    throw usage('found --sync with --dry-run; expected one of the two, because fetching writes copies');
  const now = await chooseNow(shell, options.now);
  const [{ build: buildSite }, previous] = [await import('../builder/build.ts'), previousSite(shell, options)];
  const host = options.for === undefined ? null : await findHost(options.for);
  if (options.sync) await fetchSources(shell, options, now);
  const report = await withProgress(shell, options, 'genre', (onGenre) =>
    buildSite({
      ...dataFolder(shell, options.data),
      previous,
      acceptLoss: options.acceptLoss === true,
      isNowGiven: options.now !== undefined,
      out: resolve(shell.cwd, options.out),
      generator,
      assets: readAssets(),
      publicFolder: publicFolder(shell, options.public),
      baseUrl: givenBaseUrl(shell, options.baseUrl),
      now,
      host: host && {
        checkSize: (size) => checkSize(host, size),
        answersQueries: !host.unsupported.includes('filters'),
      },
      dryRun: options.dryRun === true,
      isDurable: options.flush,
      compress: options.compress === true,
      strict: options.strict,
      verbose: options.verbose,
      jobs: options.jobs ?? null,
      cwd: shell.cwd,
      onGenre,
    }),
  );
  writeChanges(shell, options, report);
  printReport(shell, options, report, Math.round(shell.stopwatch() - began));
}

/** Returns the site that the new one continues: that of `--against`, or the one in `--out`. */
function previousSite(shell: Shell, { against, out }: Options): Previous | null {
  if (against === undefined) return { at: out, isNamed: false };
  if (against === 'none') {
    if (existsSync(resolve(shell.cwd, out, changesPath)))
      printWarnings(shell, [{ code: 'log-dropped', place: null, site: out }]);
    return null;
  }
  if (!isAddress(against)) assertSite(resolve(shell.cwd, against), against);
  return { at: against, isNamed: true };
}

/** Throws the problem `usage` for what is no folder, and `site-missing` for a folder of other files. */
function assertSite(folder: string, site: string): void {
  try {
    if (readdirSync(folder).length === 0 || existsSync(join(folder, manifestPath))) return;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTDIR') throw usage(`found --against ${JSON.stringify(site)}; expected ${siteValue.expected}`);
    return;
  }
  throw new ProblemError([{ code: 'site-missing', place: null, site }]);
}

/** Fetches the remote sources, and warns about problems in the fetched texts. What reads them reports failed sources. */
export async function fetchSources(
  shell: Shell,
  options: Pick<Options, 'data' | 'quiet' | 'acceptLoss'>,
  now: number,
): Promise<void> {
  const { sync: syncSources } = await import('../source/remote/sync.ts');
  const folder = dataFolder(shell, options.data);
  const { sources } = await withProgress(shell, options, 'source', (onSource) =>
    syncSources({ ...folder, now, acceptEmpty: options.acceptLoss, onSource }),
  );
  const details = sources.flatMap(({ problems }) => problems).filter(({ code }) => code !== 'source-failed');
  if (!options.quiet) printWarnings(shell, details);
}

/** Writes the changes that a build saw to the file of `--changes`. A dry run writes nothing. */
function writeChanges(shell: Shell, { changes: file, dryRun }: Options, report: BuildReport): void {
  if (file === undefined || dryRun) return;
  const document = report.changes ?? { since: null, changes: [] };
  try {
    writeWhole(resolve(shell.cwd, file), `${JSON.stringify(document)}\n`);
  } catch (error) {
    throw new ProblemError([{ code: 'changes-not-written', place: null, path: file, reason: failureReason(error) }]);
  }
}
