import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identityOf } from '../site/identity.ts';
import type { FetchFile } from './handler.ts';

/**
 * Fetches published files from a folder, each read whole at the moment it is asked for, so that a site swapped in by a
 * build is served from then on. A path that is a link, a folder or spelt in other letter case than the file is not there.
 */
export function fetchIn(folder: string): FetchFile {
  return async (path) => {
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const before = identityOf(folder);
      const bytes = readPublished(folder, path);
      if (bytes !== null) return new Response(bytes);
      // A build by another process swaps with two renames: what is not there counts only if one site stood throughout.
      if (before !== null && identityOf(folder) === before) break;
      await delay(attempt);
    }
    return new Response(null, { status: 404 });
  };
}

const mostAttempts = 40;

function readPublished(folder: string, path: string): Uint8Array<ArrayBuffer> | null {
  try {
    const file = join(folder, path);
    return realpathSync.native(file) === join(realpathSync.native(folder), path) ? readFileSync(file) : null;
  } catch {
    return null;
  }
}
