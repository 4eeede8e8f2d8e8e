import { readdirSync, watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';
import { identityOf } from './files.ts';

/** A folder that is being watched. */
export interface Watch {
  /** Stops watching. Resolves when the last call has ended. */
  readonly close: () => Promise<void>;
}

/** The callbacks of a watched folder. */
export interface Watcher {
  /** Returns whether to call it again later, even without a change. Must not throw. */
  readonly onChange: () => Promise<boolean>;
  /** Called once if not every folder can be watched. `setting` is the system setting that would allow it. */
  readonly onRefusal: (setting: string) => void;
}

/**
 * Calls `onChange` at once, and again shortly after every change below a folder. Calls do not overlap: a change during
 * a call leads to another call. The folder itself may be removed and created again. Resolves after the first call.
 *
 * Each folder has a separate watcher, because Node's recursive watcher misses files in new folders.
 */
export async function watchFolder(folder: string, { onChange, onRefusal }: Watcher): Promise<Watch> {
  let timer: NodeJS.Timeout | null = null;
  let isRunning = false;
  let isClosed = false;
  let running = Promise.resolve();
  const schedule = (milliseconds = quietMilliseconds): void => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(run, milliseconds);
  };
  const folders = openFolders(folder, () => schedule(), onRefusal);
  const call = async (): Promise<void> => {
    isRunning = true;
    const again = await onChange();
    isRunning = false;
    if (again && !isClosed) schedule(againMilliseconds);
  };
  const run = (): void => {
    if (isRunning) return schedule();
    // Watch new folders before `onChange` reads them, so that no change in them is missed.
    folders.follow();
    running = call();
  };
  run();
  await running;
  const poll = setInterval(() => folders.isReplaced() && schedule(), pollMilliseconds);
  return {
    close: async () => {
      isClosed = true;
      clearInterval(poll);
      if (timer !== null) clearTimeout(timer);
      folders.close();
      await running;
    },
  };
}

const quietMilliseconds = 5;
const againMilliseconds = 500;

/** How often to check whether the folder itself was created again, which no event reports. */
const pollMilliseconds = 200;

/** The system setting that allows more watchers, by error code. */
const settings: Readonly<Record<string, string>> = {
  ENOSPC: 'fs.inotify.max_user_watches=524288',
  EMFILE: 'fs.inotify.max_user_instances=1024',
};

interface Folders {
  /** Starts watching new folders, and stops watching folders that were removed or replaced. */
  readonly follow: () => void;
  /** Whether the outermost folder was replaced since the last `follow`. */
  readonly isReplaced: () => boolean;
  readonly close: () => void;
}

interface Followed {
  readonly identity: string;
  readonly watcher: FSWatcher;
}

function openFolders(root: string, onEvent: () => void, onRefusal: Watcher['onRefusal']): Folders {
  const followed = new Map<string, Followed>();
  let outermost: string | null = null;
  let isRefused = false;
  const drop = (path: string): void => {
    followed.get(path)?.watcher.close();
    followed.delete(path);
  };
  const tryWatch = (path: string, identity: string): void => {
    try {
      const watcher = watch(join(root, path), onEvent);
      watcher.on('error', onEvent);
      followed.set(path, { identity, watcher });
    } catch (error) {
      // Any other error means that the folder was removed after it was listed, which its parent reports.
      const setting = settings[(error as NodeJS.ErrnoException).code ?? ''];
      if (setting === undefined || isRefused) return;
      isRefused = true;
      onRefusal(setting);
    }
  };
  const visit = (path: string, present: Set<string>): void => {
    const identity = identityAt(join(root, path));
    if (path === '') outermost = identity;
    if (identity === null) return;
    present.add(path);
    if (followed.get(path)?.identity !== identity) {
      drop(path);
      tryWatch(path, identity);
    }
    for (const name of foldersIn(join(root, path))) visit(below(path, name), present);
  };
  return {
    follow: () => {
      const present = new Set<string>();
      visit('', present);
      for (const path of followed.keys()) if (!present.has(path)) drop(path);
    },
    isReplaced: () => identityAt(root) !== outermost,
    close: () => {
      for (const path of followed.keys()) drop(path);
    },
  };
}

/** Returns a value that identifies the folder at a path, or null if the folder is missing or unreadable. */
function identityAt(folder: string): string | null {
  try {
    return identityOf(folder);
  } catch {
    return null;
  }
}

function foldersIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch {
    return [];
  }
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}/${name}`;
}
