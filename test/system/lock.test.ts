import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { acquireLock, type Lock } from '../../src/system/lock.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';

const lockPath = (): string => join(tempFolder(), 'lock');

function acquire(path: string): Lock {
  const taken = acquireLock(path);
  if ('owner' in taken) throw new Error(taken.owner);
  return taken;
}

/** Returns the file that names the owner of a lock. */
function ownerFile(path: string): string {
  return join(path, readdirSync(path)[0] ?? '');
}

/** Sets the last heartbeat of a lock to so many seconds ago. */
function age(path: string, seconds: number): void {
  const file = ownerFile(path);
  const time = statSync(file).mtimeMs / 1000 - seconds;
  utimesSync(file, time, time);
}

/** Makes another process the owner of a lock that this process has acquired. */
function giveTo(path: string, pid: string, machine: string): void {
  const file = ownerFile(path);
  const [, , ...uuid] = readdirSync(path)[0]?.split('-') ?? [];
  renameSync(file, join(path, [pid, machine, ...uuid].join('-')));
}

const ownMachine = (path: string): string => readdirSync(path)[0]?.split('-')[1] ?? '';

test('a lock cannot be acquired again until it is released, which leaves nothing', () => {
  const path = lockPath();
  const lock = acquire(path);
  expect(lock.isHeld()).toBe(true);
  expect(acquireLock(path)).toEqual({ owner: `process ${process.pid}` });
  expect(readdirSync(dirname(path))).toEqual(['lock']);
  lock.release();
  expect(readdirSync(dirname(path))).toEqual([]);
  expect(acquire(path).isHeld()).toBe(true);
});

test('a lock of another container or machine is valid for a minute after its last heartbeat', () => {
  const path = lockPath();
  acquire(path);
  giveTo(path, '1', '00000000');
  age(path, 50);
  expect(acquireLock(path)).toEqual({
    owner: 'process 1 in another container or on another machine',
  });
  age(path, 11);
  expect(acquire(path).isHeld()).toBe(true);
});

test('a lock from the future is stale, because a clock was wrong', () => {
  const path = lockPath();
  acquire(path);
  age(path, -3600);
  expect(acquire(path).isHeld()).toBe(true);
});

test('a lock of this process is stale a minute after its last heartbeat, and the new owner keeps it', () => {
  const path = lockPath();
  const lock = acquire(path);
  age(path, 61);
  lock.renew();
  expect(acquireLock(path)).toHaveProperty('owner');
  age(path, 61);
  const other = acquire(path);
  expect([lock.isHeld(), other.isHeld()]).toEqual([false, true]);
  lock.renew();
  lock.release();
  expect([lock.isHeld(), other.isHeld()]).toEqual([false, true]);
});

test('a lock of an ended process on this machine is stale at once', () => {
  const path = lockPath();
  acquire(path);
  giveTo(path, '999999999', ownMachine(path));
  expect(acquire(path).isHeld()).toBe(true);
});

test.each<[string, (path: string) => void]>([
  ['a file', (path) => writeFileSync(path, '1')],
  ['a symbolic link', (path) => symlinkSync('target', path)],
  ['an empty folder', (path) => mkdirSync(path)],
  [
    'a folder with other content',
    (path) => mkdirSync(join(path, 'inner/most'), { recursive: true }),
  ],
])('%s in place of a lock is replaced, and its target is unchanged', (_, put) => {
  const path = lockPath();
  const target = join(dirname(path), 'target');
  writeTree(target, { thesis: 'mine' });
  put(path);
  expect(acquire(path).isHeld()).toBe(true);
  expect(readdirSync(path).length).toBe(1);
  expect(readFileSync(join(target, 'thesis'), 'utf8')).toBe('mine');
});

test('a release removes the folder only if no other process has taken the lock meanwhile', () => {
  const path = lockPath();
  const lock = acquire(path);
  rmSync(ownerFile(path));
  const other = acquire(path);
  lock.release();
  expect(other.isHeld()).toBe(true);
  other.release();
  expect(existsSync(path)).toBe(false);
});
