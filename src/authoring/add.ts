import { existsSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import {
  ProblemError,
  wholeFile,
  type DisplayPath,
  type Problem,
  problemError,
} from '../problem/problem.ts';
import { linkBelow } from '../system/files.ts';
import { acquireLock } from '../system/lock.ts';
import { makeFolder, writeWhole } from '../system/write.ts';
import { nearest } from '../problem/nearest.ts';
import { explain } from '../source/explain.ts';
import { insertEvent } from '../readers/schema/json-syntax.ts';
import { readDefaultZone } from '../source/validate.ts';
import type { EventSource } from '../readers/schema/source-types.ts';
import { listData, metadataFiles, type GenreFolder } from '../source/folder.ts';
import { isFileId } from '../readers/schema/rules.ts';
import { otherSubjectEndings } from '../readers/schema/file-kinds.ts';
import { nameOfSlug } from '../catalogue/id.ts';
import { readDataText } from '../source/text.ts';

/** An event to add to a subject file. */
export interface NewEvent {
  readonly category: string;
  readonly genre: string;
  readonly subject: string;
  /** The name of a new subject. Default: from its id. */
  readonly name?: string | undefined;
  readonly event: EventSource;
  /** Which missing parts to create: nothing, the subject, or its category and genre as well. */
  readonly create: 'nothing' | 'subject' | 'all';
}

/** The texts of the files that adding an event writes, by path in the data folder. */
type AddPlan = ReadonlyMap<string, string>;

/** Adds an event, one process at a time. Throws its problems, and errors of the file system. */
export function addEvent(data: string, displayPath: DisplayPath, added: NewEvent): AddPlan {
  planEvent(data, displayPath, added);
  makeFolder(data);
  const lock = acquireLock(join(data, '.edit.lock'));
  if ('owner' in lock) {
    throw problemError({
      code: 'data-busy',
      folder: displayPath(''),
      owner: lock.owner,
    });
  }
  try {
    const plan = planEvent(data, displayPath, added);
    for (const [path, text] of plan) writeWhole(join(data, path), text);
    return plan;
  } finally {
    lock.release();
  }
}

/**
 * Plans the files that adding an event creates or changes. A changed file keeps its format. Throws
 * problems.
 */
export function planEvent(data: string, displayPath: DisplayPath, added: NewEvent): AddPlan {
  const { category, genre, subject } = added;
  checkNames([category, genre, subject]);
  const folder = `${category}/${genre}`;
  const path = `${folder}/${subject}.json`;
  const link = linkBelow(data, join(data, path));
  if (link !== null) {
    const place = wholeFile(displayPath(relative(data, link)));
    throw new ProblemError([{ code: 'symbolic-link', place, name: basename(link) }]);
  }
  const files = missingMetadata(data, category, genre);
  if (files.size > 0 && added.create !== 'all')
    throw missingFolder('genre', folder, nearest(folder, genrePaths(data)));
  const other = otherSubjectEndings.find((ending) =>
    existsSync(join(data, folder, subject + ending)),
  );
  if (other !== undefined) {
    const otherPath = displayPath(`${folder}/${subject}${other}`);
    throw problemError({
      code: 'subject-twice',
      id: subject,
      other: otherPath,
    });
  }
  const isNew = !existsSync(join(data, path));
  if (isNew && added.create === 'nothing')
    throw missingFolder('subject', path, nearest(subject, subjectsIn(data, folder)));
  const problems: Problem[] = [];
  const source = {
    data,
    displayPath,
    report: (problem: Problem) => problems.push(problem),
  };
  const name = JSON.stringify(added.name ?? nameOfSlug(subject));
  const before = isNew ? `{\n  "name": ${name},\n  "events": []\n}\n` : readDataText(source, path);
  if (before === null) throw new ProblemError(problems);
  const zone = readDefaultZone(source, folder);
  const check = (text: string) => {
    const faults = explain(text, 'subject', { file: displayPath(path), zone });
    if (faults.length > 0) throw new ProblemError(faults);
    return text;
  };
  return files.set(path, check(insertEvent(check(before), added.event)));
}

function checkNames(ids: readonly string[]): void {
  const badNames = ids.filter((id) => !isFileId(id));
  const problems = badNames.map((name): Problem => ({
    code: 'bad-name',
    place: null,
    name,
  }));
  if (problems.length > 0) throw new ProblemError(problems);
}

function missingFolder(
  what: 'genre' | 'subject',
  path: string,
  similar: string | null,
): ProblemError {
  const remedy = 'create it with --create';
  return problemError({
    code: 'folder-missing',
    what,
    path,
    nearest: similar,
    remedy,
  });
}

function subjectsIn(data: string, folder: string): string[] {
  const names = genresIn(data).find(({ path }) => path === folder)?.files ?? [];
  return names.flatMap((name) => /^([^.]+)\.json$/.exec(name)?.[1] ?? []);
}

function missingMetadata(data: string, category: string, genre: string): Map<string, string> {
  const metadata = [
    [`${category}/${metadataFiles.category}`, category],
    [`${category}/${genre}/${metadataFiles.genre}`, genre],
  ] as const;
  const missing = metadata.filter(([path]) => !existsSync(join(data, path)));
  const textOf = (id: string) => `{ "name": ${JSON.stringify(nameOfSlug(id))} }\n`;
  return new Map(missing.map(([path, id]) => [path, textOf(id)]));
}

/** Returns the paths of the genres that have a name, as `{category}/{genre}`. */
export function genrePaths(data: string): string[] {
  const genres = genresIn(data).filter(({ metadata }) => metadata === 'present');
  return genres.map(({ path }) => path);
}

/** Returns the genres of a data folder, even if other files in it have problems. */
function genresIn(data: string): GenreFolder[] {
  return listData(data, (path) => path).categories.flatMap(({ genres }) => genres);
}
