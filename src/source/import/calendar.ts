import { maxIdCharacters, slug } from '../../catalogue/id.ts';
import { wholeFile, type Problem } from '../../problem/problem.ts';
import { metadataFiles } from '../folder.ts';
import { placeFirst } from '../positions.ts';
import { readers } from '../readers.ts';
import { isFileId, isId } from '../rules.ts';
import type { ImportedFile, ImportedText, ImportOptions, ImportPlan } from './plan.ts';

/** Plans the copy of a calendar, with a file for its name if it was given one. */
export async function planCalendar(source: ImportedText, options: ImportOptions): Promise<ImportPlan> {
  const { text, bytes, format, title } = source;
  const { file, displayPath, now, name, zone } = options;
  const stem = slug(name ?? title);
  const genre = { id: 'genre', name: '', category: '', zone };
  const read = await readers[format]();
  const { subjects, findings } = read(text, { stem, genre, now, name, url: null });
  const [subject] = subjects;
  const problems = placeFirst(findings, text, displayPath(file));
  if (subject === undefined) return { files: [], problems };
  // Some file names are too long for an id, or have no letter that an id may have. The calendar may have a better name.
  const id = isId(stem) ? stem : slug(subject.source.name ?? '');
  const refused = problemOfId(id, subject.source.name || title, displayPath(file));
  const events = subject.source.events?.length ?? 0;
  const copy: ImportedFile = { name: `${id}.${format}`, events, content: bytes };
  const metadata = `${JSON.stringify({ name }, null, 2)}\n`;
  const files = name === null ? [copy] : [copy, { name: `${id}.json`, events: null, content: metadata }];
  return { files, problems: refused === null ? problems : [...problems, refused], private: subject.private ?? 0 };
}

function problemOfId(id: string, name: string, file: string): Problem | null {
  const place = wholeFile(file);
  if (!isId(id)) return { code: 'no-subject-id', place, name, id, most: maxIdCharacters };
  // A file for its name would be the metadata file of its genre. Windows reserves other names.
  const isFree = isFileId(id) && `${id}.json` !== metadataFiles.genre;
  return isFree ? null : { code: 'bad-name', place, name: `${id}.ics` };
}
