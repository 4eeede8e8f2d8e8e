import { isTable, textFormatNames, type TextFormat } from './formats.ts';

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
const tables = textFormatNames.filter(isTable);
/** Of these, a JSON file of the same name gives name and url. */
const calendars = textFormatNames.filter((format) => !isTable(format));

/** The names that subject files may have, in words. */
export const subjectFileNames = [
  '{subject}.json',
  ...calendars.map((format) => `{subject}.${format}`),
  `{subject}${remoteEnding}`,
  ...tables.map((format) => `{table}.${format}`),
]
  .join(', ')
  .replace(/, ([^,]*)$/, ' and $1');

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
    if (file === null) continue;
    const other = isTable(file.format) ? undefined : givers.get(file.stem);
    if (other !== undefined) twice.push({ id: file.stem, path: file.path, other });
    else files.push(file);
    if (!isTable(file.format)) givers.set(file.stem, other ?? file.path);
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
  if (ending === '.json') {
    return calendars.some((format) => all.has(`${stem}.${format}`)) ? null : jsonFile(folder, name);
  }
  const format = ending.slice(1) as TextFormat;
  const naming = !isTable(format) && all.has(`${stem}.json`) ? `${folder}/${stem}.json` : null;
  return { path, stem, format, naming };
}
