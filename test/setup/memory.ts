import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/**
 * Returns a folder in memory that has room for so many bytes, or else the usual temporary folder.
 */
export function folderInMemory(bytes: number): string {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > bytes ? memory : tmpdir();
}
