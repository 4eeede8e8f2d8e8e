import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { buildSite } from '../setup/build-site.ts';
import { readTree, tempFolder } from '../setup/folders.ts';

const now = '2026-11-20T12:17:00Z';
const events = {
  'tv/drama/severance': Object.fromEntries(Array.from({ length: 30 }, (_, day) => [`Day ${day}`, '2027-01-15'])),
  'tv/comedy/hacks': { 'Season 5': '2027-04-01' },
};
const compressed = async (at = now, cwd = tempFolder()): Promise<string> =>
  buildSite(events, at, { cwd, args: ['--compress'] });

test('every text that gains has a copy in either encoding, listed in files.json', async () => {
  const [plain, site] = [readTree(await buildSite(events, now)), readTree(await compressed())];
  const paths = [...site.keys()].filter((path) => /\.(br|gz)$/.test(path));
  expect(paths).toContain('api/v1/events.br');
  expect(paths).toContain('api/v1/genre/drama-tv/events.json.gz');
  expect(paths.some((path) => path.includes('comedy-tv/events.json'))).toBe(false);
  for (const path of paths) {
    const bytes = site.get(path) ?? Buffer.of();
    const text = path.endsWith('.br') ? brotliDecompressSync(bytes) : gunzipSync(bytes);
    const original = site.get(path.slice(0, -3));
    expect(text).toEqual(original);
    expect(bytes.length).toBeLessThan(text.length);
  }
  const { files } = JSON.parse(String(site.get('files.json'))) as { files: object };
  expect(Object.keys(files)).toEqual([...site.keys()].filter((path) => path !== 'files.json'));
  expect([...site.keys()].filter((path) => !paths.includes(path))).toEqual([...plain.keys()]);
});

test('the same site gives the same bytes, whether or not an older one was there, compressed or not', async () => {
  const cwd = tempFolder();
  await compressed('2026-11-19T12:17:00Z', cwd);
  const site = readTree(await compressed());
  expect(readTree(await compressed(now, cwd))).toEqual(site);
  await buildSite(events, now, { cwd });
  expect(readTree(await compressed(now, cwd))).toEqual(site);
});

test.each<[string, (file: string) => void]>([
  ['is damaged', (file) => writeFileSync(file, 'garbage')],
  ['is gone', (file) => rmSync(file)],
])('a compressed copy of the site in place that %s is made again', async (_, damage) => {
  const cwd = tempFolder();
  const before = readTree(await compressed(now, cwd));
  // Documents of the same content share their copies: any of theirs may be taken for all.
  for (const path of before.keys()) if (/\.(br|gz)$/.test(path)) damage(join(cwd, 'dist', path));
  expect(readTree(await compressed(now, cwd))).toEqual(before);
});
