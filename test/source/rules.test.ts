import { expect, test } from 'vitest';
import { readBaseUrl } from '../../src/api/address.ts';
import { isHttpsUrl, withoutCredentials } from '../../src/catalogue/url.ts';

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
  const answers = new Set(Array.from({ length: 20_000 }, () => String(check())));
  expect([...answers]).toEqual([String([true, true, true, false, true, false])]);
});

test.each(['', ' ', '\n\t', '"', " '", '<'])(
  'a URL after %j is shown without its password',
  (before) => {
    for (const start of ['https://', 'HTTPS:', 'https:///', '//']) {
      expect(withoutCredentials(`${before}${start}user:secret@example.org/@a`)).toBe(
        `${before}${start}…@example.org/@a`,
      );
    }
    expect(withoutCredentials(`${before}https://example.org/@a`)).toBe(
      `${before}https://example.org/@a`,
    );
  },
);
