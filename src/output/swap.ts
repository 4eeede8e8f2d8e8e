import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { maxManifestBytes, parseManifest } from '../api/manifest.ts';
import { manifestPath } from '../api/paths.ts';
import { ProblemError, type Problem, problemError } from '../problem/problem.ts';
import { diskProblem, failureReason } from '../system/failure.ts';
import { readRegular, realPath, removeTree } from '../system/files.ts';
import { acquireLock, type Lock } from '../system/lock.ts';
import { flushToDisk, makeFolder } from '../system/write.ts';
import { StagingArea } from './staging.ts';

/**
 * The paths of an atomic swap. Next to `dist` there can be `.dist.almanac-lock` (names the
 * builder), `.dist.almanac-new-…` (the staging directory) and `.dist.almanac-old` (the previous
 * site). The swap consists of two renames: `dist` to `old`, then `new` to `dist`. If a build is
 * killed between them, there is no `dist`, and {@link recover} puts the previous site back.
 */
interface SwapPaths {
  readonly out: string;
  readonly folder: string;
  /** The prefix of the names of all the others. */
  readonly prefix: string;
  readonly lock: string;
  readonly old: string;
}

/** A new site that is being assembled next to the one that it will replace. */
export interface NewSite {
  readonly staging: StagingArea;
  /**
   * Flushes the new site to the disk if it is durable, calls `check`, which throws if the site must
   * not be replaced, and swaps the two. Throws the problem `out-busy` if another process has taken
   * the lock. Returns failures that did not prevent the swap.
   */
  readonly swap: (check: () => void) => Promise<readonly Problem[]>;
  /**
   * Removes the new site unless it was swapped in, and releases the lock. The previous site then
   * stays.
   */
  readonly close: () => void;
}

/**
 * Begins a new site for the folder `out`. Throws the problem `out-busy` while another process
 * replaces the site.
 *
 * @param isDurable whether to flush the new site to the disk, so that it survives a power loss
 */
export function beginSite(out: string, isDurable: boolean): NewSite {
  const paths = swapPathsOf(out);
  const firstCreated = makeFolder(paths.folder);
  const lock = lockSite(paths);
  // A build that was suspended while another took over its lock must not write into the site of the
  // other.
  const next = `${paths.prefix}new-${crypto.randomUUID()}`;
  let isReplaced = false;
  const close = (): void => {
    if (!isReplaced) tryToRemove(next);
    lock.release();
    if (!isReplaced && firstCreated !== undefined) removeEmpty(paths.folder, firstCreated);
  };
  try {
    restoreSite(paths);
    removeLeftovers(paths);
    // If it is still there, the swap would fail.
    removeTree(paths.old);
    mkdirSync(next);
    const staging = new StagingArea(
      {
        folder: next,
        previous: paths.out,
      },
      lock.renew,
    );
    const swap = async (check: () => void): Promise<readonly Problem[]> => {
      if (isDurable) await staging.flush();
      if (!lock.isHeld()) throw busy(paths.out, 'one that just started');
      check();
      swapSites(paths, next);
      isReplaced = true;
      const unsafe = isDurable ? await flushParents(paths.folder, firstCreated) : [];
      return [...unsafe, ...removeLeftovers(paths)];
    };
    return { staging, swap, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Returns a new site that is never written, for a dry run. */
export function pretendSite(): NewSite {
  return {
    staging: new StagingArea(null),
    swap: async () => [],
    close: () => {},
  };
}

/** Puts the previous site back at `out` if a build was killed between its renames. */
export function recover(out: string): void {
  const paths = swapPathsOf(out);
  if (!isBetweenRenames(paths)) return;
  try {
    const lock = lockSite(paths);
    try {
      restoreSite(paths);
      removeLeftovers(paths);
    } finally {
      lock.release();
    }
  } catch (error) {
    throw diskProblem(error, 'write-failed');
  }
}

function swapPathsOf(out: string): SwapPaths {
  const real = realPath(out);
  const folder = dirname(real);
  const prefix = join(folder, `.${basename(real)}.almanac-`);
  return {
    out: real,
    folder,
    prefix,
    lock: `${prefix}lock`,
    old: `${prefix}old`,
  };
}

function lockSite({ out, lock }: SwapPaths): Lock {
  const lockResult = acquireLock(lock);
  if ('owner' in lockResult) throw busy(out, lockResult.owner);
  return lockResult;
}

function swapSites({ out, old }: SwapPaths, next: string): void {
  if (existsSync(out)) renameSync(out, old);
  try {
    renameSync(next, out);
  } catch (error) {
    if (existsSync(old) && !existsSync(out)) renameSync(old, out);
    throw error;
  }
}

function restoreSite(paths: SwapPaths): void {
  if (isBetweenRenames(paths)) renameSync(paths.old, paths.out);
}

/**
 * Whether there is a previous site, but no site. Neither a link nor a site without its manifest is
 * taken for one.
 */
function isBetweenRenames({ out, old }: SwapPaths): boolean {
  if (existsSync(out) || !existsSync(old) || !lstatSync(old).isDirectory()) return false;
  try {
    return (
      parseManifest(readRegular(join(old, manifestPath), maxManifestBytes).toString()) !== null
    );
  } catch {
    return false;
  }
}

/**
 * Removes leftovers of earlier builds next to the site. Returns a warning for each that cannot be
 * removed.
 */
function removeLeftovers({ folder, prefix, lock }: SwapPaths): Problem[] {
  const paths = readdirSync(folder).map((name) => join(folder, name));
  return paths.filter((path) => path.startsWith(prefix) && path !== lock).flatMap(tryToRemove);
}

function tryToRemove(path: string): Problem[] {
  try {
    // Without its manifest, the remains of a site after a kill are not mistaken for a site.
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory())
      rmSync(join(path, manifestPath), { force: true });
    removeTree(path);
    return [];
  } catch (error) {
    return [
      {
        code: 'leftover-stays',
        place: null,
        path,
        reason: failureReason(error),
      },
    ];
  }
}

/** Flushes the folders that contain the renamed and the newly created folders to the disk. */
async function flushParents(folder: string, firstCreated: string | undefined): Promise<Problem[]> {
  const last = firstCreated === undefined ? folder : dirname(firstCreated);
  const folders = [folder];
  while (folders.at(-1) !== last) folders.push(dirname(folders.at(-1) ?? last));
  try {
    await flushToDisk(folders);
    return [];
  } catch (error) {
    return [
      {
        code: 'site-not-flushed',
        place: null,
        path: folder,
        reason: failureReason(error),
      },
    ];
  }
}

/**
 * Removes the folders that were created for a failed build, unless they now contain something else.
 */
function removeEmpty(folder: string, first: string): void {
  try {
    rmdirSync(folder);
  } catch {
    return;
  }
  if (folder !== first) removeEmpty(dirname(folder), first);
}

function busy(folder: string, owner: string): ProblemError {
  return problemError({ code: 'out-busy', folder, owner });
}
