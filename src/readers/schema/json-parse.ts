import { parseJson as parsePlain } from '../../catalogue/text.ts';

/** The limit of nested brackets. The format needs three. */
export const maxNesting = 64;

/**
 * The longest text whose errors are located, in characters. Locating them takes about a hundred
 * times its memory.
 */
export const maxExplainedCharacters = 4 * 1024 * 1024;

/**
 * Returns the value of a JSON text, or undefined if the text is not JSON, or is long and nested too
 * deep.
 */
export function parseJson(text: string): unknown {
  const isTooDeep = text.length > maxExplainedCharacters && findDeepNesting(text) !== null;
  return isTooDeep ? undefined : parsePlain(text);
}

/**
 * Whether an object in a JSON text may have the same key twice, which JSON.parse accepts. `value`
 * is the parsed text. Compares the number of keys in the value with the number of colons after a
 * quotation mark in the text. They also differ if a string contains such a colon.
 */
export function mayRepeatKeys(text: string, value: unknown): boolean {
  let colons = 0;
  while (colonAfterQuote.test(text)) colons++;
  return colons !== countKeys(value);
}

const colonAfterQuote = /"[ \t\r\n]*:/g;

/**
 * Returns the offset of the first bracket that is nested too deep, or null. Needs no memory,
 * however long the text is.
 */
export function findDeepNesting(text: string): number | null {
  let [depth, isInString] = [0, false];
  for (let offset = 0; offset < text.length; offset++) {
    const code = text.charCodeAt(offset);
    if (code === quoteMark) isInString = !isInString;
    else if (isInString) offset += code === backslash ? 1 : 0;
    else if (code === openBrace || code === openBracket) {
      if (++depth > maxNesting) return offset;
    } else if (code === closeBrace || code === closeBracket) depth--;
  }
  return null;
}

const [quoteMark, backslash, openBracket, closeBracket, openBrace, closeBrace] = [
  34, 92, 91, 93, 123, 125,
] as const;

/** Recursive, but only called with values of a valid shape, which are at most three levels deep. */
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

/** Returns the type of a JSON value in words; `nothing` for undefined. */
export function describeType(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : withArticle(typeof value);
}

/** Returns a type of JSON with its article: `an array`, `a whole number`. */
export function withArticle(type: string): string {
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`.replace(/^an int$/, 'a whole number');
}
