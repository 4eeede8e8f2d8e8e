import { execFileSync } from 'node:child_process';
import { renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fetchFrom } from '../../src/server/site-folder.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';

const mega = 1024 * 1024;
/** What each file takes in addition. */
const overhead = 4096;

async function textOf(fetched: ReturnType<ReturnType<typeof fetchFrom>>): Promise<string | null> {
  const file = await fetched;
  return file === null ? null : new TextDecoder().decode(await file.arrayBuffer());
}

test('returns the same bytes while a file is unchanged, and the new ones after a change', async () => {
  const folder = writeTree(tempFolder(), { 'a.json': 'one', 'b.json': 'other' });
  const file = join(folder, 'a.json');
  const fetchFile = fetchFrom(folder);
  const bytes = async () => (await fetchFile('a.json'))?.arrayBuffer();
  const before = new Date('2026-01-01T00:00:00Z');
  utimesSync(file, before, before);

  const first = await bytes();
  expect(await bytes()).toBe(first);
  expect(await textOf(fetchFile('a.json'))).toBe('one');

  // A new site may contain another file of the same size and modification time.
  writeFileSync(join(folder, 'next'), 'two');
  utimesSync(join(folder, 'next'), before, before);
  renameSync(join(folder, 'next'), file);
  expect(await textOf(fetchFile('a.json'))).toBe('two');

  writeFileSync(file, 'three');
  expect(await textOf(fetchFile('a.json'))).toBe('three');

  rmSync(file);
  expect(await textOf(fetchFile('a.json'))).toBeNull();
  expect(await textOf(fetchFile('b.json'))).toBe('other');
});

test('returns null for a path that cannot be a file of the site', async () => {
  const folder = writeTree(tempFolder(), { 'a.json': 'one', 'in/b.json': 'other' });
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  const fetchFile = fetchFrom(folder);
  for (const path of ['in', 'a.json/x', 'x'.repeat(5000), 'none', 'pipe'])
    expect(await textOf(fetchFile(path))).toBeNull();
});

test('waits for a site that is being swapped, but not for a file that it does not have', async () => {
  const cwd = tempFolder();
  const fetchFile = fetchFrom(join(cwd, 'dist'));
  const timed = async (path: string): Promise<[found: string | null, waited: boolean]> => {
    let hasWaited = false;
    const tick = setTimeout(() => (hasWaited = true));
    const found = await textOf(fetchFile(path));
    clearTimeout(tick);
    return [found, hasWaited];
  };
  expect(await timed('a.json')).toEqual([null, true]);
  writeTree(cwd, { 'dist/a.json': 'one' });
  expect(await timed('a.json')).toEqual(['one', false]);
  expect(await timed('b.json')).toEqual([null, false]);
  renameSync(join(cwd, 'dist'), join(cwd, 'old'));
  const asked = timed('a.json');
  renameSync(join(cwd, 'old'), join(cwd, 'dist'));
  expect(await asked).toEqual(['one', true]);
});

test('caches at most 16 MB', async () => {
  const names = ['a', 'b', 'c', 'd'];
  const folder = writeTree(tempFolder(), {
    ...Object.fromEntries(names.map((name) => [name, name.repeat(5 * mega)])),
    large: 'y'.repeat(16 * mega - overhead + 1),
    full: 'y'.repeat(16 * mega - overhead),
    rest: 'y'.repeat(11 * mega - 2 * overhead),
  });
  const fetchFile = fetchFrom(folder);
  const bytes = async (path: string) => (await fetchFile(path))?.arrayBuffer();
  const [a, b, c] = [await bytes('a'), await bytes('b'), await bytes('c')];
  expect([(await bytes('a')) === a, (await bytes('b')) === b, (await bytes('c')) === c]).toEqual([
    true,
    true,
    true,
  ]);
  // A file that is too large does not displace others, and is not kept.
  expect(await bytes('large')).not.toBe(await bytes('large'));
  expect(await bytes('a')).toBe(a);
  const d = await bytes('d');
  expect(await bytes('d')).toBe(d);
  expect(await bytes('rest')).toBe(await bytes('rest'));
  expect(await bytes('d')).toBe(d);
  expect(await bytes('a')).not.toBe(a);
  expect(await bytes('full')).toBe(await bytes('full'));
});
