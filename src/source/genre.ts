import { GenreSummaryBuilder } from '../catalogue/genre-summary.ts';
import type { Genre, GenreSummary } from '../catalogue/model.ts';
import { mostOfOneSource, type TextFinding } from './finding.ts';
import type { GenreFolder } from './folder.ts';
import type { Problem } from '../problem/problem.ts';
import { parseSource, readSource, reportInvalid } from './json/validate.ts';
import { placeFirst } from './positions.ts';
import { loadReader, type SourceFile, type SubjectContent } from './reader.ts';
import type { RemoteFile } from './remote/cache.ts';
import { subjectFilesIn, isTable, type SubjectFile, type TextFormat } from './subject-files.ts';
import { readSubject } from './subject.ts';
import { readDataText, type SourceFolder } from './text.ts';

/** A data folder whose genres are read. */
export interface GenreSource extends SourceFolder {
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** How many of the soonest events are kept. */
  readonly limit: number;
  /** The valid remote source files by their path. */
  readonly remotes: ReadonlyMap<string, RemoteFile>;
  /** Reports an invalid event of a remote source, which is left out. */
  readonly warn: (problem: Problem) => void;
  readonly countPrivate: (events: number) => void;
}

/** Reads the subjects of a genre and keeps the soonest upcoming events. Memory is bounded by these and one file. */
export async function readGenre(
  source: GenreSource,
  genre: Genre,
  { path, files }: GenreFolder,
): Promise<GenreSummary> {
  const summary = new GenreSummaryBuilder(genre, source.limit);
  const definedBy = new Map<string, SubjectFile>();
  for (const file of subjectFilesIn(path, files).files) {
    const { subjects, text } = await readSubjectFile(source, file, genre);
    const repeated: TextFinding[] = [];
    for (const subject of subjects) {
      const { id, offset } = subject;
      const other = definedBy.get(id);
      if (other === undefined) definedBy.set(id, file);
      else {
        const problem = { code: 'subject-twice', id, other: source.displayPath(other.path) } as const;
        // A remote source file does not contain the subjects of its copy.
        repeated.push({ problem, offset: file.format === 'remote' ? 0 : offset });
      }
      summary.add(subject);
      source.countPrivate(subject.private ?? 0);
    }
    for (const problem of placeFirst(repeated, text, source.displayPath(file.path))) source.report(problem);
  }
  return summary.build();
}

/** The subjects of a file, and the text that their offsets refer to. */
interface FileContent {
  readonly subjects: readonly SubjectContent[];
  readonly text: string;
}

async function readSubjectFile(source: GenreSource, file: SubjectFile, genre: Genre): Promise<FileContent> {
  if (file.format === 'json') return readJsonFile(source, file, genre);
  if (file.format === 'remote') return readRemoteFile(source, file, genre);
  return readLocalFile(source, file, file.format, genre);
}

async function readJsonFile(source: GenreSource, { path, stem }: SubjectFile, genre: Genre): Promise<FileContent> {
  const text = readDataText(source, path);
  const value = text === null ? null : await parseSource(text, 'subject');
  const reading = value && readSubject(value, stem, genre, source.now);
  if (reading === null || reading.findings.length > 0) {
    if (text !== null) await reportInvalid(source, path, text, 'subject');
    return { subjects: [emptySubject(stem)], text: '' };
  }
  const { upcoming, cancelled, announced } = reading;
  // Written out, because V8 handles a spread with more fields behind it slowly.
  return { subjects: [{ id: stem, offset: 0, upcoming, cancelled, announced, floating: 0 }], text: '' };
}

/** Reads a calendar or a table. The metadata file of a calendar overrides its name and url. */
async function readLocalFile(
  source: GenreSource,
  { path, stem, metadataPath }: SubjectFile,
  format: TextFormat,
  genre: Genre,
): Promise<FileContent> {
  const metadata = metadataPath === null ? null : await readSource(source, metadataPath, 'naming');
  const file = { stem, genre, now: source.now, name: metadata?.name ?? null, url: metadata?.url ?? null };
  return readTextFile(source, path, format, file);
}

/** Reads the good copy of a remote source. Without a copy, its subject has no events. */
async function readRemoteFile(source: GenreSource, { path, stem }: SubjectFile, genre: Genre): Promise<FileContent> {
  const remote = source.remotes.get(path);
  if (remote === undefined) return { subjects: [], text: '' };
  const { name = null, url = null, format } = remote.source;
  if (remote.copy === null) return { subjects: [emptySubject(stem)], text: '' };
  return readTextFile(source, remote.copy, format, { stem, genre, now: source.now, name, url, isLenient: true });
}

async function readTextFile(
  source: GenreSource,
  path: string,
  format: TextFormat,
  file: SourceFile,
): Promise<FileContent> {
  const text = readDataText(source, path);
  if (text === null) return { subjects: isTable(format) ? [] : [emptySubject(file.stem)], text: '' };
  const read = await loadReader(format);
  const { subjects, findings, warnings } = read(text, file);
  const shownPath = source.displayPath(path);
  for (const problem of placeFirst(warnings, text, shownPath, mostOfOneSource)) source.warn(problem);
  for (const problem of placeFirst(findings, text, shownPath)) source.report(problem);
  return { subjects: findings.length === 0 || isTable(format) ? subjects : [emptySubject(file.stem)], text };
}

/** An invalid subject, so that another file with the same subject is still reported. */
function emptySubject(id: string): SubjectContent {
  return { id, offset: 0, upcoming: [], cancelled: [], announced: 0, floating: 0 };
}
