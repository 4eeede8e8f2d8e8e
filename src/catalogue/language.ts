import { languages, type Language } from './model.ts';

/**
 * Returns the language of the words for a site in `lang`, such as `de` for `de-AT`. English if
 * almanac has no words in it.
 */
export function languageOf(lang: string): Language {
  const base = lang.toLowerCase().split('-')[0];
  return languages.find((language) => language === base) ?? 'en';
}
