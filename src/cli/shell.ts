import type { Naming } from '../problem.ts';
import { createRequire } from 'node:module';
import { relative, resolve, sep } from 'node:path';

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

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };
export { version };

/** What a site says made it. */
export const generator = `almanac/${version}`;

/** Names files of a folder by their path relative to the working directory, with forward slashes. */
export function namingIn(shell: Shell, folder: string): Naming {
  const base = resolve(shell.cwd, folder);
  return (path) => relative(shell.cwd, resolve(base, path)).split(sep).join('/') || '.';
}
