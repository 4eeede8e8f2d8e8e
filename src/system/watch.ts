import { once } from 'node:events';
import type { FSWatcher, Matcher } from 'chokidar';
import { statSync, unwatchFile, watchFile, type StatsListener } from 'node:fs';
import { dirname, join } from 'node:path';
import { listTree } from './files.ts';

/** The callbacks of a watched folder. */
export interface Watcher {
  /**
   * Must not throw. Calls `watch` with the paths of files and folders elsewhere that it is about to
   * read. They are watched too, and need not exist.
   */
  readonly onChange: (watch: (paths: readonly string[]) => void) => Promise<void>;
  /**
   * Called once if not every folder can be watched. `setting` is the system setting that would
   * allow it.
   */
  readonly onRefusal: (setting: string) => void;
}

/**
 * Calls `onChange` at once, and again after every change below a folder. Resolves after the first
 * call.
 */
export async function watchFolder(folder: string, { onChange, onRefusal }: Watcher) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  const schedule = (): void => {
    clearTimeout(timer);
    timer = setTimeout(run, quietMilliseconds);
  };
  const tree = openTree(folder, schedule, onRefusal);
  const elsewhere = new Map<string, Watched>();
  const call = async () => {
    // Watch new folders before `onChange` reads them, so that no change in them is missed.
    await tree.follow();
    for (const inner of elsewhere.values()) await inner.follow();
    /** The states of new paths elsewhere before they were read. */
    const states = new Map<string, string>();
    await onChange((paths) => {
      for (const path of paths) if (!elsewhere.has(keyOf(path))) states.set(path, stateOf(path));
    });
    for (const [path, state] of states) {
      const open = isFolder(path) ? openTree : openFile;
      const inner = open(path, schedule, onRefusal);
      elsewhere.set(keyOf(path), inner);
      await inner.follow();
      if (stateOf(path) !== state) schedule();
    }
    running = null;
  };
  const run = (): void => {
    if (running === null) running = call();
    else schedule();
  };
  running = call();
  await running;
  /** Stops watching. Resolves when the last call has ended. */
  const close = async () => {
    await running;
    clearTimeout(timer);
    await tree.close();
    for (const inner of elsewhere.values()) await inner.close();
  };
  return { close };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** A file and a folder at the same path are watched in different ways. */
function keyOf(path: string): string {
  return `${path} ${isFolder(path)}`;
}

/** Returns a text that changes with a file, or with a folder and all below it. */
function stateOf(path: string): string {
  const state = stateOfEntry(path);
  if (!isFolder(path)) return state;
  const inner = listTree(path).map((entry) => stateOfEntry(join(path, entry.path)));
  return [state, ...inner].join('\n');
}

function stateOfEntry(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return `${stats?.ino} ${stats?.mtimeMs} ${stats?.size}`;
}

/** A file or folder that is followed. */
interface Watched {
  readonly follow: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Watches a file, or a path where there is nothing yet. */
function openFile(path: string, onEvent: () => void): Watched {
  // Not watchFile, whose first look is late: it misses a change that comes before.
  let state = stateOfEntry(path);
  const look = (): void => {
    const next = stateOfEntry(path);
    if (next === state) return;
    state = next;
    onEvent();
  };
  const timer = setInterval(look, pollMilliseconds);
  return {
    follow: async () => {},
    close: async () => clearInterval(timer),
  };
}

const quietMilliseconds = 5;

/** How often to check whether the folder itself was replaced, which no event reports. */
const pollMilliseconds = 200;

const settings: Readonly<Record<string, string>> = {
  ENOSPC: 'fs.inotify.max_user_watches=524288',
  EMFILE: 'fs.inotify.max_user_instances=1024',
};

/**
 * Watches a folder and all below it. `follow` opens it again, because chokidar keeps a folder that
 * was replaced.
 */
function openTree(root: string, onEvent: () => void, onRefusal: Watcher['onRefusal']): Watched {
  let watcher: FSWatcher | null = null;
  let isOutdated = true;
  let isRefused = false;
  const onChange = (isMove: boolean): void => {
    isOutdated ||= isMove;
    onEvent();
  };
  const onError = (error: unknown): void => {
    const setting = settings[(error as NodeJS.ErrnoException).code ?? ''];
    if (setting === undefined || isRefused) return;
    isRefused = true;
    onRefusal(setting);
  };
  // No event reports that the root was created or that it is another folder. A new entry of it
  // changes `mtime`.
  const onRoot: StatsListener = (now, before) => {
    if (now.ino !== before.ino || now.mtimeMs === before.mtimeMs) onChange(true);
  };
  watchFile(root, { interval: pollMilliseconds }, onRoot);
  return {
    follow: async () => {
      if (!isOutdated) return;
      isOutdated = false;
      await watcher?.close();
      const { watch } = await import('chokidar');
      // The events of folders tell of their files too, and the system allows only so many watchers.
      // Of a missing folder, chokidar would watch the parent, in which every build changes
      // something.
      const ignored: Matcher = (path, stats) => stats?.isFile() ?? path === dirname(root);
      const opened = watch(root, { atomic: false, ignored });
      watcher = opened.on('error', onError).on('raw', (event) => onChange(event === 'rename'));
      // Rejects on an error, which onError has.
      await once(opened, 'ready').catch(() => undefined);
    },
    close: async () => {
      unwatchFile(root, onRoot);
      await watcher?.close();
    },
  };
}
