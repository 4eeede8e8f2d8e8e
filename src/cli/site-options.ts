import { InvalidArgumentError, Option, type Command } from 'commander';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { indexPath } from '../api/paths.ts';
import type { OutputOptions } from '../build/options.ts';
import type { Guard } from '../site/guard.ts';
import { findHost } from '../hosts/table.ts';
import { ComparedSite } from '../site/documents.ts';
import { isAddress } from '../site/site.ts';
import { ProblemError } from '../problem/problem.ts';
import { openGivenSite, publicFolder, readSite, type CommonOptions } from './settings.ts';
import { generator, readAssets, type Shell } from './shell.ts';

/** The options of the commands that assemble a site. */
export interface SiteCommandOptions extends CommonOptions {
  readonly isDurable?: false;
  readonly dryRun?: true;
  readonly for?: string;
  readonly compress?: true;
  readonly against?: string;
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
    .option('--against <site>', 'refuse to build if much of this site would be lost: a folder or an address', (at) =>
      readGuard(at, shell.cwd),
    )
    .option('--max-drop <percent>', 'percentage of a total that may be missing; 100 accepts any loss', readPercent, 30)
    .addOption(
      Object.assign(new Option('--no-flush', 'do not flush files to the disk: faster, for previews'), {
        attributeName: () => 'isDurable',
      }),
    );
}

/** Returns the options for assembling a site. */
export async function siteOptions(shell: Shell, options: SiteCommandOptions): Promise<OutputOptions> {
  return {
    data: resolve(shell.cwd, options.data),
    out: resolve(shell.cwd, options.out),
    generator,
    assets: readAssets(),
    publicFolder: publicFolder(shell, options.public),
    dryRun: options.dryRun === true,
    host: options.for === undefined ? null : await findHost(options.for),
    isDurable: options.isDurable,
    compress: options.compress === true,
    guard: await guardOf(shell, options),
  };
}

/** Reads a site to compare with, which may not exist yet. Anything that cannot be a site is a usage error. */
function readGuard(written: string, cwd: string): string {
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

/**
 * Opens the site to compare the new one with. Throws the problem `site-missing` if its folder has files but no site. An
 * empty folder is allowed, because the site may be built later.
 */
export async function guardOf(shell: Shell, { against, maxDrop }: SiteCommandOptions): Promise<Guard | null> {
  if (against === undefined) return null;
  const site = openGivenSite(shell, against);
  const folder = resolve(shell.cwd, against);
  const isOther = !isAddress(against) && existsSync(folder) && readdirSync(folder).length > 0;
  if (isOther && !existsSync(join(folder, indexPath)))
    throw new ProblemError([{ code: 'site-missing', place: null, site: against }]);
  return { against: new ComparedSite(site), maxDrop };
}

/** Reads a number from 0 to 100. Anything else is a usage error. */
function readPercent(written: string): number {
  if (/^(100|\d{1,2}(\.\d+)?)$/.test(written)) return Number(written);
  throw new InvalidArgumentError('expected a number from 0 to 100');
}
