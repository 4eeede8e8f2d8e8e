import { resolve } from 'node:path';
import { isAddress, openSite as open, type Site } from '../deploy/site.ts';
import { recover } from '../output/swap.ts';
import type { Shell } from './shell.ts';

/** Opens a site that an argument names. If an interrupted build left its folder without a site, puts one back first. */
export function openSite(shell: Shell, at: string): Site {
  if (!isAddress(at)) recover(resolve(shell.cwd, at));
  return open(at, shell.cwd);
}
