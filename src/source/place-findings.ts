import type { Place, Problem } from '../problem.ts';
import type { Finding, TextFinding, ValueFinding } from './finding.ts';
import { locateIn, type Locator } from './json-text.ts';
import { placesIn } from './places.ts';

/** Findings in a text as problems, each with its line and column; `file` is what they name. */
export function placeAll(findings: readonly Finding[], text: string, file: string): Problem[] {
  const placeAt = placesIn(text);
  // A text that is too deep or broken, and one that is not JSON, has an offset for each finding.
  const offsetOf = findings.some((finding) => 'path' in finding) ? locateIn(text) : () => 0;
  return findings.map((finding) => {
    const { problem, offset, firstOffset } = 'path' in finding ? inText(finding, offsetOf) : finding;
    const place: Place = { file, ...placeAt(offset) };
    return { ...problem, ...(firstOffset !== undefined && { firstLine: placeAt(firstOffset).line }), place } as Problem;
  });
}

function inText({ problem, path, key, first }: ValueFinding, offsetOf: Locator): TextFinding {
  return { problem, offset: offsetOf(path, key), ...(first && { firstOffset: offsetOf(first) }) };
}
