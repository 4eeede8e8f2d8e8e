import { maxDescriptionCharacters, maxNameCharacters } from '../schema/rules.ts';
import type { TableColumn } from '../table/columns.ts';

/** An object of JSON-LD, whose keys are terms of schema.org (`name`) or keywords (`@id`). */
export type Node = Readonly<Record<string, unknown>>;

/** The cells of an event by the columns of a table. */
export type Cells = Partial<Record<TableColumn, string>>;

/** Whether a value is an object of JSON-LD, and no list. */
export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the values of a property, which may be one, a list, or an object that holds a list. */
export function list(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.length === 1 ? list(value[0]) : value;
  if (isNode(value) && ('@list' in value || '@set' in value))
    return list(value['@list'] ?? value['@set']);
  return value === undefined || value === null ? [] : [value];
}

/** A text is cut before any other work, to a few times what is published of it. */
const maxText = maxNameCharacters * 5;
export const maxLongText = maxDescriptionCharacters * 5;

/**
 * Returns the first text of a property. A number is one too, and so are a typed value and the first
 * language of several.
 */
export function textOf(value: unknown, most: number = maxText): string {
  const [first] = list(value);
  if (isNode(first)) {
    const keys = '@value' in first ? ['@value'] : Object.keys(first);
    const [key = ''] = keys;
    return keys.every((name) => languageKey.test(name)) ? textOf(first[key], most) : '';
  }
  if (typeof first === 'number') return String(first);
  return typeof first === 'string' ? first.slice(0, most).trim() : '';
}

const languageKey = /^(?:@value|@none|(?!id$)[a-z]{2}(?:-[A-Za-z\d]{2,8})*)$/;

/** Returns all texts of a property. */
export function textsOf(value: unknown): string[] {
  return list(value)
    .slice(0, maxValues)
    .map((item) => textOf(item))
    .filter((text) => text !== '');
}

/** Returns a text as it is written, or a word for an object in its place, which cannot be read. */
export function writtenOf(value: unknown): string {
  return textOf(value) || (list(value).some((item) => item !== '') ? 'an object' : '');
}

/** The most values of a property that are read. */
export const maxValues = 1000;

/** Returns the address of a property: a text, or the id or url of an object. */
export function addressOf(value: unknown): string {
  const [first] = list(value);
  if (!isNode(first)) return textOf(first, maxLongText);
  const keys = ['@id', '@value', 'url', 'contentUrl'];
  return keys.map((key) => textOf(first[key], maxLongText)).find((text) => text !== '') ?? '';
}

/** Returns the term that an address or a compact address ends with: `schema:EventCancelled/`. */
export function termOf(text: string): string {
  const end = text.trim().replace(/\/+$/, '');
  return end.slice(Math.max(end.lastIndexOf('/'), end.lastIndexOf('#'), end.lastIndexOf(':')) + 1);
}

/**
 * Returns the terms that a value of an enumeration may mean: it is a text, an address, or an object
 * that has the term as its id or its name, else as its type.
 */
export function termsOf(value: unknown): string[] {
  return list(value)
    .slice(0, maxValues)
    .flatMap((item) => {
      if (!isNode(item)) return [textOf(item)];
      const texts = ['@id', '@value', 'name', 'url'].flatMap((key) => textsOf(item[key]));
      return texts.length > 0 ? texts : textsOf(item['@type']);
    })
    .map(termOf)
    .filter((term) => term !== '');
}
