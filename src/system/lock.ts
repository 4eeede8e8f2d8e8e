import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * A lock is a file that names the process that holds it. It appears whole or not at all: it is written under a name of
 * its own, `{lock}-{pid}`, then linked to the name that all look for. One whose process is gone is broken.
 *
 * @returns null once this process holds it, else who does
 */
export function takeLock(lock: string): string | null {
  const mine = `${lock}-${process.pid}`;
  try {
    for (let attempt = 0; attempt < 3; attempt++) {
      writeFileSync(mine, thisProcess());
      if (tryLink(mine, lock)) return null;
      const owner = breakLock(lock);
      if (owner !== null) return `process ${owner.split(' ')[0]}`;
    }
  } finally {
    rmSync(mine, { force: true });
  }
  return 'one that just started';
}

/** Whether this process holds a lock. */
export function isOurLock(lock: string): boolean {
  return readOwner(lock) === thisProcess();
}

/** Whether a lock, or the draft of one, belongs to a process that runs. */
export function isHeldLock(lock: string): boolean {
  return isRunning(readOwner(lock) ?? '');
}

export function dropLock(lock: string): void {
  rmSync(lock, { force: true });
}

/** False where the name is taken, and where the draft was: who held the lock until now has cleared it away. */
function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || code === 'ENOENT') return false;
    throw error;
  }
}

/** Takes away the lock of a process that is gone; if another took its place meanwhile, gives it back. Else its owner. */
function breakLock(lock: string): string | null {
  const owner = readOwner(lock);
  if (owner === null) return null;
  if (isRunning(owner)) return owner;
  const taken = `${lock}-broken-${process.pid}`;
  try {
    renameSync(lock, taken);
  } catch {
    return null;
  }
  if (readOwner(taken) !== owner) tryLink(taken, lock);
  rmSync(taken, { recursive: true, force: true });
  return null;
}

/** What a lock of this process holds. */
function thisProcess(): string {
  return `${process.pid} ${birthOf(process.pid)}`;
}

/** Null where there is no lock, or none that may be read; empty where a folder stands in its place. */
function readOwner(lock: string): string | null {
  try {
    return readFileSync(lock, 'utf8');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EISDIR' ? '' : null;
  }
}

function isRunning(owner: string): boolean {
  const [pid = '', birth = ''] = owner.split(' ');
  // To the system 0 and negative numbers are groups of processes; a lock cut short by a crash of the machine is empty.
  if (!/^[1-9]\d*$/.test(pid)) return false;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return birth === birthOf(Number(pid));
}

/**
 * When a process began, where the system tells: process numbers are given out again, above all in containers. Empty for
 * one that has ended and is only still listed, as happens where nothing waits for it.
 */
function birthOf(pid: number): string {
  try {
    const [state = '', ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return 'ZX'.includes(state) ? '' : (fields[18] ?? '');
  } catch {
    return '';
  }
}
