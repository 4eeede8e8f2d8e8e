import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { catalogueIn, small } from '../../bench/catalogue.ts';
import { lastingFolder, readTree, tempFolder } from '../../setup/folders.ts';
import { runAlmanac } from '../../setup/run-almanac.ts';

const limit = 60_000;
const data = catalogueIn(lastingFolder(), small);

async function build(now: string): Promise<string> {
  const cwd = tempFolder();
  const run = await runAlmanac(['build', '--data', data, '--base-url', 'http://127.0.0.1:8080', '--now', now], { cwd });
  expect(run.code, run.stderr).toBe(0);
  return join(cwd, 'dist');
}

test('the pages of a catalogue of 2,000 events weigh less than 60 kB each, with all that they load', async () => {
  const site = await build('2026-11-20T12:17:00Z');
  const data = ['index', 'categories', 'genres', 'events'].map((name) => `api/v1/${name}.json`);
  const pages = {
    'browse page': ['index.html', 'assets/style.css', 'assets/icon.svg', 'assets/browse.js'],
    'browse page with its first data': [
      'index.html',
      'assets/style.css',
      'assets/icon.svg',
      'assets/browse.js',
      ...data,
    ],
    'reference page': ['api/v1/index.html', 'assets/style.css', 'assets/icon.svg', 'assets/reference.js'],
  };
  for (const [name, paths] of Object.entries(pages)) {
    const files = paths.map((path) => readFileSync(join(site, path)));
    const gzipped = files.reduce((total, file) => total + gzipSync(file).length, 0);
    expect(gzipped, name).toBeLessThan(limit);
  }
});

test('no page contains the time of the build', async () => {
  const [one, other] = [readTree(await build('2026-11-20T12:17:00Z')), readTree(await build('2026-11-20T12:18:00Z'))];
  const changed = [...one].filter(([path, content]) => !other.get(path)?.equals(content)).map(([path]) => path);
  expect(changed).toEqual(['api/v1/index.json', 'files.json']);
});

test('every link in a page leads to a file of the site', async () => {
  const site = readTree(await build('2026-11-20T12:17:00Z'));
  for (const path of ['index.html', 'api/v1/index.html', '404.html']) {
    const text = site.get(path)?.toString() ?? '';
    const addresses = [...text.matchAll(/ (?:href|src)="([^"#?]+)/g)].map(([, address = '']) => address);
    const base = new URL('http://127.0.0.1:8080/');
    const local = addresses
      .map((address) => new URL(address, new URL(path, base)))
      .filter(({ host, protocol }) => host === base.host && protocol !== 'webcal:');
    const lost = local
      .map(({ pathname }) => pathname.slice(1).replace(/(^|\/)$/, '$1index.html'))
      .filter((file) => !site.has(file));
    expect(local.length).toBeGreaterThan(3);
    expect(lost).toEqual([]);
  }
});
