import fs, {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { inParallel } from './parallel.ts';

/**
 * Creates a folder and its missing parents. `mkdirSync` with `recursive` never returns on Node 20
 * where the system creates no folders, such as in `/proc`.
 *
 * @returns the first folder that it created, or undefined if there was nothing to create
 */
export function makeFolder(folder: string): string | undefined {
  const parent = dirname(folder);
  const first = existsSync(parent) ? undefined : makeFolder(parent);
  try {
    mkdirSync(folder);
    return first ?? folder;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      return first;
    if (code !== 'ENOENT') throw error;
    throw Object.assign(new Error('the system does not create folders there'), {
      syscall: 'mkdir',
      path: folder,
    });
  }
}

/**
 * Writes a file atomically, even in case of a power loss, and creates its folder. Replaces a link.
 */
export function writeWhole(path: string, content: string | Uint8Array): void {
  makeFolder(dirname(path));
  // Programs that list the folder pass over names that begin with a dot.
  const draft = join(dirname(path), `.${basename(path)}.${crypto.randomUUID()}.next`);
  try {
    writeFileSync(draft, content, { flag: 'wx', flush: true });
    renameSync(draft, path);
    flushFolder(dirname(path));
  } finally {
    rmSync(draft, { force: true });
  }
}

function flushFolder(folder: string): void {
  const file = openSync(folder, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Writes new files into a folder, all of them or none. Throws the error of the file system, which
 * is EEXIST if one of the files already exists.
 *
 * @param files texts or bytes by their path in the folder
 */
export function writeNewFiles(
  folder: string,
  files: ReadonlyMap<string, string | Uint8Array>,
): void {
  const created: string[] = [];
  try {
    for (const [path, content] of files) {
      const target = join(folder, path);
      makeFolder(dirname(target));
      closeSync(openSync(target, 'wx'));
      created.push(target);
      writeFileSync(target, content);
    }
  } catch (error) {
    for (const path of created) rmSync(path);
    throw error;
  }
}

/**
 * Waits until files and folders are on the disk. It flushes 32 at a time, which takes a fifth of
 * the time.
 */
export async function flushToDisk(paths: readonly string[]): Promise<void> {
  const open = promisify(fs.open);
  const fsync = promisify(fs.fsync);
  const close = promisify(fs.close);
  await inParallel(paths, 32, async (path) => {
    const file = await open(path, 'r');
    try {
      await fsync(file);
    } finally {
      await close(file);
    }
  });
}
