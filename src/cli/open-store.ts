import { resolve } from 'node:path';
import { folderStore, type PartStore } from '../parts/store.ts';
import { bucketOptions } from './publish.ts';
import type { Shell } from './shell.ts';

/** Whether the user named a bucket and not a folder. */
export function isBucket(written: string): boolean {
  return written.startsWith('s3:');
}

/** Opens the store of parts that an option names: a folder, or `s3://bucket/prefix`. */
export async function openStore(shell: Shell, written: string): Promise<PartStore> {
  if (!isBucket(written)) return folderStore(resolve(shell.cwd, written), written);
  const { Bucket } = await import('../deploy/s3.ts');
  const bucket = new Bucket(bucketOptions(shell, written));
  return {
    name: written,
    list: async () => [...(await bucket.list()).keys()],
    read: async (name) => (await bucket.read(name))?.body ?? null,
    write: async (name, bytes) => bucket.put(name, bytes, { 'content-type': 'application/octet-stream' }),
  };
}
