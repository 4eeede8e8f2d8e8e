import glob from 'fast-glob';
import { existsSync, readdirSync, statSync, type Dirent } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { groupBy } from '../catalogue/group.ts';
import { slug } from '../catalogue/id.ts';
import { wholeFile, type DisplayPath, type Problem } from '../problem/problem.ts';
import { failureReason } from '../system/failure.ts';
import { isFileId } from '../readers/schema/rules.ts';
import {
  mappingsWithoutTable,
  subjectFileEnding,
  subjectFileNames,
  subjectFilesIn,
} from '../readers/schema/file-kinds.ts';

/**
 * The files of a data folder, and the problems of their names. Paths are relative to it, with
 * forward slashes.
 */
export interface DataListing {
  readonly service: Presence;
  readonly hasCollections: boolean;
  /** Ordered by id. */
  readonly categories: readonly CategoryFolder[];
  readonly remotes: readonly string[];
  readonly repeatedRemotes: readonly string[];
  readonly problems: readonly Problem[];
}

type Presence = 'present' | 'missing' | 'refused';

export interface CategoryFolder {
  readonly id: string;
  readonly metadata: Presence;
  /** Ordered by id. */
  readonly genres: readonly GenreFolder[];
}

export interface GenreFolder {
  /** The public id: folder, hyphen, category. */
  readonly id: string;
  readonly path: string;
  readonly metadata: Presence;
  /** The names of its subject files. Only names are kept, because a large catalogue has many. */
  readonly files: readonly string[];
}

/** The files that hold the name of the service, of a category and of a genre. */
export const metadataFiles = {
  service: 'service.json',
  category: 'category.json',
  genre: 'genre.json',
} as const;

/** The file that names collections. A data folder need not have it. */
export const collectionsFile = 'collections.json';

/** Lists a data folder. Skips README.md and names that begin with a dot. Refuses symbolic links. */
export function listData(data: string, displayPath: DisplayPath): DataListing {
  const listing = {
    service: 'missing' as Presence,
    remotes: [] as string[],
    repeatedRemotes: [] as string[],
  };
  // Below a file, `throwIfNoEntry: false` throws on some versions of Node, so existence is checked
  // first.
  if (!existsSync(data) || !statSync(data).isDirectory()) {
    const problems = [dataMissing(data, displayPath)];
    return { ...listing, hasCollections: false, categories: [], problems };
  }
  const walk: Walk = {
    data,
    entries: listEntries(data),
    problems: [],
    displayPath,
  };
  const root = readFolder(walk, '', 0);
  const categories = [...(root?.folders ?? [])].map(([id, category]) => {
    const { metadata, folders } = category;
    const genres = Array.from(folders, ([name, folder]) => ({ ...folder, id: `${name}-${id}` }));
    return {
      id,
      metadata,
      genres: genres.sort((a, b) => (a.id < b.id ? -1 : 1)),
    };
  });
  const { problems } = walk;
  if (root !== null) reportMissing(walk, root, categories);
  for (const genre of categories.flatMap(({ genres }) => genres)) {
    const { files, repeated } = subjectFilesIn(genre.path, genre.files);
    for (const { name, table } of mappingsWithoutTable(genre.files)) {
      const place = wholeFile(displayPath(`${genre.path}/${name}`));
      problems.push({
        code: 'mapping-without-table',
        place,
        name,
        table,
      });
    }
    for (const { path, kind } of files) if (kind === 'remote') listing.remotes.push(path);
    for (const { id, path, definedBy, isTable } of repeated) {
      problems.push({
        code: isTable ? 'table-twice' : 'subject-twice',
        place: wholeFile(displayPath(path)),
        id,
        other: displayPath(definedBy),
      });
      // Two files of the same name in one folder: the second can only be a remote source.
      if (!isTable) listing.repeatedRemotes.push(path);
    }
  }
  reportCollisions(walk, categories);
  const hasCollections = root?.files.includes(collectionsFile) === true;
  return {
    ...listing,
    service: root?.metadata ?? 'missing',
    hasCollections,
    categories,
    problems,
  };
}

/** Returns the problem of a data folder that does not exist, with the folder above that has one. */
export function dataMissing(data: string, displayPath: DisplayPath): Problem {
  const parents: string[] = [];
  for (let inner = data; dirname(inner) !== inner; inner = dirname(inner)) parents.push(inner);
  const isCatalogue = (folder: string) => existsSync(join(folder, 'data', metadataFiles.service));
  const parent = parents.map((inner) => dirname(inner)).find(isCatalogue);
  const catalogue = parent === undefined ? null : displayPath(relative(data, join(parent, 'data')));
  return {
    code: 'data-missing',
    place: null,
    folder: displayPath(''),
    catalogue,
  };
}

interface Walk {
  readonly data: string;
  /** The entries of each folder that has any. */
  readonly entries: ReadonlyMap<string, readonly Dirent[]>;
  readonly displayPath: DisplayPath;
  readonly problems: Problem[];
}

/**
 * Lists three levels of folders, by the path of the parent folder. Unreadable folders seem to be
 * empty.
 */
function listEntries(data: string): Walk['entries'] {
  const options = {
    cwd: data,
    deep: levels.length,
    onlyFiles: false,
    followSymbolicLinks: false,
    unique: false,
  };
  // The pattern `**` would skip names that contain a line break.
  const entries = glob.sync('**/*([^/])', {
    ...options,
    objectMode: true,
    suppressErrors: true,
  });
  const byParent = groupBy(entries, ({ path, name }) =>
    path.slice(0, Math.max(0, path.length - name.length - 1)),
  );
  return new Map(
    Array.from(byParent, ([parent, names]) => [
      parent,
      names.map(({ dirent }) => dirent as Dirent),
    ]),
  );
}

interface Folder {
  readonly path: string;
  metadata: Presence;
  readonly files: string[];
  readonly folders: Map<string, Folder>;
}

const levels = [
  {
    metadataFile: metadataFiles.service,
    otherFile: collectionsFile,
    hasSubjects: false,
    allowed: 'the data folder holds service.json, collections.json and a folder for each category',
  },
  {
    metadataFile: metadataFiles.category,
    otherFile: null,
    hasSubjects: false,
    allowed: 'a category folder holds category.json and a folder for each genre',
  },
  {
    metadataFile: metadataFiles.genre,
    otherFile: null,
    hasSubjects: true,
    allowed: `a genre folder holds genre.json and the files of its subjects, ${subjectFileNames}`,
  },
] as const;
type Level = (typeof levels)[number];

function readFolder(walk: Walk, path: string, depth: number): Folder | null {
  const { data, entries, displayPath, problems } = walk;
  try {
    if (!entries.has(path)) readdirSync(join(data, path));
  } catch (error) {
    problems.push({
      code: 'unreadable-file',
      place: wholeFile(displayPath(path)),
      reason: failureReason(error),
    });
    return null;
  }
  const folder: Folder = {
    path,
    metadata: 'missing',
    files: [],
    folders: new Map(),
  };
  const level = levels[depth];
  for (const entry of entries.get(path)?.toSorted((a, b) => (a.name < b.name ? -1 : 1)) ?? []) {
    const { name } = entry;
    const kind = kindOf(entry);
    if (level === undefined || name.startsWith('.') || (kind === 'file' && name === 'README.md'))
      continue;
    const inner = path === '' ? name : `${path}/${name}`;
    const problem = refusal(name, kind, level);
    if (problem !== null)
      problems.push({
        ...problem,
        place: wholeFile(displayPath(inner)),
      });
    if (name === level.metadataFile) folder.metadata = problem === null ? 'present' : 'refused';
    // A badly named file or folder is still read, so that one run reports all of its problems. This
    // is not possible if the name is not UTF-8 (it can't be opened) or has a line break (fast-glob
    // does not list what is inside).
    const isRead =
      problem === null || (problem.code === 'bad-name' && !/[\ufffd\n\r\u2028\u2029]/.test(name));
    if (!isRead || name === level.metadataFile) continue;
    if (kind === 'file') folder.files.push(name);
    else if (level.hasSubjects) folder.files.push(`${name}/`);
    else {
      const child = readFolder(walk, inner, depth + 1);
      if (child !== null) folder.folders.set(name, child);
    }
  }
  return folder;
}

type Kind = 'file' | 'folder' | 'link' | 'other';

function kindOf(entry: Dirent): Kind {
  if (entry.isSymbolicLink()) return 'link';
  if (entry.isFile()) return 'file';
  return entry.isDirectory() ? 'folder' : 'other';
}

function refusal(
  name: string,
  kind: Kind,
  { metadataFile, otherFile, hasSubjects, allowed }: Level,
) {
  if (kind === 'link') return { code: 'symbolic-link', name } as const;
  if (kind === 'file' && (name === metadataFile || name === otherFile)) return null;
  const isFolder = kind === 'folder' && name !== metadataFile;
  const endingOfFile = kind === 'file' && hasSubjects ? subjectFileEnding(name) : null;
  const ending = isFolder ? '' : endingOfFile;
  if (ending === null)
    return {
      code: 'stray-file',
      kind: kind === 'folder' ? kind : 'file',
      name,
      allowed,
    } as const;
  const stem = name.slice(0, name.length - ending.length);
  return problemOfFileName(stem, ending);
}

/** Returns the problem of the name of a file or folder, or null. The name is proposed as Germans spell it. */
export function problemOfFileName(stem: string, ending = '') {
  if (isFileId(stem)) return null;
  const plainStem = stem.toLowerCase().replace(/[äöüß]/g, (letter) => umlauts[letter] ?? letter);
  const proposal = isFileId(slug(plainStem)) ? slug(plainStem) + ending : null;
  return {
    code: 'bad-name',
    name: stem + ending,
    proposal,
  } as const;
}

const umlauts: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' };

function reportMissing(
  { problems, displayPath }: Walk,
  root: Folder,
  categories: readonly CategoryFolder[],
): void {
  const report = (folder: string, metadata: Presence, name: string, holds: string): void => {
    if (metadata === 'missing') {
      problems.push({
        code: 'missing-file',
        place: wholeFile(displayPath(`${folder}${name}`)),
        name,
        holds,
      });
    }
  };
  report('', root.metadata, metadataFiles.service, '"name" and "license"');
  for (const { id, metadata, genres } of categories) {
    report(`${id}/`, metadata, metadataFiles.category, '"name"');
    for (const genre of genres)
      report(`${genre.path}/`, genre.metadata, metadataFiles.genre, '"name"');
  }
}

function reportCollisions(
  { problems, displayPath }: Walk,
  categories: readonly CategoryFolder[],
): void {
  const first = new Map<string, string>();
  for (const { id, path } of categories.flatMap(({ genres }) => genres)) {
    const other = first.get(id);
    if (other === undefined) first.set(id, path);
    else
      problems.push({
        code: 'genre-collision',
        place: wholeFile(displayPath(path)),
        id,
        other: displayPath(other),
      });
  }
}
