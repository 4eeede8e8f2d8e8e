import { basename } from 'node:path';
import { genreContent, type FoundSubject } from '../catalogue/genre-content.ts';
import type { Genre, GenreContent, SubjectOrigin } from '../catalogue/model.ts';
import { findRepeated } from './doubts.ts';
import {
  countedNames,
  firstOfEachKind,
  maxProblemsPerSource,
  placeAll,
  placeFirst,
  type SourceText,
  type TextFinding,
} from '../readers/schema/finding.ts';
import type { GenreFolder } from './folder.ts';
import { printable, problemLine, wholeFile, type Problem } from '../problem/problem.ts';
import { explain } from './explain.ts';
import { maxExplainedCharacters } from '../readers/schema/json-parse.ts';
import { locateIn } from '../readers/schema/json-syntax.ts';
import { readFileOrFolder, type FileToRead } from './read-texts.ts';
import { parseSource, readMappings, readSource } from './validate.ts';
import { mappingOf, refuse, type Draft, type SubjectContent } from '../readers/schema/reading.ts';
import type { Sources } from '../readers/schema/source-types.ts';
import { formerSubjects, type Claim } from './former.ts';
import type { LocalSource, RemoteFile } from './remote/cache.ts';
import { refusalOfLocal } from './local.ts';
import {
  fileKinds,
  kindOfFormat,
  mappingFileOf,
  namesSubjects,
  remoteStem,
  subjectFilesIn,
  type SubjectFile,
  type ReadKind,
} from '../readers/schema/file-kinds.ts';
import { readDraft } from './draft.ts';
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

/** Reads the subjects of a genre. Memory is bounded by their events and one file. */
export async function readGenre(
  source: GenreSource,
  genre: Genre,
  { path, files }: GenreFolder,
): Promise<GenreContent> {
  const members: FoundSubject[] = [];
  const definedBy = new Map<string, SubjectFile>();
  const claims: Claim[] = [];
  // Remote sources come last, because one that defines a subject of another file is left out.
  const isRemote = ({ kind }: SubjectFile): number => Number(kind === 'remote');
  for (const file of subjectFilesIn(path, files).files.toSorted(
    (a, b) => isRemote(a) - isRemote(b),
  )) {
    const { kind } = file;
    // Awaiting every file would cost a large build a sixth of its time and a third of its memory.
    const content: FileContent =
      kind === 'subject'
        ? readJsonFile(source, file, genre)
        : kind === 'remote'
          ? await readRemoteFile(source, file, genre)
          : await readLocalFile(source, file, kind, genre);
    const { subjects, text, formerly, formerIdsBySubject = {} } = content;
    const origin = originOf(source, file);
    const claimPath = file.metadataPath ?? file.path;
    if (formerly !== undefined) claims.push({ id: file.stem, formerly, path: claimPath });
    const repeated: TextFinding[] = [];
    for (const subject of subjects) {
      const { id, spot } = subject;
      const other = definedBy.get(id);
      if (other !== undefined && kind === 'remote') {
        const place = wholeFile(source.displayPath(file.path));
        const url = source.remotes.get(file.path)?.source.source ?? '';
        source.warn({
          code: 'subject-left-out',
          place,
          url,
          id,
          other: source.displayPath(other.path),
        });
        continue;
      }
      if (other === undefined) definedBy.set(id, file);
      else {
        const problem = {
          code: 'subject-twice',
          id,
          other: source.displayPath(other.path),
        } as const;
        repeated.push({ problem, ...spot });
      }
      members.push({ content: subject, path: file.path, origin });
    }
    for (const problem of placeFirst(repeated, text, source.displayPath(file.path)))
      source.report(problem);
    for (const [id, old] of Object.entries(formerIdsBySubject))
      if (definedBy.has(id)) claims.push({ id, formerly: old, path: claimPath, isMapping: true });
    const isPast = subjects.every(({ upcoming, under_way, cancelled, announced, over }) =>
      [upcoming, under_way, cancelled, announced, over].every((list) => list.length === 0),
    );
    const past = isPast ? subjects.reduce((sum, subject) => sum + subject.pastCount, 0) : 0;
    if (past > 0 && source.remotes.get(file.path)?.state?.silent_since == null)
      source.warn({
        code: 'all-past',
        place: wholeFile(source.displayPath(file.path)),
        events: past,
      });
  }
  const current = members.flatMap(({ content }) => [...content.upcoming, ...content.under_way]);
  for (const problem of findRepeated(current, definedBy, source.displayPath)) source.warn(problem);
  const subjectsOf = async (id: string): Promise<ReadonlySet<string>> =>
    id === genre.id ? new Set(definedBy.keys()) : source.subjectsOf(id);
  return genreContent(genre, members, await formerSubjects(source, genre.id, claims, subjectsOf));
}

/** Returns what the subjects of a file come from, which for a remote source is what it sends. */
function originOf({ remotes }: GenreSource, { path, kind }: SubjectFile): SubjectOrigin {
  if (kind !== 'remote') return fileKinds[kind].origin;
  const format = remotes.get(path)?.source.format;
  const isTable = format !== undefined && namesSubjects(kindOfFormat(format));
  return isTable ? 'remote-table' : 'file';
}

interface FileContent {
  readonly subjects: readonly SubjectContent[];
  readonly text: string | readonly SourceText[];
  readonly formerly?: readonly string[] | undefined;
  /** The former ids of the subjects of a table. */
  readonly formerIdsBySubject?: Readonly<Record<string, readonly string[]>> | undefined;
}

function readJsonFile(source: GenreSource, { path, stem }: SubjectFile, genre: Genre): FileContent {
  const text = readDataText(source, path);
  if (text === null) return emptySubject(stem);
  const value = parseSource(text, 'subject');
  const result = value && readDraft(draftOfFile(stem, value, text), genre, source);
  const shownPath = source.displayPath(path);
  if (value !== null && result?.findings.length === 0) {
    for (const problem of placeAll(firstOfEachKind(result.doubts), text, shownPath))
      source.warn(problem);
    // The values of the text are not kept with its events.
    const { source: _, ...subject } = result.subject;
    return { subjects: [subject], text: '', formerly: value.formerly };
  }
  explain(text, 'subject', shownPath, genre.zone ?? null, source).forEach(source.report);
  return emptySubject(stem);
}

/** Returns what a subject file says. Places are found only if there is something to report. */
function draftOfFile(id: string, source: Sources['subject'], text: string): Draft {
  let find: ReturnType<typeof locateIn> | undefined;
  const spotOf: Draft['spotOf'] = (index, key) => {
    if (text.length > maxExplainedCharacters) return { offset: 0 };
    find ??= locateIn(text);
    return { offset: find(['events', index, ...(key === undefined ? [] : [key])]) };
  };
  return { id, source, spot: { offset: 0 }, spotOf, policy: refuse };
}

/**
 * Returns the subject of a file that is not valid, without events, so that a second file with it is
 * reported.
 */
function emptySubject(
  id: string,
  formerly?: readonly string[],
  remote?: RemoteFile['source'],
): FileContent {
  const spot = { offset: 0 };
  const source = { name: remote?.name ?? id, url: remote?.url };
  const draft = { id, source, spot, spotOf: () => spot, policy: refuse };
  const { subject } = readDraft(draft, { id: '', name: '', category: '' }, { now: 0 });
  return { subjects: [subject], text: '', formerly };
}

async function readLocalFile(
  source: GenreSource,
  { path, stem, metadataPath }: SubjectFile,
  kind: ReadKind,
  genre: Genre,
): Promise<FileContent> {
  const common = { stem, genre, now: source.now, pastSince: source.pastSince };
  if (namesSubjects(kind)) {
    const mappings = metadataPath === null ? [] : readMappings(source, metadataPath);
    // The problems of a mapping are reported already. Without it, every column would be another
    // one.
    if (mappings === null) return { subjects: [], text: '' };
    const [mapping, ...more] = mappings;
    const mappingName = basename(mappingFileOf(path));
    const file = { ...common, name: null, url: null, mapping, mappingName };
    return {
      ...(await readTextFile(source, { path, kind, file, mappings: more })),
      formerIdsBySubject: mapping?.formerly,
    };
  }
  const metadata = metadataPath === null ? null : readSource(source, metadataPath, 'naming');
  const file = { ...metadata, ...common, name: metadata?.name ?? null, url: metadata?.url ?? null };
  return { ...(await readTextFile(source, { path, kind, file })), formerly: metadata?.formerly };
}

async function readRemoteFile(
  source: GenreSource,
  { path, stem }: SubjectFile,
  genre: Genre,
): Promise<FileContent> {
  const local = source.locals.get(path);
  if (local !== undefined) return readLocalSource(source, path, local, genre);
  const remote = source.remotes.get(path);
  if (remote === undefined) return { subjects: [], text: '' };
  const {
    name = null,
    url = null,
    format,
    source: address,
    descriptions,
    private: isPrivate,
  } = remote.source;
  const { formerly: former, ignore_ids: ignored } = remote.source;
  const [formerly, formerIdsBySubject] = Array.isArray(former) ? [former] : [undefined, former];
  if (remote.copy === null) return emptySubject(stem, formerly, remote.source);
  const reasons: string[] = [];
  const report = (problem: Problem): unknown => reasons.push(problemLine(problem));
  const { now, pastSince } = source;
  const wanted = {
    descriptions,
    private: isPrivate,
    mapping: mappingOf(remote.source),
    mappingName: basename(path),
  };
  const more = { address, ignored: new Set(ignored), isLenient: true };
  const file = { stem, genre, now, pastSince, name, url, ...wanted, ...more };
  const opening = { path: remote.copy, kind: kindOfFormat(format), file };
  const { subjects } = await readTextFile({ ...source, report }, opening).catch(
    (error: unknown) => {
      // A repetition that is within reach for the first time may fail in a way that the
      // synchronisation did not see.
      reasons.push(printable(error instanceof Error ? error.message : String(error)));
      return { subjects: [] };
    },
  );
  const [reason] = reasons;
  if (reason === undefined) return { subjects, text: '', formerly, formerIdsBySubject };
  source.warn({
    code: 'source-left-out',
    place: wholeFile(source.displayPath(path)),
    url: address,
    reason,
  });
  return emptySubject(stem, formerly, remote.source);
}

/** Reads a file or folder of the repository where it is. */
async function readLocalSource(
  source: GenreSource,
  path: string,
  { file: name, kind, source: said }: LocalSource,
  genre: Genre,
): Promise<FileContent> {
  const stem = basename(remoteStem(path));
  const place = wholeFile(source.displayPath(path));
  const reason = refusalOfLocal(source.data, name, kind);
  if (reason !== null) {
    source.report({ code: 'bad-source-file', place, path: name, reason });
    return { subjects: [], text: '' };
  }
  const { now, pastSince } = source;
  const { name: subjectName = null, url = null, descriptions, formerly } = said;
  const about = { name: subjectName, url, descriptions, private: said.private };
  const mapped = { mapping: mappingOf(said), mappingName: basename(path) };
  const file = { stem, genre, now, pastSince, ...about, ...mapped };
  const content = await readTextFile(source, { path: `../${name}`, kind, file });
  return Array.isArray(formerly)
    ? { ...content, formerly }
    : { ...content, formerIdsBySubject: formerly };
}

async function readTextFile(source: GenreSource, opening: FileToRead) {
  const { path, kind, file } = opening;
  const opened = await readFileOrFolder(source, opening, source.warn);
  if (opened === null)
    return namesSubjects(kind) ? { subjects: [], text: '' } : emptySubject(file.stem);
  const { text, reading } = opened;
  const { subjects, findings, warnings, doubts } = reading;
  const { unpublished = new Map<string, number>() } = reading;
  const shownPath = source.displayPath(path);
  for (const problem of placeAll(
    firstOfEachKind(doubts.toSorted((a, b) => a.offset - b.offset)),
    text,
    shownPath,
  ))
    source.warn(problem);
  for (const problem of placeFirst(warnings, text, shownPath, maxProblemsPerSource))
    source.warn(problem);
  if (unpublished.size > 0) {
    source.warn({
      code: namesSubjects(kind) ? 'passed-over' : 'not-published',
      place: wholeFile(shownPath),
      names: countedNames(unpublished),
    });
  }
  const events = subjects.reduce((sum, subject) => sum + (subject.private ?? 0), 0);
  if (events > 0 && file.private === undefined)
    source.warn({ code: 'private-events', place: wholeFile(shownPath), events });
  for (const problem of placeFirst(findings, text, shownPath)) source.report(problem);
  return findings.length === 0 || namesSubjects(kind)
    ? { subjects, text }
    : emptySubject(file.stem);
}
