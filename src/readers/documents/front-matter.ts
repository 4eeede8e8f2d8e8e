import { parseJsonDocument } from './json.ts';
import { parseToml } from './toml.ts';
import { DocumentError, mapping, type ParsedText, type Value } from './value.ts';
import { parseYaml } from './yaml.ts';

/** The front matter of a page, or a file of data, and the body that follows. */
export interface Page {
  readonly data: Value;
  readonly warnings: ParsedText['warnings'];
  readonly body: string;
}

interface Format {
  /** The line that opens it. */
  readonly fence: RegExp;
  /** The line that closes it. */
  readonly end: RegExp;
  readonly parse: (text: string) => ParsedText;
}

const closed = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/gm;
const formats: readonly Format[] = [
  { fence: /^---[ \t]*(?:ya?ml)?[ \t]*\r?\n/, end: closed, parse: parseYaml },
  { fence: /^---[ \t]*toml[ \t]*\r?\n/, end: closed, parse: parseToml },
  { fence: /^---[ \t]*json[ \t]*\r?\n/, end: closed, parse: parseJsonDocument },
  { fence: /^\+\+\+[ \t]*\r?\n/, end: /^\+\+\+[ \t]*(?:\r?\n|$)/gm, parse: parseToml },
  // The brackets belong to it.
  { fence: /^(?=\{\s*")/, end: /(?<=^\})[ \t]*(?:\r?\n|$)/gm, parse: parseJsonDocument },
];

/**
 * Reads the front matter of a page: YAML between `---`, TOML between `+++`, or a JSON object. Returns
 * null if the page has none. Offsets are those of the page.
 *
 * @throws {DocumentError} if the front matter is not closed, invalid, or no map
 */
export function readFrontMatter(text: string): Page | null {
  const format = formats.find(({ fence }) => fence.test(text));
  if (format === undefined) return null;
  const start = format.fence.exec(text)?.[0].length ?? 0;
  format.end.lastIndex = start;
  const end = format.end.exec(text);
  if (end === null) throw new DocumentError(reasons.open, 0);
  // Spaces in place of the first line keep the offsets.
  const { documents, warnings } = format.parse(
    text.slice(0, start).replace(/[^\n]/g, ' ') + text.slice(start, end.index),
  );
  const [data = mapping(0)] = documents;
  const isEmpty = data.kind === 'text' && data.text === '';
  if (data.kind !== 'mapping' && !isEmpty) throw new DocumentError(reasons.noMap, start);
  return {
    data: data.kind === 'mapping' ? data : mapping(0),
    warnings,
    body: text.slice(end.index + end[0].length),
  };
}

const reasons = {
  open: 'found front matter without an end; close it with the line that opens it',
  noMap: 'found front matter that is no map; expected lines such as "title: Spring quiz"',
} as const;

/** Marks of Markdown, HTML and of the languages of templates, and what remains of them. */
const marks: readonly (readonly [RegExp, string])[] = [
  [/\{\{[<%][\s\S]{0,500}?[>%]\}\}|\{\{[\s\S]{0,500}?\}\}|\{%[\s\S]{0,500}?%\}/g, ''],
  [/^(?:import|export)\s.*$/gm, ''],
  [/<!--[\s\S]{0,5000}?-->/g, ''],
  [/!\[[^\]]*\]\([^)]*\)/g, ''],
  [/\[([^\]]*)\]\([^)]*\)/g, '$1'],
  [/<\/?[A-Za-z][^>]{0,500}>/g, ''],
  [/^(?:#{1,6}|>)\s+/gm, ''],
  [/(\*\*|__)(?=\S)(.+?)\1/g, '$2'],
  [/\n{3,}/g, '\n\n'],
];

/** Returns the body of a page as plain text, without shortcodes. */
export function bodyText(body: string): string {
  let text = body.replaceAll('\r\n', '\n');
  for (const [mark, rest] of marks) text = text.replace(mark, rest);
  return text.trim();
}
