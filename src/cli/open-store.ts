import { InvalidArgumentError } from 'commander';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { folderStore, type PartStore } from '../build/part-store.ts';
import { printable } from '../problem/problem.ts';
import { realPath } from '../system/files.ts';
import { bucketOptions } from './publish.ts';
import { usage, type CommonOptions } from './settings.ts';
import type { Shell } from './shell.ts';

/** Whether the user named a bucket and not a folder. */
export function isBucket(written: string): boolean {
  return written.startsWith('s3:');
}

/** Reads where parts are stored. Any address but that of a bucket is a usage error. */
export function readStore(written: string): string {
  if (isBucket(written) || (written !== '' && !/^[a-z][a-z\d+.-]*:\/\//i.test(written))) return written;
  throw new InvalidArgumentError('expected a folder, or s3://bucket/prefix');
}

/**
 * Throws the problem `usage` if a folder for parts is in the data folder, where it would be a mistake in the data, or in
 * the folder of the site, which `almanac join` replaces.
 */
export function assertStore(shell: Shell, written: string, options: Pick<CommonOptions, 'data' | 'out'>): void {
  if (isBucket(written)) return;
  const pathOf = (folder: string): string => realPath(resolve(shell.cwd, folder));
  for (const name of ['data', 'out'] as const) {
    const path = relative(pathOf(options[name]), pathOf(written));
    if (path.split(sep)[0] !== '..' && !isAbsolute(path))
      throw usage(`found --parts ${printable(written)} in the folder of --${name}; expected a folder of its own`);
  }
}

/** Opens the store of parts that an option names: a folder, or `s3://bucket/prefix`. */
export async function openStore(shell: Shell, written: string): Promise<PartStore> {
  if (!isBucket(written)) return folderStore(resolve(shell.cwd, written), written);
  const { Bucket } = await import('../publish/s3.ts');
  const bucket = new Bucket(bucketOptions(shell, written));
  return {
    name: written,
    list: async () => [...(await bucket.list()).keys()],
    read: async (name) => (await bucket.read(name))?.body ?? null,
    write: async (name, bytes) => bucket.put(name, bytes, { 'content-type': 'application/octet-stream' }),
  };
}
