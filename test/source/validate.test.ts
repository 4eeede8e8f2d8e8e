import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fields as columnFields } from '../../src/readers/table/columns.ts';
import { eventSchema, place } from '../../src/readers/schema/source-schemas.ts';
import { hasRepeatedKeys } from '../../src/source/validate.ts';
import { isSourceUrl, textRules, valueOfText, type Field } from '../../src/readers/schema/rules.ts';

/*
 * The table of fields says what a text that gives a field must be. A table or an issue could
 * otherwise give an event what a JSON file may not have, or be refused what it may.
 */
const texts = fc.oneof(
  fc.constantFrom(
    'Café 🎵',
    'night-ferry',
    'a b',
    'https://example.org/',
    'https://e.org/ü?q#f',
    'http://e.org',
    ' a',
  ),
  fc.constantFrom(
    ...'DE XX tentative online true 52.5 -91 181'.split(' '),
    '',
    'n'.repeat(200),
    'n'.repeat(201),
  ),
  fc.constantFrom(
    'a\nb',
    '\u0000',
    '\ud800',
    '1 2 3 4 5 6 7 8 9 10',
    '1 2 3 4 5 6 7 8 9 10 11',
    'x'.repeat(2001),
  ),
  fc.string({ unit: 'binary', maxLength: 6 }),
);

function fits(
  { type, format, minimum = -Infinity, maximum = Infinity }: Field,
  value: unknown,
): boolean {
  if (type === 'boolean') return true;
  if (type === 'number') return Number(value) >= minimum && Number(value) <= maximum;
  const parts = [value].flat() as string[];
  const isShort = type !== 'list' || parts.length <= maximum;
  return isShort && parts.every((part) => format === undefined || textRules[format](part) === null);
}

test('a text fits a field by the table of fields exactly if its value fits it by the schemas', () => {
  const { subject: _, ...fields }: Record<string, Field> = columnFields;
  const shape = { ...place.shape, ...eventSchema.shape } as unknown as typeof eventSchema.shape;
  const outcomes = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(fields)), texts, (name, text) => {
      const field = fields[name] ?? { type: 'string' };
      const value = valueOfText(field, text);
      const isAccepted = shape[name as keyof typeof shape].safeParse(value).success;
      expect([name, text, fits(field, value)]).toEqual([name, text, isAccepted]);
      outcomes[isAccepted ? 'accepted' : 'refused']++;
    }),
    { numRuns: 4000 },
  );
  expect(Math.min(outcomes.accepted, outcomes.refused)).toBeGreaterThan(500);
});

/** Generates URLs from the parts that a browser distinguishes. */
const address = fc
  .array(
    fc.constantFrom(
      'https',
      'http',
      ':',
      '/',
      '//',
      '\\',
      '@',
      'u',
      ':p',
      'localhost',
      'e.org',
      '?',
      '#',
      '%40',
      '.',
    ),
    {
      maxLength: 9,
    },
  )
  .map((parts) => parts.join(''));
const source = fc.oneof(
  fc.constantFrom('https://example.org', 'https://example.org/ü?q#f'),
  fc.constantFrom(
    'http://localhost:1/a',
    'https://u:p@e.org/',
    'https:///u@e.org',
    'https://e.org/a@b',
    'ftp://e.org',
  ),
  address.map((rest) => `https://${rest}`),
  address,
);
test('no rule accepts the URL of a source with a user name or a password', () => {
  const outcomes = { accepted: 0, withUser: 0 };
  fc.assert(
    fc.property(source, (found) => {
      if (!URL.canParse(found)) return;
      const { username, password } = new URL(found);
      const isPlain = username + password === '';
      if (isSourceUrl(found)) outcomes.accepted++;
      if (!isPlain) outcomes.withUser++;
      expect([found, isSourceUrl(found) && !isPlain]).toEqual([found, false]);
    }),
    { numRuns: 3000 },
  );
  expect(Math.min(outcomes.accepted, outcomes.withUser)).toBeGreaterThan(100);
});

/** A JSON text with any white space and escapes. Its keys may repeat. */
interface JsonText {
  readonly text: string;
  readonly repeats: boolean;
}

const space = fc.constantFrom('', '', '', ' ', '\n', '\t', '\r\n  ');
const key = fc.oneof(
  fc.constantFrom('a', 'b', 'name', '__proto__', '', '":', '\\', 'a": ', 'ü', '"'),
  fc.string(),
);
const plain = fc.constantFrom(
  null,
  true,
  1,
  'a',
  '":',
  '" :',
  '\\":',
  '{"a":1,"a":2}',
  '\\',
  ':',
  '"',
  '\u2028',
);
const leaf: fc.Arbitrary<JsonText> = fc
  .oneof(plain, fc.string())
  .map((value) => ({ text: JSON.stringify(value), repeats: false }));

function escaped(text: string, escapes: boolean): string {
  if (!escapes) return JSON.stringify(text);
  return `"${[...Array(text.length).keys()].map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`;
}

function objectOf(inner: fc.Arbitrary<JsonText>): fc.Arbitrary<JsonText> {
  return fc
    .array(fc.tuple(key, fc.boolean(), inner, space, space), { maxLength: 4 })
    .map((members) => ({
      text: `{${members.map(([k, escapes, { text }, x, y]) => `${x}${escaped(k, escapes)}${y}:${x}${text}${y}`).join(',')}}`,
      repeats:
        new Set(members.map(([k]) => k)).size < members.length ||
        members.some(([, , { repeats }]) => repeats),
    }));
}

function arrayOf(inner: fc.Arbitrary<JsonText>): fc.Arbitrary<JsonText> {
  return fc.array(inner, { maxLength: 3 }).map((items) => ({
    text: `[ ${items.map(({ text }) => text).join(' , ')}]`,
    repeats: items.some(({ repeats }) => repeats),
  }));
}

const low = fc.oneof(leaf, objectOf(leaf));
const middle = fc.oneof(leaf, objectOf(low), arrayOf(low));

test('reports repeated keys and no others', () => {
  const outcomes = { repeated: 0, single: 0 };
  fc.assert(
    fc.property(fc.oneof(objectOf(middle), arrayOf(middle)), ({ text, repeats }) => {
      expect([text, hasRepeatedKeys(text, JSON.parse(text))]).toEqual([text, repeats]);
      outcomes[repeats ? 'repeated' : 'single']++;
    }),
    { numRuns: 3000 },
  );
  expect(Math.min(outcomes.repeated, outcomes.single)).toBeGreaterThan(300);
});
