import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { replaceFile } from '../../src/system/write.ts';
import { readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';
import { sample } from '../setup/sample.ts';

test.runIf(process.platform === 'linux').each([
  ['init', '/proc/fairs/new', '--package', '@me/almanac'],
  ['build', '--out', '/proc/fairs/dist'],
  ['host', 'nginx', '--to', '/proc/fairs/nginx'],
])('almanac %s fails with one line where the system creates no folders', async (...args) => {
  const cwd = writeTree(tempFolder(), sample);
  const run = await runAlmanac(args, { cwd });
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toMatch(/^[^\n]+: the system does not create folders there; [^\n]+\n$/);
});

describe('replaceFile', () => {
  const before = Buffer.from('before');
  const folderWith = (text: string): string => writeTree(tempFolder(), { 'a.json': text });
  const textsIn = (folder: string): Record<string, string> =>
    Object.fromEntries(Array.from(readTree(folder), ([path, text]) => [path, text.toString()]));

  test('replaces a file, creates one, and leaves nothing else', () => {
    const folder = folderWith('before');
    expect(replaceFile(join(folder, 'a.json'), before, 'after')).toBe(true);
    expect(replaceFile(join(folder, 'b/c.json'), null, 'new')).toBe(true);
    expect(textsIn(folder)).toEqual({ 'a.json': 'after', 'b/c.json': 'new' });
  });

  test.each([
    ['was changed', 'edited', before],
    ['is longer', 'before and more', before],
    ['was created', 'edited', null],
  ])('does nothing to a file that %s', (_, text, expected) => {
    const folder = folderWith(text);
    expect(replaceFile(join(folder, 'a.json'), expected, 'after')).toBe(false);
    expect(textsIn(folder)).toEqual({ 'a.json': text });
  });

  test('does not create a file again that was removed', () => {
    const folder = tempFolder();
    expect(replaceFile(join(folder, 'a.json'), before, 'after')).toBe(false);
    expect(textsIn(folder)).toEqual({});
  });
});
