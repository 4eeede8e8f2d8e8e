import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DisplayPath, Problem } from '../problem/problem.ts';
import { nearest } from '../problem/nearest.ts';
import { insertEvent } from './json/insert.ts';
import { readSource } from './json/validate.ts';
import type { EventSource } from './json/types.ts';
import { metadataFiles } from './folder.ts';
import { isFileId } from './rules.ts';
import { otherSubjectEndings } from './subject-files.ts';
import type { SourceFolder } from './text.ts';

/** An event to add to a subject file. */
export interface NewEvent {
  readonly category: string;
  readonly genre: string;
  /** The id of the subject. */
  readonly subject: string;
  /** The name of a new subject. Default: from its id. */
  readonly name?: string | undefined;
  readonly event: EventSource;
  /** Which missing parts to create: nothing, the subject, or its category and genre as well. */
  readonly create: 'nothing' | 'subject' | 'all';
}

/** What adding an event writes: texts by their path in the data folder. Empty if there are problems. */
export interface AddPlan {
  readonly files: ReadonlyMap<string, string>;
  readonly problems: readonly Problem[];
}

/** Plans the files that adding an event creates or changes. All other text of a changed file stays as it is. */
export async function planEvent(data: string, displayPath: DisplayPath, added: NewEvent): Promise<AddPlan> {
  const { category, genre, subject } = added;
  const badNames = [category, genre, subject].filter((id) => !isFileId(id));
  if (badNames.length > 0) return refuse(badNames.map((name) => ({ code: 'bad-name', place: null, name })));
  const folder = `${category}/${genre}`;
  const path = `${folder}/${subject}.json`;
  const files = missingMetadata(data, category, genre);
  if (files.size > 0 && added.create !== 'all') return refuse([missingGenre(data, folder, added)]);
  const other = otherSubjectEndings.find((ending) => existsSync(join(data, folder, subject + ending)));
  if (other !== undefined) {
    const defined = displayPath(`${folder}/${subject}${other}`);
    return refuse([{ code: 'subject-twice', place: null, id: subject, other: defined }]);
  }
  const isNew = !existsSync(join(data, path));
  if (isNew && added.create === 'nothing') {
    return refuse([
      { code: 'subject-missing', place: null, path, nearest: nearest(subject, subjectsIn(join(data, folder))) },
    ]);
  }
  const before = isNew ? newSubject(added.name ?? nameFrom(subject)) : readFileSync(join(data, path), 'utf8');
  const { explain } = await import('./json/explain.ts');
  const zone = await defaultZone({ data, displayPath, report: () => {} }, folder);
  const problemsIn = (text: string): Problem[] => explain(text, 'subject', displayPath(path), zone);
  const present = problemsIn(before);
  if (present.length > 0) return refuse(present);
  const after = insertEvent(before, added.event);
  files.set(path, after);
  const problems = problemsIn(after);
  return problems.length > 0 ? refuse(problems) : { files, problems };
}

/** Returns the metadata files to create for a category and a genre, by their path. */
function missingMetadata(data: string, category: string, genre: string): Map<string, string> {
  const ids = [
    [`${category}/${metadataFiles.category}`, category],
    [`${category}/${genre}/${metadataFiles.genre}`, genre],
  ] as const;
  const missing = ids.filter(([path]) => !existsSync(join(data, path)));
  return new Map(missing.map(([path, id]) => [path, `{ "name": ${JSON.stringify(nameFrom(id))} }\n`]));
}

/** Returns the default zone of the events of a genre. */
async function defaultZone(folder: SourceFolder, genre: string): Promise<string | null> {
  const inGenre = await readSource(folder, `${genre}/${metadataFiles.genre}`, 'genre');
  const inService = await readSource(folder, metadataFiles.service, 'service');
  return inGenre?.zone === undefined ? (inService?.zone ?? null) : inGenre.zone;
}

function refuse(problems: readonly Problem[]): AddPlan {
  return { files: new Map(), problems };
}

function missingGenre(data: string, path: string, { create }: NewEvent): Problem {
  // If only a subject may be created, the event is from an issue, whose author has no options.
  const isIssue = create === 'subject';
  return { code: 'genre-missing', place: null, path, nearest: nearest(path, genresIn(data)), isIssue };
}

function genresIn(data: string): string[] {
  return namesIn(data).flatMap((category) =>
    namesIn(join(data, category))
      .filter((genre) => existsSync(join(data, category, genre, metadataFiles.genre)))
      .map((genre) => `${category}/${genre}`),
  );
}

function subjectsIn(folder: string): string[] {
  return namesIn(folder)
    .filter((name) => /^[^.]+\.json$/.test(name) && name !== metadataFiles.genre)
    .map((name) => name.slice(0, -'.json'.length));
}

/** The names in a folder; none if there is no such folder. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function newSubject(name: string): string {
  return `{\n  "name": ${JSON.stringify(name)},\n  "events": []\n}\n`;
}

/** `board-games` → `Board games`. */
function nameFrom(id: string): string {
  return id.charAt(0).toUpperCase() + id.slice(1).replaceAll('-', ' ');
}
