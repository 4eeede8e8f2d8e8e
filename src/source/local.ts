import { lstatSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { ReadKind } from '../readers/schema/file-kinds.ts';
import { linkBelow } from '../system/files.ts';

/** Returns the folder that holds a data folder. Paths of sources in the repository start there. */
export function repositoryOf(data: string): string {
  return dirname(resolve(data));
}

/**
 * Returns why a file or folder of the repository cannot be read, or null.
 *
 * @param file relative to the folder that holds the data folder
 */
export function refusalOfLocal(data: string, file: string, kind: ReadKind): string | null {
  const repository = repositoryOf(data);
  const path = join(repository, file);
  const link = linkBelow(repository, path);
  if (link !== null) return `${basename(link)} is a symbolic link`;
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 'there is no such file';
  if (kind === 'entries') return stats.isDirectory() ? null : 'it is no folder';
  return stats.isFile() ? null : 'it is no file';
}
