import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { mountOf } from '../../src/api/address.ts';
import type { Ability } from '../../src/hosts/host.ts';
import { hosts } from '../../src/hosts/table.ts';
import { lastingFolder } from '../setup/folders.ts';
import { engines, now, type SiteUnderTest } from './engines.ts';
import { runRows, type Result } from './run-rows.ts';
import { buildSite } from './site.ts';

const rootOnly = new Set(['preview', 'github-pages', 'gitlab-pages', 's3']);

/** Every engine serves a site at the root of a host. Engines with a configuration also serve it below two paths. */
const places = [
  { base: 'https://example.org', folder: 'dist' },
  { base: 'https://example.org/alma-nac', folder: 'dist' },
  { base: 'https://example.org/caf%C3%A9/%E2%80%93a+b*1.0', folder: '#a? "100%" %20' },
];
const runs = Object.keys(engines).flatMap((name) =>
  places.slice(0, rootOnly.has(name) ? 1 : places.length).map((place) => ({ name, ...place })),
);
/** The sites of the places that have been built. Each engine serves a copy. */
const built = new Map<string, SiteUnderTest>();

async function copyOfSite(baseUrl: string, name: string): Promise<SiteUnderTest> {
  const whole = built.get(baseUrl) ?? (await buildSite(baseUrl, name));
  built.set(baseUrl, whole);
  const folder = lastingFolder();
  const site = join(folder, name);
  cpSync(whole.site, site, { recursive: true });
  return { folder, site, baseUrl };
}

describe.each(runs)('$name at $base', ({ name, base, folder }) => {
  const { unsupported = [], untested = [] } = hosts.find((host) => host.name === name) ?? {};
  let results: readonly Result[] | null = null;

  beforeAll(async () => {
    const site = await copyOfSite(base, folder);
    const running = await engines[name]?.(site);
    if (!running) return;
    results = await runRows(running.ask, now, mountOf(base)).finally(running.close);
  });

  const failures = (of: (ability: Ability) => boolean): string[] =>
    (results ?? [])
      .filter(({ row, failure }) => failure !== null && of(row.ability))
      .map(({ row, failure }) => `${row.ability}: ${row.method} ${row.path.slice(0, 200)}: ${failure}`);

  test('passes every row of the abilities that it supports', ({ skip }) => {
    if (results === null) skip();
    expect(failures((ability) => !unsupported.includes(ability) && !untested.includes(ability))).toEqual([]);
  });

  test.runIf(unsupported.length > 0)('fails a row of every ability that it declares as unsupported', ({ skip }) => {
    if (results === null) skip();
    expect(unsupported.filter((one) => failures((ability) => ability === one).length === 0)).toEqual([]);
  });
});
