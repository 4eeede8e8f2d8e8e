import { memoize } from '../../catalogue/time/memoize.ts';
import { fold, wordsIn } from './text.ts';
import { searchWords } from './words.ts';

const regions = Object.keys(searchWords).map(
  (language) => new Intl.DisplayNames(language, { type: 'region' }),
);

/**
 * Returns everything that people call a country: its code, names and adjectives, such as `GB`, `UK`
 * and `British`.
 */
export const wordsForCountry = memoize((code: string): string[] => [
  code,
  ...regions.map((names) => names.of(code) ?? code),
  ...Object.values(searchWords).flatMap(({ countries }) => countries[code]?.split(', ') ?? []),
]);

/** Finds the countries in names. */
export class CountryNames {
  /** The codes of countries by what people call them. */
  readonly #codes: ReadonlyMap<string, string>;

  /** @param codes those of countries that have no adjectives either */
  constructor(codes: ReadonlySet<string>) {
    const countryCodes = Object.values(searchWords).flatMap(({ countries }) =>
      Object.keys(countries),
    );
    this.#codes = new Map(
      [...codes, ...countryCodes].flatMap((code) =>
        wordsForCountry(code).map((word) => [fold(word), code] as const),
      ),
    );
  }

  /** Returns the code of the country that has a name. Two letters are more often a word. */
  codeOf(name: string): string | undefined {
    return name.length > 2 ? this.#codes.get(fold(name)) : undefined;
  }

  /**
   * Returns a name, and then the same name with everything else that people call the country in it.
   */
  variantsOf(name: string): string[] {
    const words = wordsIn(name);
    const spans = words.flatMap((_, from) =>
      [3, 2, 1].map((length) => [from, from + length] as const),
    );
    for (const [from, until] of spans) {
      const code = this.codeOf(words.slice(from, until).join(' '));
      if (code === undefined) continue;
      const [before, after] = [words.slice(0, from).join(' '), words.slice(until).join(' ')];
      const [, ...names] = wordsForCountry(code);
      return [name, ...names.map((word) => `${before} ${word} ${after}`.trim())];
    }
    return [name];
  }
}

/**
 * Returns which of some countries a reader is in, by the time zone or else by the language. Null if
 * that is not known.
 */
export function countryOfReader(
  countries: Iterable<string>,
  { zone, tag }: { zone: string; tag: string },
): string | null {
  return (
    [...countries].find((code) => zonesOf(code).includes(zone)) ??
    new Intl.Locale(tag).region ??
    null
  );
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
