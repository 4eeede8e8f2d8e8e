import { createHash, hash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { listTree } from '../system/files.ts';
import type { GenreFolder } from './folder.ts';
import { repositoryOf } from './local.ts';
import type { Remotes } from './remote/cache.ts';

/** Returns a hash of all bytes of a genre's sources and of what it inherits. */
export function keyOfGenre(
  data: string,
  { path, files }: GenreFolder,
  remotes: Pick<Remotes, 'files' | 'locals'>,
  inherited: object,
): string {
  const key = createHash('sha1').update(JSON.stringify(inherited));
  for (const name of files) {
    const remote = remotes.files.get(`${path}/${name}`) ?? null;
    const local = remotes.locals.get(`${path}/${name}`);
    key.update(`\0${name}\0${JSON.stringify(remote)}\0`);
    key.update(hashOfFile(join(data, path, name)));
    if (remote !== null && remote.copy !== null) key.update(hashOfFile(join(data, remote.copy)));
    if (local !== undefined) key.update(hashOfFile(join(repositoryOf(data), local.file)));
  }
  return key.digest('hex');
}

/** Returns the hash of a file, or of all files in a folder; empty if it can't be read. */
function hashOfFile(path: string): string {
  try {
    if (!statSync(path).isDirectory()) return hash('sha1', readFileSync(path));
    const lines = listTree(path).map((entry) => {
      const inner = hashOfFile(join(path, entry.path));
      return `${entry.path} ${inner}`;
    });
    return lines.join('\n');
  } catch {
    return '';
  }
}
