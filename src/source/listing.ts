import fastGlob from 'fast-glob';
import { readdirSync, statSync, type Dirent } from 'node:fs';
import { relative, sep } from 'node:path';
import { failureReason, type Place, type Problem } from '../problem.ts';
import { isId } from './rules.ts';
import { subjectFileEnding, subjectFileNames } from './subject-files.ts';

/** The files of a data folder, sorted into the places of the format. Paths are relative to it, with forward slashes. */
export interface Listing {
  /** Whether there is a folder that can be looked into. */
  readonly isThere: boolean;
  readonly categories: readonly CategoryFolder[];
  readonly hasService: boolean;
  readonly problems: readonly Problem[];
}

export interface CategoryFolder {
  readonly id: string;
  readonly hasName: boolean;
  readonly genres: readonly GenreFolder[];
}

export interface GenreFolder {
  readonly folder: string;
  readonly path: string;
  readonly hasName: boolean;
  /** Names of the subject files. */
  readonly files: readonly string[];
}

/** How problems name a file of the data folder: its path relative to the working directory. */
export type Naming = (path: string) => string;

export function wholeFile(file: string): Place {
  return { file, line: 1, column: 1 };
}

/** Lists a data folder. Names that begin with a dot and README.md are passed over; symbolic links are refused. */
export function listData(data: string, nameOf: Naming): Listing {
  const problems: Problem[] = [];
  if (!isFolder(data)) {
    problems.push({ code: 'data-missing', place: null, folder: nameOf('') });
    return { isThere: false, categories: [], hasService: false, problems };
  }
  const root: Folder = { files: [], folders: new Map() };
  const { entries, closed } = readEntries(data);
  for (const [path, reason] of closed)
    problems.push({ code: 'unreadable-file', place: wholeFile(nameOf(path)), reason });
  for (const entry of entries) sortIn(root, entry, nameOf, problems);
  return {
    isThere: !closed.has(''),
    categories: categoriesOf(root),
    hasService: root.files.includes('service.json'),
    problems,
  };
}

interface Entry {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}

interface Folder {
  readonly files: string[];
  readonly folders: Map<string, Folder>;
}

/** What a folder at each depth may hold. */
const levels = [
  {
    named: 'service.json',
    subjects: false,
    allowed: 'the data folder holds service.json and a folder for each category',
  },
  {
    named: 'category.json',
    subjects: false,
    allowed: 'a category folder holds category.json and a folder for each genre',
  },
  {
    named: 'genre.json',
    subjects: true,
    allowed: `a genre folder holds genre.json and the files of its subjects, ${subjectFileNames}`,
  },
] as const;
type Level = (typeof levels)[number];

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Everything in the folder, by path; folders that cannot be looked into are told apart, each with the reason. */
function readEntries(data: string): { entries: Entry[]; closed: ReadonlyMap<string, string> } {
  const closed = new Map<string, string>();
  const readFolder = (folder: string): Dirent[] => {
    try {
      return readdirSync(folder, { withFileTypes: true });
    } catch (error) {
      closed.set(relative(data, folder).split(sep).join('/'), failureReason(error));
      return [];
    }
  };
  const entries = fastGlob
    .globSync('**', {
      cwd: data,
      onlyFiles: false,
      objectMode: true,
      followSymbolicLinks: false,
      fs: { readdirSync: readFolder as unknown as typeof readdirSync },
    })
    .map(({ path, dirent }): Entry => ({ path, kind: kindOf(dirent) }))
    .filter(({ path }) => !closed.has(path))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  return { entries, closed };
}

function kindOf(entry: Pick<Dirent, 'isSymbolicLink' | 'isFile' | 'isDirectory'>): Entry['kind'] {
  if (entry.isSymbolicLink()) return 'link';
  if (entry.isFile()) return 'file';
  return entry.isDirectory() ? 'folder' : 'other';
}

/** Puts an entry in its folder, and says so where it has no place there. A folder comes before what it holds. */
function sortIn(root: Folder, { path, kind }: Entry, nameOf: Naming, problems: Problem[]): void {
  const parts = path.split('/');
  const name = parts.pop() ?? '';
  let folder: Folder | undefined = root;
  for (const part of parts) folder = folder?.folders.get(part);
  const level = levels[parts.length];
  if (folder === undefined || level === undefined || (kind === 'file' && name === 'README.md')) return;
  const refused = refusal(name, kind, level);
  if (refused !== null) problems.push({ ...refused, place: wholeFile(nameOf(path)) });
  // What is only named badly is read all the same, so that one run reports what is wrong inside it too.
  if (refused !== null && refused.code !== 'bad-name') return;
  if (kind === 'folder') folder.folders.set(name, { files: [], folders: new Map() });
  else folder.files.push(name);
}

function refusal(name: string, kind: Entry['kind'], level: Level) {
  const { named, subjects, allowed } = level;
  if (kind === 'link') return { code: 'symbolic-link', name } as const;
  if (kind === 'folder' && subjects) return { code: 'stray-folder', name, allowed } as const;
  if (kind === 'file' && name === named) return null;
  const ending = kind === 'folder' ? '' : subjects ? subjectFileEnding(name) : null;
  if (kind === 'other' || ending === null) return { code: 'stray-file', name, allowed } as const;
  return isId(name.slice(0, name.length - ending.length)) ? null : ({ code: 'bad-name', name } as const);
}

function categoriesOf(root: Folder): CategoryFolder[] {
  return [...root.folders].map(([id, { files, folders }]) => ({
    id,
    hasName: files.includes('category.json'),
    genres: [...folders].map(([folder, inside]) => ({
      folder,
      path: `${id}/${folder}`,
      hasName: inside.files.includes('genre.json'),
      files: inside.files.filter((name) => name !== 'genre.json'),
    })),
  }));
}
