import { existsSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** The path with links resolved as far as it exists; a link that leads to nothing is followed to where that would be. */
export function realPath(path: string, mostLinks = 40): string {
  const absolute = resolve(path);
  if (existsSync(absolute)) return realpathSync(absolute);
  const parent = dirname(absolute);
  if (parent === absolute) return absolute;
  const placed = join(realPath(parent, mostLinks), basename(absolute));
  const target = targetOf(placed);
  return target === null || mostLinks === 0 ? placed : realPath(resolve(dirname(placed), target), mostLinks - 1);
}

function targetOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
