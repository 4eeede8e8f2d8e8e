import { idPattern, maxGenreIdCharacters, maxIdCharacters, slug } from '../catalogue/id.ts';
import { companions } from '../catalogue/model.ts';
import { findTextProblem, withoutLineBreaks } from '../catalogue/text.ts';
import { readBaseUrl } from '../api/address.ts';
import { hasCredentials, isHttpsUrl, maxUrlCharacters, parseUrl, withoutCredentials } from '../catalogue/url.ts';
import { isStart, readStart } from '../catalogue/time/start.ts';
import { isZone, nearestZone } from '../catalogue/time/zone.ts';
import { isCountry, nearestCountry } from './country.ts';
import { isLanguage, nearestLanguage } from './language.ts';
import { nearest } from '../problem/nearest.ts';
import { isTextFormat, textFormatNames } from './subject-files.ts';

export const maxNameCharacters = 200;
export const maxLicenceCharacters = 2000;
export const maxDescriptionCharacters = 2000;
export const maxTags = 10;
export const maxExceptions = 400;

/** What an event may say about whether it takes place, and how people attend it. */
export const statuses = ['confirmed', 'tentative', 'postponed', 'cancelled'] as const;
export const attendances = ['in-person', 'online', 'hybrid'] as const;

/** The rules for texts. Each returns what is wrong, or null. The schemas name the rule of each field. */
export const textRules = {
  name: (found: string) => findTextProblem(found, maxNameCharacters),
  licence: (found: string) => findTextProblem(found, maxLicenceCharacters),
  description: (found: string) => findTextProblem(withoutLineBreaks(found), maxDescriptionCharacters),
  status: (found: string) => findChoiceProblem(found, statuses),
  companion: (found: string) => findChoiceProblem(found, companions),
  attendance: (found: string) => findChoiceProblem(found, attendances),
  tag: (found: string) => {
    if (isId(found)) return null;
    const proposal = found.length > maxNameCharacters ? '' : slug(found);
    return { code: 'bad-tag', found, proposal: isId(proposal) ? proposal : null } as const;
  },
  id: (found: string) => (isId(found) ? null : ({ code: 'bad-id', found } as const)),
  'former-genre': (found: string) =>
    isGenreId(found) ? null : ({ code: 'bad-former-id', found, of: 'genre' } as const),
  'former-subject': (found: string) =>
    isSubjectId(found) ? null : ({ code: 'bad-former-id', found, of: 'subject' } as const),
  url: (found: string) => (isHttpsUrl(found) ? null : ({ code: 'bad-url', found } as const)),
  'base-url': (found: string) =>
    readBaseUrl(found) === null
      ? ({ code: 'bad-base-url', found: withoutCredentials(found), from: 'service.json' } as const)
      : null,
  'source-url': (found: string) =>
    isSourceUrl(found) ? null : ({ code: 'bad-source-url', found: withoutCredentials(found) } as const),
  language: (found: string) =>
    isLanguage(found) ? null : ({ code: 'bad-language', found, nearest: nearestLanguage(found) } as const),
  zone: (found: string) =>
    isZone(found) ? null : ({ code: 'unknown-zone', found, nearest: nearestZone(found) } as const),
  except: (found: string) => {
    const start = readStart(found, null);
    return isStart(start) && start.precision === 'day' ? null : ({ code: 'bad-except', found } as const);
  },
  country: (found: string) =>
    isCountry(found) ? null : ({ code: 'unknown-country', found, nearest: nearestCountry(found) } as const),
  'edit-url': (found: string) =>
    found.includes('{path}') && isHttpsUrl(found.replaceAll('{path}', 'path'))
      ? null
      : ({ code: 'bad-edit-url', found } as const),
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

/** A field that one text can give, such as the cell of a table. */
export interface Field<Type = 'string' | 'boolean' | 'number' | 'list'> {
  readonly type: Type;
  /** The rule of the text, or of each text of a list. */
  readonly format?: TextRule;
  readonly minimum?: number;
  /** The greatest number, or the most texts of a list. */
  readonly maximum?: number;
}

/** Returns the value that a text gives a field, as JSON files have it. Spaces or commas separate the texts of a list. */
export function valueOfText({ type }: Field, text: string): string | number | boolean | string[] {
  if (type === 'list') return text.split(/[\s,;]+/).filter((one) => one !== '');
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

function findChoiceProblem(found: string, allowed: readonly string[]) {
  if (allowed.includes(found)) return null;
  return { code: 'bad-choice', found, allowed, nearest: nearest(found, allowed) } as const;
}

/** Whether a source may be fetched from an address: https, or http on this machine, without a user name. */
export function isSourceUrl(url: string): boolean {
  if (url.length > 2 * maxUrlCharacters || hasCredentials(url)) return false;
  if (isHttpsUrl(url)) return true;
  const address = url.length <= maxUrlCharacters && /^http:\/\/[^\s\p{Cc}]+$/u.test(url) ? parseUrl(url) : null;
  return address !== null && ['localhost', '127.0.0.1', '[::1]'].includes(address.hostname);
}

/** A calendar with more of the past would grow without end. */
export const maxPastDays = 3660;

/** Which pages for people a site has: all, those of categories and genres, or only the home page. */
export const pageSwitches = ['all', 'genres', 'home'] as const;

/** The orders in which the dates of a table may be written. */
export const dateOrders = ['iso', 'd.m.y', 'd/m/y', 'm/d/y'] as const;
export type DateOrder = (typeof dateOrders)[number];

/** Whether a text is a valid id of an event, or a valid name of a folder or of a file without its extension. */
export function isId(id: string): boolean {
  return id.length <= maxIdCharacters && idPattern.test(id);
}

function isGenreId(id: string): boolean {
  return id.length <= maxGenreIdCharacters && idPattern.test(id);
}

function isSubjectId(id: string): boolean {
  const [subject = '', genre, ...others] = id.split('/').toReversed();
  return isId(subject) && (genre === undefined || isGenreId(genre)) && others.length === 0;
}

/** Whether a text is an id that can name a file or a folder. Windows reserves some names, with any extension. */
export function isFileId(id: string): boolean {
  return isId(id) && !/^(?:con|prn|aux|nul|(?:com|lpt)\d)$/.test(id);
}
