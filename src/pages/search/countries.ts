import { memoize } from '../../catalogue/time/memoize.ts';
import { searchWords } from './words.ts';

const regions = Object.keys(searchWords).map((language) => new Intl.DisplayNames(language, { type: 'region' }));

/** Returns the names of a country in the languages that search understands. */
export function countryNames(code: string): string[] {
  return regions.map((names) => names.of(code) ?? code);
}

/** Returns everything that people call a country: its code, names and adjectives, such as `GB`, `UK` and `British`. */
export const wordsForCountry = memoize((code: string): string[] => [
  code,
  ...countryNames(code),
  ...Object.values(searchWords).flatMap(({ countries }) => countries[code]?.split(', ') ?? []),
]);

/** Returns which of some countries a reader is in, by the time zone or else by the language. Null if that is not known. */
export function countryOfReader(
  countries: Iterable<string>,
  { zone, tag }: { zone: string; tag: string },
): string | null {
  return [...countries].find((code) => zonesOf(code).includes(zone)) ?? new Intl.Locale(tag).region ?? null;
}

/** Browsers have the zones of a country as a property or as a method, if at all. */
function zonesOf(country: string): readonly string[] {
  if (!/^[A-Z]{2}$/.test(country)) return [];
  const region = new Intl.Locale('und', { region: country }) as {
    readonly timeZones?: readonly string[];
    readonly getTimeZones?: () => readonly string[];
  };
  return region.getTimeZones?.() ?? region.timeZones ?? [];
}
