import type { DisplayPath } from '../problem/problem.ts';
import { relative, resolve, sep } from 'node:path';
import type { SiteFile } from '../api/site-file.ts';
import { readPackageFile, version } from '../system/package.ts';

/** What the commands have of the world: everything outside the program comes in here. */
export interface Shell {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Milliseconds that only ever grow. */
  readonly stopwatch: () => number;
  /** Resolves once a signal (SIGINT, SIGTERM) asks the program to end; until it is called, a signal ends it at once. */
  readonly ended: () => Promise<void>;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

export { version };

/** What a site says made it. */
export const generator = `almanac/${version}`;

/** Names files of a folder by their path relative to the working directory, with forward slashes. */
export function displayPathIn(shell: Shell, folder: string): DisplayPath {
  const base = resolve(shell.cwd, folder);
  return (path) => relative(shell.cwd, resolve(base, path)).split(sep).join('/') || '.';
}

/** The files below `assets/` that the pages load, bundled when almanac was compiled. */
export function readAssets(): SiteFile[] {
  const names = ['style.css', 'icon.svg', 'browse.js', 'reference.js'];
  return names.map((name) => ({
    path: `assets/${name}`,
    content: readPackageFile(`lib/bundle/render/pages/browser/${name}`),
  }));
}
