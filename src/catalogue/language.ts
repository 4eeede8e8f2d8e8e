import { languages, type Language } from './model.ts';

/**
 * Returns the language of the words for a site in `lang`, such as `de` for `de-AT`. English if
 * almanac has no words in it.
 */
export function languageOf(lang: string): Language {
  const base = lang.toLowerCase().split('-')[0];
  return languages.find((language) => language === base) ?? 'en';
}

/**
 * Whether a text is a well-formed BCP 47 language tag. No language has a tag that begins with more
 * than three letters.
 */
export function isLanguage(tag: string): boolean {
  if (tag.length > 200 || !/^[a-z]{2,3}(?![a-z])/i.test(tag)) return false;
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
