import { expect, test } from 'vitest';
import { readBaseUrl } from '../../src/api/address.ts';
import { withoutCredentials } from '../../src/catalogue/url.ts';
import { findTextProblem } from '../../src/catalogue/text.ts';
import { isHttpsUrl } from '../../src/catalogue/url.ts';
import { maxNameCharacters } from '../../src/source/rules.ts';

/** Returns the problem of a text according to the documentation of the format, or null. */
function definition(text: string, most: number): string | null {
  if (text === '') return 'empty-text';
  if (/[\p{Cc}]/u.test(text)) return 'control-character';
  if (/\p{Cs}/u.test(text)) return 'lone-surrogate';
  if (text.trim() !== text) return 'outer-white-space';
  return [...text].length > most ? 'text-too-long' : null;
}

test('the length of a url and a base URL is counted in characters, of one or two code units', () => {
  const start = 'https://example.org/';
  for (const letter of ['a', '🌗']) {
    const longest = start + letter.repeat(2000 - start.length);
    expect([isHttpsUrl(longest), isHttpsUrl(longest + letter)]).toEqual([true, false]);
    expect([readBaseUrl(longest), readBaseUrl(longest + letter)]).toEqual([longest, null]);
  }
});

test('a URL is accepted or refused in the same way after many calls, unlike by URL.canParse of Node 20', () => {
  const check = (): boolean[] => [
    isHttpsUrl('https://example.org/'),
    isHttpsUrl('https://exämple.org/ü'),
    isHttpsUrl('https://日本.example/'),
    isHttpsUrl('https://Ã¨.example/'),
    readBaseUrl('https://exämple.org/almanac') !== null,
    readBaseUrl('https://Ã¨.example') !== null,
  ];
  const answers = new Set(Array.from({ length: 50_000 }, () => String(check())));
  expect([...answers]).toEqual([String([true, true, true, false, true, false])]);
});

test.each(['', ' ', '\n\t', '"', " '", '<'])('a URL after %j is shown without its password', (before) => {
  for (const start of ['https://', 'HTTPS:', 'https:///', '//']) {
    expect(withoutCredentials(`${before}${start}user:secret@example.org/@a`)).toBe(`${before}${start}…@example.org/@a`);
  }
  expect(withoutCredentials(`${before}https://example.org/@a`)).toBe(`${before}https://example.org/@a`);
});

test('every character of one code unit, alone or between two others, agrees with the definition', () => {
  const wrong: string[] = [];
  for (let code = 0; code <= 0xffff; code++) {
    const character = String.fromCharCode(code);
    for (const text of [character, `a${character}b`]) {
      if ((findTextProblem(text, maxNameCharacters)?.code ?? null) !== definition(text, 200))
        wrong.push(code.toString(16));
    }
  }
  expect(wrong).toEqual([]);
});
