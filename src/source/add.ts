import { existsSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { wholeFile, type DisplayPath, type Problem } from '../problem/problem.ts';
import { linkBelow } from '../system/files.ts';
import { acquireLock } from '../system/lock.ts';
import { makeFolder, replaceFile } from '../system/write.ts';
import { nearest } from '../problem/nearest.ts';
import { explain } from './json/explain.ts';
import { insertEvent } from './json/syntax.ts';
import { readDefaultZone } from './json/validate.ts';
import type { EventSource } from './json/types.ts';
import { listData, metadataFiles, type GenreFolder } from './folder.ts';
import { isFileId } from './rules.ts';
import { otherSubjectEndings } from './subject-files.ts';
import { nameOfSlug } from '../catalogue/id.ts';
import { decode, readSourceBytes } from './text.ts';

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
  /** How long to wait for another program that changes the data folder, in milliseconds. Default: a minute. */
  readonly patience?: number;
}

/** The files that adding an event writes, by path in the data folder. Empty if there are problems. */
export interface AddPlan {
  readonly files: ReadonlyMap<string, PlannedFile>;
  readonly problems: readonly Problem[];
}

interface PlannedFile {
  /** The content that the file has so far. Null if it is new. */
  readonly before: Buffer | null;
  readonly text: string;
}

/** Adds an event, one process at a time, and plans again if a file was changed. Throws errors of the file system. */
export async function addEvent(data: string, displayPath: DisplayPath, added: NewEvent): Promise<AddPlan> {
  const first = planEvent(data, displayPath, added);
  if (first.problems.length > 0) return first;
  makeFolder(data);
  let owner = 'another program';
  for (let waited = 0; waited <= (added.patience ?? 60_000); waited += waitMilliseconds) {
    const lock = acquireLock(join(data, lockName));
    if ('owner' in lock) {
      owner = `another almanac (${lock.owner})`;
      await sleep(waitMilliseconds);
      continue;
    }
    try {
      const plan = planEvent(data, displayPath, added);
      if (plan.problems.length > 0 || writePlan(data, plan)) return plan;
    } finally {
      lock.release();
    }
  }
  return refuse([{ code: 'data-busy', place: null, folder: displayPath(''), owner }]);
}

const lockName = '.edit.lock';
const waitMilliseconds = 20;

/** Writes the files of a plan. Returns false if one of them was changed since it was planned. */
function writePlan(data: string, { files }: AddPlan): boolean {
  return Array.from(files).every(([path, { before, text }]) => replaceFile(join(data, path), before, text));
}

/** Plans the files that adding an event creates or changes. A changed file keeps its format. */
export function planEvent(data: string, displayPath: DisplayPath, added: NewEvent): AddPlan {
  const { category, genre, subject } = added;
  const badNames = [category, genre, subject].filter((id) => !isFileId(id));
  if (badNames.length > 0) return refuse(badNames.map((name) => ({ code: 'bad-name', place: null, name })));
  const folder = `${category}/${genre}`;
  const path = `${folder}/${subject}.json`;
  const link = linkBelow(data, join(data, path));
  if (link !== null) {
    const place = wholeFile(displayPath(relative(data, link)));
    return refuse([{ code: 'symbolic-link', place, name: basename(link) }]);
  }
  const files = missingMetadata(data, category, genre);
  if (files.size > 0 && added.create !== 'all') {
    const genres = genresIn(data).flatMap((one) => (one.metadata === 'present' ? one.path : []));
    return refuse([
      { code: 'folder-missing', place: null, what: 'genre', path: folder, nearest: nearest(folder, genres) },
    ]);
  }
  const other = otherSubjectEndings.find((ending) => existsSync(join(data, folder, subject + ending)));
  if (other !== undefined) {
    const defined = displayPath(`${folder}/${subject}${other}`);
    return refuse([{ code: 'subject-twice', place: null, id: subject, other: defined }]);
  }
  const isNew = !existsSync(join(data, path));
  if (isNew && added.create === 'nothing') {
    const names = genresIn(data).find((one) => one.path === folder)?.files ?? [];
    const subjects = names.flatMap((name) => /^([^.]+)\.json$/.exec(name)?.[1] ?? []);
    return refuse([
      { code: 'folder-missing', place: null, what: 'subject', path, nearest: nearest(subject, subjects) },
    ]);
  }
  const read = isNew ? null : readSourceBytes(join(data, path), () => displayPath(path));
  if (read !== null && !Buffer.isBuffer(read)) return refuse([read]);
  const bytes = read === null ? null : Buffer.from(read);
  const name = JSON.stringify(added.name ?? nameOfSlug(subject));
  const newText = `{\n  "name": ${name},\n  "events": []\n}\n`;
  const before = bytes === null ? newText : decode(bytes, () => displayPath(path));
  if (typeof before !== 'string') return refuse([before]);
  const zone = readDefaultZone({ data, displayPath, report: () => {} }, folder);
  const problemsIn = (text: string): Problem[] => explain(text, 'subject', displayPath(path), zone);
  const present = problemsIn(before);
  if (present.length > 0) return refuse(present);
  const after = insertEvent(before, added.event);
  files.set(path, { before: bytes, text: after });
  const problems = problemsIn(after);
  return problems.length > 0 ? refuse(problems) : { files, problems };
}

function missingMetadata(data: string, category: string, genre: string): Map<string, PlannedFile> {
  const metadata = [
    [`${category}/${metadataFiles.category}`, category],
    [`${category}/${genre}/${metadataFiles.genre}`, genre],
  ] as const;
  const missing = metadata.filter(([path]) => !existsSync(join(data, path)));
  const textOf = (id: string): string => `{ "name": ${JSON.stringify(nameOfSlug(id))} }\n`;
  return new Map(missing.map(([path, id]) => [path, { before: null, text: textOf(id) }]));
}

function refuse(problems: readonly Problem[]): AddPlan {
  return { files: new Map(), problems };
}

/** Returns the genres of a data folder, even if other files in it have problems. */
function genresIn(data: string): GenreFolder[] {
  return listData(data, (path) => path).categories.flatMap(({ genres }) => genres);
}
