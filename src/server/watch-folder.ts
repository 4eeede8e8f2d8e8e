import { readdirSync, statSync, watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';

/** A folder being watched, until it is closed. */
export interface Watch {
  readonly close: () => void;
}

/** Paths relative to the folder, with forward slashes; null where it is not known what has changed. */
export type Changed = ReadonlySet<string> | null;

/**
 * Calls `onChange` at once, and again after every change to what a folder holds, at any depth, when it has been quiet
 * for a moment; never twice at a time. A change that comes meanwhile is followed by another call. Resolves after the
 * first call; `onChange` must not throw.
 *
 * Each folder has a watcher of its own: Node's recursive one misses files in folders that are new.
 */
export async function watchFolder(folder: string, onChange: (changed: Changed) => Promise<void>): Promise<Watch> {
  const watchers = new Map<string, FSWatcher>();
  let changed: Set<string> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isRunning = false;
  const wait = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => void settle(), quietMilliseconds);
  };
  const touch = (path: string): void => {
    changed?.add(path);
    wait();
  };
  const settle = async (): Promise<void> => {
    if (isRunning) return wait();
    isRunning = true;
    const found = changed;
    changed = new Set();
    // The watchers come first: what is written into a new folder from now on is noticed, what was before is read.
    if (found === null || [...found].some((path) => !isFile(join(folder, path)))) follow(folder, watchers, touch);
    await onChange(found);
    isRunning = false;
  };
  await settle();
  return {
    close: () => {
      if (timer !== null) clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.close();
    },
  };
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

const quietMilliseconds = 5;

type Touch = (path: string) => void;

/** Gives each folder a watcher, and takes those away whose folder is gone. */
function follow(root: string, watchers: Map<string, FSWatcher>, touch: Touch): void {
  const found = new Set(foldersIn(root, ''));
  for (const [path, watcher] of watchers) {
    if (found.has(path)) continue;
    watcher.close();
    watchers.delete(path);
  }
  for (const path of found) {
    if (!watchers.has(path)) tryWatch(root, path, watchers, touch);
  }
}

function tryWatch(root: string, path: string, watchers: Map<string, FSWatcher>, touch: Touch): void {
  try {
    const watcher = watch(join(root, path), (_, name) => touch(name === null ? path : below(path, name)));
    watcher.on('error', () => touch(path));
    watchers.set(path, watcher);
  } catch {
    // It went away since it was listed; the folder above it has noticed.
  }
}

/** The folder itself, as the empty path, and every folder in it. */
function foldersIn(root: string, path: string): string[] {
  try {
    const inner = readdirSync(join(root, path), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return [path, ...inner.flatMap(({ name }) => foldersIn(root, below(path, name)))];
  } catch {
    return [];
  }
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}/${name}`;
}
