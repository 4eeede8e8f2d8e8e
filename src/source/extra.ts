import { hasAtMostCharacters } from '../catalogue/id.ts';
import type { Extra } from '../catalogue/model.ts';

/** The limits of the fields that only this catalogue has. */
export const extraLimits = { keys: 20, entries: 20, characters: 500, key: /^[a-z][a-z0-9_]{0,31}$/ } as const;

/** What is wrong with a value of `extra`, and the key that has it. Null: the object itself. */
interface ExtraProblem {
  readonly code: 'bad-extra';
  readonly found: string;
  readonly expected: string;
  readonly key: string | null;
}

const keyRule = 'a name of at most 32 letters a-z, digits and underscores that begins with a letter';
const valueRule = `text of at most ${extraLimits.characters} characters, a number, true or false, or a list of at most ${extraLimits.entries} of these`;

/** Returns everything that is wrong with the own fields of a service, genre, subject or event. */
export function findExtraProblems(value: unknown): ExtraProblem[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [{ code: 'bad-extra', found: describe(value), expected: 'keys and values in curly brackets', key: null }];
  }
  const entries = Object.entries(value);
  const problems = entries.flatMap(([key, inner]): ExtraProblem[] => {
    if (!extraLimits.key.test(key)) {
      return [{ code: 'bad-extra', found: `the key ${JSON.stringify(key)}`, expected: keyRule, key }];
    }
    return isExtraValue(inner) ? [] : [{ code: 'bad-extra', found: describe(inner), expected: valueRule, key }];
  });
  return [...problems, ...findTooMany(entries.length)];
}

function findTooMany(keys: number): ExtraProblem[] {
  if (keys <= extraLimits.keys) return [];
  return [{ code: 'bad-extra', found: `${keys} keys`, expected: `at most ${extraLimits.keys} of them`, key: null }];
}

function isExtraValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length <= extraLimits.entries && value.every(isSimple);
  return isSimple(value);
}

function isSimple(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && hasAtMostCharacters(value, extraLimits.characters);
  return typeof value === 'boolean' || Number.isFinite(value);
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') return value === null ? 'null' : 'an object';
  return typeof value === 'string' ? `text of ${value.length} characters` : `a ${typeof value}`;
}

/** Returns the own fields of a level together with those of the level above. Null if there are none. */
export function joinExtra(own: Extra | undefined, above: Extra | null): Extra | null {
  if (own === undefined || Object.keys(own).length === 0) return above;
  return above === null ? own : { ...above, ...own };
}

/** Returns the problem of fields that are too many only together with those of the levels above, or null. */
export function findJoinedProblem(joined: Extra | null): ExtraProblem | null {
  return findTooMany(Object.keys(joined ?? {}).length)[0] ?? null;
}
