import { count } from '../problem/text.ts';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
  type Dirent,
} from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { DisplayPath } from '../problem/problem.ts';

/**
 * Returns the function that shows files of a folder by their path relative to the working folder.
 */
export function displayPathFrom(cwd: string, folder: string): DisplayPath {
  const base = resolve(cwd, folder);
  return (path) => relative(cwd, resolve(base, path)).split(sep).join('/') || '.';
}

/**
 * Removes a file, a link or a folder, if it exists. Throws EBUSY, and removes nothing, if a file
 * system is mounted there.
 */
export function removeTree(path: string): void {
  const place = join(realPath(dirname(path)), basename(path));
  const mount = mountsIn(dirname(place)).find((point) => `${point}/`.startsWith(`${place}/`));
  if (mount !== undefined) {
    const reason = new Error(`a file system is mounted at ${mount}`);
    throw Object.assign(reason, {
      code: 'EBUSY',
      syscall: 'rmdir',
      path: mount,
    });
  }
  rmSync(path, { recursive: true, force: true });
}

/**
 * Returns the mount points in a folder, itself excluded. Only Linux lists them; elsewhere, none is
 * returned.
 */
export function mountsIn(folder: string): string[] {
  let table: string;
  try {
    table = readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    return [];
  }
  const inside = realPath(folder).replace(/\/?$/, '/');
  const points = table.split('\n').map((line) => line.split(' ')[4] ?? '');
  // The kernel writes white space and backslashes as octal numbers.
  const byteOf = (_: string, octal: string) => String.fromCharCode(parseInt(octal, 8));
  const names = points.map((point) => point.replace(/\\([0-7]{3})/g, byteOf));
  return names.filter((name) => name.startsWith(inside));
}

/**
 * Returns a value that identifies the folder at a path and changes if it is replaced, or null if
 * there is none.
 */
export function identityOf(folder: string): string | null {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  return `${stats.dev}:${stats.ino}:${stats.birthtimeMs}`;
}

/**
 * Resolves symbolic links as far as the path exists. A link to a missing target resolves to the
 * missing path.
 */
export function realPath(path: string, maxLinks = 40): string {
  const absolute = resolve(path);
  if (existsSync(absolute)) return realpathSync(absolute);
  const parent = dirname(absolute);
  if (parent === absolute) return absolute;
  const located = join(realPath(parent, maxLinks), basename(absolute));
  const target = readLink(located);
  return target === null || maxLinks === 0
    ? located
    : realPath(resolve(dirname(located), target), maxLinks - 1);
}

function readLink(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

/** A file, link or empty folder. The path is relative, with forward slashes. */
export interface Entry {
  readonly path: string;
  readonly kind: 'file' | 'empty folder' | 'other';
}

/**
 * Lists everything in a folder. A folder that is removed in the meantime counts as empty. Links are
 * not followed.
 */
export function listTree(folder: string): Entry[] {
  const entries: Entry[] = [];
  const visit = (inner: string): void => {
    const contents = readFolder(join(folder, inner));
    if (contents.length === 0 && inner !== '')
      entries.push({
        path: inner.slice(0, -1),
        kind: 'empty folder',
      });
    for (const entry of contents) {
      const path = inner + entry.name;
      if (entry.isDirectory()) visit(`${path}/`);
      else
        entries.push({
          path,
          kind: entry.isFile() ? 'file' : 'other',
        });
    }
  };
  visit('');
  return entries;
}

function readFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/**
 * Returns a folder or file that is a symbolic link: `path` or one of its parents below `base`. Null
 * if there is none.
 */
export function linkBelow(base: string, path: string): string | null {
  for (let inner = path; inner.startsWith(base + sep); inner = dirname(inner)) {
    if (isLink(inner)) return inner;
  }
  return null;
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    // There is nothing, or a file where a folder should be..
    return false;
  }
}

/**
 * Opens a regular file to read it. Throws for a link, which is not followed, a pipe, a device or a
 * folder.
 */
function openRegular(path: string): { readonly file: number; readonly size: number } {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const stats = fstatSync(file);
  if (stats.isFile()) return { file, size: stats.size };
  closeSync(file);
  if (stats.isDirectory())
    throw Object.assign(new Error('it is a folder'), {
      code: 'EISDIR',
      syscall: 'read',
      path,
    });
  throw new Error('it is a pipe or a device, and not a regular file');
}

/**
 * Returns the bytes of a regular file. Throws as {@link openRegular}, or if it has more than `most`
 * bytes.
 */
export function readRegular(path: string, most: number): Buffer {
  const { file, size } = openRegular(path);
  try {
    if (size > most) {
      throw new Error(`it has ${count(size)} bytes, and at most ${count(most)} are read`);
    }
    const bytes = Buffer.allocUnsafe(size);
    return bytes.subarray(0, readSync(file, bytes, 0, size, 0));
  } finally {
    closeSync(file);
  }
}

/** Returns up to `length` bytes of a file from an offset, in `bytes` if that is given. */
export function readAt(
  path: string,
  offset: number,
  length: number,
  bytes = Buffer.allocUnsafe(length),
): Buffer {
  const file = openSync(path, 'r');
  try {
    return bytes.subarray(0, readSync(file, bytes, 0, length, offset));
  } finally {
    closeSync(file);
  }
}

/** Reads a file of any size in blocks. */
export function* readBlocks(path: string): Generator<Buffer> {
  const file = openSync(path, 'r');
  try {
    for (;;) {
      const block = Buffer.allocUnsafe(256 * 1024);
      const length = readSync(file, block);
      if (length === 0) return;
      yield block.subarray(0, length);
    }
  } finally {
    closeSync(file);
  }
}
