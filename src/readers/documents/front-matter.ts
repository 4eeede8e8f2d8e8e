import { parseJsonDocument } from './json.ts';
import { parseToml } from './toml.ts';
import { DocumentError, type Mapping, type ParsedText } from './value.ts';
import { parseYaml } from './yaml.ts';

/** The front matter of a page, and where its body begins. */
export interface Page {
  readonly data: Mapping;
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
  if (end === null) {
    const reason = 'found front matter without an end; close it with the line that opens it';
    throw new DocumentError({ code: 'bad-document', reason }, 0);
  }
  // Spaces in place of the first line keep the offsets.
  const { documents, warnings } = format.parse(
    text.slice(0, start).replace(/[^\n]/g, ' ') + text.slice(start, end.index),
  );
  const [data = { kind: 'mapping', entries: new Map(), offset: 0 }] = documents;
  const body = text.slice(end.index + end[0].length);
  if (data.kind === 'mapping') return { data, warnings, body };
  if (data.kind === 'text' && data.text === '')
    return {
      data: { kind: 'mapping', entries: new Map(), offset: 0 },
      warnings,
      body,
    };
  const reason = 'found front matter that is no map; expected lines such as "title: Spring quiz"';
  throw new DocumentError({ code: 'bad-document', reason }, start);
}
