import { readAssets } from '../../src/cli/shell.ts';
import { join } from 'node:path';
import { build } from '../../src/builder/build.ts';
import { lastingFolder } from '../setup/folders.ts';
import type { SiteUnderTest } from './engines.ts';

/**
 * The build time of the site under test. The site lists an event of 2001, which has expired since.
 */
const builtAt = Date.parse('2000-01-01T00:00:00Z');

/**
 * Builds the site that every engine serves in a folder of this name, with or without compressed
 * copies.
 */
export async function buildSite(
  baseUrl: string,
  name = 'dist',
  compress = false,
): Promise<SiteUnderTest> {
  const folder = lastingFolder();
  const site = join(folder, name);
  await build({
    data: join(import.meta.dirname, 'data'),
    displayPath: (path) => path,
    out: site,
    baseUrl: { found: baseUrl, from: 'test' },
    now: builtAt,
    generator: 'almanac/0.0.0',
    assets: readAssets(),
    dryRun: false,
    compress,
    isDurable: false,
  });
  return { folder, site, baseUrl };
}
