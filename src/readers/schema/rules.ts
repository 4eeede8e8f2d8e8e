import { idPattern, maxGenreIdCharacters, maxIdCharacters, slug } from '../../catalogue/id.ts';
import { companions } from '../../catalogue/model.ts';
import { findTextProblem, plainWords, withoutLineBreaks } from '../../catalogue/text.ts';
import { readBaseUrl } from '../../api/address.ts';
import {
  hasCredentials,
  isHttpsUrl,
  maxUrlCharacters,
  parseUrl,
  withoutCredentials,
} from '../../catalogue/url.ts';
import { isStart, readStart } from '../../catalogue/time/start.ts';
import { isZone, nearestZone } from '../../catalogue/time/zone.ts';
import { findSecret } from './addresses.ts';
import { columnWords, wordSet } from './column-words.ts';
import { isCountry, readCountry } from './country.ts';
import { isLanguage } from '../../catalogue/language.ts';
import { nearest } from '../../problem/nearest.ts';
import { textFormatNames } from './file-kinds.ts';

export const maxNameCharacters = 200;
export const maxLicenceCharacters = 2000;
export const maxDescriptionCharacters = 2000;
export const maxTags = 10;
export const maxExceptions = 400;

/** What an event may say about whether it takes place, and how people attend it. */
export const statuses = ['confirmed', 'tentative', 'postponed', 'cancelled'] as const;
export const attendances = ['in-person', 'online', 'hybrid'] as const;

/** The orders in which the dates of a table may be written. */
export const dateOrders = ['iso', 'd.m.y', 'd/m/y', 'm/d/y'] as const;
export type DateOrder = (typeof dateOrders)[number];

export const exceptRule = 'a date such as 2027-04-05 on which the event happens by its rule';
const idRule = `lower-case letters a-z, digits and single hyphens between them, at most ${maxIdCharacters} characters`;

const none = (): null => null;

/** The rules for texts. Each returns a problem or null. The schemas name the rule of each field. */
export const textRules = {
  name: (text: string) => findTextProblem(text, maxNameCharacters),
  licence: (text: string) => findTextProblem(text, maxLicenceCharacters),
  description: (text: string) => findTextProblem(withoutLineBreaks(text), maxDescriptionCharacters),
  status: choiceOf(statuses),
  companion: choiceOf(companions),
  attendance: choiceOf(attendances),
  pages: choiceOf(['all', 'genres', 'home']),
  'date-order': choiceOf(dateOrders),
  preset: choiceOf(['hugoblox']),
  'text-format': choiceOf(textFormatNames),
  'ignored-columns': choiceOf(
    ['others'],
    'a list of columns, or "others" for all that are not named',
  ),
  tag: valueRule(isId, idRule, slugOf, 'tag'),
  id: valueRule(isId, idRule, slugOf, 'id'),
  'former-genre': valueRule(
    isGenreId,
    'the public id of a genre, such as drama-tv',
    none,
    'former id',
  ),
  'former-subject': valueRule(
    isSubjectId,
    'the id of a subject of the same genre, such as severance, or of another genre, such as drama-tv/severance',
    none,
    'former id',
  ),
  url: valueRule(
    isHttpsUrl,
    'an address that begins with https://, of at most 2,000 characters without white space',
    proposeUrl,
  ),
  image: valueRule(
    isHttpsUrl,
    'the https:// address of a picture; one of your own can be in public/ next to the data folder',
    (text) => (/^http:/i.test(text) ? proposeUrl(text) : null),
  ),
  'base-url': (text: string) =>
    readBaseUrl(text) === null
      ? ({
          code: 'bad-base-url',
          found: withoutCredentials(text),
          from: 'service.json',
        } as const)
      : null,
  'source-url': (text: string) =>
    // A secret has a problem of its own, which does not show it.
    isSourceUrl(text) || findSecret(text) !== null
      ? null
      : ({
          code: 'bad-source-url',
          found: withoutCredentials(text),
        } as const),
  'source-file': valueRule(
    (path) =>
      !/^[/~]|\\|^[a-z]:|(?:^|\/)\.\.(?:\/|$)/i.test(path) && path.trim() === path && path !== '',
    'a path from the folder that holds the data folder, such as _data/events.yml, with forward slashes and without ..',
    none,
    'file',
  ),
  language: valueRule(isLanguage, 'a BCP 47 tag such as en or pt-BR'),
  zone: (text: string) =>
    isZone(text)
      ? null
      : ({
          code: 'unknown-zone',
          found: text,
          nearest: abbreviations[text.toUpperCase()] ?? nearestZone(text),
        } as const),
  except: valueRule((text) => {
    const start = readStart(text, null);
    return isStart(start) && start.precision === 'day';
  }, exceptRule),
  country: valueRule(
    isCountry,
    'a code of two capital letters from ISO 3166-1, such as DE',
    readCountry,
  ),
  'edit-url': valueRule(
    (text) => text.includes('{path}') && isHttpsUrl(text.replaceAll('{path}', 'path')),
    'an https address with {path}, such as https://github.com/me/fairs/edit/main/data/{path}',
  ),
  colour: valueRule(
    (text) => /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(text),
    'a colour such as #8f2d0f or #fa0',
  ),
  boolean: valueRule(
    (text) => /^(true|false)$/i.test(text),
    'true, false, yes, no, 1, 0 or an empty cell',
  ),
  number: valueRule(
    (text) => /^[+-]?\d+(\.\d+)?$/.test(text),
    'a decimal number with a point, such as 52.52',
    (text) => (/^[+-]?\d+,\d+$/.test(text) ? text.replace(',', '.') : null),
  ),
  authority: valueRule(
    (text) => /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(text),
    'a name in the form of a host name, such as events.example.org',
  ),
};
export type TextRule = keyof typeof textRules;

/**
 * Returns the rule of texts that must be as `expected` says.
 *
 * @param propose returns the most likely meaning of a wrong text, or null
 * @param key the name of the text in messages. Default: the name of its field
 */
function valueRule(
  isValid: (text: string) => boolean,
  expected: string,
  propose: (text: string) => string | null = none,
  key?: string,
) {
  return (text: string) =>
    isValid(text)
      ? null
      : ({
          code: 'bad-value',
          found: text,
          expected,
          proposal: propose(text),
          ...(key !== undefined && { key }),
        } as const);
}

export const abbreviations: Readonly<Record<string, string>> = columnWords.zones;

/** `www.example.org` → `https://www.example.org` */
function proposeUrl(text: string): string | null {
  const isAddress = /^(?:https?:)?\/\/|^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?:\/|$)/i.test(text);
  const proposal = `https://${text.replace(/^(?:https?:)?\/\//i, '')}`;
  return isAddress && isHttpsUrl(proposal) ? proposal : null;
}

function choiceOf(allowed: readonly string[], expected = `one of ${allowed.join(', ')}`) {
  const propose = (text: string): string | null =>
    readChoice(text, allowed) ?? nearest(text, allowed);
  const rule = valueRule((text) => allowed.includes(text), expected, propose);
  return Object.assign(rule, { allowed });
}

/**
 * Returns the allowed status or attendance that a word in a language of the pages means, or null.
 */
export function readChoice(text: string, allowed: readonly string[]): string | null {
  // What schema.org calls EventCancelled.
  const term = text.replace(/^(?:https?:\/\/schema\.org\/)?Event(?=[A-Z])/, '');
  const word = plainWords(term.replace(/^[([*\s]+|[)\]*!.\s]+$/g, ''));
  return allowed.find((choice) => choice === word || choices.get(choice)?.has(word)) ?? null;
}

const choices = new Map(
  Object.entries(columnWords.choices).map(([choice, list]) => [choice, wordSet(list)]),
);

function slugOf(text: string): string | null {
  const proposal = text.length > maxNameCharacters ? '' : slug(text);
  return isId(proposal) ? proposal : null;
}

/** A field that one text can give, such as the cell of a table. */
export interface Field<Type = 'string' | 'boolean' | 'number' | 'list'> {
  readonly type: Type;
  /** The rule of the text, or of each text of a list. */
  readonly format?: TextRule;
  readonly minimum?: number;
  /** The greatest number, or the most texts of a list. */
  readonly maximum?: number;
}

/**
 * Returns the value that a text gives a field, as JSON files have it. Spaces or commas separate the
 * texts of a list.
 */
export function valueOfText({ type }: Field, text: string): string | number | boolean | string[] {
  if (type === 'list') return text.split(/[\s,;]+/).filter((part) => part !== '');
  if (type === 'boolean') return text.toLowerCase() === 'true';
  return type === 'number' ? Number(text) : text;
}

/**
 * Returns the problem of a number that is less than `minimum` or greater than `maximum`, or null.
 */
export function findRangeProblem(key: string, value: number, range: Omit<Field, 'type'>) {
  const { minimum = -Infinity, maximum = Infinity } = range;
  if (value >= minimum && value <= maximum) return null;
  const bound = value < minimum ? `at least ${minimum}` : `at most ${maximum}`;
  const expected = key.endsWith('itude') ? `${bound} (are latitude and longitude swapped?)` : bound;
  return {
    code: 'bad-value',
    key,
    found: String(value),
    expected,
    proposal: null,
  } as const;
}

/** Returns the problem of a place that has only one of the two coordinates, or null. */
export function findHalfPair(place: { readonly latitude?: unknown; readonly longitude?: unknown }) {
  const [present, missing] = ['latitude', 'longitude'] as const;
  if ((place.latitude === undefined) === (place.longitude === undefined)) return null;
  const problem =
    place.latitude === undefined
      ? {
          found: missing,
          missing: present,
        }
      : { found: present, missing };
  return {
    code: 'incomplete-place',
    ...problem,
  } as const;
}

/**
 * Whether a source may be fetched from an address: https, or http on this machine, without a user
 * name.
 */
export function isSourceUrl(url: string): boolean {
  if (url.length > 2 * maxUrlCharacters || hasCredentials(url)) return false;
  if (isHttpsUrl(url)) return true;
  const address =
    url.length <= maxUrlCharacters && /^http:\/\/[^\s\p{Cc}]+$/u.test(url) ? parseUrl(url) : null;
  return address !== null && ['localhost', '127.0.0.1', '[::1]'].includes(address.hostname);
}

/** A calendar with more of the past would grow without end. */
export const maxPastDays = 3660;

/**
 * Whether a text is a valid id of an event, or a valid name of a folder or of a file without its
 * extension.
 */
export function isId(id: string): boolean {
  return id.length <= maxIdCharacters && idPattern.test(id);
}

function isGenreId(id: string): boolean {
  return id.length <= maxGenreIdCharacters && idPattern.test(id);
}

function isSubjectId(id: string): boolean {
  const [subject = '', genre, ...rest] = id.split('/').toReversed();
  return isId(subject) && (genre === undefined || isGenreId(genre)) && rest.length === 0;
}

/**
 * Whether a text is an id that can name a file or a folder. Windows reserves some names, with any
 * extension.
 */
export function isFileId(id: string): boolean {
  return isId(id) && !/^(?:con|prn|aux|nul|(?:com|lpt)\d)$/.test(id);
}
