import { wholeFile, type Place, type Problem } from '../../problem/problem.ts';

/** The keys and indexes that lead from the root of a JSON text to a value. */
export type JsonPath = readonly (string | number)[];

/** A problem without its lines, which are computed later. */
export type FoundProblem = WithoutLines<Problem>;
type WithoutLines<P> = P extends Problem ? Omit<P, 'place' | 'firstLine'> : never;

/** A problem at an offset of a text. */
export interface TextFinding {
  readonly problem: FoundProblem;
  readonly offset: number;
  /**
   * The offset of the earlier occurrence if something is repeated. Its line becomes the problem's
   * `firstLine`.
   */
  readonly firstOffset?: number;
  /** The place, if it is known already. Its file is relative to the folder of the source. */
  readonly at?: Place;
}

/** A problem at a value of a JSON text. */
export interface ValueFinding {
  readonly problem: FoundProblem;
  /** The value with the problem. The root stands for the whole file. */
  readonly path: JsonPath;
  /** The key with the problem, if it is a key of the object at `path` and not the value. */
  readonly key?: string;
  readonly first?: JsonPath;
}

/** An error with a problem, thrown while a line is read or a rule is expanded. */
export class FoundError extends Error {
  readonly problem: FoundProblem;

  constructor(problem: FoundProblem) {
    super(problem.code);
    this.problem = problem;
  }
}

/** Returns the first finding of each problem code, with the number of the others in `others`. */
export function firstOfEachKind<Finding extends Pick<TextFinding, 'problem'>>(
  findings: readonly Finding[],
): Finding[] {
  const codes = new Set(findings.map(({ problem }) => problem.code));
  return [...codes].flatMap((code) => {
    const [first, ...others] = findings.filter(({ problem }) => problem.code === code);
    return first === undefined
      ? []
      : { ...first, problem: { ...first.problem, others: others.length } };
  });
}

/** Returns names with their numbers, such as `2 ATTENDEE`, in order. */
export function countedNames(counts: ReadonlyMap<string, number>): string[] {
  return [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, times]) => `${times} ${name}`);
}

/** The most problems that are reported for one file. A reader stops looking once it has more. */
export const maxProblemsPerFile = 1000;

/**
 * The most problems that are reported for one remote source, so that an invalid one does not hide
 * the others.
 */
export const maxProblemsPerSource = 20;

/** Returns findings as problems with line and column. `file` is the path that they show. */
export function placeAll(findings: readonly TextFinding[], text: string, file: string): Problem[] {
  if (findings.length === 0) return [];
  const positionOf = positionsIn(text);
  return findings.map(({ problem, offset, firstOffset, at }) => {
    const inner = at === undefined || at.file === '' ? file : `${file}/${at.file}`;
    const place = { ...(at ?? positionOf(offset)), file: inner };
    return {
      ...problem,
      ...(firstOffset !== undefined && { firstLine: positionOf(firstOffset).line }),
      place,
    } as Problem;
  });
}

/**
 * Like {@link placeAll}, but reports at most `most` problems, and one more if there were others.
 */
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
