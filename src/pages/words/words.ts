import type { Language } from '../../catalogue/model.ts';
import { memoize } from '../../catalogue/time/memoize.ts';
import type { Forms, Word, Words } from './tables.ts';

export type Values = Readonly<Record<string, string | number>>;

/** Fills the values into a text. If it has several forms, `n` chooses between them. */
export function fill(text: string | Forms, language: string, values: Values = {}): string {
  const { n } = values;
  const category = typeof n === 'number' ? pluralRules(language).select(n) : 'other';
  const form = typeof text === 'string' ? text : (text[category] ?? text.other);
  return form.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    return typeof value === 'number' ? numberFormat(language).format(value) : value;
  });
}

const pluralRules = memoize((language: string) => new Intl.PluralRules(language));
const numberFormat = memoize((language: string) => new Intl.NumberFormat(language));

export interface Speech {
  readonly language: Language;
  readonly text: (word: Word, values?: Values) => string;
}

export function speechOf(language: Language, words: Words): Speech {
  const plain = memoize((word: Word) => fill(words[word], language));
  return {
    language,
    text: (word, values) =>
      values === undefined ? plain(word) : fill(words[word], language, values),
  };
}
