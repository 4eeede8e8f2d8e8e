import { renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fetchIn } from '../../src/server/site-folder.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';

async function textOf(fetched: ReturnType<ReturnType<typeof fetchIn>>): Promise<string | number> {
  const { status, arrayBuffer } = await fetched;
  return status === 200 ? new TextDecoder().decode(await arrayBuffer()) : status;
}

test('the same bytes while a file is the same, and what it holds now once it is not', async () => {
  const folder = writeTree(tempFolder(), { 'a.json': 'one', 'b.json': 'other' });
  const file = join(folder, 'a.json');
  const fetchFile = fetchIn(folder);
  const bytes = async () => (await fetchFile('a.json')).arrayBuffer();
  const before = new Date('2026-01-01T00:00:00Z');
  utimesSync(file, before, before);

  const first = await bytes();
  expect(await bytes()).toBe(first);
  expect(await textOf(fetchFile('a.json'))).toBe('one');

  // Another file of the same size and time, as a site that is swapped in may have.
  writeFileSync(join(folder, 'next'), 'two');
  utimesSync(join(folder, 'next'), before, before);
  renameSync(join(folder, 'next'), file);
  expect(await textOf(fetchFile('a.json'))).toBe('two');

  // The same file, written over.
  writeFileSync(file, 'six');
  utimesSync(file, before, before);
  expect(await textOf(fetchFile('a.json'))).toBe('six');

  renameSync(file, join(folder, 'gone'));
  symlinkSync(join(folder, 'gone'), file);
  expect(await textOf(fetchFile('a.json'))).toBe(404);
  rmSync(file);
  expect(await textOf(fetchFile('a.json'))).toBe(404);
  expect(await textOf(fetchFile('b.json'))).toBe('other');
});

test('what cannot be a file of the site is not there', async () => {
  const folder = writeTree(tempFolder(), { 'a.json': 'one', 'in/b.json': 'other' });
  const fetchFile = fetchIn(folder);
  for (const path of ['in', 'a.json/x', 'x'.repeat(5000), 'none']) expect(await textOf(fetchFile(path))).toBe(404);
});

test('keeps no more than some of the files', async () => {
  const mega = 1024 * 1024;
  const folder = writeTree(tempFolder(), { small: 'x', large: 'y'.repeat(12 * mega), larger: 'z'.repeat(40 * mega) });
  const fetchFile = fetchIn(folder);
  const bytes = async (path: string) => (await fetchFile(path)).arrayBuffer();
  const [small, large] = [await bytes('small'), await bytes('large')];
  expect(await bytes('small')).toBe(small);
  expect(await bytes('large')).toBe(large);
  expect((await bytes('larger')).byteLength).toBe(40 * mega);
  expect(await bytes('small')).not.toBe(small);
  expect(await bytes('large')).not.toBe(large);
  expect(await bytes('larger')).not.toBe(await bytes('larger'));
});
