import { hash } from 'node:crypto';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { eventKeys } from '#event-fields';
import { maxIdCharacters } from '../catalogue/id.ts';
import { compareProblems, wholeFile, type DisplayPath, type Problem } from '../problem/problem.ts';
import { linkBelow } from '../system/files.ts';
import { writeNewFiles } from '../system/write.ts';
import type { TextFinding } from './finding.ts';
import { metadataFiles } from './folder.ts';
import type { PartialEvent } from './json/types.ts';
import { placeFirst } from './positions.ts';
import { loadReader } from './reader.ts';
import type { ReadSubject } from './reading.ts';
import { isFileId, isId, textRules } from './rules.ts';
import { slug } from './slug.ts';
import { isTable, textFormatNames, textFormatOf, type TextFormat } from './subject-files.ts';
import { readText } from './text.ts';

export interface ImportOptions {
  /** The data folder, in which no folder may be a link. */
  readonly data: string;
  readonly file: string;
  readonly displayPath: DisplayPath;
  /** The folder for the subject files. */
  readonly into: string;
  /** Milliseconds since the Unix epoch. Repeating events are expanded up to two years after it. */
  readonly now: number;
  /** The name of the subject, which overrides that of a calendar. A table without a column `subject` needs it. */
  readonly name: string | null;
  /** Maps the columns of a table that have other names to ours, or to an empty text to ignore them. */
  readonly columns: ReadonlyMap<string, string>;
}

/** A subject file to write. */
export interface ImportedFile {
  /** Its name in the folder. */
  readonly name: string;
  readonly events: number;
  readonly text: string;
}

/** The subject files for a calendar or table, and everything that is wrong with it. */
export interface ImportPlan {
  readonly files: readonly ImportedFile[];
  readonly problems: readonly Problem[];
  /** The number of upcoming events that the calendar marks as private. */
  readonly private: number;
}

/** Plans an import. Writes nothing. */
export async function planImport(options: ImportOptions): Promise<ImportPlan> {
  const { file, displayPath, into } = options;
  const shownPath = displayPath(file);
  const refuse = (problem: Problem): ImportPlan => ({ files: [], problems: [problem], private: 0 });
  const format = textFormatOf(file.toLowerCase());
  if (format === null) {
    const endings = textFormatNames.map((ending) => `.${ending}`).join(' or ');
    return refuse({
      code: 'usage',
      place: null,
      reason: `found the file ${shownPath}; expected a name that ends in ${endings}`,
    });
  }
  const misnamed = options.name === null ? null : textRules.name(options.name);
  if (misnamed !== null) return refuse({ key: 'name', place: null, ...misnamed });
  if (options.columns.size > 0 && !isTable(format)) {
    return refuse({ code: 'usage', place: null, reason: `found --column for ${shownPath}; expected a table (.csv)` });
  }
  if (!existsSync(file) || !statSync(file).isFile()) {
    return refuse({ code: 'import-missing', place: null, path: shownPath });
  }
  const link = linkBelow(options.data, into);
  if (link !== null) {
    return refuse({ code: 'symbolic-link', place: wholeFile(displayPath(link)), name: basename(link) });
  }
  // The user named this file, so it may be a link.
  const text = readText(realpathSync(file), () => shownPath);
  if (typeof text !== 'string') return refuse(text);
  const { subjects, problems } = await readSubjects(text, format, options);
  const files = subjects.filter((subject) => !isMisnamed(subject)).map(fileOf);
  const taken = files.map((one) => join(into, one.name)).filter((path) => existsSync(path));
  problems.push(...taken.map((path) => ({ code: 'import-exists', place: null, path: displayPath(path) }) as const));
  const marked = subjects.reduce((sum, subject) => sum + (subject.private ?? 0), 0);
  return { files, problems: problems.sort(compareProblems), private: marked };
}

/** Returns the subjects of a calendar or table, and what is wrong with it. */
async function readSubjects(
  text: string,
  format: TextFormat,
  { file, displayPath, now, name, columns }: ImportOptions,
): Promise<{ subjects: readonly ReadSubject[]; problems: Problem[] }> {
  const title = name ?? basename(file).slice(0, -format.length - 1);
  const read = await loadReader(format);
  const mapping = columns.size === 0 ? undefined : { columns: Object.fromEntries(columns) };
  const genre = { id: 'genre', name: '', category: '' };
  const reading = read(text, { stem: slug(title), genre, now, name, url: null, mapping, mappingName: 'a mapping' });
  // Some file names are too long for an id, or have no letter that an id may have. The calendar may have a better name.
  const subjects = reading.subjects.map((subject) =>
    isId(subject.id) ? subject : { ...subject, id: slug(subject.source.name ?? '') },
  );
  const misnamed = subjects.filter(isMisnamed).map(misnamedFinding);
  const reserved = subjects.filter(({ id }) => isId(id) && !isFileId(id) && !isTable(format)).map(reservedFinding);
  const place = wholeFile(displayPath(file));
  const unnamed = subjects
    .filter(({ id }) => !isId(id))
    .map(
      ({ id, source }) =>
        ({ code: 'no-subject-id', place, name: source.name || title, id, most: maxIdCharacters }) as const,
    );
  const located = placeFirst([...reading.findings, ...misnamed, ...reserved], text, displayPath(file));
  return { subjects, problems: [...located, ...unnamed] };
}

/** Whether the file of a subject would be the metadata file of its genre. A table may contain such a subject. */
function isMisnamed({ id }: ReadSubject): boolean {
  return `${id}.json` === metadataFiles.genre;
}

function misnamedFinding({ offset, source }: ReadSubject): TextFinding {
  return { problem: { code: 'import-misnamed', name: source.name ?? '', file: metadataFiles.genre }, offset };
}

/** Windows reserves some names, so no file of a catalogue may have them. Tables are checked when they are read. */
function reservedFinding({ id, offset }: ReadSubject): TextFinding {
  return { problem: { code: 'bad-name', name: `${id}.json` }, offset };
}

/** Writes planned files, all of them or none. Throws the error of the file system. */
export function writeImport(files: readonly ImportedFile[], into: string): void {
  writeNewFiles(into, new Map(files.map(({ name, text }) => [name, text])));
}

function fileOf({ id, source }: ReadSubject): ImportedFile {
  const { name = '', url, events = [] } = source;
  const lines = events.map((event) => `    ${toLine(event)}`);
  const list = lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n  ]`;
  const head = [`"name": ${JSON.stringify(name)}`, ...(url === undefined ? [] : [`"url": ${JSON.stringify(url)}`])];
  return { name: `${id}.json`, events: events.length, text: `{\n  ${head.join(',\n  ')},\n  "events": ${list}\n}\n` };
}

/** Returns an event on one line, with its keys in the order of their declaration. */
function toLine(event: PartialEvent): string {
  const { id } = event;
  const values: PartialEvent = { ...event, ...(id !== undefined && { id: writableId(id) }) };
  const given = eventKeys.filter((key) => values[key] !== undefined);
  return `{ ${given.map((key) => `"${key}": ${JSON.stringify(values[key])}`).join(', ')} }`;
}

/** Shortens an id from a calendar that is too long for a JSON file. A hash keeps it unique. */
function writableId(id: string): string {
  if (id.length <= maxIdCharacters) return id;
  const ending = hash('sha256', id).slice(0, 8);
  return `${id.slice(0, maxIdCharacters - ending.length - 1).replace(/-$/, '')}-${ending}`;
}
