import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { isSitePath } from '../api/address.ts';
import type { Parts, SiteFile } from '../api/site-file.ts';
import { wholeFile, type DisplayPath, type Problem } from '../problem/problem.ts';
import { listTree, readBlocks, type Entry } from '../system/files.ts';

export interface PublicFolder {
  readonly folder: string;
  readonly displayPath: DisplayPath;
}

/** The names at the top of a site that almanac may write, in lower case. */
const reservedNames =
  /^(\.nojekyll|404\.(html|json)|api|assets|category|changes|collection|country|favicon\.ico|files\.json|following|genre|index\.html|lists|llms\.txt|month|robots\.txt|search|site\.webmanifest|sitemap(-\d+)?\.xml|tag|today|year)$/;

/** The files of almanac that a file of the owner replaces. */
const replaceableNames = new Set(['robots.txt', 'favicon.ico']);

/**
 * Lists the files that a build copies into the site, or their problems. Null: there is no such
 * folder.
 */
export function listPublic(from: PublicFolder | null): {
  readonly files: readonly SiteFile[];
  readonly problems: readonly Problem[];
} {
  const files: SiteFile[] = [];
  const problems: Problem[] = [];
  if (from === null) return { files, problems };
  for (const { path, kind } of listTree(from.folder)) {
    const code = codeAgainst(path, kind);
    const source = join(from.folder, path);
    if (code !== null) {
      const name = code === 'public-name-taken' ? (path.split('/')[0] ?? '') : path;
      problems.push({
        code,
        place: wholeFile(from.displayPath(source)),
        name,
      });
    } else if (kind === 'file') files.push(publicFile(path, source));
  }
  return { files, problems };
}

/** A file that is copied block by block, with its permissions. */
function publicFile(path: string, source: string): SiteFile {
  const content = (): Parts => readBlocks(source);
  return {
    path,
    content,
    mode: lstatSync(source).mode & 0o777,
  };
}

function codeAgainst(path: string, kind: Entry['kind']) {
  if (kind === 'other') return 'public-not-a-file';
  if (!isPortable(path)) return 'public-name-invalid';
  if (kind === 'empty folder') return null;
  const [name = ''] = path.split('/');
  if (replaceableNames.has(path)) return null;
  // Web servers send a compressed copy in place of the file.
  if (reservedNames.test(foldCase(name).replace(/\.(gz|br)$/, ''))) return 'public-name-taken';
  return null;
}

/** Writes a name as disks that ignore case compare it: a long s is an S. */
function foldCase(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase();
}

/** Whether every disk and git can hold a path. Node reads a byte that is not UTF-8 as U+FFFD. */
function isPortable(path: string): boolean {
  const isRefused = (name: string) =>
    /[<>:"|?*\uFFFD]|[. ]$/.test(name) ||
    /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name) ||
    foldCase(name) === '.git';
  return isSitePath(path) && !path.split('/').some(isRefused);
}
