import { randomUUID } from 'node:crypto';
import fs, {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { linkBelow, readRegular } from './files.ts';
import { inParallel } from './parallel.ts';

/**
 * Creates a folder and its missing parents. `mkdirSync` with `recursive` never returns on Node 20 where the system
 * creates no folders, such as in `/proc`.
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
    if (code === 'EEXIST' && statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return first;
    if (code !== 'ENOENT') throw error;
    throw Object.assign(new Error('the system does not create folders there'), { syscall: 'mkdir', path: folder });
  }
}

/** Writes a file atomically, even in case of a power loss, and creates its folder. Replaces a link. */
export function writeWhole(path: string, content: string | Uint8Array): void {
  makeFolder(dirname(path));
  const draft = `${path}.${randomUUID()}.next`;
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

/** Writes files into a folder. Links in place of files are replaced. Throws if a folder below `base` is a link. */
export function writeFiles(folder: string, base: string, files: Readonly<Record<string, string>>): void {
  for (const path of Object.keys(files)) refuseLinks(dirname(join(folder, path)), base);
  for (const [path, text] of Object.entries(files)) writeWhole(join(folder, path), text);
}

/** Returns the text of a regular file that {@link writeFiles} would replace, or null if there is none. */
export function readReplaced(folder: string, base: string, path: string): string | null {
  const file = join(folder, path);
  refuseLinks(dirname(file), base);
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(file, 'utf8') : null;
}

function refuseLinks(folder: string, base: string): void {
  const link = linkBelow(base, folder);
  if (link !== null) throw new Error(`${relative(base, link)} is a symbolic link`);
}

/**
 * Replaces a file as a whole, even in case of a power loss, or creates it and its folder if `before` is null. Does
 * nothing if the file does not have the content `before` any more. If another program changes it at the very moment of
 * the replacement, the changed file is put back.
 *
 * @returns whether the file was replaced
 */
export function replaceFile(path: string, before: Buffer | null, after: string): boolean {
  makeFolder(dirname(path));
  // Programs that list the folder pass over names that begin with a dot.
  const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}.next`);
  const previous = `${draft}-previous`;
  try {
    writeFileSync(draft, after, { flag: 'wx', flush: true });
    if (before === null) return tryToLink(draft, path);
    if (!hasContent(path, before)) return false;
    // The previous file has this name as well, so what an editor writes into it is found.
    const isKept = tryToLink(path, previous);
    renameSync(draft, path);
    const isReplaced = !isKept || hasContent(previous, before);
    if (!isReplaced) renameSync(previous, path);
    flushFolder(dirname(path));
    return isReplaced;
  } finally {
    rmSync(draft, { force: true });
    rmSync(previous, { force: true });
  }
}

/** Gives a file a second name. Returns false if that name exists, and copies the file if the disk has no hard links. */
function tryToLink(path: string, name: string): boolean {
  try {
    linkSync(path, name);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    copyFileSync(path, name, constants.COPYFILE_EXCL);
    return true;
  }
}

function hasContent(path: string, content: Buffer): boolean {
  try {
    return readRegular(path, content.length).equals(content);
  } catch {
    // It is longer, or was removed.
    return false;
  }
}

/**
 * Writes new files into a folder, all of them or none. Throws the error of the file system, which is EEXIST if one of
 * the files already exists.
 *
 * @param files texts or bytes by their path in the folder
 */
export function writeNewFiles(folder: string, files: ReadonlyMap<string, string | Uint8Array>): void {
  const created: string[] = [];
  try {
    for (const [path, content] of files) {
      const target = join(folder, path);
      const firstFolder = makeFolder(dirname(target));
      if (firstFolder !== undefined) created.push(firstFolder);
      const file = openSync(target, 'wx');
      created.push(target);
      try {
        writeFileSync(file, content);
      } finally {
        closeSync(file);
      }
    }
  } catch (error) {
    for (const path of created.toReversed()) removeCreated(path);
    throw error;
  }
}

/** Removes a file or folder that was created. A folder stays if another process has put something into it. */
function removeCreated(path: string): void {
  if (!lstatSync(path).isDirectory()) return unlinkSync(path);
  for (const name of readdirSync(path)) if (lstatSync(join(path, name)).isDirectory()) removeCreated(join(path, name));
  if (readdirSync(path).length === 0) rmdirSync(path);
}

/** Waits until files and folders are on the disk. It flushes 32 at a time, which takes a fifth of the time. */
export async function flushToDisk(paths: readonly string[]): Promise<void> {
  const [open, fsync, close] = [promisify(fs.open), promisify(fs.fsync), promisify(fs.close)];
  await inParallel(paths, 32, async (path) => {
    const file = await open(path, 'r');
    try {
      await fsync(file);
    } finally {
      await close(file);
    }
  });
}
