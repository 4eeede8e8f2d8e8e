import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, parse, relative, resolve, sep } from 'node:path';
import { isManifest, maxManifestBytes } from '../api/manifest.ts';
import { indexPath, manifestPath, root } from '../api/paths.ts';
import { problemError } from '../problem/problem.ts';
import {
  identityOf,
  listTree,
  mountsIn,
  readRegular,
  realPath,
  type Entry,
} from '../system/files.ts';
import type { PublicFolder } from './public.ts';

/** A folder that a build is about to replace, and those that it reads. */
interface Replacement {
  readonly out: string;
  readonly data: string;
  readonly publicFolder: Pick<PublicFolder, 'folder'> | null;
  /** Returns whether the new site has a file. Null before there is a new site. */
  readonly isStaged: ((path: string) => boolean) | null;
}

/**
 * Throws the problem `out-refused` if a site must not be built at `out`. A folder that is not empty
 * is replaced only if almanac put everything in it. The root, the home folder, the data folder, the
 * folder of public files and folders that contain one of them are never replaced.
 */
export function assertReplaceable(
  site: Omit<Replacement, 'isStaged'>,
  isStaged: Replacement['isStaged'],
): void {
  const { out, data } = site;
  const publicFolder = site.publicFolder && { folder: realPath(site.publicFolder.folder) };
  const reason = reasonAgainst({
    out: realPath(out),
    data: realPath(data),
    publicFolder,
    isStaged,
  });
  if (reason !== null)
    throw problemError({
      code: 'out-refused',
      folder: out,
      reason,
    });
}

function reasonAgainst(replacement: Replacement): string | null {
  const { out, data, publicFolder } = replacement;
  if (out === parse(out).root) return 'it is the root of the file system';
  if (contains(out, realPath(homedir()))) return 'it is the home folder or contains it';
  if (contains(out, data)) return 'it is the data folder or contains it';
  if (contains(data, out)) return 'it is inside the data folder';
  if (
    publicFolder !== null &&
    (contains(out, publicFolder.folder) || contains(publicFolder.folder, out))
  )
    return 'it is the folder of public files, contains it or is inside it';
  if (!existsSync(out)) return null;
  if (statSync(out, { throwIfNoEntry: false })?.isDirectory() === false) return 'it is a file';
  const [mount] = mountsIn(out);
  if (mount !== undefined) return `a file system is mounted inside it, at ${JSON.stringify(mount)}`;
  return reasonAgainstFiles(replacement);
}

/**
 * Checks again if another build replaced the site in the meantime: the listed files then belong to
 * two sites.
 */
function reasonAgainstFiles(replacement: Replacement, retriesLeft = 4): string | null {
  const { out } = replacement;
  const before = identityOf(out);
  const reason = before === null ? null : reasonAgainstEntries(replacement, listTree(out));
  return before === identityOf(out) || retriesLeft === 0
    ? reason
    : reasonAgainstFiles(replacement, retriesLeft - 1);
}

function reasonAgainstEntries(
  { out, isStaged }: Replacement,
  entries: readonly Entry[],
): string | null {
  if (entries.length === 0) return null;
  const files = readManifestIn(out, entries);
  if (files === null) return 'it is not empty and not a site that almanac built';
  // If the manifest is damaged, a file at the root of the site is ours only if the new site has it
  // too.
  const isListed = ({ path, kind }: Entry) => {
    if (files === 'damaged') {
      const isOfSite = path.startsWith(`${root}/`) || path.startsWith('assets/');
      return isOfSite || isStaged?.(path) !== false;
    }
    if (Object.hasOwn(files, path)) return true;
    if (kind !== 'empty folder') return false;
    // The listed files of an empty folder are missing.
    return Object.keys(files).some((file) => file.startsWith(`${path}/`));
  };
  const foreign = entries.find((entry) => entry.path !== manifestPath && !isListed(entry));
  if (foreign === undefined) return null;
  return `it holds ${JSON.stringify(foreign.path)},
    which almanac did not put there;
    files for the site belong in public/`;
}

/**
 * Returns the files in the manifest of a site, null if almanac built none, or `damaged` if it is
 * cut off.
 */
function readManifestIn(folder: string, entries: readonly Entry[]): object | 'damaged' | null {
  try {
    const manifest: unknown = JSON.parse(
      readRegular(join(folder, manifestPath), maxManifestBytes).toString(),
    );
    return isManifest(manifest) ? manifest.files : null;
  } catch (error) {
    return error instanceof SyntaxError && entries.some(({ path }) => path === indexPath)
      ? 'damaged'
      : null;
  }
}

function contains(folder: string, inner: string): boolean {
  const path = relative(folder, inner);
  return path === '' || !(path === '..' || path.startsWith(`..${sep}`) || resolve(path) === path);
}
