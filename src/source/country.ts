import codes from '#country-codes';
import { nearest } from '../problem/nearest.ts';
import { plainWords, sourceLanguages } from './language.ts';

/** Whether a text is the code of a country: ISO 3166-1 alpha-2, in capitals. */
export function isCountry(code: string): boolean {
  return Object.hasOwn(codes, code);
}

/**
 * Returns the code of a country that is written as a code of two or three letters, or as its name in a language of the
 * pages. Letter case, accents and dots do not matter. Returns null for any other text.
 */
export function readCountry(written: string): string | null {
  byName ??= countriesByName();
  return byName.get(plainName(written)) ?? null;
}

/** Created when the first country is read that is not a code, because it takes longer than a small file takes to read. */
let byName: ReadonlyMap<string, string> | undefined;

function countriesByName(): Map<string, string> {
  const styles = ['long', 'short'] as const;
  const named = sourceLanguages.flatMap((language) => styles.map((style) => namesIn(language, style)));
  const pairs = [codes, ...named].flatMap((names) => Object.entries(names));
  return new Map(pairs.flatMap(([code, name]) => [code, name].map((one) => [plainName(one), code] as const)));
}

/** `U.S.A.` → `usa`. */
function plainName(name: string): string {
  return plainWords(name).replaceAll('.', '');
}

/** Returns the names of all countries in a language, by their codes. */
function namesIn(language: string, style: 'long' | 'short'): Readonly<Record<string, string>> {
  const names = new Intl.DisplayNames(language, { type: 'region', style });
  return Object.fromEntries(Object.keys(codes).map((code) => [code, names.of(code) ?? code]));
}

/** Returns the code that a source most likely means by another code or by the name of a country, or null. */
export function nearestCountry(written: string): string | null {
  const country = readCountry(written);
  if (country !== null || byName === undefined) return country;
  // A code of two or three letters resembles too many others.
  const name = nearest(
    plainName(written),
    [...byName.keys()].filter((one) => one.length > 3),
  );
  return name === null ? null : (byName.get(name) ?? null);
}
