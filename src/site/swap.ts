import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { inventoryPath } from '../api/paths.ts';
import { dropLock, isHeldLock, isOurLock, takeLock } from '../lock.ts';
import { ProblemError } from '../problem.ts';
import { diskProblem } from '../system-failure.ts';
import { realPath } from './real-path.ts';
import { removeTree } from './remove-tree.ts';

/**
 * How a site takes the place of another. Beside `dist` stand, while a build runs, `.dist.almanac-lock` (who builds),
 * `.dist.almanac-next` (the site being built, whole once its inventory is there) and `.dist.almanac-old` (the site
 * that was). The swap is two renames: dist to old, next to dist. Between them dist is absent and both sites stand
 * beside it whole; whoever comes next puts one back before it reads or writes: {@link recover}.
 */
export interface Neighbours {
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
  const firstMade = mkdirSync(dirname(places.out), { recursive: true });
  let isCommitted = false;
  const release = (): void => {
    dropLock(places.lock);
    if (!isCommitted && firstMade !== undefined) removeEmpty(dirname(places.out), firstMade);
  };
  claim(places);
  try {
    putBack(places);
    clear(places);
    mkdirSync(places.next);
  } catch (error) {
    // A process that goes on, as that of `serve --watch` does, would take its own lock for another's.
    release();
    throw error;
  }
  return {
    out: places.out,
    folder: places.next,
    commit: () => {
      if (!isOurLock(places.lock)) throw busy(places.out, 'one that just started');
      if (existsSync(places.out)) renameSync(places.out, places.old);
      renameSync(places.next, places.out);
      isCommitted = true;
    },
    close: () => {
      if (!isOurLock(places.lock)) return;
      try {
        if (!isCommitted) removeTree(places.next);
        putBack(places);
        clear(places);
      } finally {
        release();
      }
    },
  };
}

/** Takes away the folders that were made for a site that was not, unless something else came to stand there. */
function removeEmpty(folder: string, first: string): void {
  try {
    rmdirSync(folder);
  } catch {
    return;
  }
  if (folder !== first) removeEmpty(dirname(folder), first);
}

/** Puts a whole site at `out` where a build was killed between its two renames. Leaves a running build alone. */
export function recover(out: string): void {
  const places = neighboursOf(out);
  if (existsSync(places.out) || !(existsSync(places.next) || existsSync(places.old))) return;
  try {
    claim(places);
    try {
      putBack(places);
      clear(places);
    } finally {
      dropLock(places.lock);
    }
  } catch (error) {
    throw diskProblem(error, 'write-failed');
  }
}

/** The names that stand beside a site. */
export function neighboursOf(out: string): Neighbours {
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
    const isHeld = path.startsWith(lock) && isHeldLock(path);
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

function claim({ out, lock }: Neighbours): void {
  const owner = takeLock(lock);
  if (owner !== null) throw busy(out, owner);
}

function busy(folder: string, owner: string): ProblemError {
  return new ProblemError([{ code: 'out-busy', place: null, folder, owner }]);
}
