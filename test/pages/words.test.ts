import { expect, test } from 'vitest';
import { languages } from '../../src/catalogue/model.ts';
import { localeOf } from '../../src/pages/locale.ts';
import { tables, type Forms } from '../../src/pages/words/tables.ts';
import { languageOf } from '../../src/catalogue/language.ts';
import { fill } from '../../src/pages/words/words.ts';

/** The forms that a language needs for the numbers of events. */
function formsOf(language: string): string[] {
  const rules = new Intl.PluralRules(language);
  return [
    ...new Set([...Array.from({ length: 200 }, (_, n) => rules.select(n)), 'other']),
  ].toSorted();
}

const textsOf = (text: string | Forms): string[] =>
  typeof text === 'string' ? [text] : Object.values(text);
const valuesIn = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].toSorted();

test.each(languages)(
  '%s says everything, with the values of English and the forms that its numbers need',
  (language) => {
    const words: Readonly<Record<string, string | Forms>> = tables[language].pages;
    expect(Object.keys(words).toSorted()).toEqual(Object.keys(tables.en.pages).toSorted());
    for (const [word, english] of Object.entries(tables.en.pages)) {
      const text = words[word] ?? '';
      const [first = ''] = textsOf(english);
      expect(textsOf(text), word).not.toContain('');
      for (const form of textsOf(text)) expect(valuesIn(form), word).toEqual(valuesIn(first));
      const forms = typeof text === 'string' ? ['other'] : Object.keys(text).toSorted();
      expect(forms, word).toEqual(typeof english === 'string' ? ['other'] : formsOf(language));
    }
  },
);

test('words have the form that the number asks for', () => {
  const english = { one: '{n} event', other: '{n} events' };
  expect([1, 1573].map((n) => fill(english, 'en', { n }))).toEqual(['1 event', '1,573 events']);
  expect(fill({ one: '{n} événement', other: '{n} événements' }, 'fr', { n: 0 })).toBe(
    '0 événement',
  );
  const polish = {
    one: '{n} termin',
    few: '{n} terminy',
    many: '{n} terminów',
    other: '{n} terminu',
  };
  expect([1, 3, 5, 22].map((n) => fill(polish, 'pl', { n }))).toEqual([
    '1 termin',
    '3 terminy',
    '5 terminów',
    '22 terminy',
  ]);
  expect(fill({ other: '{n} 件' }, 'ja', { n: 2 })).toBe('2 件');
});

test('a language without a table has the words of English', () => {
  expect([languageOf('de-AT'), languageOf('it'), languageOf('ar')]).toEqual(['de', 'en', 'en']);
});

test('dates are written as in the language', () => {
  expect(localeOf('de').longDate('2027-03-04')).toBe('Donnerstag, 4. März 2027');
  expect([localeOf('ar').isRightToLeft, localeOf('ja').isRightToLeft]).toEqual([true, false]);
});
