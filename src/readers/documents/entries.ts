import { groupBy } from '../../catalogue/group.ts';
import { slug } from '../../catalogue/id.ts';
import { writableId } from '../schema/event-ids.ts';
import type { SourceText, TextFinding } from '../schema/finding.ts';
import { readFrontMatter } from './front-matter.ts';
import { parseJsonDocument } from './json.ts';
import type { Document } from './rows.ts';
import { parseToml } from './toml.ts';
import { DocumentError, type ParsedText } from './value.ts';
import { parseYaml } from './yaml.ts';

export interface Entries {
  readonly documents: readonly Document[];
  /** The number of files that are passed over, by what they are. */
  readonly passedOver: ReadonlyMap<string, number>;
  readonly findings: readonly TextFinding[];
  readonly warnings: readonly TextFinding[];
  /** The languages in the names of the files, if one of them has to be chosen. */
  readonly languages: readonly string[];
}

const dataParsers: Readonly<Record<string, (text: string) => ParsedText>> = {
  yaml: parseYaml,
  yml: parseYaml,
  json: parseJsonDocument,
  toml: parseToml,
};

/** The endings of files that can be events. */
export const entryEndings = ['md', 'markdown', 'mdx', 'html', ...Object.keys(dataParsers)];

interface Entry extends SourceText {
  /** The name without its ending and its language; for `index.md` the name of its folder. */
  readonly name: string;
  readonly ending: string;
  readonly language: string | null;
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
  const passedOver = new Map<string, number>();
  const hasPages = files.some(({ file }) => !isData(file) && reasonToPass(file, folder) === null);
  const entries = files.flatMap((source) => {
    const isSettings = hasPages && isData(source.file) ? 'settings' : null;
    const reason = reasonToPass(source.file, folder) ?? isSettings;
    if (reason === null) return [entryOf(source)];
    passedOver.set(reason, (passedOver.get(reason) ?? 0) + 1);
    return [];
  });
  const chosen = chooseLanguage(entries, language);
  if (chosen.others > 0) passedOver.set('other languages', chosen.others);
  const names = groupBy(chosen.entries, ({ name }) => name);
  const read = chosen.entries.map(readEntry);
  const withoutData = read.filter(({ value, finding }) => value === null && finding === null);
  if (withoutData.length > 0) passedOver.set('pages without front matter', withoutData.length);
  return {
    documents: read.flatMap((entry) => documentOf(entry, names)),
    passedOver,
    findings: read.flatMap(({ file, finding }) =>
      finding === null ? [] : [placed(finding, file)],
    ),
    warnings: read.flatMap(({ file, warnings }) =>
      warnings.map((warning) => placed(warning, file)),
    ),
    languages: chosen.unclear,
  };
}

function isData(path: string): boolean {
  return Object.hasOwn(dataParsers, endingOf(path));
}

function endingOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1).toLowerCase();
}

/** Returns what a file is if it is no event, by its path. */
function reasonToPass(path: string, folder: string): string | null {
  const parts = path.split('/');
  const name = parts.pop() ?? '';
  const stem = name.slice(0, name.indexOf('.'));
  if (parts.includes('archetypes')) return 'templates';
  if (/^_?index$/.test(stem) && (stem === '_index' || parts.length === 0)) return 'lists';
  if ([...parts, name].some((part) => /^[_.]/.test(part))) return 'templates';
  if (/^(?:readme|template)$/i.test(stem)) return 'templates';
  const isOfFolder =
    isData(path) && (stem === (parts.at(-1) ?? folder) || name.includes('.11tydata.'));
  return isOfFolder ? 'settings' : null;
}

function entryOf({ file, text }: SourceText): Entry {
  const parts = file.split('/');
  const last = parts.pop() ?? '';
  const [, stem = '', code, ending = ''] =
    /^(.+?)(?:\.([a-z]{2}(?:-[a-z]{2,4})?))?\.(\w+)$/i.exec(last) ?? [];
  const name = stem === 'index' ? (parts.at(-1) ?? stem) : stem;
  return {
    file,
    text,
    name,
    ending: ending.toLowerCase(),
    language: code?.toLowerCase() ?? null,
  };
}

/** Chooses one of the files that hold an event in several languages. */
function chooseLanguage(entries: readonly Entry[], language: string | null) {
  const chosen: Entry[] = [];
  const unclear = new Set<string>();
  for (const same of groupBy(entries, withoutLanguage).values()) {
    const wanted = same.find((entry) => entry.language === language?.toLowerCase());
    const plain = same.find((entry) => entry.language === null);
    const [first] = same;
    if (first !== undefined) chosen.push(wanted ?? plain ?? first);
    if (wanted === undefined && plain === undefined && same.length > 1)
      for (const { language: code } of same) unclear.add(code ?? '');
  }
  return {
    entries: chosen,
    others: entries.length - chosen.length,
    unclear: [...unclear].sort(),
  };
}

function withoutLanguage({ file, language }: Entry): string {
  return language === null ? file : file.replace(/\.[^./]+(?=\.[^./]+$)/, '');
}

function readEntry(entry: Entry) {
  const nothing = {
    ...entry,
    value: null,
    body: '',
    finding: null,
    warnings: [],
  };
  try {
    const parse = dataParsers[entry.ending];
    if (parse === undefined) {
      const page = readFrontMatter(entry.text);
      return page === null
        ? nothing
        : {
            ...nothing,
            ...page,
            value: page.data,
          };
    }
    const { documents, warnings } = parse(entry.text);
    return {
      ...nothing,
      value: documents[0] ?? null,
      warnings,
    };
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return {
      ...nothing,
      finding: error.finding,
    };
  }
}

function documentOf(
  { file, text, name, value, body }: ReturnType<typeof readEntry>,
  names: ReadonlyMap<string, readonly Entry[]>,
): Document[] {
  if (value === null) return [];
  const [day = ''] = /^\d{4}-\d\d-\d\d(?![^-_])/.exec(name) ?? [];
  const [, year = day.slice(0, 4)] = /(?:^|\/)((?:19|20)\d\d)\//.exec(file) ?? [];
  const isAlone = names.get(name)?.length === 1;
  const id = isAlone ? name : file.replace(/(?:\/index)?\.[^/]*$/, '');
  const facts = {
    id: writableId(slug(id)),
    'file.date': day,
    'file.year': year,
  };
  return [{ file, text, value, facts: new Map(Object.entries(facts)), body }];
}

function placed({ first, ...finding }: TextFinding, file: string): TextFinding {
  return first === undefined
    ? { ...finding, file }
    : {
        ...finding,
        file,
        first: { ...first, file },
      };
}
