import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
  renameSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { removeTree } from './files.ts';

/** A lock that this process holds. */
export interface Lock {
  /** Whether the lock still belongs to this process. Another process may take it if it was not renewed for a minute. */
  readonly isHeld: () => boolean;
  /** Extends the lease. A timer also does so, but only while the event loop is running. */
  readonly renew: () => void;
  readonly release: () => void;
}

/**
 * Acquires a lock: a file that names its owner. The owner renews it by writing to it. A lock is stale if its process is
 * known to have ended, or if it was not renewed for a minute, because processes in other containers and on other
 * machines cannot be looked up. All times come from the file system, which all owners share.
 *
 * @returns the lock, or a description of the process that holds it
 */
export function acquireLock(path: string): Lock | { readonly owner: string } {
  const text = `${process.pid} ${machine()} ${randomUUID()}\n`;
  for (let attempt = 0; attempt < 3; attempt++) {
    const file = tryCreate(path, text);
    if (file !== null) return openLock(path, file, text);
    const owner = removeIfStale(path);
    if (owner !== null) return { owner };
  }
  return { owner: 'one that just started' };
}

const leaseMilliseconds = 60_000;
const renewMilliseconds = 10_000;

function openLock(path: string, file: number, text: string): Lock {
  // If another process has taken over the lock, writing to the open file does not change the new lock.
  const renew = (): void => tryTo(() => writeSync(file, text, 0));
  const timer = setInterval(renew, renewMilliseconds).unref();
  const isHeld = (): boolean => readLock(path) === text;
  return {
    isHeld,
    renew,
    release: () => {
      clearInterval(timer);
      tryTo(() => closeSync(file));
      if (isHeld()) tryTo(() => unlinkSync(path));
    },
  };
}

/** Creates the lock file. Returns null if it already exists. Does not follow links. */
function tryCreate(path: string, text: string): number | null {
  const draft = `${path}-${randomUUID()}`;
  const file = createFile(draft, text);
  try {
    // The lock appears with its text, so a process that is killed leaves no lock without an owner.
    linkSync(draft, path);
    return file;
  } catch {
    closeSync(file);
    // The lock exists, or the file system has no hard links, or the owner of the lock took the draft for a leftover.
    return lstatSync(path, { throwIfNoEntry: false }) === undefined ? createUnlessPresent(path, text) : null;
  } finally {
    tryTo(() => unlinkSync(draft));
  }
}

function createUnlessPresent(path: string, text: string): number | null {
  try {
    return createFile(path, text);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null;
    throw error;
  }
}

function createFile(path: string, text: string): number {
  const file = openSync(path, 'wx');
  try {
    writeSync(file, text, 0);
    return file;
  } catch (error) {
    closeSync(file);
    unlinkSync(path);
    throw error;
  }
}

/** Removes a lock if it is stale. Returns its owner if it is not stale, or null if the lock no longer exists. */
function removeIfStale(path: string): string | null {
  const text = readLock(path);
  const [pid = '', owner] = text?.split(' ') ?? [];
  const hasEnded = owner === machine() && !isRunning(Number(pid));
  if (text !== null && !hasEnded && !isExpired(path)) return describe(text);
  const taken = `${path}-${randomUUID()}`;
  try {
    renameSync(path, taken);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  // Another process may have replaced the stale lock in the meantime, so restore its lock.
  if (text !== null && readLock(taken) !== text) tryTo(() => linkSync(taken, path));
  removeTree(taken);
  return null;
}

/** Returns the text of a lock, or null if there is none, or a folder or a link in its place. */
function readLock(path: string): string | null {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const bytes = Buffer.alloc(maxLockBytes);
      return bytes.toString('utf8', 0, readSync(file, bytes));
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

/** The text of a lock has some 120 bytes. */
const maxLockBytes = 4096;

/** Compares the time of a lock with that of a new file, because the file system may have a different clock. */
function isExpired(path: string): boolean {
  const probe = `${path}-${randomUUID()}`;
  try {
    writeFileSync(probe, '', { flag: 'wx' });
    const age = lstatSync(probe).mtimeMs - lstatSync(path).mtimeMs;
    return Math.abs(age) > leaseMilliseconds;
  } catch {
    return false;
  } finally {
    tryTo(() => unlinkSync(probe));
  }
}

/** Whether a process of this machine and container is running. */
function isRunning(pid: number): boolean {
  // For the system, 0 and negative numbers identify process groups.
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Identifies the scope in which process ids are unique: the machine since its start and, on Linux, the container. */
function machine(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return encodeURIComponent(hostname());
  }
}

function describe(text: string): string {
  const [pid = '', owner] = text.split(' ');
  const where = owner === machine() ? '' : ' in another container or on another machine';
  return /^\d+$/.test(pid) ? `process ${pid}${where}` : 'an unknown process';
}

function tryTo(work: () => unknown): void {
  try {
    work();
  } catch {
    // Failure has no effect on the caller.
  }
}
