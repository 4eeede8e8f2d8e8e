import { languages } from '../catalogue/model.ts';

/** Whether a text is a well-formed BCP 47 language tag. No language has a tag that begins with more than three letters. */
export function isLanguage(tag: string): boolean {
  if (tag.length > 200 || !/^[a-z]{2,3}(?![a-z])/i.test(tag)) return false;
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** Returns the tag of a language of the pages by its name in English or in itself, or a misspelt tag, or null. */
export function nearestLanguage(written: string): string | null {
  const tag = written.trim().replaceAll('_', '-');
  if (isLanguage(tag)) return tag;
  const nameIn = (inside: string, of: string): string =>
    plainWords(new Intl.DisplayNames(inside, { type: 'language' }).of(of) ?? '');
  return languages.find((one) => [nameIn('en', one), nameIn(one, one)].includes(plainWords(written))) ?? null;
}

/** Returns a name without case and accents, for comparisons. */
export function plainWords(name: string): string {
  return name.trim().normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
