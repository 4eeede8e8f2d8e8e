import { hash, randomUUID } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { removeTree } from './files.ts';

/** A lock that this process holds. */
export interface Lock {
  /**
   * Whether the lock still belongs to this process. Another process may take it a minute after the
   * last heartbeat.
   */
  readonly isHeld: () => boolean;
  /** Gives a heartbeat. A timer also does so, but only while the event loop is running. */
  readonly renew: () => void;
  readonly release: () => void;
}

/**
 * Acquires a lock: a folder with one file, whose name says which process holds the lock and whose
 * modification time is the last heartbeat of that process. A lock is stale if its process is known
 * to have ended or if the last heartbeat is more than a minute ago, because processes in other
 * containers and on other machines cannot be looked up.
 *
 * @returns the lock, or a description of the process that holds it
 */
export function acquireLock(path: string): Lock | { readonly owner: string } {
  const name = `${process.pid}-${machine()}-${randomUUID()}`;
  for (let attempt = 0; attempt < 3; attempt++) {
    const draft = `${path}-${name}`;
    mkdirSync(draft);
    try {
      writeFileSync(join(draft, name), '.');
      // The time of the file system, whose clock may differ from this machine's.
      const now = lstatSync(join(draft, name)).mtimeMs;
      const owner = removeUnheld(path, now);
      if (owner !== null) return { owner };
      // Replaces nothing and an empty folder, but no lock. The folder appears with its file.
      renameSync(draft, path);
      return holdLock(join(path, name));
    } catch (error) {
      // Another process took the lock, or removed the draft because it seemed to belong to a killed
      // process.
      if (!takenCodes.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    } finally {
      tryTo(() => rmSync(draft, { recursive: true, force: true }));
    }
  }
  return { owner: 'one that just started' };
}

const takenCodes = new Set(['EEXIST', 'ENOTEMPTY', 'ENOENT']);
const staleMilliseconds = 60_000;
const heartbeatMilliseconds = 10_000;

function holdLock(file: string): Lock {
  // If another process has taken over the lock, this file no longer exists.
  const renew = (): void => tryTo(() => writeFileSync(file, '.', { flag: 'r+' }));
  const timer = setInterval(renew, heartbeatMilliseconds).unref();
  const release = (): void => {
    clearInterval(timer);
    tryTo(() => unlinkSync(file));
    tryTo(() => rmdirSync(dirname(file)));
  };
  return {
    isHeld: () => existsSync(file),
    renew,
    release,
  };
}

/**
 * Removes a lock that no process holds. Returns a description of the process that holds the lock,
 * or null.
 */
function removeUnheld(path: string, now: number): string | null {
  // Whatever is not a folder, a link included, is no lock.
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    tryTo(() => unlinkSync(path));
    return null;
  }
  for (const name of readdirSync(path)) {
    const [isLock, pid = '', home] = /^(\d+)-([\da-f]{8})-[\da-f-]{36}$/.exec(name) ?? [];
    const isHere = home === machine();
    const isFresh = Math.abs(now - lstatSync(join(path, name)).mtimeMs) <= staleMilliseconds;
    if (isLock && isFresh && !(isHere && !isRunning(Number(pid))))
      return `process ${pid}${isHere ? '' : ' in another container or on another machine'}`;
    // Only this file, because another process may take the lock at this moment.
    removeTree(join(path, name));
  }
  return null;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Identifies the scope in which process ids are unique: the machine since its start and, on Linux,
 * the container.
 */
function machine(): string {
  return hash('sha256', scopeOfProcesses()).slice(0, 8);
}

function scopeOfProcesses(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
    return boot + readlinkSync('/proc/self/ns/pid');
  } catch {
    return hostname();
  }
}

function tryTo(work: () => unknown): void {
  try {
    work();
  } catch {
    // Failure has no effect on the caller.
  }
}
