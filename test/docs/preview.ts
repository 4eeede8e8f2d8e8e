import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPreview } from '../../src/server/preview.ts';
import { afterFile } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';
import { root } from './pages.ts';

/** When the examples run. */
export const now = '2026-11-22T12:17:00Z';

/** The address in the examples: that of `npm start`. */
export const documentedAddress = 'http://127.0.0.1:8080';

/**
 * False in a clone whose owner has put another catalogue into data/: the examples ask for the
 * starter catalogue.
 */
export const isStarter = readFileSync(join(root, 'data/service.json'), 'utf8').includes(
  '"name": "Almanac"',
);

/**
 * Builds the catalogue in `data/` of a folder and serves it until the tests of the file end.
 * Returns the address.
 */
export async function previewStarter(cwd: string): Promise<string> {
  const build = await runAlmanac(['build', '--now', now], { cwd });
  if (build.code !== 0) throw new Error(build.stderr);
  const options = {
    folder: join(cwd, 'dist'),
    host: '127.0.0.1',
    port: 0,
    now: () => Date.parse(now),
  };
  const { address, close } = await openPreview(options);
  afterFile(close);
  return address;
}

/**
 * Copies the starter catalogue to `data/` in a folder. Remote sources stay out: a test asks nothing
 * of the network.
 */
export function copyStarter(folder: string): void {
  const filter = (path: string): boolean =>
    !path.endsWith('.source.json') && !path.endsWith('.cache');
  cpSync(join(root, 'data'), join(folder, 'data'), { recursive: true, filter });
}
