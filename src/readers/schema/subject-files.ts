/**
 * The formats besides subject files. A calendar or page holds one subject, a table names its
 * subjects itself.
 */
const formats = {
  ics: 'calendar',
  jsonld: 'calendar',
  csv: 'table',
  json: 'table',
  almanac: 'table',
} as const;
export type TextFormat = keyof typeof formats;

export const textFormatNames = Object.keys(formats) as TextFormat[];

/**
 * Whether the files of a format name their subjects themselves, so that the file's name does not
 * matter.
 */
export function isTable(format: string): boolean {
  return Object.hasOwn(formats, format) && formats[format as TextFormat] === 'table';
}

/** A file of a genre folder that subjects are read from. Paths are relative to the data folder. */
export interface SubjectFile {
  readonly path: string;
  readonly stem: string;
  readonly format: 'subject' | 'remote' | TextFormat;
  /**
   * The JSON file that gives the name and url of a calendar's subject, or the mapping of a table.
   * Null if there is none.
   */
  readonly metadataPath: string | null;
}

type RepeatedSubject = Readonly<Record<'id' | 'path' | 'definedBy', string>>;

/** The ending of remote sources. */
export const remoteEnding = '.source.json';
const mappingEnding = '.columns.json';
const endings = [remoteEnding, mappingEnding, '.json', '.ics', '.csv'];

/**
 * The endings of the files, besides `{subject}.json`, whose name is the id of their only subject.
 */
export const otherSubjectEndings = ['.ics', remoteEnding];

/** The names that subject files may have, in words. */
export const subjectFileNames =
  '{subject}.json, {subject}.ics, {subject}.source.json, {table}.csv and {table}.columns.json';

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
  const mappings = names.filter((name) => name.endsWith(mappingEnding));
  const tables = mappings.map((name) => ({ name, stem: name.slice(0, -mappingEnding.length) }));
  const alone = tables.filter(
    ({ stem }) => !names.includes(`${stem}.csv`) && !names.includes(`${stem}.json`),
  );
  return alone.map(({ name, stem }) => ({ name, table: `${stem}.csv` }));
}

/**
 * Returns the subject files of a genre folder in the order of `names`, and the files that repeat a
 * subject.
 */
export function subjectFilesIn(
  folder: string,
  names: readonly string[],
): { files: SubjectFile[]; repeated: RepeatedSubject[] } {
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

function subjectFileOf(folder: string, name: string, all: ReadonlySet<string>): SubjectFile | null {
  const ending = subjectFileEnding(name) ?? '';
  if (ending === mappingEnding) return null;
  const stem = name.slice(0, name.length - ending.length);
  const path = `${folder}/${name}`;
  const beside = (other: string): string | null =>
    all.has(stem + other) ? `${folder}/${stem}${other}` : null;
  if (ending === remoteEnding) return { path, stem, format: 'remote', metadataPath: null };
  const mapping = beside(mappingEnding);
  if (ending === '.csv') return { path, stem, format: 'csv', metadataPath: mapping };
  if (ending === '.ics') return { path, stem, format: 'ics', metadataPath: beside('.json') };
  if (mapping !== null && beside('.csv') === null)
    return { path, stem, format: 'json', metadataPath: mapping };
  return beside('.ics') === null ? { path, stem, format: 'subject', metadataPath: null } : null;
}
