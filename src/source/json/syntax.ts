import { createRequire } from 'node:module';
import type * as Jsonc from 'jsonc-parser';
import type { JsonPath, TextFinding } from '../finding.ts';

/** Nesting beyond this is refused before anything recursive looks at it; the format needs three. */
const mostNesting = 64;

/** The longest text whose faults are looked for one by one, in characters: that takes some hundred times its memory. */
export const mostExplained = 4 * 1024 * 1024;

/** The value of a JSON text; undefined where it is not JSON, or is long and nested deep. */
export function parseJson(text: string): unknown {
  if (text.length > mostExplained && deepOffset(text) !== null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Whether a JSON text may hold an object with the same key twice, which JSON.parse would pass over in silence.
 * `value` is what was parsed. Counts what looks like keys; only a text with more of them than the value has is scanned.
 */
export function hasDuplicateKeys(text: string, value: unknown): boolean {
  let seeming = 0;
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) if (followsQuote(text, at)) seeming++;
  return seeming !== countKeys(value) && findDuplicateKeys(text).length > 0;
}

/** Whether a quotation mark stands before this place of a JSON text, with nothing between them but white space. */
function followsQuote(text: string, at: number): boolean {
  let before = at - 1;
  while (isWhiteSpace(text.charCodeAt(before))) before--;
  return text.charCodeAt(before) === quoteMark;
}

/** What is wrong with a text as JSON: nesting, syntax, keys that stand twice. Empty where nothing is. */
export function findTextFaults(text: string): TextFinding[] {
  const deep = findDeepNesting(text);
  if (deep !== null) return [deep];
  const syntax = findSyntaxError(text);
  return syntax === null ? findDuplicateKeys(text) : [syntax];
}

/** The offset of a value, of a key in the object there, or of the nearest thing around it that exists. */
export type Locator = (path: JsonPath, key?: string) => number;

/** Where values and keys stand in a text that {@link findTextFaults} finds nothing deep or broken in. */
export function locateIn(text: string): Locator {
  const root = jsonc().parseTree(text);
  return (path, key) => {
    const node = nearestNode(root, path);
    const property = node?.children?.find(({ children }) => key !== undefined && children?.[0]?.value === key);
    return (property ?? node)?.offset ?? 0;
  };
}

/** Whether a code unit is what JSON takes for white space. */
function isWhiteSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

let loaded: typeof Jsonc | null = null;

/** Loaded when there is something to report, and not before. */
function jsonc(): typeof Jsonc {
  loaded ??= createRequire(import.meta.url)('jsonc-parser') as typeof Jsonc;
  return loaded;
}

/** Only ever called with values that fit a shape, so it goes three levels deep at the most. */
function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let keys = 0;
  if (Array.isArray(value)) {
    for (const item of value) keys += countKeys(item);
    return keys;
  }
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key];
    keys += typeof inner === 'object' ? 1 + countKeys(inner) : 1;
  }
  return keys;
}

function nearestNode(root: Jsonc.Node | undefined, path: JsonPath): Jsonc.Node | undefined {
  for (let length = path.length; root && length >= 0; length--) {
    const node = jsonc().findNodeAtLocation(root, path.slice(0, length));
    if (node) return node;
  }
  return root;
}

function findDeepNesting(text: string): TextFinding | null {
  const offset = deepOffset(text);
  return offset === null ? null : { problem: { code: 'nested-too-deep', most: mostNesting }, offset };
}

/** Where brackets are nested too deep; null where nowhere. Holds nothing of the text, however it is made. */
function deepOffset(text: string): number | null {
  let [depth, isInString] = [0, false];
  for (let offset = 0; offset < text.length; offset++) {
    const code = text.charCodeAt(offset);
    if (code === quoteMark) isInString = !isInString;
    else if (isInString) offset += code === backslash ? 1 : 0;
    else if (code === openBrace || code === openBracket) {
      if (++depth > mostNesting) return offset;
    } else if (code === closeBrace || code === closeBracket) depth--;
  }
  return null;
}

const [quoteMark, backslash, openBracket, closeBracket, openBrace, closeBrace] = [34, 92, 91, 93, 123, 125] as const;

function findSyntaxError(text: string): TextFinding | null {
  const errors: Jsonc.ParseError[] = [];
  jsonc().parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [first] = errors;
  if (first === undefined && parseJson(text) !== undefined) return null;
  const offset = first?.offset ?? 0;
  const bracket = bracketAfterComma(text, offset);
  const problem =
    bracket === null
      ? { found: syntaxWords(text, first), remedy: 'mend it here' }
      : { found: `found a comma before "${bracket}"`, remedy: 'take the comma away' };
  return { problem: { code: 'invalid-json', ...problem }, offset };
}

/** The bracket that ends a list or an object here, where a comma stands before it; null elsewhere. */
function bracketAfterComma(text: string, offset: number): string | null {
  const character = text.charAt(offset);
  return /[\]}]/.test(character) && text.slice(0, offset).trimEnd().endsWith(',') ? character : null;
}

function syntaxWords(text: string, error: Jsonc.ParseError | undefined): string {
  if (text.trim() === '') return 'found an empty file';
  if (error === undefined) return 'found text that is not JSON';
  if (error.offset >= text.trimEnd().length) return 'found the end of the file too early';
  const kind = jsonc().printParseErrorCode(error.error);
  const words = kind.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return `found ${JSON.stringify(text.slice(error.offset, error.offset + Math.max(1, Math.min(error.length, 20))))} (${words})`;
}

function findDuplicateKeys(text: string): TextFinding[] {
  const findings: TextFinding[] = [];
  const open: Map<string, number>[] = [];
  jsonc().visit(text, {
    onObjectBegin: () => void open.push(new Map()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty: (key, offset) => {
      const earlier = open.at(-1)?.get(key);
      if (earlier === undefined) open.at(-1)?.set(key, offset);
      else findings.push({ problem: { code: 'duplicate-key', key }, offset, firstOffset: earlier });
    },
  });
  return findings;
}
