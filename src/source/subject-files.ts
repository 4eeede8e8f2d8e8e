import { textFormatNames, textFormatOf, type TextFormat } from './text-formats.ts';

/** A file of a genre folder that subjects are read from. Paths are relative to the data folder. */
export interface SubjectFile {
  readonly path: string;
  /** Its name without the ending. */
  readonly stem: string;
  readonly format: 'json' | 'remote' | TextFormat;
  /** The file beside it that gives name and url of its subject. */
  readonly naming: string | null;
}

/** Two files for one subject. */
export interface TwiceFile {
  readonly id: string;
  readonly path: string;
  readonly other: string;
}

const remoteEnding = '.source.json';
const endings = [remoteEnding, '.json', ...textFormatNames.map((format) => `.${format}`)];

/** The names that subject files may have, in words. */
export const subjectFileNames = '{subject}.json, {subject}.ics, {subject}.source.json and {table}.csv';

/** The ending that makes a name one of a subject file; null where it has none. */
export function subjectFileEnding(name: string): string | null {
  return endings.find((ending) => name.endsWith(ending)) ?? null;
}

/** The path of a remote source file without its ending. */
export function remoteStem(path: string): string {
  return path.slice(0, -remoteEnding.length);
}

/** The subject files of a genre folder, by name, and where two of them give the same subject. */
export function sortSubjectFiles(
  folder: string,
  names: readonly string[],
): { files: SubjectFile[]; twice: TwiceFile[] } {
  // Most genres have nothing else, and then no two files are of one subject.
  if (names.every((name) => subjectFileEnding(name) === '.json')) {
    return { files: names.map((name) => jsonFile(folder, name)), twice: [] };
  }
  const all = new Set(names);
  const givers = new Map<string, string>();
  const [files, twice]: [SubjectFile[], TwiceFile[]] = [[], []];
  for (const name of names) {
    const file = subjectFileOf(folder, name, all);
    // A table names its subjects itself.
    if (file === null) continue;
    const other = file.format === 'csv' ? undefined : givers.get(file.stem);
    if (other !== undefined) twice.push({ id: file.stem, path: file.path, other });
    else files.push(file);
    if (file.format !== 'csv') givers.set(file.stem, other ?? file.path);
  }
  return { files, twice };
}

function jsonFile(folder: string, name: string): SubjectFile {
  return { path: `${folder}/${name}`, stem: name.slice(0, -'.json'.length), format: 'json', naming: null };
}

/** A subject file by its name; null where it only gives name and url to the calendar beside it. */
function subjectFileOf(folder: string, name: string, all: ReadonlySet<string>): SubjectFile | null {
  const ending = subjectFileEnding(name) ?? '';
  const stem = name.slice(0, name.length - ending.length);
  const path = `${folder}/${name}`;
  if (ending === remoteEnding) return { path, stem, format: 'remote', naming: null };
  if (ending === '.json') return all.has(`${stem}.ics`) ? null : jsonFile(folder, name);
  const format = textFormatOf(name) ?? 'csv';
  const naming = format === 'ics' && all.has(`${stem}.json`) ? `${folder}/${stem}.json` : null;
  return { path, stem, format, naming };
}
