import fs, {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { acquireLock, type Lock } from '../../src/system/lock.ts';
import { tempFolder } from '../setup/folders.ts';

function acquire(path: string): Lock {
  const taken = acquireLock(path);
  if ('owner' in taken) throw new Error(taken.owner);
  return taken;
}

/** Sets the modification time of a file to so many seconds ago. */
function age(path: string, seconds: number): void {
  const time = statSync(path).mtimeMs / 1000 - seconds;
  utimesSync(path, time, time);
}

test('a lock cannot be acquired again until it is released', () => {
  const path = join(tempFolder(), 'lock');
  const lock = acquire(path);
  expect(lock.isHeld()).toBe(true);
  expect(acquireLock(path)).toEqual({ owner: `process ${process.pid}` });
  lock.release();
  expect(existsSync(path)).toBe(false);
  expect(acquire(path).isHeld()).toBe(true);
});

test.each([
  ['in another container', '1 another-machine x\n', 'process 1 in another container or on another machine'],
  ['in an unknown format', '{}', 'an unknown process'],
  ['that was created a moment ago', '', 'an unknown process'],
])('a lock %s is valid for a minute after it was renewed', (_, text, owner) => {
  const path = join(tempFolder(), 'lock');
  writeFileSync(path, text);
  age(path, 50);
  expect(acquireLock(path)).toEqual({ owner });
  expect(readFileSync(path, 'utf8')).toBe(text);
  age(path, 11);
  expect(acquire(path).isHeld()).toBe(true);
});

test('a lock from the future is stale, because a clock was wrong', () => {
  const path = join(tempFolder(), 'lock');
  writeFileSync(path, '1 another-machine x\n');
  age(path, -3600);
  expect(acquire(path).isHeld()).toBe(true);
});

test('a lock of this process is stale a minute after it was renewed', () => {
  const path = join(tempFolder(), 'lock');
  const lock = acquire(path);
  age(path, 61);
  lock.renew();
  expect(acquireLock(path)).toHaveProperty('owner');
  age(path, 61);
  const other = acquire(path);
  expect([lock.isHeld(), other.isHeld()]).toEqual([false, true]);
  lock.release();
  expect(other.isHeld()).toBe(true);
});

test('a lock of an ended process on this machine is stale at once', () => {
  const path = join(tempFolder(), 'lock');
  const lock = acquire(path);
  const text = readFileSync(path, 'utf8');
  lock.release();
  writeFileSync(path, text.replace(String(process.pid), '999999999'));
  expect(acquire(path).isHeld()).toBe(true);
});

test('a symbolic link in place of a lock is removed, and its target is unchanged', () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'target'), 'mine');
  symlinkSync('target', join(folder, 'lock'));
  expect(acquire(join(folder, 'lock')).isHeld()).toBe(true);
  expect(readFileSync(join(folder, 'target'), 'utf8')).toBe('mine');
});

test('a folder in place of a lock is removed', () => {
  const path = join(tempFolder(), 'lock');
  mkdirSync(join(path, 'inner'), { recursive: true });
  expect(acquire(path).isHeld()).toBe(true);
});

test.each(['holds', 'has released'])('a process that %s the lock may remove the draft of another', (state) => {
  const path = join(tempFolder(), 'lock');
  const taken = whenLinking(
    (draft) => {
      const other = acquire(path);
      rmSync(draft);
      if (state === 'has released') other.release();
    },
    () => acquireLock(path),
  );
  expect('owner' in taken).toBe(state === 'holds');
  expect(readdirSync(join(path, '..'))).toEqual(['lock']);
});

/** Runs `work`, and `meanwhile` just before `work` first creates a hard link. */
function whenLinking<T>(meanwhile: (existing: string) => void, work: () => T): T {
  const { linkSync } = fs;
  const replace = (other: typeof linkSync): void => {
    fs.linkSync = other;
    syncBuiltinESMExports();
  };
  replace((existing, path) => {
    replace(linkSync);
    meanwhile(String(existing));
    linkSync(existing, path);
  });
  try {
    return work();
  } finally {
    replace(linkSync);
  }
}
