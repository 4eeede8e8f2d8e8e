import { existsSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, parse, relative, resolve, sep } from 'node:path';
import { isManifest } from '../api/manifest.ts';
import { indexPath, manifestPath, root } from '../api/paths.ts';
import { ProblemError } from '../problem/problem.ts';
import { identityOf, listTree, realPath, type Entry } from '../system/files.ts';

/** A folder that a build is about to replace. */
export interface Replacement {
  readonly out: string;
  readonly data: string;
  /** Files and folders from other programs, which a build copies into the new site. */
  readonly keep: readonly string[];
  /** Returns whether the new site has a file. Null before there is a new site. */
  readonly isStaged: ((path: string) => boolean) | null;
}

/**
 * Throws the problem `out-refused` if a site must not be built at `out`. A folder that is not empty is replaced only if
 * almanac built everything in it. The root, the home folder, the data folder and folders that contain one of them are
 * never replaced.
 */
export function assertReplaceable(replacement: Replacement): void {
  const { out, data } = replacement;
  const reason = reasonAgainst({ ...replacement, out: realPath(out), data: realPath(data) });
  if (reason !== null) throw new ProblemError([{ code: 'out-refused', place: null, folder: out, reason }]);
}

/** Whether a path is one of the files or in one of the folders to keep. A folder ends in a slash. */
export function isKept(path: string, keep: readonly string[]): boolean {
  return keep.some((kept) => path === kept || (kept.endsWith('/') && path.startsWith(kept)));
}

function reasonAgainst(replacement: Replacement): string | null {
  const { out, data } = replacement;
  if (out === parse(out).root) return 'it is the root of the file system';
  if (contains(out, realPath(homedir()))) return 'it is the home folder or contains it';
  if (contains(out, data)) return 'it is the data folder or contains it';
  if (contains(data, out)) return 'it is inside the data folder';
  if (!existsSync(out)) return null;
  if (statSync(out, { throwIfNoEntry: false })?.isDirectory() === false) return 'it is a file';
  return reasonAgainstFiles(replacement);
}

/**
 * Checks again if another build replaced the site in the meantime, because the listed files then belong to two sites.
 */
function reasonAgainstFiles(replacement: Replacement, retriesLeft = 4): string | null {
  const { out } = replacement;
  const before = identityOf(out);
  const reason = before === null ? null : reasonAgainstEntries(replacement, listTree(out));
  return before === identityOf(out) || retriesLeft === 0 ? reason : reasonAgainstFiles(replacement, retriesLeft - 1);
}

function reasonAgainstEntries({ out, keep, isStaged }: Replacement, entries: readonly Entry[]): string | null {
  if (entries.length === 0) return null;
  const files = readManifestIn(out, entries);
  if (files === null) return 'it is not empty and not a site that almanac built';
  // If the manifest is damaged, a file at the root of the site is ours only if the new site has it too.
  const isListed = (path: string): boolean =>
    files === 'damaged'
      ? path.startsWith(`${root}/`) || path.startsWith('assets/') || isStaged?.(path) !== false
      : Object.hasOwn(files, path);
  for (const { path, kind } of entries) {
    if (path === manifestPath || isListed(path)) continue;
    if (!isKept(kind === 'empty folder' ? `${path}/` : path, keep))
      return `it holds ${JSON.stringify(path)}, which almanac did not put there`;
    if (kind === 'other') return `it holds ${JSON.stringify(path)}, which is not a regular file`;
    if (kind === 'file' && isStaged?.(path) === false) return `${JSON.stringify(path)} was added during the build`;
  }
  return null;
}

/**
 * Returns the files in the manifest of the site in a folder, or null if almanac built no site there. The manifest is
 * `damaged` if it is cut off, as after a power loss, and there are documents of a site next to it.
 */
function readManifestIn(folder: string, entries: readonly Entry[]): object | 'damaged' | null {
  if (!entries.some(({ path, kind }) => path === manifestPath && kind === 'file')) return null;
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, manifestPath), 'utf8'));
    return isManifest(manifest) ? manifest.files : null;
  } catch (error) {
    return error instanceof SyntaxError && entries.some(({ path }) => path === indexPath) ? 'damaged' : null;
  }
}

function contains(folder: string, inner: string): boolean {
  const path = relative(folder, inner);
  return path === '' || !(path === '..' || path.startsWith(`..${sep}`) || resolve(path) === path);
}
