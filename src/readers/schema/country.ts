import { languages } from '../../catalogue/model.ts';
import codes from './country-codes.json' with { type: 'json' };
import { plainWords } from '../../catalogue/text.ts';

/** Whether a text is the code of a country: ISO 3166-1 alpha-2, in capitals. */
export function isCountry(code: string): boolean {
  return Object.hasOwn(codes, code);
}

/**
 * Returns the code of a country by a code of two or three letters or its name in a language of the
 * pages, or null.
 */
export function readCountry(text: string): string | null {
  byName ??= countriesByName();
  return byName.get(plainName(text)) ?? null;
}

/**
 * Created when the first country is read that is not a code, because it takes longer than a small
 * file takes to read.
 */
let byName: ReadonlyMap<string, string> | undefined;

function countriesByName(): Map<string, string> {
  const names = languages.flatMap((language) =>
    (['long', 'short'] as const).map(
      (style) => new Intl.DisplayNames(language, { type: 'region', style }),
    ),
  );
  return new Map(
    Object.entries(codes).flatMap(([code, code3]) => {
      const countryNames = [...names.map((display) => display.of(code) ?? code), code, code3];
      return countryNames.map((name) => [plainName(name), code] as const);
    }),
  );
}

/** `U.S.A.` → `usa`. */
function plainName(name: string): string {
  return plainWords(name).replaceAll('.', '');
}
