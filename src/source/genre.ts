import { genreContent, type FoundSubject } from '../catalogue/genre-content.ts';
import type { Genre, GenreContent, SubjectOrigin } from '../catalogue/model.ts';
import { wholeFile } from '../problem/problem.ts';
import {
  fileKinds,
  kindOfFormat,
  namesSubjects,
  subjectFilesIn,
  type SubjectFile,
} from '../readers/schema/file-kinds.ts';
import { placeFirst, type TextFinding } from '../readers/schema/finding.ts';
import type { SubjectContent } from '../readers/schema/reading.ts';
import { findRepeated } from './doubts.ts';
import type { GenreFolder } from './folder.ts';
import { formerSubjects, type Claim } from './former.ts';
import { readGenreFile, type FileContent, type GenreSource } from './genre-file.ts';

/**
 * Reads the subjects of a genre. Reports everything that is wrong with its files. Memory is bounded
 * by their events and one file.
 */
export async function readGenre(
  source: GenreSource,
  genre: Genre,
  { path, files }: GenreFolder,
): Promise<GenreContent> {
  const members: FoundSubject[] = [];
  const fileById = new Map<string, SubjectFile>();
  const claims: Claim[] = [];
  // Remote sources come last, because one that defines a subject of another file is left out.
  const { files: subjectFiles } = subjectFilesIn(path, files);
  const remoteLast = subjectFiles.toSorted((a, b) => Number(isRemote(a)) - Number(isRemote(b)));
  for (const file of remoteLast) {
    const reading = readGenreFile(source, file, genre);
    // Awaiting every file would cost a large build a sixth of its time and a third of its memory.
    const content = reading instanceof Promise ? await reading : reading;
    const origin = originOf(source, file);
    for (const subject of newSubjects(source, file, content, fileById))
      members.push({
        content: subject,
        path: file.path,
        origin,
      });
    claims.push(...claimsOf(file, content, fileById));
    warnIfAllPast(source, file, content.subjects);
  }
  const current = members.flatMap(({ content }) => [...content.upcoming, ...content.under_way]);
  for (const problem of findRepeated(current, fileById, source.displayPath)) source.warn(problem);
  const subjectsOf = async (id: string): Promise<ReadonlySet<string>> =>
    id === genre.id ? new Set(fileById.keys()) : source.subjectsOf(id);
  return genreContent(genre, members, await formerSubjects(source, genre.id, claims, subjectsOf));
}

function isRemote({ kind }: SubjectFile): boolean {
  return kind === 'remote';
}

/** Returns what the subjects of a file come from, which for a remote source is what it sends. */
function originOf({ remotes }: GenreSource, { path, kind }: SubjectFile): SubjectOrigin {
  if (kind !== 'remote') return fileKinds[kind].origin;
  const format = remotes.get(path)?.source.format;
  const isTable = format !== undefined && namesSubjects(kindOfFormat(format));
  return isTable ? 'remote-table' : 'file';
}

/**
 * Returns the subjects of a file and adds it to `fileById`. Reports a subject that another file
 * defines; a remote source loses it, with a warning.
 */
function newSubjects(
  source: GenreSource,
  file: SubjectFile,
  { subjects, text }: FileContent,
  fileById: Map<string, SubjectFile>,
): readonly SubjectContent[] {
  const place = wholeFile(source.displayPath(file.path));
  const repeated: TextFinding[] = [];
  const fresh: SubjectContent[] = [];
  for (const subject of subjects) {
    const { id, spot } = subject;
    const first = fileById.get(id);
    if (first === undefined) fileById.set(id, file);
    const other = first === undefined ? '' : source.displayPath(first.path);
    if (first !== undefined && isRemote(file)) {
      const url = source.remotes.get(file.path)?.source.source ?? '';
      source.warn({
        code: 'subject-left-out',
        place,
        url,
        id,
        other,
      });
      continue;
    }
    if (first !== undefined)
      repeated.push({
        problem: { code: 'subject-twice', id, other },
        ...spot,
      });
    fresh.push(subject);
  }
  for (const problem of placeFirst(repeated, text, place.file)) source.report(problem);
  return fresh;
}

/** Returns the former ids that a file declares for its subject, or for each of its subjects. */
function claimsOf(
  { stem, path, metadataPath }: SubjectFile,
  { formerly = [] }: FileContent,
  fileById: ReadonlyMap<string, SubjectFile>,
): Claim[] {
  const declaredIn = metadataPath ?? path;
  if (Array.isArray(formerly)) return [{ id: stem, formerly, path: declaredIn }];
  return Object.entries(formerly)
    .filter(([id]) => fileById.has(id))
    .map(([id, formerIds]) => ({
      id,
      formerly: formerIds,
      path: declaredIn,
      isMapping: true,
    }));
}

function warnIfAllPast(
  source: GenreSource,
  { path }: SubjectFile,
  subjects: readonly SubjectContent[],
): void {
  const isEmpty = ({ upcoming, under_way, cancelled, announced, over }: SubjectContent) =>
    [upcoming, under_way, cancelled, announced, over].every((list) => list.length === 0);
  const events = subjects.reduce((sum, subject) => sum + subject.pastCount, 0);
  if (events === 0 || !subjects.every(isEmpty)) return;
  // A source that is silent is reported already.
  if (source.remotes.get(path)?.state?.silent_since != null) return;
  source.warn({
    code: 'all-past',
    place: wholeFile(source.displayPath(path)),
    events,
  });
}
