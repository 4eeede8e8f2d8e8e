import { iso31661 } from 'iso-3166';
import { expect, test } from 'vitest';
import { isCountry, readCountry } from '../../src/source/country.ts';

const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');

test('accepts exactly the codes of ISO 3166-1', () => {
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  expect(codes.filter(isCountry)).toEqual(iso31661.map(({ alpha2 }) => alpha2).toSorted());
});

test.each(['', 'D', 'de', 'De', 'DEU', 'D1', 'DE ', 'ÄÖ', '276'])('refuses %j', (code) => {
  expect(isCountry(code)).toBe(false);
});

test('reads each code of three letters', () => {
  for (const { alpha2, alpha3 } of iso31661) expect([alpha3, readCountry(alpha3)]).toEqual([alpha3, alpha2]);
});
