/** The formats besides subject files. A calendar or page holds one subject, a table names its subjects itself. */
const formats = { ics: 'calendar', jsonld: 'calendar', csv: 'table', json: 'table', almanac: 'table' } as const;
export type TextFormat = keyof typeof formats;

export const textFormatNames = Object.keys(formats) as TextFormat[];

/** The formats whose files have an extension of their own. A list of objects is a .json file with a mapping beside it. */
export const fileFormats = ['ics', 'csv'] as const satisfies readonly TextFormat[];

export function isTextFormat(format: string): format is TextFormat {
  return Object.hasOwn(formats, format);
}

/** Whether the files of a format name their subjects themselves, so that the file's name does not matter. */
export function isTable(format: string): boolean {
  return isTextFormat(format) && formats[format] === 'table';
}

/** Returns the format that a file's extension names, or null if it names none. */
export function textFormatOf(name: string): (typeof fileFormats)[number] | null {
  return fileFormats.find((format) => name.endsWith(`.${format}`)) ?? null;
}

/** A file of a genre folder that subjects are read from. Paths are relative to the data folder. */
export interface SubjectFile {
  readonly path: string;
  readonly stem: string;
  readonly format: 'subject' | 'remote' | TextFormat;
  /** The JSON file that gives the name and url of a calendar's subject, or the mapping of a table. Null if there is none. */
  readonly metadataPath: string | null;
}

type RepeatedSubject = Readonly<Record<'id' | 'path' | 'definedBy', string>>;

/** The ending of remote sources. */
export const remoteEnding = '.source.json';
const mappingEnding = '.columns.json';
const endings = [remoteEnding, mappingEnding, '.json', ...fileFormats.map((format) => `.${format}`)];
const tables = fileFormats.filter(isTable);
const calendars = fileFormats.filter((format) => !isTable(format));

/** The endings of the files, besides `{subject}.json`, whose name is the id of their only subject. */
export const otherSubjectEndings = [...calendars.map((format) => `.${format}`), remoteEnding];

/** The names that subject files may have, in words. */
export const subjectFileNames = [
  '{subject}.json',
  ...calendars.map((format) => `{subject}.${format}`),
  `{subject}${remoteEnding}`,
  ...tables.map((format) => `{table}.${format}`),
  `{table}${mappingEnding}`,
]
  .join(', ')
  .replace(/, ([^,]*)$/, ' and $1');

/** Returns the ending that makes a file a subject file, or null if it is not one. */
export function subjectFileEnding(name: string): string | null {
  return endings.find((ending) => name.endsWith(ending)) ?? null;
}

/** Returns the path of a remote source file without its ending. */
export function remoteStem(path: string): string {
  return path.slice(0, -remoteEnding.length);
}

/** Returns the path of the file that has the mapping of a table. */
export function mappingFileOf(table: string): string {
  return table.replace(/\.[^.]*$/, mappingEnding);
}

/** Returns the names of mappings without a table next to them, and the name of that table. */
export function mappingsWithoutTable(names: readonly string[]): { name: string; table: string }[] {
  const all = new Set(names);
  return names.flatMap((name) => {
    if (!name.endsWith(mappingEnding)) return [];
    const stem = name.slice(0, -mappingEnding.length);
    const isPresent = [...tables, 'json'].some((format) => all.has(`${stem}.${format}`));
    return isPresent ? [] : [{ name, table: `${stem}.${tables[0]}` }];
  });
}

/** Returns the subject files of a genre folder in the order of `names`, and those that repeat a subject. */
export function subjectFilesIn(
  folder: string,
  names: readonly string[],
): { files: SubjectFile[]; repeated: RepeatedSubject[] } {
  // Most genres have only JSON files, whose names can't collide.
  if (names.every((name) => subjectFileEnding(name) === '.json')) {
    return { files: names.map((name) => jsonFile(folder, name)), repeated: [] };
  }
  const all = new Set(names);
  const definedBy = new Map<string, string>();
  const [files, repeated]: [SubjectFile[], RepeatedSubject[]] = [[], []];
  for (const name of names) {
    const file = subjectFileOf(folder, name, all);
    if (file === null) continue;
    const { path, stem: id } = file;
    const earlier = isTable(file.format) ? undefined : definedBy.get(id);
    if (earlier === undefined) files.push(file);
    else repeated.push({ id, path, definedBy: earlier });
    if (!isTable(file.format)) definedBy.set(id, earlier ?? path);
  }
  return { files, repeated };
}

function jsonFile(folder: string, name: string): SubjectFile {
  return { path: `${folder}/${name}`, stem: name.slice(0, -'.json'.length), format: 'subject', metadataPath: null };
}

function subjectFileOf(folder: string, name: string, all: ReadonlySet<string>): SubjectFile | null {
  const ending = subjectFileEnding(name) ?? '';
  const stem = name.slice(0, name.length - ending.length);
  const path = `${folder}/${name}`;
  if (ending === remoteEnding) return { path, stem, format: 'remote', metadataPath: null };
  if (ending === mappingEnding) return null;
  if (ending === '.json') {
    const mapping = mappingFileOf(name);
    const isList = all.has(mapping) && !tables.some((format) => all.has(`${stem}.${format}`));
    if (isList) return { path, stem, format: 'json', metadataPath: `${folder}/${mapping}` };
    return calendars.some((format) => all.has(`${stem}.${format}`)) ? null : jsonFile(folder, name);
  }
  const format = ending.slice(1) as TextFormat;
  const metadata = isTable(format) ? mappingFileOf(name) : `${stem}.json`;
  return { path, stem, format, metadataPath: all.has(metadata) ? `${folder}/${metadata}` : null };
}
