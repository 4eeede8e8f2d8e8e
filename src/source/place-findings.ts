import { wholeFile, type Place, type Problem } from '../problem/problem.ts';
import { mostOfOneFile, type Finding, type TextFinding, type ValueFinding } from './finding.ts';
import { locateIn, type Locator } from './json/syntax.ts';
import { placesIn } from './positions.ts';

/** The same as {@link placeAll} of a file that may have very many: the first of them, and that there are more. */
export function placeFirst(findings: readonly Finding[], text: string, file: string): Problem[] {
  const problems = placeAll(findings.slice(0, mostOfOneFile), text, file);
  const isAll = findings.length === problems.length;
  return isAll ? problems : [...problems, { code: 'more-problems', place: wholeFile(file), most: mostOfOneFile }];
}

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
