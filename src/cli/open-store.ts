import { InvalidArgumentError } from 'commander';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { PartStore } from '../builder/part-store.ts';
import { isSitePath } from '../catalogue/url.ts';
import { printable } from '../problem/problem.ts';
import type { Bucket } from '../publish/s3.ts';
import { listTree, realPath } from '../system/files.ts';
import { inWorkingFolder } from '../system/leftovers.ts';
import { inParallel } from '../system/parallel.ts';
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

/** Throws the problem `usage` if a folder for parts is in that of the data or of the site, which would be a mistake. */
export function assertStore(shell: Shell, written: string, options: Pick<CommonOptions, 'data' | 'out'>): void {
  if (isBucket(written)) return;
  const pathOf = (folder: string): string => realPath(resolve(shell.cwd, folder));
  for (const name of ['data', 'out'] as const) {
    const path = relative(pathOf(options[name]), pathOf(written));
    if (path.split(sep)[0] !== '..' && !isAbsolute(path))
      throw usage(`found --parts ${printable(written)} in the folder of --${name}; expected a folder of its own`);
  }
}

/** Calls `work` with the store of parts that an option names, to which it adds some. */
export async function withNewParts<T>(
  shell: Shell,
  written: string,
  work: (store: PartStore) => Promise<T>,
): Promise<T> {
  if (!isBucket(written)) return work({ folder: resolve(shell.cwd, written), name: written });
  return inWorkingFolder(async (folder) => {
    const bucket = await bucketOf(shell, written);
    try {
      return await work({ folder, name: written });
    } finally {
      // Files at the top name the others, so they follow.
      const paths = listTree(folder).map(({ path }) => path);
      for (const isTop of [false, true]) {
        const some = paths.filter((path) => path.includes('/') !== isTop);
        await inParallel(some, concurrency, async (path) =>
          bucket.put(path, readFileSync(join(folder, path)), headers),
        );
      }
    }
  });
}

/** Calls `work` with the store of parts that an argument names. `isKept`: `work`, which moves them, gets a copy. */
export async function withParts<T>(
  shell: Shell,
  written: string,
  isKept: boolean,
  work: (store: PartStore) => Promise<T>,
): Promise<T> {
  const own = resolve(shell.cwd, written);
  if (!isBucket(written) && !(isKept && existsSync(own))) return work({ folder: own, name: written });
  return inWorkingFolder(async (folder) => {
    if (isBucket(written)) await fetchParts(await bucketOf(shell, written), folder);
    else cpSync(own, folder, { recursive: true, preserveTimestamps: true });
    return work({ folder, name: written });
  });
}

/** Fetches the files at the top of a bucket, and those in the folders that they name. */
async function fetchParts(bucket: Bucket, folder: string): Promise<void> {
  const paths = [...(await bucket.list()).keys()].filter(isSitePath);
  const fetch = async (path: string): Promise<Buffer> => {
    const { body } = (await bucket.read(path)) ?? { body: Buffer.alloc(0) };
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), body);
    return body;
  };
  const isTop = (path: string): boolean => !path.includes('/');
  const texts = await inParallel(paths.filter(isTop), concurrency, fetch);
  const isNamed = (path: string): boolean => texts.some((text) => text.includes(JSON.stringify(path.split('/')[0])));
  const ofRuns = paths.filter((path) => !isTop(path) && isNamed(path));
  await inParallel(ofRuns, concurrency, fetch);
}

async function bucketOf(shell: Shell, written: string): Promise<Bucket> {
  const { Bucket } = await import('../publish/s3.ts');
  return new Bucket(bucketOptions(shell, written));
}

const concurrency = 16;

const headers = { 'content-type': 'application/octet-stream' };
