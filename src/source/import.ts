import { hash } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { eventFields } from '#validators';
import { maxIdCharacters } from '../catalogue/id.ts';
import { compareProblems, wholeFile, type DisplayPath, type Problem } from '../problem/problem.ts';
import type { TextFinding } from './finding.ts';
import { metadataFiles } from './folder.ts';
import { placeFirst } from './positions.ts';
import { loadReader, type ReadSubject } from './reader.ts';
import { isId } from './rules.ts';
import { slug } from './slug.ts';
import type { PartialEvent } from './subject.ts';
import { textFormatNames, textFormatOf, type TextFormat } from './subject-files.ts';
import { readText } from './text.ts';

export interface ImportOptions {
  readonly file: string;
  readonly displayPath: DisplayPath;
  /** The folder for the subject files. */
  readonly into: string;
  /** Milliseconds since the Unix epoch. Repeating events are expanded up to two years after it. */
  readonly now: number;
}

/** A subject file to write. */
export interface ImportedFile {
  /** Its name in the folder. */
  readonly name: string;
  readonly events: number;
  readonly text: string;
}

/** Returns the subject files for a calendar or table, and everything that is wrong with it. Writes nothing. */
export async function planImport(options: ImportOptions): Promise<{ files: ImportedFile[]; problems: Problem[] }> {
  const { file, displayPath, into } = options;
  const name = displayPath(file);
  const format = textFormatOf(file.toLowerCase());
  if (format === null) {
    const reason = `cannot import ${name}: its name must end in ${textFormatNames.map((ending) => `.${ending}`).join(' or ')}`;
    return { files: [], problems: [{ code: 'usage', place: null, reason }] };
  }
  if (!existsSync(file) || !statSync(file).isFile()) {
    return { files: [], problems: [{ code: 'import-missing', place: null, path: name }] };
  }
  const text = readText(file);
  if (typeof text !== 'string') return { files: [], problems: [{ ...text, place: wholeFile(name) }] };
  const { subjects, problems } = await readSubjects(text, format, options);
  const files = subjects.filter((subject) => !isMisnamed(subject)).map(fileOf);
  const taken = files.map((one) => join(into, one.name)).filter((path) => existsSync(path));
  problems.push(...taken.map((path) => ({ code: 'import-exists', place: null, path: displayPath(path) }) as const));
  return { files, problems: problems.sort(compareProblems) };
}

/** Returns the subjects of a calendar or table, and what is wrong with it. */
async function readSubjects(
  text: string,
  format: TextFormat,
  { file, displayPath, now }: ImportOptions,
): Promise<{ subjects: readonly ReadSubject[]; problems: Problem[] }> {
  const title = basename(file).slice(0, -format.length - 1);
  const read = await loadReader(format);
  const genre = { id: 'genre', name: '', category: '' };
  const { subjects, findings } = read(text, { stem: slug(title), genre, now, name: null, url: null });
  const misnamed = subjects.filter(isMisnamed).map(misnamedFinding);
  const place = wholeFile(displayPath(file));
  const unnamed = subjects
    .filter(({ id }) => !isId(id))
    .map(({ id }) => ({ code: 'no-subject-id', place, name: title, id, most: maxIdCharacters }) as const);
  return { subjects, problems: [...placeFirst([...findings, ...misnamed], text, displayPath(file)), ...unnamed] };
}

/** Whether the file of a subject would be the metadata file of its genre. A table may contain such a subject. */
function isMisnamed({ id }: ReadSubject): boolean {
  return `${id}.json` === metadataFiles.genre;
}

function misnamedFinding({ offset, source }: ReadSubject): TextFinding {
  return { problem: { code: 'import-misnamed', name: source.name ?? '', file: metadataFiles.genre }, offset };
}

/** Writes planned files, all of them or none. Throws the error of the file system. */
export function writeImport(files: readonly ImportedFile[], into: string): void {
  mkdirSync(into, { recursive: true });
  const written: string[] = [];
  try {
    for (const { name, text } of files) {
      // The flag refuses to replace a file that appeared since the plan was made.
      const file = openSync(join(into, name), 'wx');
      written.push(join(into, name));
      try {
        writeFileSync(file, text);
      } finally {
        closeSync(file);
      }
    }
  } catch (error) {
    for (const path of written) unlinkSync(path);
    throw error;
  }
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
  const values: Readonly<Record<string, unknown>> = { ...event, ...(id !== undefined && { id: writableId(id) }) };
  const given = Object.keys(eventFields).filter((key) => values[key] !== undefined);
  return `{ ${given.map((key) => `"${key}": ${JSON.stringify(values[key])}`).join(', ')} }`;
}

/** An id from a calendar may be too long for a JSON file. It is cut, and a hash keeps it unique. */
function writableId(id: string): string {
  if (id.length <= maxIdCharacters) return id;
  const ending = hash('sha256', id).slice(0, 8);
  return `${id.slice(0, maxIdCharacters - ending.length - 1).replace(/-$/, '')}-${ending}`;
}
