import { hasAtMostCharacters } from '../../catalogue/id.ts';
import type { Extra } from '../../catalogue/model.ts';
import { describeType } from './json-parse.ts';

/** The limits of the fields that only this catalogue has. */
export const extraLimits = {
  keys: 20,
  entries: 20,
  characters: 500,
  key: /^[a-z][a-z0-9_]{0,31}$/,
} as const;

const keyRule =
  'a name of at most 32 letters a-z, digits and underscores that begins with a letter';
const valueRule = `text of at most ${extraLimits.characters} characters, a number, true or false, or a list of at most ${extraLimits.entries} of these`;

/**
 * Returns everything that is wrong with own fields, and the key that has it. Null: all of them
 * together.
 */
export function findExtraProblems(value: unknown) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [badExtra(describeType(value), 'keys and values in curly brackets', null)];
  }
  const problems = Object.entries(value).flatMap(([key, inner]) => {
    if (!extraLimits.key.test(key)) return badExtra(`the key ${JSON.stringify(key)}`, keyRule, key);
    const values: unknown[] = Array.isArray(inner) ? inner : [inner];
    const isValid = values.length <= extraLimits.entries && values.every(isSimple);
    return isValid ? [] : badExtra(describeType(inner), valueRule, key);
  });
  const tooMany = findTooMany(value as Extra);
  return tooMany === null ? problems : [...problems, tooMany];
}

/** The name of a column of a table that gives a field, such as `extra.price_eur`. */
export const extraColumn = /^extra\.[a-z][a-z0-9_]{0,31}$/;

/**
 * Returns the value that a cell gives a field: a number or a boolean if it is written as in JSON,
 * otherwise a text.
 */
export function extraOfCell(text: string): string | number | boolean {
  if (/^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return /^-?(0|[1-9]\d{0,14})(\.\d+)?$/.test(text) ? Number(text) : text;
}

/**
 * Returns the problem of too many fields, counted together with the fields of the levels above, or
 * null.
 */
export function findTooMany(extra: Extra | null) {
  const keys = Object.keys(extra ?? {}).length;
  return keys <= extraLimits.keys
    ? null
    : badExtra(`${keys} keys`, `at most ${extraLimits.keys} of them`, null);
}

function badExtra(text: string, expected: string, key: string | null) {
  return {
    code: 'bad-extra',
    found: text,
    expected,
    key,
  } as const;
}

function isSimple(value: unknown): boolean {
  if (typeof value === 'string')
    return value.isWellFormed() && hasAtMostCharacters(value, extraLimits.characters);
  return typeof value === 'boolean' || Number.isFinite(value);
}

/**
 * Returns the own fields of a level merged with the fields of the level above. Null if there are
 * none.
 */
export function joinExtra(inner: Extra | undefined, above: Extra | null): Extra | null {
  if (inner === undefined || Object.keys(inner).length === 0) return above;
  return above === null ? inner : { ...above, ...inner };
}
