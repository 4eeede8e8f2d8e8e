import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { slug } from '../../src/catalogue/id.ts';

/** Returns a slug as the documentation of the format defines it. */
function definition(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

test.each([
  ['Season 3, episode 12', 'season-3-episode-12'],
  ['Première n° 4 à Genève', 'premiere-n-4-a-geneve'],
  ['½ time: ℌello ﬁne Ⅷ', '1-2-time-hello-fine-viii'],
  ['İstanbul K Ångström', 'istanbul-k-angstrom'],
  ['𝐁old 😀 title', 'bold-title'],
  ['', ''],
])('the slug of %j is %j', (title, expected) => {
  expect(slug(title)).toBe(expected);
  expect(definition(title)).toBe(expected);
});

const words = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ maxLength: 400 }),
  fc
    .array(fc.constantFrom('a', 'Z', '9', '-', ' ', 'é', 'e\u0301', 'ß', '\u0130', '\ud800', 'ㇰ', '㏂', '한'), {
      maxLength: 20,
    })
    .map((parts) => parts.join('')),
);

test('the slug of any text agrees with the definition, on the second call too', () => {
  fc.assert(
    fc.property(words, (text) => {
      expect(slug(text)).toBe(definition(text));
      expect(slug(text)).toBe(definition(text));
    }),
    { numRuns: 5000 },
  );
});

test('the slug of every character of one code unit agrees with the definition', () => {
  const wrong: string[] = [];
  for (let code = 0; code <= 0xffff; code++) {
    const text = `a${String.fromCharCode(code)}b`;
    if (slug(text) !== definition(text)) wrong.push(code.toString(16));
  }
  expect(wrong).toEqual([]);
});
