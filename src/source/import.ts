import { hash } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { compareProblems, wholeFile, type DisplayPath, type Problem } from '../problem/problem.ts';
import type { TextFinding } from './finding.ts';
import { nameFiles } from './folder.ts';
import { placeFirst } from './place-findings.ts';
import { readText } from './text.ts';
import { maxIdCharacters } from '../catalogue/id.ts';
import { isId } from './rules.ts';
import { slug } from './slug.ts';
import type { EventSource } from './json/validate.ts';
import { loadReaders } from './readers.ts';
import { textFormatNames, textFormatOf, type TextFormat } from './formats.ts';
import type { ReadSubject } from './reader.ts';

export interface ImportOptions {
  readonly file: string;
  readonly displayPath: DisplayPath;
  /** The folder that the subject files go to. */
  readonly into: string;
  /** Milliseconds since 1970: repeating events are written down up to two years past it. */
  readonly now: number;
}

/** A subject file to write. */
export interface ImportedFile {
  /** Its name in the folder. */
  readonly name: string;
  readonly events: number;
  readonly text: string;
}

/** What a calendar or table becomes as subject files, or all that is wrong with it, by line. Writes nothing. */
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

/** The subjects of a calendar or table, and what is wrong with it. */
async function readSubjects(
  text: string,
  format: TextFormat,
  { file, displayPath, now }: ImportOptions,
): Promise<{ subjects: readonly ReadSubject[]; problems: Problem[] }> {
  const title = basename(file).slice(0, -format.length - 1);
  const readers = await loadReaders([format]);
  const genre = { id: 'genre', name: '', category: '' };
  const reading = readers[format]?.(text, { stem: slug(title), genre, now, name: null, url: null });
  const { subjects, findings } = reading ?? { subjects: [], findings: [] };
  const misnamed = subjects.filter(isMisnamed).map(misnamedFinding);
  const place = wholeFile(displayPath(file));
  const unnamed = subjects
    .filter(({ id }) => !isId(id))
    .map(({ id }) => ({ code: 'no-subject-id', place, name: title, id, most: maxIdCharacters }) as const);
  return { subjects, problems: [...placeFirst([...findings, ...misnamed], text, displayPath(file)), ...unnamed] };
}

/** Whether the file of a subject would be the one that names its genre. A table may hold such a subject all the same. */
function isMisnamed({ id }: ReadSubject): boolean {
  return `${id}.json` === nameFiles.genre;
}

function misnamedFinding({ offset, source }: ReadSubject): TextFinding {
  return { problem: { code: 'import-misnamed', name: source.name ?? '', file: nameFiles.genre }, offset };
}

/** Writes planned files, all of them or none. Throws what the file system refuses. */
export function writeImport(files: readonly ImportedFile[], into: string): void {
  mkdirSync(into, { recursive: true });
  const written: string[] = [];
  try {
    for (const { name, text } of files) {
      // The flag keeps a file that came to be meanwhile.
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
  const lines = events.map((event) => `    ${lineOf(event as EventSource)}`);
  const list = lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n  ]`;
  const head = [`"name": ${JSON.stringify(name)}`, ...(url === undefined ? [] : [`"url": ${JSON.stringify(url)}`])];
  return { name: `${id}.json`, events: events.length, text: `{\n  ${head.join(',\n  ')},\n  "events": ${list}\n}\n` };
}

/** An event on one line, its keys in the order that people write them. */
function lineOf({ title, starts, zone, url, id, cancelled }: EventSource): string {
  const fields = Object.entries({ title, starts, zone, url, id: id && writableId(id), cancelled });
  const given = fields.filter(([, value]) => value !== undefined);
  return `{ ${given.map(([key, value]) => `"${key}": ${JSON.stringify(value)}`).join(', ')} }`;
}

/** An id out of a calendar may be longer than one that a source may have: it is cut, and a hash keeps it apart. */
function writableId(id: string): string {
  if (id.length <= maxIdCharacters) return id;
  const digest = hash('sha256', id).slice(0, 8);
  return `${id.slice(0, maxIdCharacters - digest.length - 1).replace(/-$/, '')}-${digest}`;
}
