import { existsSync, readdirSync, readFileSync, statSync, type Dirent } from 'node:fs';
import { homedir } from 'node:os';
import { join, parse, relative, resolve, sep } from 'node:path';
import type { Manifest } from '../api/documents.ts';
import { manifestPath } from '../api/paths.ts';
import type { Problem } from '../problem/problem.ts';
import { identityOf } from '../system/files.ts';
import { parseManifest } from '../api/manifest.ts';
import { realPath } from '../system/files.ts';

/**
 * Why the site must not be built at `out`, or null. A folder that is not empty is replaced only if almanac built all
 * that is in it; the root, the home folder, the data folder and whatever contains one of them never are.
 */
export function refuseOut(out: string, data: string): Problem | null {
  const reason = reasonAgainst(realPath(out), realPath(data));
  return reason === null ? null : { code: 'out-refused', place: null, folder: out, reason };
}

function reasonAgainst(out: string, data: string): string | null {
  if (out === parse(out).root) return 'it is the root of the file system';
  if (contains(out, realPath(homedir()))) return 'it is the home folder or contains it';
  if (contains(out, data)) return 'it is the data folder or contains it';
  if (contains(data, out)) return 'it lies inside the data folder';
  if (!existsSync(out)) return null;
  if (statSync(out, { throwIfNoEntry: false })?.isDirectory() === false) return 'it is a file';
  return reasonAgainstFiles(out);
}

/** Looks again where another build has put its site at `out` meanwhile: what was seen is then of two sites, or of none. */
function reasonAgainstFiles(out: string, mostLooks = 5): string | null {
  const before = identityOf(out);
  const reason = before === null ? null : lookAtFiles(out);
  return before === identityOf(out) || mostLooks === 1 ? reason : reasonAgainstFiles(out, mostLooks - 1);
}

function lookAtFiles(out: string): string | null {
  const paths = listFiles(out);
  if (paths.length === 0) return null;
  const manifest = readManifestIn(out);
  if (manifest === null) return 'it is not empty and no site that almanac built';
  const stranger = paths.find((path) => path !== manifestPath && !Object.hasOwn(manifest.files, path));
  return stranger === undefined ? null : `it holds ${JSON.stringify(stranger)}, which almanac did not put there`;
}

/** Empty where the folder went away, as the parts of a site do that another build replaces. */
function readFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Everything in a folder that is not a folder with something in it; relative paths with forward slashes. */
function listFiles(folder: string): string[] {
  const paths: string[] = [];
  const walk = (inner: string): void => {
    const entries = readFolder(join(folder, inner));
    if (entries.length === 0 && inner !== '') paths.push(inner.slice(0, -1));
    for (const entry of entries) {
      if (entry.isDirectory()) walk(`${inner}${entry.name}/`);
      else paths.push(inner + entry.name);
    }
  };
  walk('');
  return paths;
}

/** The manifest of the site in a folder; null if almanac built none there. */
function readManifestIn(folder: string): Manifest | null {
  try {
    return parseManifest(readFileSync(join(folder, manifestPath), 'utf8'));
  } catch {
    return null;
  }
}

function contains(folder: string, inner: string): boolean {
  const path = relative(folder, inner);
  return path === '' || !(path === '..' || path.startsWith(`..${sep}`) || resolve(path) === path);
}
