import { existsSync, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { compareProblems, ProblemError, wholeFile, type Problem } from '../../problem/problem.ts';
import { linkBelow, listTree } from '../../system/files.ts';
import { writeNewFiles, writeWhole } from '../../system/write.ts';
import type { TableMapping } from '../../readers/schema/source-types.ts';
import { readMappings } from '../../source/validate.ts';
import { placeFirst } from '../../readers/schema/finding.ts';
import { isFileId, isId, textRules } from '../../readers/schema/rules.ts';
import { maxIdCharacters, slug } from '../../catalogue/id.ts';
import {
  fileKinds,
  importEndings,
  importedKind,
  importNames,
  mappingFileOf,
  namesSubjects,
  tableEndings,
  type FileKind,
  type ReadKind,
} from '../../readers/schema/file-kinds.ts';
import { readEntryFiles } from '../../source/read-texts.ts';
import { decodeTable, readSourceBytes } from '../../source/text.ts';
import type { ImportedFile, ImportedText, ImportOptions, ImportPlan } from './plan.ts';
import { nearest } from '../../problem/nearest.ts';
import { genrePaths } from '../add.ts';
import { faultOfText } from '../../readers/table/cells.ts';
import { dataMissing, metadataFiles, problemOfFileName } from '../../source/folder.ts';
import { readImported } from './documents.ts';
import { findEarlier } from './earlier.ts';
import { planTable } from './table.ts';

/** Plans an import. Writes nothing. Throws everything that is wrong with the file. */
export async function planImport(options: ImportOptions): Promise<ImportPlan> {
  const { file, displayPath, into } = options;
  const kind = importedKindOf(file);
  if (kind === null) throw new ProblemError([unknownFormat(displayPath(file))]);
  const refusal = refusalOf(kind, options);
  if (refusal !== null) throw new ProblemError([refusal]);
  const warnings: Problem[] = [];
  const warn = (problem: Problem) => warnings.push(problem);
  const { text, bytes } = kind === 'entries' ? readFolder(options, warn) : readFile(options, warn);
  const title = options.replaced ?? basename(file).replace(/\.[^.]*$|^_/g, '');
  const { ending = '', needsCompanion }: FileKind = fileKinds[kind];
  const isTable = namesSubjects(kind);
  const table = join(into, `${slug(title)}${ending}`);
  const isReplaced =
    isTable && existsSync(table) && (!needsCompanion || existsSync(mappingFileOf(table)));
  const isNew = isTable && !isReplaced && !options.isBeside;
  if (isNew && typeof text === 'string') refuseEarlier(options, basename(table), text);
  const newTable = kind === 'entries' ? `${file}/` : file;
  const keptTable = isReplaced && existsSync(mappingFileOf(table)) ? table : newTable;
  const mapping = isTable ? findMapping(options, mappingFileOf(keptTable)) : undefined;
  const source = {
    text,
    bytes,
    kind,
    ending,
    mapping,
    title,
    isKept: keptTable === table,
  };
  const plan = await (isTable ? planTable : planCalendar)(source, options);
  const { replaces = isReplaced } = plan;
  warnings.push(...plan.warnings);
  const metadata = [join(dirname(into), metadataFiles.category), join(into, metadataFiles.genre)];
  for (const path of metadata.filter((name) => !existsSync(name)))
    warn({
      code: 'missing-file',
      place: wholeFile(displayPath(path)),
      name: basename(path),
      holds: '"name"',
    });
  const takenPaths = replaces
    ? []
    : plan.files.map(({ name }) => join(into, name)).filter((path) => existsSync(path));
  const existing = takenPaths.map((path): Problem => ({
    code: 'import-exists',
    place: null,
    path: displayPath(path),
  }));
  if (existing.length > 0) throw new ProblemError(existing, warnings);
  const removed = replaces && kind === 'entries' ? missingFrom(plan.files, table) : [];
  return {
    ...plan,
    replaces,
    removed,
    warnings,
  };
}

/** Returns the files of a folder that are not among planned ones. */
function missingFrom(files: ImportPlan['files'], folder: string): string[] {
  const name = `${basename(folder)}/`;
  const planned = new Set(files.map((file) => file.name));
  const paths = listTree(folder).map(({ path }) => name + path);
  return paths.filter((path) => !planned.has(path));
}

function importedKindOf(file: string): ReadKind | null {
  const isFolder = statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
  return importedKind(file) ?? (isFolder ? 'entries' : null);
}

function readFile({ file, displayPath }: ImportOptions, warn: (problem: Problem) => void) {
  // The user named this file, so it may be a link.
  const bytes = readSourceBytes(realpathSync(file), () => displayPath(file));
  if (!Buffer.isBuffer(bytes)) throw new ProblemError([bytes]);
  const text = decodeTable(bytes, () => displayPath(file), warn);
  if (typeof text !== 'string') throw new ProblemError([text]);
  const reason = faultOfText(text);
  if (reason !== null)
    throw new ProblemError([{ code: 'bad-table', place: wholeFile(displayPath(file)), reason }]);
  return { text, bytes };
}

function readFolder({ file, displayPath }: ImportOptions, warn: (problem: Problem) => void) {
  const problems: Problem[] = [];
  const report = (problem: Problem) => problems.push(problem);
  const data = dirname(realpathSync(file));
  const displayName = (path: string) => displayPath(join(data, path));
  const folder = { data, displayPath: displayName, report };
  const text = readEntryFiles(folder, basename(file), warn);
  if (text === null) throw new ProblemError(problems);
  return { text, bytes: Buffer.alloc(0) };
}

/** Throws a question if the genre has a table that the file is probably a newer copy of. */
function refuseEarlier({ into, displayPath }: ImportOptions, table: string, text: string): void {
  const ending = table.slice(table.lastIndexOf('.'));
  const earlier = findEarlier(into, table, ending, text);
  if (earlier === null) return;
  const name = earlier.slice(0, -ending.length);
  const path = displayPath(join(into, earlier));
  throw new ProblemError([{ code: 'import-twice', place: null, path, name }]);
}

function unknownFormat(shownPath: string): Problem {
  const isSheet = /\.(?:xlsx?|xlsm|ods|numbers)$/i.test(shownPath);
  const expected = isSheet
    ? 'save the sheet as CSV and import that'
    : `expected a name that ends in one of ${importEndings.join(', ')}`;
  return {
    code: 'usage',
    place: null,
    reason: `found the file ${shownPath}; ${expected}`,
  };
}

function refusalOf(kind: ReadKind, options: ImportOptions): Problem | null {
  const { file, displayPath, name, ownZone, columns, data, into } = options;
  const shownPath = displayPath(file);
  const misnamed = name === null ? null : textRules.name(name);
  if (misnamed !== null)
    return {
      key: 'name',
      place: null,
      ...misnamed,
    };
  const unknown = ownZone === null ? null : textRules.zone(ownZone);
  if (unknown !== null) return { place: null, ...unknown };
  if (!existsSync(data)) return dataMissing(data, (path) => displayPath(join(data, path)));
  const parts = relative(data, into).split(sep);
  const badName = parts.map((part) => problemOfFileName(part)).find((fault) => fault !== null);
  if (badName !== undefined) return { place: null, ...badName };
  if ((columns.size > 0 || ownZone !== null) && !namesSubjects(kind)) {
    const option = ownZone === null ? '--column' : '--zone';
    return {
      code: 'usage',
      place: null,
      reason: `found ${option} for ${shownPath}; expected a table (${tableEndings})`,
    };
  }
  if (!existsSync(file) || statSync(file).isFile() === (kind === 'entries'))
    return {
      code: 'import-missing',
      place: null,
      path: shownPath,
      kinds: importNames,
    };
  const link = linkBelow(data, into);
  if (link !== null)
    return {
      code: 'symbolic-link',
      place: wholeFile(displayPath(link)),
      name: basename(link),
    };
  return existsSync(into) ? null : findMisspelling(options);
}

/** Returns the problem of a genre that does not exist, where another has almost its name. */
function findMisspelling({ data, into, displayPath }: ImportOptions): Problem | null {
  const path = relative(data, into).replaceAll('\\', '/');
  // Of short names, every one is near.
  const genre = path.length < 'abc/def'.length ? null : nearest(path, genrePaths(data));
  const remedy = `add ${displayPath(join(into, metadataFiles.genre))} with its "name" first`;
  return genre === null
    ? null
    : {
        code: 'folder-missing',
        place: null,
        what: 'genre',
        path,
        nearest: genre,
        remedy,
      };
}

function findMapping(options: ImportOptions, path: string): TableMapping | undefined {
  const { displayPath, columns } = options;
  const problems: Problem[] = [];
  const report = (problem: Problem) => problems.push(problem);
  const displayName = (name: string) => displayPath(join(dirname(path), name));
  const folder = {
    data: dirname(path),
    displayPath: displayName,
    report,
  };
  const all = existsSync(path) ? readMappings(folder, basename(path)) : [];
  if (all === null) throw new ProblemError(problems);
  const [mapping] = all;
  if (columns.size === 0) return mapping;
  // A column takes the place of the one, or of the template, that gave its field before.
  const newFields = new Set(columns.values());
  const { title, ignore = [], ...rest } = mapping ?? {};
  const before = Object.entries(rest.columns ?? {});
  const keptColumns = before.filter(
    ([theirs, ours]) => !columns.has(theirs) && !newFields.has(ours),
  );
  const named = Object.fromEntries([
    ...keptColumns,
    ...[...columns].filter(([, ours]) => ours !== ''),
  ]);
  const names = new Set([ignore, before.map(([theirs]) => theirs), [...columns.keys()]].flat());
  const unmapped = [...names].filter((name) => !Object.hasOwn(named, name));
  const template = title === undefined || newFields.has('title') ? {} : { title };
  const unread = ignore === 'others' ? ignore : unmapped;
  return {
    ...rest,
    columns: named,
    ...template,
    ...(unread.length > 0 && { ignore: unread }),
  };
}

async function planCalendar(source: ImportedText, options: ImportOptions): Promise<ImportPlan> {
  const { text, bytes, ending, title } = source;
  const { file, displayPath, into, name } = options;
  const stem = slug(name ?? title);
  const { subjects, findings, warnings } = await readImported(source, options, { stem, name });
  const [subject] = subjects;
  const problems = placeFirst(findings, text, displayPath(file));
  if (subject === undefined) throw new ProblemError(problems);
  // Some file names are too long for an id, or have no letter that an id may have. The calendar may
  // have a better name.
  const id = isId(stem) ? stem : slug(subject.source.name ?? '');
  const refused = problemOfId(id, subject.source.name || title, displayPath(file));
  if (refused !== null) problems.push(refused);
  if (problems.length > 0) throw new ProblemError(problems.sort(compareProblems));
  const copy: ImportedFile = {
    name: `${id}${ending}`,
    events: subject.source.events?.length ?? 0,
    content: bytes,
  };
  const metadata = {
    name: `${id}.json`,
    events: null,
    content: `${JSON.stringify({ name }, null, 2)}\n`,
  };
  const replaces = existsSync(join(into, copy.name));
  const files =
    name === null || (replaces && existsSync(join(into, metadata.name)))
      ? [copy]
      : [copy, metadata];
  return {
    files,
    replaces,
    private: subject.private ?? 0,
    warnings: placeFirst(warnings, text, displayPath(join(into, copy.name))),
  };
}

function problemOfId(id: string, name: string, file: string): Problem | null {
  const place = wholeFile(file);
  if (!isId(id))
    return {
      code: 'no-subject-id',
      place,
      name,
      id,
      most: maxIdCharacters,
    };
  // A file for its name would be the metadata file of its genre. Windows reserves other names.
  const isFree = isFileId(id) && `${id}.json` !== metadataFiles.genre;
  return isFree
    ? null
    : {
        code: 'bad-name',
        place,
        name: `${id}.ics`,
      };
}

/**
 * Writes planned files, all of them or none; or replaces them, one by one. Throws the error of the
 * file system.
 */
export function writeImport(
  { files, replaces, removed = [] }: Pick<ImportPlan, 'files' | 'replaces' | 'removed'>,
  into: string,
): void {
  if (replaces !== true)
    writeNewFiles(into, new Map(files.map(({ name, content }) => [name, content])));
  else for (const { name, content } of files) writeWhole(join(into, name), content);
  for (const path of removed) rmSync(join(into, path));
}
