import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { inventoryPath } from '../api/paths.ts';
import { ProblemError } from '../problem.ts';
import { realPath } from './real-path.ts';
import { removeTree } from './remove-tree.ts';
import { seal } from './last-site.ts';

/**
 * How a site takes the place of another. Beside `dist` stand, while a build runs, `.dist.almanac-lock` (who builds),
 * `.dist.almanac-next` (the site being built, whole once its inventory is there) and `.dist.almanac-old` (the site
 * that was). The swap is two renames: dist to old, next to dist. Between them dist is absent and both sites stand
 * beside it whole; whoever comes next puts one back before it reads or writes: {@link recover}.
 */
interface Neighbours {
  readonly out: string;
  readonly prefix: string;
  readonly lock: string;
  readonly next: string;
  readonly old: string;
}

/** A site being built, and how that ends. */
export interface Swap {
  /** The place of the site, links resolved. */
  readonly out: string;
  /** Where the next one is built. */
  readonly folder: string;
  /** Puts the built site in the place of the last one. */
  readonly commit: () => void;
  /** Clears away whatever stands beside the site: the one it replaced or, without a commit, the one not finished. */
  readonly close: () => void;
}

/** Begins to replace the site at `out`. Throws the problem `out-busy` while another process does. */
export function beginSwap(out: string): Swap {
  const places = neighboursOf(out);
  mkdirSync(dirname(places.out), { recursive: true });
  takeLock(places);
  putBack(places);
  clear(places);
  mkdirSync(places.next);
  let isCommitted = false;
  return {
    out: places.out,
    folder: places.next,
    commit: () => {
      if (!isOurs(places.lock)) throw busy(places.out, 'one that just started');
      if (existsSync(places.out)) renameSync(places.out, places.old);
      renameSync(places.next, places.out);
      isCommitted = true;
    },
    close: () => {
      if (!isOurs(places.lock)) return;
      try {
        if (!isCommitted) removeTree(places.next);
        putBack(places);
        clear(places);
        if (isCommitted) seal(places.out);
      } finally {
        rmSync(places.lock, { force: true });
      }
    },
  };
}

/** Puts a whole site at `out` where a build was killed between its two renames. Leaves a running build alone. */
export function recover(out: string): void {
  const places = neighboursOf(out);
  if (existsSync(places.out) || !(existsSync(places.next) || existsSync(places.old))) return;
  takeLock(places);
  try {
    putBack(places);
    clear(places);
  } finally {
    rmSync(places.lock, { force: true });
  }
}

function neighboursOf(out: string): Neighbours {
  const real = realPath(out);
  const prefix = `.${basename(real)}.almanac-`;
  const beside = (what: string): string => join(dirname(real), prefix + what);
  return { out: real, prefix, lock: beside('lock'), next: beside('next'), old: beside('old') };
}

/** The newer of the two sites if it is whole, else the older one. */
function putBack({ out, next, old }: Neighbours): void {
  if (existsSync(out)) return;
  if (isWhole(next)) renameSync(next, out);
  else if (existsSync(old)) renameSync(old, out);
}

/** Takes away all that stands beside the site, the locks of processes that run aside. */
function clear({ out, lock, prefix }: Neighbours): void {
  for (const name of readdirSync(dirname(out))) {
    const path = join(dirname(out), name);
    const isHeld = path.startsWith(lock) && isRunning(readOwner(path) ?? '');
    if (name.startsWith(prefix) && !isHeld) removeTree(path);
  }
}

/** A site is whole once its inventory, which is written last, can be read to its end. */
function isWhole(folder: string): boolean {
  try {
    JSON.parse(readFileSync(join(folder, inventoryPath), 'utf8'));
    return true;
  } catch {
    return false;
  }
}

/** The lock appears whole or not at all: it is written under a name of its own, then linked to the name all look for. */
function takeLock({ out, lock }: Neighbours): void {
  const mine = `${lock}-${process.pid}`;
  try {
    for (let attempt = 0; attempt < 3; attempt++) {
      writeFileSync(mine, thisProcess());
      if (tryLink(mine, lock)) return;
      breakLock(out, lock);
    }
  } finally {
    rmSync(mine, { force: true });
  }
  throw busy(out, 'one that just started');
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

/** Takes away the lock of a process that is gone; if another took its place meanwhile, gives it back. */
function breakLock(out: string, lock: string): void {
  const owner = readOwner(lock);
  if (owner === null) return;
  if (isRunning(owner)) throw busy(out, `process ${owner.split(' ')[0]}`);
  const taken = `${lock}-broken-${process.pid}`;
  try {
    renameSync(lock, taken);
  } catch {
    return;
  }
  if (readOwner(taken) !== owner) tryLink(taken, lock);
  rmSync(taken, { force: true });
}

function isOurs(lock: string): boolean {
  return readOwner(lock) === thisProcess();
}

/** What a lock of this process holds. */
function thisProcess(): string {
  return `${process.pid} ${birthOf(process.pid)}`;
}

function readOwner(lock: string): string | null {
  try {
    return readFileSync(lock, 'utf8');
  } catch {
    return null;
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

function busy(folder: string, owner: string): ProblemError {
  return new ProblemError([{ code: 'out-busy', place: null, folder, owner }]);
}
