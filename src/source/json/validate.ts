import type { z } from 'zod';
import { readBaseUrl } from '../../catalogue/url.ts';
import type * as schemas from './schemas.ts';
import { isTextFormat, type TextFormat } from '../formats.ts';
import { isHttpsUrl, isId, isSourceUrl, mostLicenceCharacters, textFault } from '../rules.ts';

/** The source files as values, typed by the schemas that explain what is wrong with them. */
export type ServiceSource = z.infer<typeof schemas.serviceSchema>;
export type NamedSource = z.infer<typeof schemas.categorySchema>;
export type NamingSource = z.infer<typeof schemas.namingSchema>;
export type RemoteSource = z.infer<typeof schemas.sourceSchema> & { readonly format: TextFormat };
export type EventSource = z.infer<typeof schemas.eventSchema>;
export type SubjectSource = z.infer<typeof schemas.subjectSchema>;

/** A kind of source file: which schema explains it, and a check without zod that says only yes or no. */
export interface Shape<T> {
  readonly schema: keyof typeof schemas;
  /** True exactly when the schema accepts the value; what it refuses, the schema explains. */
  readonly fits: (value: unknown) => value is T;
}

export const serviceShape: Shape<ServiceSource> = {
  schema: 'serviceSchema',
  fits: (value): value is ServiceSource =>
    hasKeys(value, serviceKeys) &&
    isText(value['name']) &&
    isText(value['license'], mostLicenceCharacters) &&
    isOptional(value['base_url'], isBaseUrl),
};

export const categoryShape: Shape<NamedSource> = { schema: 'categorySchema', fits: isNamed };
export const genreShape: Shape<NamedSource> = { schema: 'genreSchema', fits: isNamed };

export const namingShape: Shape<NamingSource> = {
  schema: 'namingSchema',
  fits: (value): value is NamingSource =>
    hasKeys(value, namingKeys) && isText(value['name']) && isOptional(value['url'], isUrl),
};

export const remoteShape: Shape<RemoteSource> = {
  schema: 'sourceSchema',
  fits: (value): value is RemoteSource =>
    hasKeys(value, remoteKeys) &&
    isOptional(value['name'], isText) &&
    isOptional(value['url'], isUrl) &&
    isString(value['source']) &&
    isSourceUrl(value['source']) &&
    isString(value['format']) &&
    isTextFormat(value['format']),
};

export const subjectShape: Shape<SubjectSource> = {
  schema: 'subjectSchema',
  fits: (value): value is SubjectSource =>
    hasKeys(value, subjectKeys) &&
    isText(value['name']) &&
    isOptional(value['url'], isUrl) &&
    Array.isArray(value['events']) &&
    value['events'].every(isEvent),
};

type Keys = Readonly<Record<string, true>>;
const serviceKeys = keys('$schema', 'name', 'license', 'base_url');
const namedKeys = keys('$schema', 'name');
const remoteKeys = keys('$schema', 'name', 'url', 'source', 'format');
const namingKeys = keys('$schema', 'name', 'url');
const subjectKeys = keys('$schema', 'name', 'url', 'events');
const eventKeys = keys('title', 'starts', 'zone', 'url', 'id', 'cancelled');

function keys(...names: string[]): Keys {
  return Object.freeze(
    Object.assign(Object.create(null), Object.fromEntries(names.map((name) => [name, true]))),
  ) as Keys;
}

function isNamed(value: unknown): value is NamedSource {
  return hasKeys(value, namedKeys) && isText(value['name']);
}

/** Whether a value has the shape of an event in a subject file. */
export function isEvent(value: unknown): boolean {
  return (
    hasKeys(value, eventKeys) &&
    isText(value['title']) &&
    isString(value['starts']) &&
    isOptional(value['zone'], isString) &&
    isOptional(value['url'], isUrl) &&
    isOptional(value['id'], isEventId) &&
    isOptional(value['cancelled'], isBoolean)
  );
}

function hasKeys(value: unknown, allowed: Keys): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  for (const key in value) if (allowed[key] !== true) return false;
  return isOptional((value as Record<string, unknown>)['$schema'], isString);
}

function isOptional(value: unknown, is: (value: unknown) => boolean): boolean {
  return value === undefined || is(value);
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean';
}

function isText(value: unknown, most?: number): boolean {
  return typeof value === 'string' && textFault(value, most) === null;
}

function isUrl(value: unknown): boolean {
  return typeof value === 'string' && isHttpsUrl(value);
}

function isBaseUrl(value: unknown): boolean {
  return typeof value === 'string' && readBaseUrl(value) !== null;
}

function isEventId(value: unknown): boolean {
  return typeof value === 'string' && isId(value);
}
