import { resolve } from 'node:path';
import { isAddress, openSite, type Site } from '../deploy/site.ts';
import { recover } from '../output/swap.ts';
import type { Shell } from './shell.ts';

/** Opens a site that the user named. First restores its folder if an interrupted build left it without a site. */
export function openGivenSite(shell: Shell, site: string): Site {
  if (!isAddress(site)) recover(resolve(shell.cwd, site));
  return openSite(site, shell.cwd);
}
