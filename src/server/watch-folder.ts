import { readdirSync, watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';

/** A folder being watched, until it is closed. */
export interface Watch {
  readonly close: () => void;
}

/**
 * Calls `onChange` at once, and again after every change to what a folder holds, at any depth, when it has been quiet
 * for a moment; never twice at a time. A change that comes meanwhile is followed by another call. Resolves after the
 * first call; `onChange` must not throw.
 *
 * Each folder has a watcher of its own: Node's recursive one misses files in folders that are new.
 */
export async function watchFolder(folder: string, onChange: () => Promise<void>): Promise<Watch> {
  const watchers = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | null = null;
  let isRunning = false;
  const touch = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => void settle(), quietMilliseconds);
  };
  const settle = async (): Promise<void> => {
    if (isRunning) return touch();
    isRunning = true;
    // The watchers come first: what is written into a new folder from now on is noticed, what was before is read.
    follow(folder, watchers, touch);
    await onChange();
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

const quietMilliseconds = 100;

/** Gives each folder a watcher, and takes those away whose folder is gone. */
function follow(folder: string, watchers: Map<string, FSWatcher>, touch: () => void): void {
  const found = new Set(foldersIn(folder));
  for (const [path, watcher] of watchers) {
    if (found.has(path)) continue;
    watcher.close();
    watchers.delete(path);
  }
  for (const path of found) {
    if (!watchers.has(path)) tryWatch(path, watchers, touch);
  }
}

function tryWatch(path: string, watchers: Map<string, FSWatcher>, touch: () => void): void {
  try {
    const watcher = watch(path, touch);
    watcher.on('error', touch);
    watchers.set(path, watcher);
  } catch {
    // It went away since it was listed; the folder above it has noticed.
  }
}

function foldersIn(folder: string): string[] {
  try {
    const inner = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return [folder, ...inner.flatMap(({ name }) => foldersIn(join(folder, name)))];
  } catch {
    return [];
  }
}
