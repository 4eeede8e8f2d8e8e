import type { Place, Problem } from '../problem.ts';
import type { Finding } from './finding.ts';
import { locateIn } from './json-text.ts';
import { placesIn } from './places.ts';

/** Findings in a text as problems, each with its line and column; `file` is what they name. */
export function placeAll(findings: readonly Finding[], text: string, file: string): Problem[] {
  const placeAt = placesIn(text);
  // A text that is too deep or broken, and one that is not JSON, has an offset for each finding.
  const offsetOf = findings.some(({ offset }) => offset === undefined) ? locateIn(text) : () => 0;
  return findings.map(({ problem, path, key, offset, first, firstOffset }) => {
    const place: Place = { file, ...placeAt(offset ?? offsetOf(path, key)) };
    const firstAt = firstOffset ?? (first && offsetOf(first));
    const firstLine = firstAt === undefined ? undefined : placeAt(firstAt).line;
    return { ...problem, ...(firstLine !== undefined && { firstLine }), place };
  });
}
