import { hash } from 'node:crypto';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeTree } from './files.ts';

/*
 * A process that is killed leaves its temporary files behind. Their names contain the id of the process, so the next one
 * removes them.
 */

const day = 86_400_000;

/** Returns the part of a file name that says which process writes the file: hexadecimal digits and hyphens. */
export function processMark(): string {
  return `${process.pid}-${machineMark()}`;
}

/** Calls `work` with a new temporary folder. Removes those that processes which were killed left. */
export async function inWorkingFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), `almanac.${processMark()}-`));
  try {
    removeLeftovers(tmpdir(), /^almanac\.(\d+)-([\da-f]{8})-\w{6}$/, folder);
    return await work(folder);
  } finally {
    removeTree(folder);
  }
}

/**
 * Removes what ended processes of this user left in a folder. Processes of other machines and containers cannot be
 * looked up, so what they wrote is removed once it is a day old.
 *
 * @param pattern matches the names, with the two halves of the {@link processMark} as groups
 * @param newest a file or folder that was just written. Its time is the current time of the file system.
 */
export function removeLeftovers(folder: string, pattern: RegExp, newest: string): void {
  const { mtimeMs: now, uid } = lstatSync(newest);
  for (const name of readdirSync(folder)) {
    const [found, pid, owner] = pattern.exec(name) ?? [];
    if (found === undefined || (owner === machineMark() && isRunning(Number(pid)))) continue;
    const path = join(folder, name);
    try {
      const stats = lstatSync(path);
      const isLeft = owner === machineMark() || now - stats.mtimeMs > day;
      if (isLeft && stats.uid === uid) removeTree(path);
    } catch {
      // Another process removes it, or the system does not permit it.
    }
  }
}

function machineMark(): string {
  return hash('sha256', machine()).slice(0, 8);
}

/** Whether a process of this machine and container is running. */
export function isRunning(pid: number): boolean {
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
export function machine(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return encodeURIComponent(hostname());
  }
}
