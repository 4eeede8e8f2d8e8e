import { InvalidArgumentError, Option, type Command } from 'commander';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { changesPath, manifestPath } from '../api/paths.ts';
import type { BuildOptions } from '../builder/options.ts';
import { findHost } from '../hosts/table.ts';
import { ComparedSite } from '../site/earlier-site.ts';
import { isAddress, openSite } from '../site/site.ts';
import { ProblemError } from '../problem/problem.ts';
import { writeWhole } from '../system/write.ts';
import { failureReason } from '../system/failure.ts';
import type { BuildReport } from '../builder/build.ts';
import { printWarnings } from './report.ts';
import { openGivenSite, publicFolder, readSite, type CommonOptions } from './settings.ts';
import { generator, readAssets, type Shell } from './shell.ts';

/** The options of the commands that assemble a site. */
export interface SiteCommandOptions extends CommonOptions {
  readonly isDurable?: false;
  readonly dryRun?: true;
  readonly for?: string;
  readonly compress?: true;
  readonly against?: string;
  readonly fresh?: true;
  readonly first?: true;
  readonly replace?: true;
  readonly changes?: string;
  readonly maxDrop: number;
}

/** Adds the options of the commands that assemble a site. */
export function withSiteOptions(command: Command, shell: Shell): Command {
  return command
    .option('--dry-run', 'read and check everything, but write nothing')
    .option(
      '--for <host>',
      'fail if the site does not fit on this host, and describe what the host answers in the reference',
    )
    .option('--compress', 'put .br and .gz copies next to files that get smaller, for nginx, Caddy and http-server')
    .option(
      '--against <site>',
      'continue this site, a folder or an address, instead of that in --out, and refuse to lose much of it',
      (at) => readAgainst(at, shell.cwd),
    )
    .option('--first', 'allow that there is no site yet where --against says')
    .addOption(new Option('--fresh', 'continue no site: begin a new change log').conflicts('against'))
    .option('--replace', 'build over the site of another catalogue: another name, authority and base URL')
    .option('--changes <file>', 'write the changes that this build saw to this file, as changes.json has them')
    .option('--max-drop <percent>', 'percentage of a total that may be missing; 100 accepts any loss', readPercent, 30)
    .addOption(
      Object.assign(new Option('--no-flush', 'do not flush files to the disk: faster, for previews'), {
        attributeName: () => 'isDurable',
      }),
    );
}

/** Returns the options for assembling a site. */
export async function siteOptions(shell: Shell, options: SiteCommandOptions) {
  return {
    out: resolve(shell.cwd, options.out),
    generator,
    assets: readAssets(),
    publicFolder: publicFolder(shell, options.public),
    dryRun: options.dryRun === true,
    host: options.for === undefined ? null : await findHost(options.for),
    isDurable: options.isDurable,
    compress: options.compress === true,
    replace: options.replace === true,
    ...(await previousSite(shell, options)),
  };
}

/** Reads a site to compare with, which may not exist yet. Anything that cannot be a site is a usage error. */
function readAgainst(written: string, cwd: string): string {
  const at = readSite(written);
  if (isAddress(at) || isFolder(resolve(cwd, at))) return at;
  throw new InvalidArgumentError('expected a folder, or an http or https address');
}

/** Whether a path is a folder or could become one. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    // Below a file there can be no folder. `throwIfNoEntry` ignores that on some versions of Node.
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/** Opens the site that the new one continues: that of `--against`, else the one in `--out`, none with `--fresh`. */
async function previousSite(
  shell: Shell,
  options: SiteCommandOptions,
): Promise<Pick<BuildOptions, 'previous' | 'maxDrop'>> {
  if (options.against !== undefined) return guardOf(shell, options);
  const { out, fresh } = options;
  if (!fresh) return { previous: new ComparedSite(openSite(out, shell.cwd)) };
  if (existsSync(resolve(shell.cwd, out, changesPath)))
    printWarnings(shell, [{ code: 'log-dropped', place: null, site: out }]);
  return {};
}

/** Opens the site of `--against`. With `--first`, an empty folder and an address without a site are allowed. */
async function guardOf(
  shell: Shell,
  { against, maxDrop, first }: Pick<SiteCommandOptions, 'against' | 'maxDrop' | 'first'>,
): Promise<Pick<BuildOptions, 'previous' | 'maxDrop'>> {
  if (against === undefined) return {};
  const site = openGivenSite(shell, against);
  const folder = resolve(shell.cwd, against);
  const isOther = !isAddress(against) && existsSync(folder) && readdirSync(folder).length > 0;
  if (isOther && !existsSync(join(folder, manifestPath)))
    throw new ProblemError([{ code: 'site-missing', place: null, site: against }]);
  return { previous: new ComparedSite(site, !first), maxDrop };
}

/** Writes the changes that a build saw to the file of `--changes`. A dry run writes nothing. */
export function writeChanges(shell: Shell, { changes: file, dryRun }: SiteCommandOptions, report: BuildReport): void {
  if (file === undefined || dryRun) return;
  const document = report.changes ?? { since: null, changes: [] };
  try {
    writeWhole(resolve(shell.cwd, file), `${JSON.stringify(document)}\n`);
  } catch (error) {
    throw new ProblemError([{ code: 'changes-not-written', place: null, path: file, reason: failureReason(error) }]);
  }
}

function readPercent(written: string): number {
  if (/^(100|\d{1,2}(\.\d+)?)$/.test(written)) return Number(written);
  throw new InvalidArgumentError('expected a number from 0 to 100');
}
