import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { catalogueIn, small } from '../bench/catalogue.ts';
import { lastingFolder } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

const limit = 40_000;
const cwd = lastingFolder();
const site = join(cwd, 'dist');

beforeAll(async () => {
  const data = catalogueIn(cwd, small);
  const base = ['--base-url', 'http://127.0.0.1:8080', '--now', '2026-11-20T12:17:00Z'];
  const run = await runAlmanac(['build', '--data', data, ...base], { cwd });
  expect(run.code, run.stderr).toBe(0);
});

test('the pages of a catalogue of 2,000 events weigh less than 40 kB each, with all that they load at first', () => {
  const shared = ['assets/style.css', 'assets/icon.svg', 'assets/app.js', 'assets/words.js'];
  const genre = readdirSync(join(site, 'genre'))[0] ?? '';
  const subject = readdirSync(join(site, 'genre', genre)).find((name) => !name.includes('.')) ?? '';
  const month = readdirSync(join(site, 'month')).toSorted()[1] ?? '';
  const pages = {
    home: ['index.html', 'api/v1/index.json', ...shared],
    category: ['category/category-1/index.html', ...shared],
    genre: [`genre/${genre}/index.html`, ...shared],
    subject: [`genre/${genre}/${subject}/index.html`, ...shared],
    month: [`month/${month}/index.html`, ...shared],
    reference: ['api/v1/index.html', ...shared],
  };
  for (const [name, paths] of Object.entries(pages)) {
    const files = paths.map((path) => readFileSync(join(site, path)));
    const gzipped = files.reduce((total, file) => total + gzipSync(file).length, 0);
    expect(gzipped, name).toBeLessThan(limit);
  }
});

test('the style is one file of less than 20 kB, and 6 kB over the wire', () => {
  const style = readFileSync(join(site, 'assets/style.css'));
  expect(style.length).toBeLessThan(20_000);
  expect(gzipSync(style).length).toBeLessThan(6_000);
});
