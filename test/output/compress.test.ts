import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { buildSite } from '../setup/build-site.ts';
import { readTree, tempFolder } from '../setup/folders.ts';

const now = '2026-11-20T12:17:00Z';
const events = {
  'tv/drama/severance': Object.fromEntries(
    Array.from({ length: 30 }, (_, day) => [`Day ${day}`, '2027-01-15']),
  ),
  'tv/comedy/hacks': { 'Season 5': '2027-04-01' },
};
const compressed = async (at = now, cwd = tempFolder()): Promise<string> =>
  buildSite(events, at, { cwd, args: ['--compress'] });

test('compresses each file that gets smaller with gzip and Brotli, and lists the copies in files.json', async () => {
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

test('produces the same bytes with and without files to keep, compressed or not', async () => {
  const cwd = tempFolder();
  await compressed(now, cwd);
  const site = readTree(await compressed());
  expect(readTree(await compressed(now, cwd))).toEqual(site);
  await buildSite(events, now, { cwd });
  expect(readTree(await compressed(now, cwd))).toEqual(site);
});

test('never reuses a compressed copy of the previous site, even if files.json lists it', async () => {
  const cwd = tempFolder();
  const before = readTree(await compressed(now, cwd));
  const evil = gzipSync('{"evil":true}');
  const manifest = JSON.parse(String(before.get('files.json'))) as {
    files: Record<string, object>;
  };
  for (const path of before.keys()) {
    if (!path.endsWith('.gz')) continue;
    writeFileSync(join(cwd, 'dist', path), evil);
    manifest.files[path] = { bytes: evil.length, sha256: hash('sha256', evil) };
  }
  writeFileSync(join(cwd, 'dist/files.json'), JSON.stringify(manifest));
  expect(readTree(await compressed(now, cwd))).toEqual(before);
});
