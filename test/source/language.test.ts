import { expect, test } from 'vitest';
import { isLanguage, nearestLanguage } from '../../src/source/language.ts';

test.each(['en', 'pt-BR', 'zh-Hant', 'gsw', 'de-1996', 'EN'])('%s is a language tag', (tag) => {
  expect(isLanguage(tag)).toBe(true);
});

test.each([
  ['deutsch', 'de'],
  ['Français', 'fr'],
  ['espanol', 'es'],
  ['日本語', 'ja'],
  ['de_DE', 'de-DE'],
  [' en', 'en'],
  ['Klingonisch', null],
  ['', null],
  ['x'.repeat(300), null],
])('%j is not a tag; the nearest is %j', (written, tag) => {
  expect([isLanguage(written), nearestLanguage(written)]).toEqual([false, tag]);
});
