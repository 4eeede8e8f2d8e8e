import { hasAtMostCharacters, idPattern, maxIdCharacters } from '../catalogue/id.ts';
import { hasCredentials, parseUrl, readBaseUrl, withoutCredentials } from '../catalogue/url.ts';
import { isZone, nearestZone } from '../catalogue/time/zone.ts';
import { isCountry, nearestCountry } from './country.ts';
import { isTextFormat, textFormatNames } from './subject-files.ts';

export const maxNameCharacters = 200;
export const maxLicenceCharacters = 2000;
const maxUrlCharacters = 2000;

/**
 * The rules for texts. Each returns what is wrong with a text, or null. The schemas of the source files name the rule
 * of each field. From there it applies to JSON files, to the columns of tables and to the generated validators.
 */
export const textRules = {
  name: (found: string) => findTextProblem(found, maxNameCharacters),
  licence: (found: string) => findTextProblem(found, maxLicenceCharacters),
  id: (found: string) => (isId(found) ? null : ({ code: 'bad-id', found } as const)),
  url: (found: string) => (isHttpsUrl(found) ? null : ({ code: 'bad-url', found } as const)),
  'base-url': (found: string) =>
    readBaseUrl(found) === null
      ? ({ code: 'bad-base-url', found: withoutCredentials(found), from: 'service.json' } as const)
      : null,
  'source-url': (found: string) =>
    isSourceUrl(found) ? null : ({ code: 'bad-source-url', found: withoutCredentials(found) } as const),
  language: (found: string) => (isLanguage(found) ? null : ({ code: 'bad-language', found } as const)),
  zone: (found: string) =>
    isZone(found) ? null : ({ code: 'unknown-zone', found, nearest: nearestZone(found) } as const),
  country: (found: string) =>
    isCountry(found) ? null : ({ code: 'unknown-country', found, nearest: nearestCountry(found) } as const),
  colour: (found: string) =>
    /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(found) ? null : ({ code: 'bad-accent', found } as const),
  pages: (found: string) =>
    pageSwitches.some((one) => one === found) ? null : ({ code: 'bad-pages', found } as const),
  authority: (found: string) =>
    /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(found) ? null : ({ code: 'bad-authority', found } as const),
  'date-order': (found: string) =>
    dateOrders.some((one) => one === found) ? null : ({ code: 'bad-dates', found } as const),
  'ignored-columns': (found: string) => (found === 'others' ? null : ({ code: 'bad-ignore', found } as const)),
  'text-format': (found: string) =>
    isTextFormat(found) ? null : ({ code: 'bad-format', found, allowed: textFormatNames } as const),
};
export type TextRule = keyof typeof textRules;

/** Whether a text keeps a rule. The generated validators call these. */
export const keepsRule = Object.fromEntries(
  Object.entries(textRules).map(([rule, find]) => [rule, (text: string) => find(text) === null]),
) as Readonly<Record<TextRule, (text: string) => boolean>>;

/** A field that one text can give, such as the cell of a table. */
export interface Field<Type = 'string' | 'boolean' | 'number'> {
  readonly type: Type;
  readonly format?: TextRule;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Returns the value that a text gives a field, as JSON files have it. */
export function valueOfText({ type }: Field, text: string): string | number | boolean {
  if (type === 'boolean') return text.toLowerCase() === 'true';
  return type === 'number' ? Number(text) : text;
}

/** The coordinates of a place: which key needs which other. */
export const coordinatePair = { latitude: ['longitude'], longitude: ['latitude'] } as const;

/** Returns the problem of a place that has only one of the two coordinates, or null. */
export function findHalfPair(place: { readonly latitude?: unknown; readonly longitude?: unknown }) {
  const [latitude, longitude] = [place.latitude !== undefined, place.longitude !== undefined];
  if (latitude === longitude) return null;
  return latitude
    ? ({ code: 'half-coordinates', found: 'latitude', missing: 'longitude' } as const)
    : ({ code: 'half-coordinates', found: 'longitude', missing: 'latitude' } as const);
}

type TextProblem =
  | { readonly code: 'empty-text' }
  | { readonly code: 'text-too-long'; readonly length: number; readonly most: number }
  | { readonly code: 'outer-white-space'; readonly found: string }
  | { readonly code: 'control-character'; readonly codePoint: number }
  | { readonly code: 'lone-surrogate'; readonly codePoint: number };

/**
 * A text has 1 to `most` code points, no white space at its ends, no control character and no lone surrogate.
 * Returns the first rule that is broken, or null.
 */
export function findTextProblem(text: string, most: number): TextProblem | null {
  if (text.length <= most && ordinaryText.test(text)) return null;
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
 * Whether a text is an absolute https address without white space and control characters. It is published as written.
 * Its length is limited because the address of a subject is repeated in each of its events.
 */
export function isHttpsUrl(url: string): boolean {
  if (!hasAtMostCharacters(url, maxUrlCharacters)) return false;
  // For ASCII, `URL.canParse` is correct and several times faster than `parseUrl`.
  if (asciiHttpsUrl.test(url)) return URL.canParse(url);
  return httpsUrl.test(url) && url.isWellFormed() && parseUrl(url) !== null;
}

/**
 * Whether a source may be fetched from an address: https, or http on this machine. User names and passwords are
 * refused, because `fetch` does not send them and the address is printed and stored.
 */
export function isSourceUrl(url: string): boolean {
  if (url.length > 2 * maxUrlCharacters || hasCredentials(url)) return false;
  if (isHttpsUrl(url)) return true;
  const address = url.length <= maxUrlCharacters && /^http:\/\/[^\s\p{Cc}]+$/u.test(url) ? parseUrl(url) : null;
  return address !== null && ['localhost', '127.0.0.1', '[::1]'].includes(address.hostname);
}

/** Which pages for people a site has: all, those of categories and genres, or only the home page. */
export const pageSwitches = ['all', 'genres', 'home'] as const;

/** The orders in which the dates of a table may be written. */
export const dateOrders = ['iso', 'd.m.y', 'd/m/y', 'm/d/y'] as const;
export type DateOrder = (typeof dateOrders)[number];

/** Whether a text is a well-formed BCP 47 language tag. */
function isLanguage(tag: string): boolean {
  if (tag.length > maxNameCharacters) return false;
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** Whether a text is a valid id of an event, or a valid name of a folder or of a file without its extension. */
export function isId(id: string): boolean {
  return id.length <= maxIdCharacters && idPattern.test(id);
}

/** Whether a text is an id that can name a file or a folder. Windows reserves some names, with any extension. */
export function isFileId(id: string): boolean {
  return isId(id) && !/^(?:con|prn|aux|nul|(?:com|lpt)\d)$/.test(id);
}

/** Matches most texts quickly: characters of the common alphabets without white space at the ends. */
const ordinaryText =
  /^[!-~\u00a1-\u167f\u2010-\u2027](?:[ -~\u00a1-\u167f\u2010-\u2027]*[!-~\u00a1-\u167f\u2010-\u2027])?$/;
/** Control characters for a character class that every regular expression engine understands. */
export const controls = '\\u0000-\\u001f\\u007f-\\u009f';
const controlCharacter = new RegExp(`[${controls}]`);
const loneSurrogate = /\p{Cs}/u;
const asciiHttpsUrl = /^https:\/\/[!-~]+$/;
const httpsUrl = /^https:\/\/[^\s\p{Cc}]+$/u;
