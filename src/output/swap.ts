import { randomUUID } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { maxManifestBytes } from '../api/manifest.ts';
import { manifestPath } from '../api/paths.ts';
import { ProblemError, type Problem } from '../problem/problem.ts';
import { diskProblem, failureReason } from '../system/failure.ts';
import { readRegular, realPath, removeTree } from '../system/files.ts';
import { acquireLock, type Lock } from '../system/lock.ts';
import { flushToDisk, makeFolder } from '../system/write.ts';
import { StagingArea } from './staging.ts';

/**
 * The paths of an atomic swap. During a build, there can be four things next to `dist`: `.dist.almanac-lock` (names the
 * builder), `.dist.almanac-next-…` (the staging directory, a whole site once it has its manifest),
 * `.dist.almanac-old-…` (the previous site) and `.dist.almanac-swap` (a record of both, while they are swapped). The
 * swap consists of two renames: `dist` to `old`, then `next` to `dist`. Between them, `dist` does not exist and both
 * sites are whole. If a build is killed then, {@link recover} restores one of them.
 */
type SwapPaths = Readonly<Record<'out' | 'folder' | 'prefix' | 'lock' | 'record', string>>;

/** What an interrupted swap was about to do. */
type SwapRecord = { readonly next: RecordedSite; readonly old: RecordedSite | null };

/** A site by the name of its folder and the modification time of its manifest, which a planted copy does not have. */
type RecordedSite = { readonly name: string; readonly time: number | null };

/** A new site that is being assembled next to the one that it will replace. */
export interface NewSite {
  readonly staging: StagingArea;
  /**
   * Flushes the new site to the disk if it is durable, calls `check`, which throws if the site must not be replaced, and
   * swaps the two. Throws the problem `out-busy` if another process has taken the lock. Returns failures that did not
   * prevent the swap.
   */
  readonly swap: (check: () => void) => Promise<readonly Problem[]>;
  /** Removes the new site unless it was swapped in, and releases the lock. The previous site then stays. */
  readonly close: () => void;
}

/**
 * Begins a new site for the folder `out`. Throws the problem `out-busy` while another process replaces the site.
 *
 * @param isDurable whether to flush the new site to the disk, so that it survives a power loss
 */
export function beginSite(out: string, isDurable: boolean): NewSite {
  const paths = swapPathsOf(out);
  const firstCreated = makeFolder(paths.folder);
  const lock = lockSite(paths);
  const next = join(paths.folder, `${paths.prefix}next-${randomUUID()}`);
  let isReplaced = false;
  const close = (): void => {
    // If there is a record, the previous site could not be restored, and the new one takes its place later.
    if (!isReplaced && !existsSync(paths.record)) tryToRemove(next);
    lock.release();
    if (!isReplaced && firstCreated !== undefined) removeEmpty(paths.folder, firstCreated);
  };
  try {
    restoreSite(paths);
    removeLeftovers(paths);
    mkdirSync(next);
    const staging = new StagingArea({ folder: next, previous: paths.out }, lock.renew);
    const swap = async (check: () => void): Promise<readonly Problem[]> => {
      if (isDurable) await staging.flush();
      if (!lock.isHeld()) throw busy(paths.out, 'one that just started');
      check();
      await swapSites(paths, next, isDurable);
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
  return { staging: new StagingArea(null), swap: async () => [], close: () => {} };
}

/** Restores a whole site at `out` if a build was killed while it swapped two. Does nothing during a build. */
export function recover(out: string): void {
  const paths = swapPathsOf(out);
  if (!existsSync(paths.record)) return;
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
  const [lock, record] = ['lock', 'swap'].map((name) => join(folder, `${prefix}${name}`)) as [string, string];
  return { out: real, folder, prefix, lock, record };
}

function lockSite({ out, lock }: SwapPaths): Lock {
  const taken = acquireLock(lock);
  if ('owner' in taken) throw busy(out, taken.owner);
  return taken;
}

async function swapSites(paths: SwapPaths, next: string, isDurable: boolean): Promise<void> {
  // Older sites that could not be removed may still exist.
  const names = readdirSync(paths.folder).filter((name) => name.startsWith(`${paths.prefix}old-`));
  const newest = Math.max(0, ...names.map((name) => Number(name.slice(name.lastIndexOf('-') + 1)) || 0));
  const old = join(paths.folder, `${paths.prefix}old-${newest + 1}`);
  const hasPrevious = existsSync(paths.out);
  const time = manifestTime(paths.out);
  const record: SwapRecord = {
    next: { name: basename(next), time: manifestTime(next) },
    old: time === null ? null : { name: basename(old), time },
  };
  writeFileSync(paths.record, `${JSON.stringify(record)}\n`);
  try {
    if (isDurable) await flushToDisk([paths.record]);
    if (hasPrevious) moveAway(paths.out, old);
    renameSync(next, paths.out);
  } catch (error) {
    if (existsSync(old)) renameSync(old, paths.out);
    // Otherwise the previous site is lost, and the next command puts the new one in its place.
    if (manifestTime(paths.out) === time) unlinkSync(paths.record);
    throw error;
  }
  tryToRemove(paths.record);
}

/**
 * Renames the site. If it is in a lower layer of an overlay file system, as in a container, it cannot be renamed and is
 * removed instead, its manifest first: what is left of it after a kill is then no site, and the record names its
 * successor.
 */
function moveAway(out: string, old: string): void {
  try {
    renameSync(out, old);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    unlinkSync(join(out, manifestPath));
    removeTree(out);
  }
}

/** Finishes or undoes the swap that a record describes. Nothing else next to `out` is taken for a site. */
function restoreSite(paths: SwapPaths): void {
  const record = readRecord(paths);
  const [next, old] = [record?.next, record?.old].map((site) => recordedSite(paths, site));
  const isDamaged = existsSync(paths.out) && !isWhole(paths.out);
  if (next != null && (isDamaged || !existsSync(paths.out))) {
    if (isDamaged) removeTree(paths.out);
    renameSync(next, paths.out);
  } else if (old != null && !existsSync(paths.out)) renameSync(old, paths.out);
  rmSync(paths.record, { force: true });
}

/** Returns the record of an interrupted swap. Null if there is none that this user or the owner of the folder wrote. */
function readRecord({ folder, record }: SwapPaths): SwapRecord | null {
  try {
    const stats = lstatSync(record);
    const owners = [process.getuid?.() ?? stats.uid, lstatSync(folder).uid];
    const isTrusted = stats.isFile() && owners.includes(stats.uid);
    return isTrusted ? (JSON.parse(readRegular(record, maxRecordBytes).toString()) as SwapRecord) : null;
  } catch {
    return null;
  }
}

/** A record names two folders. */
const maxRecordBytes = 64 * 1024;

/** Returns the folder of a recorded site, or null if it is not that site, or not whole. */
function recordedSite({ folder, prefix }: SwapPaths, site: RecordedSite | null | undefined): string | null {
  if (site?.name.startsWith(prefix) !== true || site.name.includes('/')) return null;
  const path = join(folder, site.name);
  return isWhole(path) && manifestTime(path) === site.time ? path : null;
}

function manifestTime(folder: string): number | null {
  const stats = lstatSync(join(folder, manifestPath), { throwIfNoEntry: false });
  return stats === undefined ? null : Math.round(stats.mtimeMs);
}

/** Whether a site is whole: its manifest, which is written last, is complete. */
function isWhole(folder: string): boolean {
  try {
    JSON.parse(readRegular(join(folder, manifestPath), maxManifestBytes).toString());
    return true;
  } catch {
    return false;
  }
}

/** Removes leftovers of earlier builds next to the site. Returns a warning for each that cannot be removed. */
function removeLeftovers({ folder, prefix, lock }: SwapPaths): Problem[] {
  try {
    const names = readdirSync(folder).filter((name) => name.startsWith(prefix) && join(folder, name) !== lock);
    return names.flatMap((name) => tryToRemove(join(folder, name)));
  } catch (error) {
    return [{ code: 'leftover-stays', place: null, path: folder, reason: failureReason(error) }];
  }
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
