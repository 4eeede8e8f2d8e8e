import { hasDuplicateKeys, parseJson } from './syntax.ts';
import type { Finding } from '../finding.ts';
import { readText } from '../text.ts';
import type { Shape } from './validate.ts';

/**
 * A file that is not as it should be; what is wrong with it is found out in a second, slower look: at the shape of a
 * JSON file, or at where the findings of another format stand. The path is relative to the data folder.
 */
export type Suspect = { readonly path: string } & (
  { readonly shape: Shape<unknown> } | { readonly findings: readonly Finding[] }
);

/** A source file as a value where it is as it should be; null where it needs a second look. */
export function readSource<T>(path: string, shape: Shape<T>): T | null {
  const text = readText(path);
  if (typeof text !== 'string') return null;
  const value = parseJson(text);
  return shape.fits(value) && !hasDuplicateKeys(text, value) ? value : null;
}
