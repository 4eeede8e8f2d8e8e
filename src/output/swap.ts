import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { manifestPath } from '../api/paths.ts';
import { ProblemError, type Problem } from '../problem/problem.ts';
import { diskProblem, failureReason } from '../system/failure.ts';
import { realPath, removeTree } from '../system/files.ts';
import { acquireLock, type Lock } from '../system/lock.ts';
import { flushToDisk, makeFolder } from '../system/write.ts';
import { StagingArea } from './staging.ts';

/**
 * The paths of an atomic swap. During a build, there can be three things next to `dist`: `.dist.almanac-lock` (names
 * the builder), `.dist.almanac-next-…` (the staging area, a whole site once it has its manifest) and
 * `.dist.almanac-old-…` (the previous site). The swap consists of two renames: `dist` to `old`, then `next` to `dist`.
 * Between them, `dist` does not exist and both sites are whole. If a build is killed then, {@link recover} restores one
 * of them.
 */
interface SwapPaths {
  readonly out: string;
  readonly folder: string;
  readonly prefix: string;
  readonly lock: string;
}

/** What to do before and after a swap. */
export interface SwapOptions {
  /** Throws if the folder at `out` must not be replaced. Called right before the swap. */
  readonly check: (staging: StagingArea) => void;
  /** Whether to flush the new site to the disk, so that it survives a power loss. */
  readonly isDurable: boolean;
}

/**
 * Builds a site in a staging area and replaces the previous site with it. If `fill` throws, or another process has
 * taken the lock, the previous site stays. Throws the problem `out-busy` while another process replaces the site.
 *
 * @param fill adds every file, the manifest last
 * @returns the result of `fill`, and failures that did not prevent the swap
 */
export async function replaceSite<T>(
  out: string,
  { check, isDurable }: SwapOptions,
  fill: (staging: StagingArea) => Promise<T>,
): Promise<{ readonly result: T; readonly warnings: readonly Problem[] }> {
  const paths = swapPathsOf(out);
  const firstCreated = makeFolder(paths.folder);
  const lock = lockSite(paths);
  const next = join(paths.folder, `${paths.prefix}next-${randomUUID()}`);
  let isReplaced = false;
  try {
    restoreSite(paths);
    removeLeftovers(paths);
    mkdirSync(next);
    const staging = new StagingArea({ folder: next, previous: paths.out }, lock.renew);
    const result = await fill(staging);
    if (isDurable) await staging.flush();
    if (!lock.isHeld()) throw busy(paths.out, 'one that just started');
    check(staging);
    swap(paths, next);
    isReplaced = true;
    const unsafe = isDurable ? await flushParents(paths.folder, firstCreated) : [];
    return { result, warnings: [...unsafe, ...removeLeftovers(paths)] };
  } finally {
    if (!isReplaced) tryToRemove(next);
    lock.release();
    if (!isReplaced && firstCreated !== undefined) removeEmpty(paths.folder, firstCreated);
  }
}

/** Restores a whole site at `out` if a build was killed between its two renames. Does nothing during a build. */
export function recover(out: string): void {
  const paths = swapPathsOf(out);
  if (existsSync(paths.out) || (sites(paths, 'next').length === 0 && sites(paths, 'old').length === 0)) return;
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
  const [folder, prefix] = [dirname(real), `.${basename(real)}.almanac-`];
  return { out: real, folder, prefix, lock: join(folder, `${prefix}lock`) };
}

function lockSite({ out, lock }: SwapPaths): Lock {
  const taken = acquireLock(lock);
  if ('owner' in taken) throw busy(out, taken.owner);
  return taken;
}

function swap(paths: SwapPaths, next: string): void {
  const old = join(paths.folder, `${paths.prefix}old-${nextNumber(paths)}`);
  const hasPrevious = existsSync(paths.out);
  if (hasPrevious) moveAway(paths.out, old);
  try {
    renameSync(next, paths.out);
  } catch (error) {
    if (hasPrevious) renameSync(old, paths.out);
    throw error;
  }
}

/** Renames the site, or copies and removes it if it is in a lower layer of an overlay file system, as in containers. */
function moveAway(out: string, old: string): void {
  try {
    renameSync(out, old);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    cpSync(out, old, { recursive: true, preserveTimestamps: true });
    removeTree(out);
  }
}

/** Returns the number after that of the newest previous site. Older ones that could not be removed may still exist. */
function nextNumber(paths: SwapPaths): number {
  const numbers = sites(paths, 'old').map((path) => Number(path.slice(path.lastIndexOf('-') + 1)) || 0);
  return Math.max(0, ...numbers) + 1;
}

/** Restores the newest whole staged site or, if there is none, the newest whole previous site. */
function restoreSite(paths: SwapPaths): void {
  if (existsSync(paths.out)) return;
  const [next] = sites(paths, 'next').filter(isWhole).toSorted(byAge);
  const [old] = sites(paths, 'old').filter(isWhole).toSorted(byNumber);
  const site = next ?? old;
  if (site !== undefined) renameSync(site, paths.out);
}

function byAge(a: string, b: string): number {
  return lstatSync(join(b, manifestPath)).mtimeMs - lstatSync(join(a, manifestPath)).mtimeMs;
}

function byNumber(a: string, b: string): number {
  return b.localeCompare(a, 'en', { numeric: true });
}

/** Returns the folders with sites next to `out`. Links do not count. */
function sites({ folder, prefix }: SwapPaths, kind: 'next' | 'old'): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  const found = entries.filter((entry) => entry.isDirectory() && entry.name.startsWith(`${prefix}${kind}`));
  return found.map(({ name }) => join(folder, name));
}

/** Whether a site is whole: its manifest, which is written last, is complete. */
function isWhole(folder: string): boolean {
  try {
    JSON.parse(readFileSync(join(folder, manifestPath), 'utf8'));
    return true;
  } catch {
    return false;
  }
}

/** Removes leftovers of earlier builds next to the site. Returns a warning for each that cannot be removed. */
function removeLeftovers({ folder, prefix, lock }: SwapPaths): Problem[] {
  const names = readdirSync(folder).filter((name) => name.startsWith(prefix) && join(folder, name) !== lock);
  return names.flatMap((name) => tryToRemove(join(folder, name)));
}

function tryToRemove(path: string): Problem[] {
  try {
    removeTree(path);
    return [];
  } catch (error) {
    return [{ code: 'leftover-stays', place: null, path, reason: failureReason(error) }];
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
    return [{ code: 'site-not-flushed', place: null, path: folder, reason: failureReason(error) }];
  }
}

/** Removes the folders that were created for a failed build, unless they now contain something else. */
function removeEmpty(folder: string, first: string): void {
  try {
    rmdirSync(folder);
  } catch {
    return;
  }
  if (folder !== first) removeEmpty(dirname(folder), first);
}

function busy(folder: string, owner: string): ProblemError {
  return new ProblemError([{ code: 'out-busy', place: null, folder, owner }]);
}
