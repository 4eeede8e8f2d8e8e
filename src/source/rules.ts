import { parseUrl } from '../catalogue/url.ts';
import { idPattern, hasAtMostCharacters, maxIdCharacters } from '../catalogue/id.ts';

/** What a text of one key must be; each rule stands here once, for the shape, the quick check and the editor's schema. */

export const mostNameCharacters = 200;
export const mostLicenceCharacters = 2000;
const mostUrlCharacters = 2000;

/** What is wrong with a text, the key it stands for aside. */
export type TextFault =
  | { readonly code: 'empty-text' }
  | { readonly code: 'text-too-long'; readonly length: number; readonly most: number }
  | { readonly code: 'outer-white-space'; readonly found: string }
  | { readonly code: 'control-character'; readonly codePoint: number }
  | { readonly code: 'lone-surrogate'; readonly codePoint: number };

/** A text of 1 to `most` code points, no white space at its ends, no control character, no half of a character. */
export function textFault(text: string, most: number = mostNameCharacters): TextFault | null {
  if (text.length <= most && ordinary.test(text)) return null;
  if (text === '') return { code: 'empty-text' };
  const control = controlCharacter.exec(text);
  if (control !== null) return { code: 'control-character', codePoint: control[0].charCodeAt(0) };
  if (!text.isWellFormed()) {
    return { code: 'lone-surrogate', codePoint: loneSurrogate.exec(text)?.[0].charCodeAt(0) ?? 0 };
  }
  if (text.trim().length !== text.length) return { code: 'outer-white-space', found: text };
  return hasAtMostCharacters(text, most) ? null : { code: 'text-too-long', length: [...text].length, most };
}

/**
 * An absolute https address without white space or control characters, published as written. Its length is bounded
 * because that of a subject stands in each of its events.
 */
export function isHttpsUrl(url: string): boolean {
  if (!hasAtMostCharacters(url, mostUrlCharacters)) return false;
  // Most are of ASCII, where the one that takes no address apart is right, and several times faster.
  if (plainHttpsUrl.test(url)) return URL.canParse(url);
  return httpsUrl.test(url) && url.isWellFormed() && parseUrl(url) !== null;
}

/**
 * An address that a source may be fetched from: https, or http on this very machine. Without a user name or password:
 * `fetch` sends none, and the address is printed and kept.
 */
export function isSourceUrl(url: string): boolean {
  if (hasCredentials(url)) return false;
  if (isHttpsUrl(url)) return true;
  const address = /^http:\/\/[^\s\p{Cc}]+$/u.test(url) ? parseUrl(url) : null;
  return address !== null && ['localhost', '127.0.0.1', '[::1]'].includes(address.hostname);
}

/** Whether a user name or password stands in an address, as `fetch` reads it: with any number of slashes before it. */
export function hasCredentials(url: string): boolean {
  return credentials.test(url);
}

/** An address to be printed or kept, without the user name and password in it. */
export function withoutCredentials(url: string): string {
  return url.replace(credentials, '$1…@');
}

/** An id of an event, and the name of a folder or a file without its extension. */
export function isId(id: string): boolean {
  return id.length <= maxIdCharacters && idPattern.test(id);
}

/** What most texts are: letters of the common alphabets, without white space at the ends. That is quick to see. */
const ordinary =
  /^[!-~\u00a1-\u167f\u2010-\u2027](?:[ -~\u00a1-\u167f\u2010-\u2027]*[!-~\u00a1-\u167f\u2010-\u2027])?$/;
/** Control characters, for a class of a pattern that any program can read. */
export const controls = '\\u0000-\\u001f\\u007f-\\u009f';
const controlCharacter = new RegExp(`[${controls}]`);
const loneSurrogate = /\p{Cs}/u;
const plainHttpsUrl = /^https:\/\/[!-~]+$/;
const httpsUrl = /^https:\/\/[^\s\p{Cc}]+$/u;
/** White space and quotation marks that were copied along may stand before it. */
const credentials = /^([\s"'<]*(?![\s"'<])(?:[a-z][a-z\d+.-]*:)?[/\\]*)[^/\\?#]*@/i;
