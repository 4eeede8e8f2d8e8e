import { hasAtMostCharacters } from './id.ts';

type TextProblem =
  | { readonly code: 'empty-text' }
  | { readonly code: 'text-too-long'; readonly length: number; readonly most: number }
  | { readonly code: 'outer-white-space'; readonly found: string }
  | { readonly code: 'control-character'; readonly codePoint: number }
  | { readonly code: 'lone-surrogate'; readonly codePoint: number };

/**
 * Returns the first rule for texts that is broken, or null. `most` is the maximum number of code
 * points.
 */
export function findTextProblem(text: string, most: number): TextProblem | null {
  if (text === '') return { code: 'empty-text' };
  const control = controlCharacter.exec(text);
  if (control !== null)
    return {
      code: 'control-character',
      codePoint: control[0].charCodeAt(0),
    };
  if (!text.isWellFormed()) {
    return {
      code: 'lone-surrogate',
      codePoint: loneSurrogate.exec(text)?.[0].charCodeAt(0) ?? 0,
    };
  }
  if (text.trim().length !== text.length)
    return {
      code: 'outer-white-space',
      found: text,
    };
  return hasAtMostCharacters(text, most)
    ? null
    : {
        code: 'text-too-long',
        length: [...text].length,
        most,
      };
}

/** Control characters for a character class that every regular expression engine understands. */
export const controls = '\\u0000-\\u001f\\u007f-\\u009f';
const controlCharacter = new RegExp(`[${controls}]`);
const loneSurrogate = /\p{Cs}/u;

/** Returns the value of a JSON text, or undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The line breaks that a description may contain. They are published as line feeds. */
export const lineBreak = /\r\n?|\n/g;

/** Returns a description as one line, to check it by the rules of a text. */
export function withoutLineBreaks(description: string): string {
  return description.replace(lineBreak, ' ');
}

/** Returns a name without case and accents, for comparisons. */
export function plainWords(name: string): string {
  return name.trim().normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
