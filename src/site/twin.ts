import { existsSync, linkSync, mkdirSync, renameSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inventoryPath } from '../api/paths.ts';
import { dropLock, takeLock } from '../lock.ts';
import { identityOf } from './identity.ts';
import { removeTree } from './remove-tree.ts';
import { neighboursOf, type Neighbours } from './swap.ts';

/**
 * A site once more, where the next one is built: the same files by second names. Brought up to date, it takes the
 * site's place by the two renames of every swap, in no more time than its changed files take.
 */
export interface Twin {
  /**
   * Lets `write` change files of the twin, inventory last, and puts it in the place of the site. Returns what `write`
   * does, with the paths that it wrote; null, with nothing done, where another process has been at either of the two.
   */
  readonly update: <T extends Written>(write: (folder: string) => T) => T | null;
  readonly remove: () => void;
}

interface Written {
  readonly written: readonly string[];
}

/**
 * Makes the twin of a site of these files; null where another process builds, or the file system has no links or no
 * room for them.
 */
export function makeTwin(out: string, paths: readonly string[]): Twin | null {
  const places = neighboursOf(out);
  let known: Pair | null = null;
  const alone = <T>(work: () => T): T | null => {
    if (takeLock(places.lock) !== null) return null;
    try {
      return work();
    } finally {
      dropLock(places.lock);
    }
  };
  const isAsLeft = (): boolean => known !== null && isSame(known, pairAt(places));
  const clearAway = (): void => {
    if (isAsLeft()) removeTree(places.next);
  };
  try {
    known = alone(() => copyByName(places, paths));
  } catch {
    known = null;
  }
  if (known === null) return null;
  return {
    update: (write) =>
      alone(() => {
        if (!isAsLeft()) return null;
        known = null;
        const done = swapIn(places, write);
        known = pairAt(places);
        return done;
      }),
    remove: () => {
      try {
        alone(clearAway);
      } catch (error) {
        // A full disk has no room for a lock, be it whose it may: then nobody else is there.
        if (existsSync(places.lock)) throw error;
        clearAway();
      }
    },
  };
}

/** What tells a folder from any other, of the site and of its twin. */
type Pair = readonly [site: string, twin: string];

function pairAt({ out, next }: Neighbours): Pair | null {
  const [site, twin] = [identityOf(out), identityOf(next)];
  return site === null || twin === null || !existsSync(join(next, inventoryPath)) ? null : [site, twin];
}

function isSame(one: Pair, other: Pair | null): boolean {
  return one[0] === other?.[0] && one[1] === other[1];
}

function copyByName(places: Neighbours, paths: readonly string[]): Pair | null {
  removeTree(places.next);
  try {
    const made = new Set<string>();
    for (const path of [...paths, inventoryPath]) {
      const folder = join(places.next, dirname(path));
      if (!made.has(folder)) mkdirSync(folder, { recursive: true });
      made.add(folder);
      linkSync(join(places.out, path), join(places.next, path));
    }
    return pairAt(places);
  } catch {
    removeTree(places.next);
    return null;
  }
}

/** A twin without an inventory is no whole site: so it stands while it is changed. */
function swapIn<T extends Written>({ out, next, old }: Neighbours, write: (folder: string) => T): T {
  try {
    unlinkSync(join(next, inventoryPath));
    const done = write(next);
    renameSync(out, old);
    renameSync(next, out);
    renameSync(old, next);
    for (const path of [inventoryPath, ...done.written]) unlinkSync(join(next, path));
    for (const path of [...done.written, inventoryPath]) {
      linkSync(join(out, path), join(next, path));
    }
    return done;
  } catch (error) {
    // The site is whole, in its place or beside it; a twin that is neither one nor the other is not.
    if (existsSync(out)) [next, old].forEach(removeTree);
    throw error;
  }
}
