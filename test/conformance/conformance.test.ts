import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { mountOf } from '../../src/api/address.ts';
import type { Ability } from '../../src/hosts/host.ts';
import { hosts } from '../../src/hosts/table.ts';
import { readQuery } from '../../src/server/request.ts';
import { lastingFolder } from '../setup/folders.ts';
import { engines, now, type SiteUnderTest } from './engines.ts';
import { runRows, type Result } from './run-rows.ts';
import { buildSite } from './site.ts';

const rootOnly = new Set(['preview', 'github-pages', 'gitlab-pages', 's3']);

/**
 * Every engine serves a site at the root of a host. Engines with a configuration also serve it
 * below two paths.
 */
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
      .map(
        ({ row, failure }) => `${row.ability}: ${row.method} ${row.path.slice(0, 200)}: ${failure}`,
      );

  test('passes every row of the abilities that it supports', ({ skip }) => {
    if (results === null) skip();
    expect(
      failures((ability) => !unsupported.includes(ability) && !untested.includes(ability)),
    ).toEqual([]);
  });

  test.runIf(unsupported.length > 0)(
    'fails a row of every ability that it declares as unsupported',
    ({ skip }) => {
      if (results === null) skip();
      expect(
        unsupported.filter((one) => failures((ability) => ability === one).length === 0),
      ).toEqual([]);
    },
  );
});

test('Cloudflare answers with the parts of pages itself, and with all else by the worker', async () => {
  const site = await buildSite('https://example.org');
  const running = await engines['cloudflare']?.(site);
  if (!running) throw new Error('workerd is a package of this project');
  onTestFinished(running.close);
  const isFromWorker = async (path: string): Promise<unknown[]> => {
    const { status, headers } = await running.ask(path, 'GET', {});
    return [path, status, headers['access-control-allow-origin'] === '*'];
  };
  for (const path of ['assets/style.css', 'assets/client.js', 'robots.txt'])
    expect(await isFromWorker(path)).toEqual([path, 200, false]);
  for (const path of ['', 'api/v1/events?limit=1', 'api/v1/events.ics', 'files.json']) {
    expect(await isFromWorker(path)).toEqual([path, 200, true]);
  }
  // A browser of another origin asks this first, so documents with CORS need the worker.
  expect(await running.ask('assets/style.css', 'OPTIONS', {})).toMatchObject({ status: 405 });
  expect(await running.ask('api/v1/events.ics', 'OPTIONS', {})).toMatchObject({ status: 204 });
  expect(await isFromWorker('assets/none.css')).toEqual(['assets/none.css', 404, true]);
});

test('the CloudFront function and the handler respond with the same problem detail', async () => {
  const running = await engines['cloudfront']?.(await buildSite('https://example.org'));
  const long = `category=${'x'.repeat(100)}&category=1&category=2&category=3`;
  for (const query of ['genre=a&genre=', 'genre=%22%0A&genre=b+c', long]) {
    const answer = await running?.ask(`api/v1/events?${query}`, 'GET', {});
    const { detail } = JSON.parse(answer?.text ?? '{}') as { detail: string };
    expect({ problem: 'repeated-parameter', detail }).toEqual(readQuery('events', query));
  }
});
