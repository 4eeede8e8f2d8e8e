import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { failureReason } from '../../src/system/failure.ts';
import { linkBelow, readRegular } from '../../src/system/files.ts';
import { lastingFolder, writeTree } from '../setup/folders.ts';

const folder = writeTree(lastingFolder(), { file: 'text', large: '' });

test.each<[string, string, (path: string) => void]>([
  ['a folder', 'it is a folder (EISDIR)', (path) => mkdirSync(path)],
  [
    'a link',
    'it is a symbolic link, or its links form a loop (ELOOP)',
    (path) => symlinkSync('file', path),
  ],
  [
    'a pipe',
    'it is a pipe or a device, and not a regular file',
    (path) => execFileSync('mkfifo', [path]),
  ],
  [
    'a file of 3 GB',
    'it has 3,221,225,472 bytes, and at most 100 are read',
    (path) => truncateSync(path, 3 * 1024 ** 3),
  ],
])('%s is not read', (name, reason, create) => {
  const path = join(folder, name === 'a file of 3 GB' ? 'large' : name);
  create(path);
  let failure: unknown;
  try {
    readRegular(path, 100);
  } catch (error) {
    failure = error;
  }
  expect(failureReason(failure)).toBe(reason);
});

test('a regular file is read, and a link is found on its path, but not above the base', () => {
  expect(readRegular(join(folder, 'file'), 4).toString()).toBe('text');
  symlinkSync('.', join(folder, 'here'));
  expect(linkBelow(folder, join(folder, 'here/file'))).toBe(join(folder, 'here'));
  expect(linkBelow(join(folder, 'here'), join(folder, 'here/file'))).toBeNull();
});
