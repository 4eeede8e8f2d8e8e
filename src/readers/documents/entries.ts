import { countEach, groupBy } from '../../catalogue/group.ts';
import { slug } from '../../catalogue/id.ts';
import { lazy } from '../../catalogue/lazy.ts';
import { writableId } from '../schema/event-ids.ts';
import { importedKind } from '../schema/file-kinds.ts';
import type { SourceText, TextFinding } from '../schema/finding.ts';
import { noReading, type SourceFile, type TextDrafts } from '../schema/reading.ts';
import type { TableMapping } from '../schema/source-types.ts';
import { readFrontMatter, type Page } from './front-matter.ts';
import { openRows, parsers, readDocumentRows, type OpenedRows } from './read-documents.ts';
import type { Document } from './rows.ts';
import { DocumentError, type ParsedText } from './value.ts';

/** Reads a folder in which each file is an event, as a table. */
export function readFolder(files: readonly SourceText[], file: SourceFile): TextDrafts {
  const rows = openFolder(files, file.stem, file.mapping);
  return 'problem' in rows ? noReading(rows) : readDocumentRows(rows, file);
}

/** Returns the rows of a folder, whose name is `name`, or why there are none. */
export function openFolder(
  files: readonly SourceText[],
  name: string,
  mapping: TableMapping | undefined,
  isSample = false,
): OpenedRows | TextFinding {
  const { languages, ...entries } = readEntries(files, name, mapping?.lang ?? null);
  if (languages.length > 0)
    return {
      problem: { code: 'several-languages', languages },
      offset: 0,
    };
  if (files.length === 0)
    return {
      problem: { code: 'no-entries', passedOver: '' },
      offset: 0,
    };
  const rows = openRows(entries.documents, mapping, isSample);
  if ('problem' in rows) return rows;
  return {
    ...rows,
    findings: entries.findings,
    warnings: [...entries.warnings, ...rows.warnings],
    unpublished: new Map([...entries.passedOver, ...rows.unpublished]),
  };
}

export interface Entries {
  readonly documents: readonly Document[];
  /** The number of files that are passed over, by what they are. */
  readonly passedOver: ReadonlyMap<string, number>;
  readonly findings: readonly TextFinding[];
  readonly warnings: readonly TextFinding[];
  /** The languages of the files, if one of them has to be chosen. */
  readonly languages: readonly string[];
}

/** A file that can be an event. */
interface Entry extends SourceText {
  /** The name without its ending and its language; for `index.md` the name of its folder. */
  readonly name: string;
  /** The path without its language. Translations of a file have one. */
  readonly plainPath: string;
  /** In the path, in lower case. */
  readonly language: string | null;
  /** What the page says that it is in. */
  readonly saidLanguage: string | null;
  /** Null if it has no front matter, or cannot be read. */
  readonly page: Page | null;
  readonly finding: TextFinding | null;
}

/**
 * Reads the files of a folder: each is an event. Pages hold it in their front matter. If there are
 * no pages, each file of data holds one.
 *
 * @param folder the name of the folder
 * @param language which one to take of files such as `fair.de.md` and `fair.fr.md`
 */
export function readEntries(
  files: readonly SourceText[],
  folder: string,
  language: string | null,
): Entries {
  const hasPages = files.some(
    ({ file }) => parserOf(file) === undefined && reasonToPass(file, folder) === null,
  );
  const reasonOf = ({ file }: SourceText): string | null => {
    const isSettings = hasPages && parserOf(file) !== undefined;
    return reasonToPass(file, folder) ?? (isSettings ? 'settings' : null);
  };
  const entries = files.filter((file) => reasonOf(file) === null).map(readEntry);
  const { chosen, languages } = chooseLanguage(entries, language?.toLowerCase() ?? null);
  const passedOver = countEach(files.flatMap((file) => reasonOf(file) ?? []));
  const empty = chosen.filter(({ page, finding }) => page === null && finding === null);
  if (chosen.length < entries.length)
    passedOver.set('other languages', entries.length - chosen.length);
  if (empty.length > 0) passedOver.set('pages without front matter', empty.length);
  const times = countEach(chosen.map(({ name }) => name));
  return {
    documents: chosen.flatMap((entry) => documentOf(entry, times.get(entry.name) === 1)),
    passedOver,
    findings: chosen.flatMap(({ finding }) => finding ?? []),
    warnings: chosen.flatMap(warningsOf),
    languages,
  };
}

function warningsOf({ file, page }: Entry): TextFinding[] {
  return (page?.warnings ?? []).map((warning) => {
    const first = warning.first && { ...warning.first, file };
    return { ...warning, file, first };
  });
}

/** Returns the parser of a file of data. Undefined for a page. */
function parserOf(path: string): ((text: string) => ParsedText) | undefined {
  const kind = importedKind(path);
  return kind !== null && kind in parsers ? parsers[kind as keyof typeof parsers] : undefined;
}

/** Returns what a file is if it is no event, by its path. */
function reasonToPass(path: string, folder: string): string | null {
  const parts = path.split('/');
  const name = parts.pop() ?? '';
  const stem = name.slice(0, name.indexOf('.'));
  if (parts.includes('_drafts')) return 'pages in _drafts';
  if (parts.includes('archetypes')) return 'templates';
  if (/^_?index$/.test(stem) && (stem === '_index' || parts.length === 0)) return 'lists';
  if ([...parts, name].some((part) => /^[_.]/.test(part))) return 'templates';
  if (/^(?:readme|template)$/i.test(stem)) return 'templates';
  const isNamedSo = stem === (parts.at(-1) ?? folder) || name.includes('.11tydata.');
  return isNamedSo && parserOf(path) !== undefined ? 'settings' : null;
}

const languageCode = '[a-z]{2}(?:-[a-z]{2,4})?';
const languageInName = new RegExp(String.raw`\.(${languageCode})(?=\.\w+$)`, 'i');
/** `de/index.md` is about what its folder is named after. */
const languageFolder = new RegExp(String.raw`(?:^|(?<=/))(${languageCode})/(?!index\.)`, 'i');

function readEntry({ file, text }: SourceText): Entry {
  const inPath = [languageInName.exec(file), languageFolder.exec(file)].find(isLanguage) ?? null;
  const parts = file.replace(languageInName, '').split('/');
  const stem = (parts.pop() ?? '').replace(/\.\w+$/, '');
  const entry = {
    file,
    text,
    name: stem === 'index' ? (parts.at(-1) ?? stem) : stem,
    plainPath: inPath === null ? file : file.replace(inPath[0], ''),
    language: inPath?.[1]?.toLowerCase() ?? null,
  };
  try {
    const page = readPage(file, text);
    return {
      ...entry,
      page,
      saidLanguage: languageOf(page),
      finding: null,
    };
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    const finding = { ...error.finding, file };
    return {
      ...entry,
      page: null,
      saidLanguage: null,
      finding,
    };
  }
}

const languageNames = lazy(
  () => new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }),
);

/** Whether two letters in a path name a language, and not a state or a department. */
function isLanguage(match: RegExpExecArray | null): boolean {
  const [language] = match?.[1]?.split('-') ?? [];
  return language !== undefined && languageNames().of(language.toLowerCase()) !== undefined;
}

function readPage(file: string, text: string): Page | null {
  const parse = parserOf(file);
  if (parse === undefined) return readFrontMatter(text);
  const { documents, warnings } = parse(text);
  const [data] = documents;
  return data === undefined ? null : { data, warnings, body: '' };
}

function languageOf(page: Page | null): string | null {
  const entries = page?.data.kind === 'mapping' ? page.data.entries : null;
  const language = entries?.get('lang') ?? entries?.get('locale');
  return language?.kind === 'text' ? language.text.toLowerCase() || null : null;
}

/** Chooses one of the files that hold an event in several languages. */
function chooseLanguage(entries: readonly Entry[], wanted: string | null) {
  const unclear = new Set<string>();
  const chosen: Entry[] = [];
  for (const same of groupBy(entries, ({ plainPath }) => plainPath).values()) {
    const plain = same.find(({ language }) => language === null);
    const entry = same.find(({ language }) => language === wanted) ?? plain;
    chosen.push(...(entry === undefined ? same.slice(0, 1) : [entry]));
    if (entry === undefined && same.length > 1)
      for (const { language } of same) unclear.add(language ?? '');
  }
  // Of pages that say their languages, nobody knows which are translations of each other.
  const said = new Set(chosen.flatMap(({ saidLanguage }) => saidLanguage ?? []));
  if (said.size > 1 && wanted === null) for (const code of said) unclear.add(code);
  const isOther = (code: string | null) =>
    said.size > 1 && wanted !== null && code !== null && code !== wanted;
  return {
    chosen: chosen.filter(({ saidLanguage }) => !isOther(saidLanguage)),
    languages: [...unclear].sort(),
  };
}

function documentOf({ file, text, name, page }: Entry, isAlone: boolean): Document[] {
  if (page === null) return [];
  const [day = ''] = /^\d{4}-\d\d-\d\d(?![^-_])/.exec(name) ?? [];
  const [, year = day.slice(0, 4)] = /(?:^|\/)((?:19|20)\d\d)\//.exec(file) ?? [];
  const id = isAlone ? name : file.replace(/(?:\/index)?\.[^/]*$/, '');
  const facts = {
    id: writableId(slug(id)),
    'file.date': day,
    'file.year': year,
  };
  return [{ file, text, value: page.data, facts: new Map(Object.entries(facts)), body: page.body }];
}
