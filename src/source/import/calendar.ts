import { basename } from 'node:path';
import { maxIdCharacters } from '../../catalogue/id.ts';
import { wholeFile, type Problem } from '../../problem/problem.ts';
import type { TextFinding } from '../finding.ts';
import { metadataFiles } from '../folder.ts';
import { placeFirst } from '../positions.ts';
import { loadReader } from '../reader.ts';
import { isFileId, isId } from '../rules.ts';
import { slug } from '../slug.ts';
import { mappingFileOf } from '../subject-files.ts';
import type { ImportedFile, ImportedText, ImportOptions, ImportPlan } from './plan.ts';

/** Plans the copy of a calendar, with a file for its name if it was given one. */
export async function planCalendar(source: ImportedText, options: ImportOptions): Promise<ImportPlan> {
  const { text, format, bytes, title: fileTitle, mapping } = source;
  const { file, displayPath, now, name, zone } = options;
  const title = name ?? fileTitle;
  const read = await loadReader(format);
  const genre = { id: 'genre', name: '', category: '', zone };
  const mappingName = mappingFileOf(basename(file));
  const reading = read(text, { stem: slug(title), genre, now, name, url: null, mapping, mappingName });
  const [subject] = reading.subjects;
  if (subject === undefined) return { files: [], problems: placeFirst(reading.findings, text, displayPath(file)) };
  // Some file names are too long for an id, or have no letter that an id may have. The calendar may have a better name.
  const id = isId(subject.id) ? subject.id : slug(subject.source.name ?? '');
  const refused = refusalOf(id, subject.source.name ?? '', subject.offset);
  const problems: Problem[] = placeFirst([...reading.findings, ...refused], text, displayPath(file));
  const unnamed = { code: 'no-subject-id', name: subject.source.name || title, id, most: maxIdCharacters } as const;
  if (!isId(id)) problems.push({ ...unnamed, place: wholeFile(displayPath(file)) });
  const copy = { name: `${id}.${format}`, events: subject.source.events?.length ?? 0, content: bytes };
  const metadata = { name: `${id}.json`, events: null, content: `${JSON.stringify({ name }, null, 2)}\n` };
  const files: ImportedFile[] = name === null ? [copy] : [copy, metadata];
  return { files, problems, private: subject.private ?? 0 };
}

/** Returns the problem of a name that a file of a catalogue must not have: that of a genre's file, or one of Windows. */
function refusalOf(id: string, name: string, offset: TextFinding['offset']): readonly TextFinding[] {
  if (`${id}.json` === metadataFiles.genre)
    return [{ problem: { code: 'import-misnamed', name, file: metadataFiles.genre }, offset }];
  return isId(id) && !isFileId(id) ? [{ problem: { code: 'bad-name', name: `${id}.json` }, offset }] : [];
}
