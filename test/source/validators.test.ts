import * as validators from '#validators';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { explain } from '../../src/source/json/explain.ts';
import { eventSchema, sourceSchemas } from '../../src/source/json/schemas.ts';
import { hasRepeatedKeys } from '../../src/source/json/validate.ts';
import { isSourceUrl } from '../../src/source/rules.ts';

/*
 * A generated validator must accept exactly what its zod schema accepts. Otherwise an invalid file would pass, or a
 * valid file would be refused without a reason.
 */
const schemas = Object.entries({ ...sourceSchemas, event: eventSchema });

const good: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom('Drama', 'Café 🎵', 'a', 'n'.repeat(200), '😀'.repeat(200)),
  fc.constantFrom('https://example.org', 'https://example.org/ü?q#f', 'http://example.org', '2027-03-04', 'UTC'),
  fc.constantFrom(true, false, 'night-ferry', 'a'.repeat(64)),
);

const bad: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, 0, -1.5, '', ' ', ' a', 'a\u00a0', 'a\n', '\u0000', '\u0085', 'a'.repeat(65), 'n'.repeat(201)),
  fc.constantFrom(
    '\ud83d',
    'a\udc00',
    'https://\ud83d.org',
    '\ufeffa',
    'https://',
    'https://a b',
    'HTTPS://example.org',
  ),
  fc.constantFrom(
    'n'.repeat(2000),
    'n'.repeat(2001),
    '😀'.repeat(201),
    'A',
    'a--b',
    'https://u:p@h.org',
    'https://h?q',
  ),
  fc.constantFrom([], {}, [[]], [null], { name: 'a' }, [{ title: 'a', starts: '2027' }], 'http://\ud800', 'ftp://a'),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.jsonValue({ maxDepth: 2 }),
);

const any = fc.oneof({ weight: 6, arbitrary: good }, { weight: 2, arbitrary: bad });
const strange = fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'Name', 'length', '0');

/** Generates objects with the keys of a format and mostly valid values. Some have an extra or a missing key. */
function almostValid(values: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> {
  const entries = Object.entries(values).map(([key, value]) =>
    fc.tuple(fc.constant(key), fc.oneof({ weight: 9, arbitrary: value }, { weight: 1, arbitrary: any })),
  );
  const extra = fc.array(fc.tuple(fc.oneof(strange, fc.string()), any), { maxLength: 1 });
  return fc
    .tuple(
      fc.tuple(...entries),
      fc.array(fc.nat(9), { maxLength: 2 }),
      fc.oneof(fc.constant([]), fc.constant([]), extra),
    )
    .map(([given, without, more]) => {
      const kept = given.filter((_, index) => !without.includes(index));
      // JSON.parse makes `__proto__` a key like any other.
      const members = [...kept, ...more].map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
      return JSON.parse(`{${members.join(',')}}`) as unknown;
    });
}

const name = fc.constantFrom('Drama', 'Café 🎵', '😀'.repeat(200));
const url = fc.constantFrom('https://example.org', 'https://example.org/ü?q#f');
const event = almostValid({
  title: name,
  starts: fc.constantFrom('2027-03-04', '2027', 'soon', ''),
  zone: fc.constantFrom('UTC', 'Europe/Berlin', 'nowhere'),
  url,
  id: fc.constantFrom('a', 'night-ferry', 'a'.repeat(64)),
  cancelled: fc.boolean(),
});
/** Generates URLs from the parts that a browser distinguishes. */
const address = fc
  .array(
    fc.constantFrom('https', 'http', ':', '/', '//', '\\', '@', 'u', ':p', 'localhost', 'e.org', '?', '#', '%40', '.'),
    {
      maxLength: 9,
    },
  )
  .map((parts) => parts.join(''));
const source = fc.oneof(
  url,
  fc.constantFrom('http://localhost:1/a', 'https://u:p@e.org/', 'https:///u@e.org', 'https://e.org/a@b', 'ftp://e.org'),
  address.map((rest) => `https://${rest}`),
  address,
);
const values = fc.oneof(
  almostValid({ name, url, source, format: fc.constantFrom('ics', 'csv', 'ics', 'xls') }),
  almostValid({ source, format: fc.constantFrom('ics', 'csv') }),
  almostValid({
    name,
    license: fc.constantFrom('Free', 'l'.repeat(2000)),
    base_url: fc.constantFrom('http://a.org', 'https://a.org/b/'),
  }),
  almostValid({
    columns: fc.dictionary(fc.string(), fc.constantFrom('starts', 'time', 'subject_id', 'start')),
    dates: fc.constantFrom('iso', 'm/d/y', 'd.m.y'),
    title: name,
    ignore: fc.constantFrom('others', [''], ['a', 'b']),
    skip: fc.boolean(),
  }),
  fc.dictionary(
    fc.constantFrom('my-town', 'two', '$schema'),
    almostValid({ name, genres: fc.constantFrom([], ['drama-tv']), tags: fc.constantFrom([], ['a', 'b']) }),
    { maxKeys: 2 },
  ),
  almostValid({ $schema: fc.string(), name }),
  almostValid({ name, url }),
  event,
  almostValid({ $schema: fc.string(), name, url, events: fc.array(event, { maxLength: 3 }) }),
  almostValid({ name, events: fc.array(event, { maxLength: 3 }) }),
  any,
);

test('a generated validator accepts exactly what its zod schema accepts', () => {
  const outcomes = new Map(schemas.map(([kind]) => [kind, { accepted: 0, refused: 0 }]));
  fc.assert(
    fc.property(values, (value) => {
      for (const [kind, schema] of schemas) {
        // `explain` reports the key that zod passes over.
        const isHidden = kind === 'collections' && Object.hasOwn(Object(value) as object, '__proto__');
        const isAccepted = schema.safeParse(value).success;
        if (isHidden && isAccepted) continue;
        expect([kind, validators[kind as keyof typeof sourceSchemas](value)]).toEqual([kind, isAccepted]);
        const counts = outcomes.get(kind);
        if (counts !== undefined) counts[isAccepted ? 'accepted' : 'refused']++;
      }
    }),
    { numRuns: 4000 },
  );
  for (const [kind, { accepted, refused }] of outcomes) {
    expect(accepted, kind).toBeGreaterThan(60);
    expect(refused, kind).toBeGreaterThan(300);
  }
});

test('no validator accepts the URL of a source with a user name or a password', () => {
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
const key = fc.oneof(fc.constantFrom('a', 'b', 'name', '__proto__', '', '":', '\\', 'a": ', 'ü', '"'), fc.string());
const plain = fc.constantFrom(null, true, 1, 'a', '":', '" :', '\\":', '{"a":1,"a":2}', '\\', ':', '"', '\u2028');
const leaf: fc.Arbitrary<JsonText> = fc
  .oneof(plain, fc.string())
  .map((value) => ({ text: JSON.stringify(value), repeats: false }));

function escaped(text: string, escapes: boolean): string {
  if (!escapes) return JSON.stringify(text);
  return `"${[...Array(text.length).keys()].map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`;
}

function objectOf(inner: fc.Arbitrary<JsonText>): fc.Arbitrary<JsonText> {
  return fc.array(fc.tuple(key, fc.boolean(), inner, space, space), { maxLength: 4 }).map((members) => ({
    text: `{${members.map(([k, escapes, { text }, x, y]) => `${x}${escaped(k, escapes)}${y}:${x}${text}${y}`).join(',')}}`,
    repeats: new Set(members.map(([k]) => k)).size < members.length || members.some(([, , { repeats }]) => repeats),
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

test('reports repeated keys and no others', async () => {
  const outcomes = { repeated: 0, single: 0 };
  await fc.assert(
    fc.asyncProperty(fc.oneof(objectOf(middle), arrayOf(middle)), async ({ text, repeats }) => {
      expect([text, await hasRepeatedKeys(text, JSON.parse(text))]).toEqual([text, repeats]);
      outcomes[repeats ? 'repeated' : 'single']++;
    }),
    { numRuns: 3000 },
  );
  expect(Math.min(outcomes.repeated, outcomes.single)).toBeGreaterThan(300);
});

test('the key of a collection that zod passes over is reported', () => {
  const problems = explain('{ "__proto__": "x" }', 'collections', 'collections.json', null);
  expect(problems).toMatchObject([{ code: 'bad-id', found: '__proto__' }]);
});
