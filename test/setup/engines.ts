import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Returns the path of a program that a test needs, or null if it is missing. The test is then
 * skipped, with one line that says what to install. With ALMANAC_REQUIRE_ENGINES=1, as in CI, a
 * missing program is a failure.
 */
export function engine(
  name: string,
  findPath: () => string | null,
  installHint: string,
): string | null {
  const path = findPath();
  if (path !== null) return path;
  const line = `${name} is missing, so its tests are skipped; run ${installHint}`;
  if (process.env['ALMANAC_REQUIRE_ENGINES'] === '1') throw new Error(line);
  process.stderr.write(`${line}\n`);
  return null;
}

/** Returns the path of a program that the shell would find, or null. */
export function onPath(program: string): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, program)).find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
