import { wholeFile, type Problem } from '../problem/problem.ts';
import { maxProblemsPerFile, type TextFinding } from './finding.ts';

/** Returns findings as problems with line and column. `file` is the path that they show. */
export function placeAll(findings: readonly TextFinding[], text: string, file: string): Problem[] {
  if (findings.length === 0) return [];
  const positionOf = positionsIn(text);
  return findings.map(({ problem, offset, firstOffset }) => {
    const place = { file, ...positionOf(offset) };
    return {
      ...problem,
      ...(firstOffset !== undefined && { firstLine: positionOf(firstOffset).line }),
      place,
    } as Problem;
  });
}

/** Like {@link placeAll}, but reports at most `most` problems, and one more if there were others. */
export function placeFirst(
  findings: readonly TextFinding[],
  text: string,
  file: string,
  most: number = maxProblemsPerFile,
): Problem[] {
  const problems = placeAll(findings.slice(0, most), text, file);
  if (findings.length === problems.length) return problems;
  return [...problems, { code: 'more-problems', place: wholeFile(file), most }];
}

/** Returns a function that finds the line and column of an offset in `text`. Both count from 1. */
export function positionsIn(text: string): (offset: number) => { line: number; column: number } {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|\r|\n/g)) starts.push(match.index + match[0].length);
  return (offset) => {
    // Binary search for the number of lines that start at or before the offset.
    let [line, high] = [0, starts.length];
    while (line < high) {
      const middle = (line + high) >>> 1;
      if ((starts[middle] ?? 0) <= offset) line = middle + 1;
      else high = middle;
    }
    return { line, column: offset - (starts[line - 1] ?? 0) + 1 };
  };
}
