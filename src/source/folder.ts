import { existsSync, readdirSync, statSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { wholeFile, type DisplayPath, type Problem } from '../problem/problem.ts';
import { failureReason } from '../system/failure.ts';
import { isId } from './rules.ts';
import { subjectFileEnding, subjectFileNames } from './subject-files.ts';

/** The files of a data folder, sorted into the places of the format. Paths are relative to it, with forward slashes. */
export interface Listing {
  /** Whether there is a folder that can be looked into. */
  readonly isThere: boolean;
  readonly categories: readonly CategoryFolder[];
  readonly service: NameFile;
  readonly problems: readonly Problem[];
}

/** The file that gives a folder its name; `refused` where something else stands in its place, which is told. */
export type NameFile = 'there' | 'missing' | 'refused';

export interface CategoryFolder {
  readonly id: string;
  readonly naming: NameFile;
  readonly genres: readonly GenreFolder[];
}

export interface GenreFolder {
  readonly folder: string;
  readonly path: string;
  readonly naming: NameFile;
  /** Names of the subject files. */
  readonly files: readonly string[];
}

/** Lists a data folder. Names that begin with a dot and README.md are passed over; symbolic links are refused. */
export function listData(data: string, displayPath: DisplayPath): Listing {
  const problems: Problem[] = [];
  if (!isFolder(data)) {
    problems.push({ code: 'data-missing', place: null, folder: displayPath('') });
    return { isThere: false, categories: [], service: 'missing', problems };
  }
  const root = readFolder({ data, displayPath, problems }, '', 0);
  return {
    isThere: root !== null,
    categories: root === null ? [] : categoriesOf(root),
    service: root?.naming ?? 'missing',
    problems,
  };
}

/** Whether a file or a folder is none of the format's, and may lie there all the same. */
export function isPassedOver(name: string, isFile: boolean): boolean {
  return name.startsWith('.') || (isFile && name === 'README.md');
}

interface Reading {
  readonly data: string;
  readonly displayPath: DisplayPath;
  readonly problems: Problem[];
}

interface Folder {
  naming: NameFile;
  readonly files: string[];
  readonly folders: Map<string, Folder>;
}

/** The files that name the service, a category and a genre. */
export const nameFiles = { service: 'service.json', category: 'category.json', genre: 'genre.json' } as const;

/** What a folder at each depth may hold. */
const levels = [
  {
    named: nameFiles.service,
    subjects: false,
    allowed: 'the data folder holds service.json and a folder for each category',
  },
  {
    named: nameFiles.category,
    subjects: false,
    allowed: 'a category folder holds category.json and a folder for each genre',
  },
  {
    named: nameFiles.genre,
    subjects: true,
    allowed: `a genre folder holds genre.json and the files of its subjects, ${subjectFileNames}`,
  },
] as const;
type Level = (typeof levels)[number];

function isFolder(path: string): boolean {
  // Asked for first: below a file, `throwIfNoEntry` throws on some versions of Node.
  return existsSync(path) && statSync(path).isDirectory();
}

/** What a folder holds, by name, so far as it has a place there; null where it cannot be looked into. */
function readFolder(reading: Reading, path: string, depth: number): Folder | null {
  const { data, displayPath, problems } = reading;
  const folder: Folder = { naming: 'missing', files: [], folders: new Map() };
  const level = levels[depth];
  const entries = tryRead(() => readdirSync(join(data, path), { withFileTypes: true }));
  if (typeof entries === 'string') {
    problems.push({ code: 'unreadable-file', place: wholeFile(displayPath(path)), reason: entries });
    return null;
  }
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const { name } = entry;
    const kind = kindOf(entry);
    if (level === undefined || isPassedOver(name, kind === 'file')) continue;
    const inner = path === '' ? name : `${path}/${name}`;
    const refused = refusal(name, kind, level);
    if (refused !== null) problems.push({ ...refused, place: wholeFile(displayPath(inner)) });
    if (name === level.named) folder.naming = refused === null ? 'there' : 'refused';
    // What is only named badly is read all the same, so that one run reports what is wrong inside it too; by a name that
    // is not UTF-8 nothing can be opened.
    const isRead = refused === null || (refused.code === 'bad-name' && !name.includes('\ufffd'));
    if (!isRead || name === level.named) continue;
    if (kind === 'file') folder.files.push(name);
    else {
      const inside = readFolder(reading, inner, depth + 1);
      if (inside !== null) folder.folders.set(name, inside);
    }
  }
  return folder;
}

function tryRead(read: () => Dirent[]): Dirent[] | string {
  try {
    return read();
  } catch (error) {
    return failureReason(error);
  }
}

function kindOf(entry: Dirent): Kind {
  if (entry.isSymbolicLink()) return 'link';
  if (entry.isFile()) return 'file';
  return entry.isDirectory() ? 'folder' : 'other';
}

type Kind = 'file' | 'folder' | 'link' | 'other';

function refusal(name: string, kind: Kind, level: Level) {
  const { named, subjects, allowed } = level;
  if (kind === 'link') return { code: 'symbolic-link', name } as const;
  if (kind === 'folder' && (subjects || name === named)) return { code: 'stray-folder', name, allowed } as const;
  if (kind === 'file' && name === named) return null;
  const ending = kind === 'folder' ? '' : subjects ? subjectFileEnding(name) : null;
  if (kind === 'other' || ending === null) return { code: 'stray-file', name, allowed } as const;
  return isId(name.slice(0, name.length - ending.length)) ? null : ({ code: 'bad-name', name } as const);
}

function categoriesOf(root: Folder): CategoryFolder[] {
  return [...root.folders].map(([id, { naming, folders }]) => ({
    id,
    naming,
    genres: [...folders].map(([folder, inside]) => ({
      folder,
      path: `${id}/${folder}`,
      naming: inside.naming,
      files: inside.files,
    })),
  }));
}
