import type { DisplayPath } from '../problem/problem.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { SiteFile } from '../api/site-file.ts';
import { displayPathFrom } from '../system/files.ts';
import { packagePath, readPackageFile, version } from '../system/package.ts';

/** Everything that commands use from outside the program. */
export interface Shell {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Milliseconds since the Unix epoch. */
  readonly clock: () => number;
  /** Milliseconds since an arbitrary time. Never goes back. */
  readonly stopwatch: () => number;
  /**
   * Resolves when SIGINT or SIGTERM arrives. Before the first call, such a signal ends the program
   * at once.
   */
  readonly ended: () => Promise<void>;
  /** Reads all of stdin. */
  readonly readInput: () => string;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** The `generator` in the manifest of a site. */
export const generator = `almanac/${version}`;

/**
 * Returns the absolute path of the data folder, and the function that shows files in it by their
 * relative path.
 */
export function dataFolder(
  { cwd }: Shell,
  data: string,
): { readonly data: string; readonly displayPath: DisplayPath } {
  return {
    data: resolve(cwd, data),
    displayPath: displayPathFrom(cwd, data),
  };
}

/**
 * Returns the bundled files below `assets/`: scripts of the pages, and the typed client for other
 * websites.
 */
export function readAssets(): SiteFile[] {
  const folder = 'lib/bundle/pages/browser';
  const paths = readdirSync(packagePath(folder)).map((name) => `${folder}/${name}`);
  return [...paths, 'lib/client/client.js', 'lib/client/client.d.ts'].map((path) => ({
    path: `assets/${basename(path)}`,
    content: /\.(?:png|ico)$/.test(path) ? readFileSync(packagePath(path)) : readPackageFile(path),
  }));
}
