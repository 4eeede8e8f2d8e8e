import { basename } from 'node:path';
import { maxIdCharacters } from '../../catalogue/id.ts';
import { wholeFile, type Problem } from '../../problem/problem.ts';
import { writableId } from '../event-ids.ts';
import type { TextFinding } from '../finding.ts';
import { metadataFiles } from '../folder.ts';
import { eventFields } from '../json/event-fields.ts';
import type { PartialEvent } from '../json/types.ts';
import { placeFirst } from '../positions.ts';
import { loadReader } from '../reader.ts';
import type { ReadSubject } from '../reading.ts';
import { isFileId, isId } from '../rules.ts';
import { slug } from '../slug.ts';
import { isTable, mappingFileOf } from '../subject-files.ts';
import type { ImportedFile, ImportedText, ImportOptions, ImportPlan } from './plan.ts';

/** Plans the subject files for a calendar or table. */
export async function planSubjects(source: ImportedText, options: ImportOptions): Promise<ImportPlan> {
  const { subjects, problems } = await readSubjects(source, options);
  const files = subjects.filter((subject) => !isMisnamed(subject)).map(fileOf);
  return { files, problems, private: countPrivate(subjects) };
}

/** Plans the copy of a calendar, with a file for its name if it was given one. */
export async function planCalendar(source: ImportedText, options: ImportOptions): Promise<ImportPlan> {
  const { subjects, problems } = await readSubjects(source, options);
  const { name } = options;
  const files = subjects.flatMap((subject): ImportedFile[] => {
    const events = subject.source.events?.length ?? 0;
    const copy = { name: `${subject.id}.${source.format}`, events, content: source.bytes };
    const metadata = `${JSON.stringify({ name }, null, 2)}\n`;
    return name === null ? [copy] : [copy, { name: `${subject.id}.json`, events: null, content: metadata }];
  });
  return { files, problems, private: countPrivate(subjects) };
}

function countPrivate(subjects: readonly ReadSubject[]): number {
  return subjects.reduce((sum, subject) => sum + (subject.private ?? 0), 0);
}

async function readSubjects(
  { text, format, title: ofFile, mapping }: ImportedText,
  { file, displayPath, now, name, zone }: ImportOptions,
): Promise<{ subjects: readonly ReadSubject[]; problems: Problem[] }> {
  const title = name ?? ofFile;
  const read = await loadReader(format);
  const genre = { id: 'genre', name: '', category: '', zone };
  const mappingName = mappingFileOf(basename(file));
  const reading = read(text, { stem: slug(title), genre, now, name, url: null, mapping, mappingName });
  // Some file names are too long for an id, or have no letter that an id may have. The calendar may have a better name.
  const subjects = reading.subjects.map((subject) =>
    isId(subject.id) ? subject : { ...subject, id: slug(subject.source.name ?? '') },
  );
  const misnamed = subjects.filter(isMisnamed).map(misnamedFinding);
  const reserved = subjects.filter(({ id }) => isId(id) && !isFileId(id) && !isTable(format)).map(reservedFinding);
  const place = wholeFile(displayPath(file));
  const nameless = subjects.filter(({ id }) => !isId(id));
  const unnamed = nameless.map(({ id, source }): Problem => {
    return { code: 'no-subject-id', place, name: source.name || title, id, most: maxIdCharacters };
  });
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

function fileOf({ id, source }: ReadSubject): ImportedFile {
  const { name = '', url, zone, events = [] } = source;
  const lines = events.map((event) => `    ${toLine(event)}`);
  const list = lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n  ]`;
  const given = Object.entries({ name, url, zone }).filter(([, value]) => value !== undefined);
  const head = given.map(([key, value]) => `"${key}": ${JSON.stringify(value)}`);
  const content = `{\n  ${head.join(',\n  ')},\n  "events": ${list}\n}\n`;
  return { name: `${id}.json`, events: events.length, content };
}

/** Returns an event on one line, with its keys in the order of their declaration. */
function toLine(event: PartialEvent): string {
  const { id } = event;
  const values: PartialEvent = { ...event, ...(id !== undefined && { id: writableId(id) }) };
  const given = (Object.keys(eventFields) as (keyof PartialEvent)[]).filter((key) => values[key] !== undefined);
  return `{ ${given.map((key) => `"${key}": ${JSON.stringify(values[key])}`).join(', ')} }`;
}
