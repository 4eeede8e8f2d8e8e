import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Both `src/system/` and the bundle in `lib/bin/` are two folders below the root of the package.
 */
const root = join(import.meta.dirname, '../..');

/** The version of the program. */
export const { version } = JSON.parse(readPackageFile('package.json')) as { version: string };

/** Returns the text of a file of the installed package, by its path in it. */
export function readPackageFile(path: string): string {
  return readFileSync(packagePath(path), 'utf8');
}

/** Returns the absolute path of a file or folder of the installed package. */
export function packagePath(path: string): string {
  return join(root, path);
}
