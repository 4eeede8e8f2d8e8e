import { basename } from 'node:path';
import type { Genre } from '../catalogue/model.ts';
import { printable, problemLine, wholeFile, type Problem } from '../problem/problem.ts';
import {
  kindOfFormat,
  mappingFileOf,
  namesSubjects,
  type ReadKind,
  type SubjectFile,
} from '../readers/schema/file-kinds.ts';
import {
  countedNames,
  firstOfEachKind,
  maxProblemsPerSource,
  placeAll,
  placeFirst,
  type SourceText,
} from '../readers/schema/finding.ts';
import { maxExplainedCharacters } from '../readers/schema/json-parse.ts';
import { locateIn } from '../readers/schema/json-syntax.ts';
import {
  mappingOf,
  refuse,
  type SourceFile,
  type SubjectContent,
  type TextReading,
} from '../readers/schema/reading.ts';
import type { Sources } from '../readers/schema/source-types.ts';
import { draftOfJson, readDraft } from './draft.ts';
import { explain } from './explain.ts';
import { refusalOfLocal } from './local.ts';
import { readFileOrFolder, type FileToRead } from './read-texts.ts';
import type { LocalSource, RemoteFile } from './remote/cache.ts';
import { parseSource, readMappings, readSource } from './validate.ts';
import { readDataText, type SourceFolder } from './text.ts';

/** A data folder whose genres are read. */
export interface GenreSource extends SourceFolder {
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** Events that were over before are left out. Milliseconds since the Unix epoch. */
  readonly pastSince: number;
  readonly remotes: ReadonlyMap<string, RemoteFile>;
  readonly locals: ReadonlyMap<string, LocalSource>;
  readonly subjectsOf: (genre: string) => Promise<ReadonlySet<string>>;
  /**
   * Reports a warning: a remote source or event that is left out, or a date that is probably a
   * mistake.
   */
  readonly warn: (problem: Problem) => void;
}

/** What a file of a genre says. */
export interface FileContent {
  readonly subjects: readonly SubjectContent[];
  /** Its text, or the texts of a folder: the places of its subjects are in them. */
  readonly text: string | readonly SourceText[];
  /** The former ids of its subject, or those of each subject of a table. */
  readonly formerly?: Sources['source']['formerly'];
}

const nothing: FileContent = { subjects: [], text: '' };

/**
 * Reads a file of a genre. Reports everything that is wrong with it, and warns of what it leaves
 * out.
 */
export function readGenreFile(
  source: GenreSource,
  file: SubjectFile,
  genre: Genre,
): FileContent | Promise<FileContent> {
  const { kind, path } = file;
  if (kind === 'subject') return readJsonFile(source, file, genre);
  if (kind !== 'remote') return readLocalFile(source, file, kind, genre);
  const local = source.locals.get(path);
  if (local !== undefined) return readFileOfRepository(source, file, local, genre);
  const remote = source.remotes.get(path);
  if (remote === undefined) return nothing;
  return readCopy(source, file, remote, genre);
}

function readJsonFile(source: GenreSource, { path, stem }: SubjectFile, genre: Genre): FileContent {
  const text = readDataText(source, path);
  if (text === null) return emptySubject(stem);
  const value = parseSource(text, 'subject');
  const result = value && readDraft(draftOfJson(stem, value, offsetIn(text)), genre, source);
  const shownPath = source.displayPath(path);
  if (value === null || result === null || result.findings.length > 0) {
    const { zone = null } = genre;
    const problems = explain(text, 'subject', { file: shownPath, zone, times: source });
    problems.forEach(source.report);
    return emptySubject(stem);
  }
  placeAll(firstOfEachKind(result.doubts), text, shownPath).forEach(source.warn);
  // The values of the text are not kept with its events.
  const { source: _, ...subject } = result.subject;
  return {
    subjects: [subject],
    text: '',
    formerly: value.formerly,
  };
}

/** Returns the offsets of the values in a text. They are looked up if there is something to report. */
function offsetIn(text: string): ReturnType<typeof locateIn> {
  if (text.length > maxExplainedCharacters) return () => 0;
  let offsetOf: ReturnType<typeof locateIn> | undefined;
  return (path, key) => (offsetOf ??= locateIn(text))(path, key);
}

/**
 * Returns the subject of a file that is not valid, without events, so that a second file with it is
 * reported.
 */
function emptySubject(
  id: string,
  {
    name = id,
    url,
  }: { readonly name?: string | undefined; readonly url?: string | undefined } = {},
): FileContent {
  const spot = { offset: 0 };
  const draft = {
    id,
    source: { name, url },
    spot,
    spotOf: () => spot,
    policy: refuse,
  };
  const { subject } = readDraft(draft, { id: '', name: '', category: '' }, { now: 0 });
  return { subjects: [subject], text: '' };
}

async function readLocalFile(
  source: GenreSource,
  file: SubjectFile,
  kind: ReadKind,
  genre: Genre,
): Promise<FileContent> {
  const { path, metadataPath } = file;
  const context = contextOf(source, file, genre);
  if (!namesSubjects(kind)) {
    const metadata = metadataPath === null ? null : readSource(source, metadataPath, 'naming');
    const { name = null, url = null, formerly } = metadata ?? {};
    const about = { ...metadata, ...context, name, url };
    return {
      ...(await readTextFile(source, { path, kind, file: about })),
      formerly,
    };
  }
  const mappings = metadataPath === null ? [] : readMappings(source, metadataPath);
  // The problems of a mapping are reported already. Without it, every column would be another one.
  if (mappings === null) return nothing;
  const [mapping, ...more] = mappings;
  const about = {
    ...context,
    mapping,
    mappingName: basename(mappingFileOf(path)),
  };
  const content = await readTextFile(source, { path, kind, file: about, mappings: more });
  return { ...content, formerly: mapping?.formerly };
}

/** Reads the last copy of a remote source. What is wrong with it leaves out the whole source. */
async function readCopy(
  source: GenreSource,
  file: SubjectFile,
  { source: fields, copy }: RemoteFile,
  genre: Genre,
): Promise<FileContent> {
  const { format, source: address, formerly, ignore_ids: ignored } = fields;
  if (copy === null)
    return {
      ...emptySubject(file.stem, fields),
      formerly,
    };
  const reasons: string[] = [];
  const report = (problem: Problem) => reasons.push(problemLine(problem));
  const context = {
    ...contextOf(source, file, genre),
    ...contextOfSource(file, fields),
  };
  const about = {
    ...context,
    address,
    ignored: new Set(ignored),
    isLenient: true,
  };
  const opening = {
    path: copy,
    kind: kindOfFormat(format),
    file: about,
  };
  let content = nothing;
  try {
    content = await readTextFile({ ...source, report }, opening);
  } catch (error) {
    // A repetition that is within reach for the first time may fail in a way that the
    // synchronisation did not see.
    reasons.push(printable(error instanceof Error ? error.message : String(error)));
  }
  const [reason] = reasons;
  if (reason === undefined)
    return {
      subjects: content.subjects,
      text: '',
      formerly,
    };
  const place = wholeFile(source.displayPath(file.path));
  source.warn({
    code: 'source-left-out',
    place,
    url: address,
    reason,
  });
  return { ...emptySubject(file.stem, fields), formerly };
}

/** Reads a file or folder of the repository where it is. */
async function readFileOfRepository(
  source: GenreSource,
  file: SubjectFile,
  { file: name, kind, source: fields }: LocalSource,
  genre: Genre,
): Promise<FileContent> {
  const reason = refusalOfLocal(source.data, name, kind);
  if (reason !== null) {
    const place = wholeFile(source.displayPath(file.path));
    source.report({
      code: 'bad-source-file',
      place,
      path: name,
      reason,
    });
    return nothing;
  }
  const about = {
    ...contextOf(source, file, genre),
    ...contextOfSource(file, fields),
  };
  const content = await readTextFile(source, { path: `../${name}`, kind, file: about });
  return { ...content, formerly: fields.formerly };
}

function contextOf(
  { now, pastSince }: GenreSource,
  { stem }: SubjectFile,
  genre: Genre,
): SourceFile {
  return {
    stem,
    genre,
    now,
    pastSince,
    name: null,
    url: null,
  };
}

/** Returns what the file of a source says about reading it. */
function contextOfSource({ path }: SubjectFile, fields: Sources['source']) {
  const { name = null, url = null, descriptions, private: isPrivate } = fields;
  const mapping = mappingOf(fields);
  return {
    name,
    url,
    descriptions,
    private: isPrivate,
    mapping,
    mappingName: basename(path),
  };
}

async function readTextFile(source: GenreSource, opening: FileToRead): Promise<FileContent> {
  const { path, kind, file } = opening;
  const opened = await readFileOrFolder(source, opening, source.warn);
  if (opened === null) return namesSubjects(kind) ? nothing : emptySubject(file.stem);
  const { text, reading } = opened;
  const shownPath = source.displayPath(path);
  for (const warning of warningsOf(reading, text, opening, shownPath)) source.warn(warning);
  for (const problem of placeFirst(reading.findings, text, shownPath)) source.report(problem);
  const isUsable = reading.findings.length === 0 || namesSubjects(kind);
  if (isUsable) return { subjects: reading.subjects, text };
  return emptySubject(file.stem);
}

function warningsOf(
  { subjects, warnings, doubts, unpublished = new Map<string, number>() }: TextReading,
  text: FileContent['text'],
  { kind, file }: FileToRead,
  shownPath: string,
): Problem[] {
  const place = wholeFile(shownPath);
  const sortedDoubts = doubts.toSorted((a, b) => a.offset - b.offset);
  const problems: Problem[] = [
    ...placeAll(firstOfEachKind(sortedDoubts), text, shownPath),
    ...placeFirst(warnings, text, shownPath, maxProblemsPerSource),
  ];
  if (unpublished.size > 0) {
    const code = namesSubjects(kind) ? 'passed-over' : 'not-published';
    problems.push({
      code,
      place,
      names: countedNames(unpublished),
    });
  }
  const events = subjects.reduce((sum, subject) => sum + subject.private, 0);
  if (events > 0 && file.private === undefined)
    problems.push({
      code: 'private-events',
      place,
      events,
    });
  return problems;
}
