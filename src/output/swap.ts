import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { manifestPath } from '../api/paths.ts';
import { dropLock, isHeldLock, isOurLock, takeLock } from '../system/lock.ts';
import { ProblemError } from '../problem/problem.ts';
import { diskProblem } from '../system/failure.ts';
import { realPath } from '../system/files.ts';
import { StagingArea } from './staging.ts';
import { removeTree } from '../system/files.ts';

/**
 * How a site takes the place of another. Beside `dist` stand, while a build runs, `.dist.almanac-lock` (who builds),
 * `.dist.almanac-next` (the site being built, whole once its manifest is there) and `.dist.almanac-old` (the site
 * that was). The swap is two renames: dist to old, next to dist. Between them dist is absent and both sites stand
 * beside it whole; whoever comes next puts one back before it reads or writes: {@link recover}.
 */
export interface SwapPaths {
  readonly out: string;
  readonly prefix: string;
  readonly lock: string;
  readonly next: string;
  readonly old: string;
}

/**
 * Builds a site in a staging area and puts it in the place of the previous one. If `fill` throws, or another process
 * has taken the lock, the previous site stays. Throws the problem `out-busy` while another process replaces the site.
 *
 * @param fill adds every file, the manifest last
 * @returns what `fill` returns
 */
export async function replaceSite<T>(out: string, fill: (staging: StagingArea) => Promise<T>): Promise<T> {
  const paths = swapPathsOf(out);
  const firstMade = mkdirSync(dirname(paths.out), { recursive: true });
  let isCommitted = false;
  acquireLock(paths);
  try {
    putBack(paths);
    clear(paths);
    mkdirSync(paths.next);
    const result = await fill(new StagingArea({ folder: paths.next, previous: paths.out }));
    if (!isOurLock(paths.lock)) throw busy(paths.out, 'one that just started');
    if (existsSync(paths.out)) renameSync(paths.out, paths.old);
    renameSync(paths.next, paths.out);
    isCommitted = true;
    return result;
  } finally {
    if (isOurLock(paths.lock)) {
      try {
        if (!isCommitted) removeTree(paths.next);
        putBack(paths);
        clear(paths);
      } finally {
        dropLock(paths.lock);
        if (!isCommitted && firstMade !== undefined) removeEmpty(dirname(paths.out), firstMade);
      }
    }
  }
}

/** Removes the folders that were made for a site that was not built, unless something else is in them now. */
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
  const places = swapPathsOf(out);
  if (existsSync(places.out) || !(existsSync(places.next) || existsSync(places.old))) return;
  try {
    acquireLock(places);
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
export function swapPathsOf(out: string): SwapPaths {
  const real = realPath(out);
  const prefix = `.${basename(real)}.almanac-`;
  const beside = (what: string): string => join(dirname(real), prefix + what);
  return { out: real, prefix, lock: beside('lock'), next: beside('next'), old: beside('old') };
}

/** The newer of the two sites if it is whole, else the older one. */
function putBack({ out, next, old }: SwapPaths): void {
  if (existsSync(out)) return;
  if (isWhole(next)) renameSync(next, out);
  else if (existsSync(old)) renameSync(old, out);
}

/** Takes away all that stands beside the site, the locks of processes that run aside. */
function clear({ out, lock, prefix }: SwapPaths): void {
  for (const name of readdirSync(dirname(out))) {
    const path = join(dirname(out), name);
    const isHeld = path.startsWith(lock) && isHeldLock(path);
    if (name.startsWith(prefix) && !isHeld) removeTree(path);
  }
}

/** A site is whole once its manifest, which is written last, can be read to its end. */
function isWhole(folder: string): boolean {
  try {
    JSON.parse(readFileSync(join(folder, manifestPath), 'utf8'));
    return true;
  } catch {
    return false;
  }
}

function acquireLock({ out, lock }: SwapPaths): void {
  const owner = takeLock(lock);
  if (owner !== null) throw busy(out, owner);
}

function busy(folder: string, owner: string): ProblemError {
  return new ProblemError([{ code: 'out-busy', place: null, folder, owner }]);
}
