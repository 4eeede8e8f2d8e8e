import { statSync } from 'node:fs';

/** What tells one folder at a path from the next; null while there is none. */
export function identityOf(folder: string): string | null {
  const stats = statSync(folder, { throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.dev}:${stats.ino}:${stats.birthtimeMs}`;
}
