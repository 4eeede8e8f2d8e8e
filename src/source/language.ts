const maxCharacters = 200;

/** Whether a text is a well-formed BCP 47 language tag. No language has a tag that begins with more than three letters. */
export function isLanguage(tag: string): boolean {
  if (tag.length > maxCharacters || !/^[a-z]{2,3}(?![a-z])/i.test(tag)) return false;
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** Returns the tag of a language by its name, in English or in the language itself, or by a misspelt tag, or null. */
export function nearestLanguage(written: string): string | null {
  const tag = written.trim().replaceAll('_', '-');
  if (isLanguage(tag)) return tag;
  tags ??= tagsByName();
  return tags.get(plainWords(written)) ?? null;
}

/** Created when the first wrong language is read. */
let tags: ReadonlyMap<string, string> | undefined;

/** Returns the tags of two letters by the names of their languages. */
function tagsByName(): Map<string, string> {
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(97 + index));
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  const english = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  const known = codes.filter((code) => english.of(code) !== undefined);
  const own = known.map((code) => [new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? code, code] as const);
  const named = known.map((code) => [english.of(code) ?? code, code] as const);
  return new Map([...own, ...named].map(([name, code]) => [plainWords(name), code]));
}

/** Returns a name without case and accents, for comparisons. */
export function plainWords(name: string): string {
  return name.trim().normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
