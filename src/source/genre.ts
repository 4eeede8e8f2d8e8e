import { join } from 'node:path';
import type { Genre, GenreSummary } from '../catalogue/model.ts';
import { GenreSummaryBuilder } from '../catalogue/genre-summary.ts';
import type { Problem, DisplayPath } from '../problem/problem.ts';
import type { TextFinding } from './finding.ts';
import { subjectFilesIn, type GenreOutline } from './outline.ts';
import { readSource, type Suspect } from './json/read-source.ts';
import { placeFirst } from './place-findings.ts';
import type { Remotes } from './remote/remotes.ts';
import { readText } from './text.ts';
import { namingShape, subjectShape } from './json/validate.ts';
import { readSubject } from './subject.ts';
import type { SubjectFile } from './subject-files.ts';
import { loadReaders, type TextReaders } from './readers.ts';
import { isTable, type TextFormat } from './formats.ts';
import type { SourceFile, SubjectContent } from './reader.ts';

/** A genre with its subjects read, what is wrong between its files, and the files that need a second look. */
export interface GenreReading {
  readonly content: GenreSummary;
  readonly problems: readonly Problem[];
  readonly suspects: readonly Suspect[];
}

/** What the reading of every genre of a data folder rests on. Plain data. */
export interface ReadingTask {
  /** The data folder: an absolute path. */
  readonly data: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** How many of the soonest events are kept. */
  readonly limit: number;
  /** The formats beside JSON that there are files of. */
  readonly formats: readonly TextFormat[];
  readonly remotes: Remotes['files'];
}

/** The same with what reads the formats, and with how problems name files. */
interface GenreContext extends ReadingTask {
  readonly displayPath: DisplayPath;
  readonly readers: TextReaders;
}

/**
 * Loads what a task needs. What it returns reads the subjects of a genre and keeps the soonest events that are
 * upcoming; memory is bounded by what is kept and one file.
 */
export async function openReader(
  task: ReadingTask,
  displayPath: DisplayPath,
): Promise<(genre: GenreOutline) => GenreReading> {
  const context = { ...task, displayPath, readers: await loadReaders(task.formats) };
  return (genre) => readGenre(context, genre);
}

function readGenre(context: GenreContext, outline: GenreOutline): GenreReading {
  const { genre } = outline;
  const summary = new GenreSummaryBuilder(genre, context.limit);
  const problems: Problem[] = [];
  const suspects: Suspect[] = [];
  const givers = new Map<string, SubjectFile>();
  for (const file of subjectFilesIn(outline)) {
    const reading = readFile(context, file, genre);
    if (reading.suspects.length > 0) suspects.push(...reading.suspects);
    const twice: SubjectContent[] = [];
    for (const subject of reading.subjects) {
      if (givers.has(subject.id)) twice.push(subject);
      else givers.set(subject.id, file);
      summary.add(subject);
    }
    if (twice.length > 0) problems.push(...subjectsTwice(context, file, twice, givers));
  }
  return { content: summary.build(), problems, suspects };
}

/** What one file holds, and what is to be looked at again because it is not as it should be. */
interface FileReading {
  readonly subjects: readonly SubjectContent[];
  readonly suspects: readonly Suspect[];
}

function readFile(context: GenreContext, file: SubjectFile, genre: Genre): FileReading {
  if (file.format === 'json') return readJson(context, file, genre);
  return file.format === 'remote' ? readRemote(context, file, genre) : readLocal(context, file, file.format, genre);
}

function readJson({ data, now }: GenreContext, { path, stem }: SubjectFile, genre: Genre): FileReading {
  // Not by `join`, which looks at every character: there may be many thousands.
  const source = readSource(`${data}/${path}`, subjectShape);
  const reading = source && readSubject(source, stem, genre, now);
  if (reading === null || reading.findings.length > 0) {
    return { subjects: [withoutEvents(stem)], suspects: [{ path, shape: subjectShape }] };
  }
  const { upcoming, cancelled, announced } = reading;
  // Field by field, and not as a spread with more fields behind it, which V8 makes anew for each of them.
  return { subjects: [{ id: stem, offset: 0, upcoming, cancelled, announced, floating: 0 }], suspects: [] };
}

/** A calendar or a table, with the name and url that a file beside it gives. */
function readLocal(
  context: GenreContext,
  { path, stem, naming }: SubjectFile,
  format: TextFormat,
  genre: Genre,
): FileReading {
  const named = naming === null ? null : readSource(join(context.data, naming), namingShape);
  const suspects: Suspect[] = naming !== null && named === null ? [{ path: naming, shape: namingShape }] : [];
  const file = { stem, genre, now: context.now, name: named?.name ?? null, url: named?.url ?? null };
  const reading = readWith(context, format, path, file);
  return { subjects: reading.subjects, suspects: [...suspects, ...reading.suspects] };
}

/** The good copy of a remote source; without one its subject has no events. */
function readRemote(context: GenreContext, { path, stem }: SubjectFile, genre: Genre): FileReading {
  const remote = context.remotes.get(path);
  if (remote === undefined) return { subjects: [], suspects: [] };
  const { source, copy } = remote;
  const file = { stem, genre, now: context.now, name: source.name ?? null, url: source.url ?? null };
  if (copy !== null) return readWith(context, source.format, copy, file);
  return { subjects: [withoutEvents(stem)], suspects: [] };
}

/** A subject of which nothing could be read, so that another file for it is told all the same. */
function withoutEvents(id: string): SubjectContent {
  return { id, offset: 0, upcoming: [], cancelled: [], announced: 0, floating: 0 };
}

function readWith({ data, readers }: GenreContext, format: TextFormat, path: string, file: SourceFile): FileReading {
  const text = readText(join(data, path));
  const reading = typeof text === 'string' ? readers[format]?.(text, file) : undefined;
  const { subjects, findings } = reading ?? { subjects: [], findings: [] };
  if (reading !== undefined && findings.length === 0) return { subjects, suspects: [] };
  return { subjects: isTable(format) ? subjects : [withoutEvents(file.stem)], suspects: [{ path, findings }] };
}

/** The subjects of a file that another file gives as well, each where it begins; a source file does not hold them. */
function subjectsTwice(
  { data, displayPath }: GenreContext,
  { path, format }: SubjectFile,
  subjects: readonly SubjectContent[],
  givers: ReadonlyMap<string, SubjectFile>,
): Problem[] {
  const text = readText(join(data, path));
  const findings = subjects.map(({ id, offset }): TextFinding => {
    const problem = { code: 'subject-twice', id, other: displayPath(givers.get(id)?.path ?? '') } as const;
    return { problem, offset: format === 'remote' ? 0 : offset };
  });
  return placeFirst(findings, typeof text === 'string' ? text : '', displayPath(path));
}
