import type { SubjectOrigin } from '../../catalogue/model.ts';

/** A kind of file of a genre folder, or of text that a remote source sends. */
export interface FileKind {
  /** The ending of its files, `/` for a folder. Absent: only remote sources send it. */
  readonly ending?: string;
  /** Another ending of its files. */
  readonly alias?: string;
  /** Whether it is a folder in which each file is an event. */
  readonly isFolder?: true;
  /**
   * `subject`: the JSON form of one subject. `one subject`: its id is the file's name. `rows`: a
   * table that names its subjects. `subjects`: other subjects with ids of their own. `source`: where
   * a remote source is.
   */
  readonly holds: 'subject' | 'one subject' | 'rows' | 'subjects' | 'source';
  /** The ending of the JSON file next to it: the mapping of a table, or the name of a subject. */
  readonly companion?: string;
  /** Without its companion, a file with this ending is of another kind. */
  readonly needsCompanion?: true;
  /** Its name as the `format` of a remote source. */
  readonly format?: string;
  /** The keys of a mapping that a remote source may have. */
  readonly mappingKeys?: readonly MappingKey[];
  /** The endings that `almanac import` accepts for it, and what it is called there. */
  readonly imports?: readonly string[];
  readonly label?: string;
  /** What the addresses of such texts have. */
  readonly address?: RegExp;
  /** Whether its text must be UTF-8, like that of our own JSON files. */
  readonly isOurs?: true;
  /** What declares the former ids of its subjects. */
  readonly origin: SubjectOrigin;
}

const mappingKeys = [
  'rows',
  'columns',
  'dates',
  'subject',
  'title',
  'zone',
  'ignore',
  'skip',
  'lang',
  'preset',
] as const;
type MappingKey = (typeof mappingKeys)[number];

const mappingEnding = '.columns.json';
const table = {
  holds: 'rows',
  companion: mappingEnding,
  mappingKeys,
  origin: 'table',
} as const;

/** One row for each kind of file. Nothing else decides what a file is. */
export const fileKinds = {
  subject: { ending: '.json', holds: 'subject', isOurs: true, origin: 'file' },
  calendar: {
    ending: '.ics',
    holds: 'one subject',
    companion: '.json',
    format: 'ics',
    mappingKeys: ['zone'],
    imports: ['.ics'],
    label: 'calendar',
    address: /\.ics\b|\bical\b|^webcal/i,
    origin: 'calendar',
  },
  remote: { ending: '.source.json', holds: 'source', isOurs: true, origin: 'file' },
  page: { holds: 'one subject', format: 'jsonld', mappingKeys: ['zone'], origin: 'file' },
  csv: {
    ...table,
    ending: '.csv',
    format: 'csv',
    imports: ['.csv', '.tsv', '.txt'],
    label: 'table',
    address: /\.(?:csv|tsv)\b|(?:output|format)=csv/i,
  },
  json: {
    ...table,
    ending: '.json',
    needsCompanion: true,
    format: 'json',
    imports: ['.json'],
    address: /\.json\b/i,
    label: 'list',
  },
  yaml: {
    ...table,
    ending: '.yaml',
    alias: '.yml',
    format: 'yaml',
    imports: ['.yaml', '.yml'],
    address: /\.ya?ml\b/i,
    label: 'YAML',
  },
  toml: {
    ...table,
    ending: '.toml',
    format: 'toml',
    imports: ['.toml'],
    address: /\.toml\b/i,
    label: 'TOML',
  },
  entries: { ...table, ending: '/', isFolder: true, format: 'entries' },
  catalogue: { holds: 'subjects', format: 'almanac', isOurs: true, origin: 'table' },
} as const satisfies Readonly<Record<string, FileKind>>;

export type FileKindName = keyof typeof fileKinds;
type Row = (typeof fileKinds)[FileKindName];

/** A format of remote sources. */
export type TextFormat = Extract<Row, { format: string }>['format'];
/** A kind of file that a reader reads. */
export type TextKind = {
  [Name in FileKindName]: (typeof fileKinds)[Name] extends { format: string } ? Name : never;
}[Exclude<FileKindName, 'entries'>];
/** A kind of file or folder that a reader reads. */
export type ReadKind = TextKind | 'entries';

interface NamedKind extends FileKind {
  readonly name: FileKindName;
}

const kinds: readonly NamedKind[] = Object.entries<FileKind>(fileKinds).map(([name, kind]) => ({
  name: name as FileKindName,
  ...kind,
}));

export const textFormatNames = kinds.flatMap((kind) => kind.format ?? []) as TextFormat[];

/** Returns the kind of the texts that a remote source with this format sends. */
export function kindOfFormat(format: TextFormat): ReadKind {
  return kinds.find((kind) => kind.format === format)?.name as ReadKind;
}

/** Whether the files of a kind name their subjects, so that the file's name does not matter. */
export function namesSubjects(name: FileKindName): boolean {
  const { holds } = fileKinds[name];
  return holds === 'rows' || holds === 'subjects';
}

/** A file of a genre folder that subjects are read from. Paths are relative to the data folder. */
export interface SubjectFile {
  readonly path: string;
  readonly stem: string;
  readonly kind: FileKindName;
  /**
   * The JSON file that gives the name and url of a calendar's subject, or the mapping of a table.
   * Null if there is none.
   */
  readonly metadataPath: string | null;
}

interface RepeatedSubject extends Readonly<Record<'id' | 'path' | 'definedBy', string>> {
  readonly isTable: boolean;
}

function endingsOf({ ending, alias }: Pick<FileKind, 'ending' | 'alias'>): string[] {
  return [ending, alias].filter((text) => text !== undefined);
}

/** The longest first: `.columns.json` is also `.json`. */
const endings = [
  ...new Set(kinds.flatMap((kind) => [endingsOf(kind), kind.companion ?? []].flat())),
].toSorted((a, b) => b.length - a.length);

/** The endings, besides `{subject}.json`, of files whose name is the id of their only subject. */
export const otherSubjectEndings = kinds.flatMap(({ name, ending }) =>
  ending === undefined || name === 'subject' || namesSubjects(name) ? [] : ending,
);

/** The names that subject files may have, in words. */
export const subjectFileNames = namesInWords();

function namesInWords(): string {
  const ownKinds = kinds.filter((kind) => kind.ending !== undefined && !kind.needsCompanion);
  const names = ownKinds.map(({ name, ending }) =>
    namesSubjects(name) ? `{table}${ending}` : `{subject}${ending}`,
  );
  return `${names.join(', ')} and {table}${mappingEnding}`;
}

/** Returns the ending that makes a file a subject file, or null if it is not one. */
export function subjectFileEnding(name: string): string | null {
  return endings.find((ending) => name.endsWith(ending)) ?? null;
}

/** Whether a file says where a remote source is. */
export function isRemoteFile(name: string): boolean {
  return name.endsWith(fileKinds.remote.ending);
}

/** Returns the path of a remote source file without its ending. */
export function remoteStem(path: string): string {
  return path.slice(0, -fileKinds.remote.ending.length);
}

/** Returns the path of the file that has the mapping of a table. */
export function mappingFileOf(path: string): string {
  return path.replace(/(?:\/|\.[^./]*)$/, mappingEnding);
}

/** Returns the names of mappings without a table next to them, and the name of that table. */
export function mappingsWithoutTable(names: readonly string[]): { name: string; table: string }[] {
  const all = new Set(names);
  const mappings = names.filter((name) => name.endsWith(mappingEnding));
  return mappings.flatMap((name) => {
    const stem = name.slice(0, -mappingEnding.length);
    const tables = kinds.filter(({ companion }) => companion === mappingEnding);
    const isAlone = !tables.flatMap(endingsOf).some((ending) => all.has(stem + ending));
    return isAlone ? [{ name, table: `${stem}${fileKinds.csv.ending}` }] : [];
  });
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
  const tables = new Map<string, string>();
  const files: SubjectFile[] = [];
  const repeated: RepeatedSubject[] = [];
  for (const name of names) {
    const file = subjectFileOf(folder, name, all);
    if (file === null) continue;
    const { path, stem: id } = file;
    // Tables of one name would have one mapping.
    const isNamed = namesSubjects(file.kind);
    const first = isNamed ? tables : definedBy;
    const earlier = first.get(id);
    if (earlier === undefined) files.push(file);
    else
      repeated.push({
        id,
        path,
        definedBy: earlier,
        isTable: isNamed,
      });
    first.set(id, earlier ?? path);
  }
  return { files, repeated };
}

/** Returns null for the companion of another file. */
function subjectFileOf(folder: string, name: string, all: ReadonlySet<string>): SubjectFile | null {
  const ending = subjectFileEnding(name) ?? '';
  const stem = name.slice(0, name.length - ending.length);
  const hasFile = (end = '') => end !== '' && all.has(stem + end);
  const isOwner = (companion: string, kind: NamedKind) =>
    kind.companion === companion && endingsOf(kind).some(hasFile);
  const candidates = kinds.filter((kind) => endingsOf(kind).includes(ending));
  const list = candidates.find((kind) => {
    const { name: kindName, companion = '', needsCompanion } = kind;
    const isTaken = kinds.some((other) => other.name !== kindName && isOwner(companion, other));
    return needsCompanion && hasFile(companion) && !isTaken;
  });
  const isCompanion = kinds.some((kind) => isOwner(ending, kind));
  const plain = isCompanion ? undefined : candidates.find((kind) => !kind.needsCompanion);
  const kind = list ?? plain;
  if (kind === undefined) return null;
  const metadataPath = hasFile(kind.companion) ? `${folder}/${stem}${kind.companion}` : null;
  return {
    path: `${folder}/${name}`,
    stem,
    kind: kind.name,
    metadataPath,
  };
}

/** Returns the kind of a file that `almanac import` reads, by the end of its name. */
export function importedKind(name: string): TextKind | null {
  const lower = name.toLowerCase();
  const kind = kinds.find(({ imports }) => imports?.some((ending) => lower.endsWith(ending)));
  return (kind?.name ?? null) as TextKind | null;
}

/** Returns the likely format of a text at an address: that of web pages if nothing else shows. */
export function formatOfAddress(text: string): string {
  return kinds.find(({ address }) => address?.test(text))?.format ?? fileKinds.page.format;
}

/** Returns the kind of a file or folder that is read where it is. Null if its name does not say. */
export function kindOfPath(path: string): ReadKind | null {
  const isFolder = /(?:^|\/)[^./]+\/?$/.test(path);
  return isFolder ? 'entries' : importedKind(path);
}

/** The endings that `almanac import` accepts. */
export const importEndings = kinds.flatMap((kind) => kind.imports ?? []);

/** The endings of files that can be events of a folder: pages, and files of data. */
export const entryEndings: readonly string[] = [
  '.md',
  '.markdown',
  '.mdx',
  '.html',
  ...[fileKinds.yaml, fileKinds.json, fileKinds.toml].flatMap(({ imports }) => imports),
];

/** What `almanac import` accepts: "calendar (.ics), table (.csv) or list (.json)". */
export const importNames = inWords(
  kinds.flatMap(({ label, ending }) => (label === undefined ? [] : `${label} (${ending})`)),
);

/** The endings of tables: ".csv or .json". */
export const tableEndings = inWords(
  kinds.flatMap(({ holds, ending }) => (holds === 'rows' && ending ? ending : [])),
);

function inWords(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

/** Returns the keys of a mapping that the file of a remote source has. */
export function mappingKeysOf(source: Readonly<Record<string, unknown>>): MappingKey[] {
  return mappingKeys.filter((key) => source[key] !== undefined);
}
