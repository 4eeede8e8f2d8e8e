import type { DisplayPath } from '../problem/problem.ts';
import type { SiteFile } from '../api/site-file.ts';
import { displayPathFrom } from '../system/files.ts';
import { readPackageFile, version } from '../system/package.ts';

/** Everything that commands use from outside the program. */
export interface Shell {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Milliseconds since the Unix epoch. */
  readonly clock: () => number;
  /** Milliseconds since an arbitrary time. Never goes back. */
  readonly stopwatch: () => number;
  /** Resolves when SIGINT or SIGTERM arrives. Before the first call, such a signal ends the program at once. */
  readonly ended: () => Promise<void>;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

export { version };

/** The `generator` in the manifest of a site. */
export const generator = `almanac/${version}`;

/** Returns the function that shows files of a folder by their path relative to the working folder. */
export function displayPathIn({ cwd }: Shell, folder: string): DisplayPath {
  return displayPathFrom(cwd, folder);
}

/** Returns the files below `assets/`: what the pages load, and the typed client for pages of others. They are bundled when almanac is compiled. */
export function readAssets(): SiteFile[] {
  const names = ['style.css', 'icon.svg', 'browse.js', 'reference.js'];
  const assets = names.map((name) => ({
    path: `assets/${name}`,
    content: readPackageFile(`lib/bundle/render/pages/browser/${name}`),
  }));
  return [...assets, { path: 'assets/client.js', content: readPackageFile('lib/bundle/client/index.js') }];
}
