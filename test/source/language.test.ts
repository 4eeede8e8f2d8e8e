import { expect, test } from 'vitest';
import { isLanguage } from '../../src/source/language.ts';

test.each(['en', 'pt-BR', 'zh-Hant', 'gsw', 'de-1996', 'EN'])('%s is a language tag', (tag) => {
  expect(isLanguage(tag)).toBe(true);
});

test.each(['deutsch', 'German', 'de_DE', ' en', '', 'x'.repeat(300)])('%j is not a language tag', (tag) => {
  expect(isLanguage(tag)).toBe(false);
});
