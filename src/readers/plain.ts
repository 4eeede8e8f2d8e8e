import { decodeHTMLStrict } from 'entities/decode';
import { hasAtMostCharacters } from '../catalogue/id.ts';
import { lineBreak } from '../catalogue/text.ts';
import { maxDescriptionCharacters, maxNameCharacters } from './schema/rules.ts';

/**
 * Makes a text one line without white space at its ends, and shortens it to the maximum length of a
 * title.
 */
export function plain(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return cut(line, maxNameCharacters);
}

function cut(text: string, most: number): string {
  if (hasAtMostCharacters(text, most)) return text;
  const start = [...text].slice(0, most - 1).join('');
  return `${start.trimEnd()}…`;
}

/**
 * Makes a description plain text of at most 2,000 characters, without markup. Its blocks become
 * lines.
 */
export function plainLines(raw: string): string {
  const text = tag.test(raw) ? withoutMarkup(raw) : withoutEntities(raw);
  const lines = text.replace(lineBreak, '\n').split('\n');
  const joined = lines.map((line) => line.replace(/[^\S\n]+|\p{Cc}+/gu, ' ').trim()).join('\n');
  const plainText = joined.replace(/\n{3,}/g, '\n\n').toWellFormed();
  return cut(plainText.trim(), maxDescriptionCharacters);
}

/**
 * The start or the end of an element. Not an address in angle brackets, such as
 * `<https://example.org>`.
 */
const tag = /<\/?[a-z][a-z0-9]*(?:[\s/][^<>]*)?>/i;
const tags = new RegExp(tag.source, 'gi');

/** Returns a text without the elements and entities of HTML in it. */
export function withoutMarkup(html: string): string {
  const text = html
    .replace(/<(?:br|\/p|\/div|\/li|\/h[1-6]|\/tr)(?:[\s/][^<>]*)?>/gi, '\n')
    .replace(tags, '');
  return withoutEntities(text);
}

/** Returns a name without the HTML in it. What only looks like an element stays: `Vec<T>`. */
export function withoutHtml(text: string): string {
  if (/<\/[a-z]|<br\b/i.test(text)) return withoutMarkup(text);
  return /&(?:amp|quot|nbsp|#\d+);/.test(text) ? withoutEntities(text) : text;
}

/**
 * Returns a text with the characters that its entities of HTML stand for. A name without its
 * semicolon is none, because the text is none of HTML, and may be an address.
 */
export function withoutEntities(text: string): string {
  return text.includes('&') ? decodeHTMLStrict(text) : text;
}
