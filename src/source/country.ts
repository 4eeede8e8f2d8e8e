import { nearest } from '../problem/nearest.ts';

/** Whether a text is the code of a country: ISO 3166-1 alpha-2, in capitals. */
export function isCountry(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code) || notOfIso.test(code) || nameOf(code) === undefined) return false;
  // Intl also knows withdrawn codes, which it replaces with those of today.
  return new Intl.Locale(`und-${code}`).region === code;
}

/** Codes that Intl has and the standard does not: reserved ones, groups of countries, and private ones. */
const notOfIso = /^(A[CN]|C[PQ]|DG|E[AUZ]|IC|QO|TA|UN|X[ABK]|ZZ)$/;

/** Created when the first country is read, because it takes longer than a small file takes to read. */
let names: Intl.DisplayNames | undefined;

function nameOf(code: string): string | undefined {
  names ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  return names.of(code);
}

/** Returns the code that a source most likely means by another code or by the English name of a country, or null. */
export function nearestCountry(written: string): string | null {
  const code = written.trim().toUpperCase();
  if (isCountry(code)) return code;
  const current = /^[A-Z]{2}$/.test(code) ? new Intl.Locale(`und-${code}`).region : undefined;
  if (current !== undefined) return isCountry(current) ? current : null;
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
  const codes = letters.flatMap((first) => letters.map((second) => first + second)).filter(isCountry);
  const name = nearest(
    written,
    codes.map((one) => nameOf(one) ?? ''),
  );
  return name === null ? null : (codes.find((one) => nameOf(one) === name) ?? null);
}
