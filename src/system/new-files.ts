import { randomBytes } from 'node:crypto';
import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Writes new files into a folder, all of them or none. Throws the error of the file system, which is EEXIST if one of
 * the files already exists.
 *
 * @param files texts by their path in the folder
 */
export function writeNewFiles(folder: string, files: ReadonlyMap<string, string>): void {
  const created: string[] = [];
  try {
    for (const [path, text] of files) {
      const target = join(folder, path);
      const firstFolder = mkdirSync(dirname(target), { recursive: true });
      if (firstFolder !== undefined) created.push(firstFolder);
      const file = openSync(target, 'wx');
      created.push(target);
      try {
        writeFileSync(file, text);
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

/** Replaces a file by a new one in one step, so that a reader finds the old or the new text. */
export function replaceFile(path: string, text: string): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    writeFileSync(draft, text, { flag: 'wx' });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
