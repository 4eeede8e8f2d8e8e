import { countEach } from '../../catalogue/group.ts';
import { wholeFile, type Problem } from '../../problem/problem.ts';

/** The keys and indexes that lead from the root of a JSON text to a value. */
export type JsonPath = readonly (string | number)[];

/** A problem without its lines, which are computed later. */
export type FoundProblem = WithoutLines<Problem>;
type WithoutLines<P> = P extends Problem ? Omit<P, 'place' | 'firstLine'> : never;

/** A place in one of the texts of a source. Only what is reported gets a line and a column. */
export interface Spot {
  /** The path within the folder of the source. Absent: the source is one text. */
  readonly file?: string;
  readonly offset: number;
}

/** One of the texts of a source that is a folder. */
export interface SourceText {
  /** The path within the folder. */
  readonly file: string;
  readonly text: string;
}

/** A problem at a place in a source. */
export interface TextFinding extends Spot {
  readonly problem: FoundProblem;
  /** The earlier occurrence if something is repeated. Its line becomes the problem's `firstLine`. */
  readonly first?: Spot | undefined;
}

/** The order of two places: by file, then by offset. */
export function compareSpots(a: Spot, b: Spot): number {
  const [file = '', other = ''] = [a.file, b.file];
  if (file !== other) return file < other ? -1 : 1;
  return a.offset - b.offset;
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
    const [first, ...more] = findings.filter(({ problem }) => problem.code === code);
    return first === undefined
      ? []
      : {
          ...first,
          problem: { ...first.problem, others: more.length },
        };
  });
}

/** Returns names with their numbers, such as `2 ATTENDEE`, in order. */
export function countedNames(counts: ReadonlyMap<string, number>): string[] {
  return [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([name, times]) =>
        `${times} ${times === 1 ? name.replace(/^([a-z]*[a-rt-z])s\b/, '$1') : name}`,
    );
}

/** A value that is left out of an event, which is published without it. */
export interface ValueLeftOut {
  readonly name: string;
  readonly offset: number;
}

/** Returns a warning with the number of the values of each name. */
export function valuesLeftOut(values: readonly ValueLeftOut[]): TextFinding[] {
  const [first] = values;
  if (first === undefined) return [];
  const names = countedNames(countEach(values.map(({ name }) => name)));
  return [
    {
      problem: {
        code: 'values-left-out',
        names,
      },
      offset: first.offset,
    },
  ];
}

/** The most problems that are reported for one file. A reader stops looking once it has more. */
export const maxProblemsPerFile = 1000;

/**
 * The most problems that are reported for one remote source, so that an invalid one does not hide
 * the others.
 */
export const maxProblemsPerSource = 20;

/**
 * Returns findings as problems with line and column.
 *
 * @param text the text of the source, or the texts of its folder
 * @param file the path of the source, as problems show it
 */
export function placeAll(
  findings: readonly TextFinding[],
  text: string | readonly SourceText[],
  file: string,
): Problem[] {
  const positions = new Map<string | undefined, ReturnType<typeof positionsIn>>();
  const positionOf = (spot: Spot) => {
    let find = positions.get(spot.file);
    if (find === undefined) {
      const inner = typeof text === 'string' ? text : textOf(text, spot.file);
      find = positionsIn(inner);
      positions.set(spot.file, find);
    }
    return find(spot.offset);
  };
  return findings.map((finding) => {
    const { problem, first } = finding;
    const path = finding.file === undefined ? file : `${file}/${finding.file}`;
    const firstLine = first === undefined ? {} : { firstLine: positionOf(first).line };
    return {
      ...problem,
      ...firstLine,
      place: { file: path, ...positionOf(finding) },
    } as Problem;
  });
}

function textOf(texts: readonly SourceText[], file: string | undefined): string {
  return texts.find((inner) => inner.file === file)?.text ?? '';
}

/**
 * Like {@link placeAll}, but reports at most `most` problems, and one more if there were others.
 */
export function placeFirst(
  findings: readonly TextFinding[],
  text: string | readonly SourceText[],
  file: string,
  most: number = maxProblemsPerFile,
): Problem[] {
  const problems = placeAll(findings.slice(0, most), text, file);
  if (findings.length === problems.length) return problems;
  return [
    ...problems,
    {
      code: 'more-problems',
      place: wholeFile(file),
      most,
    },
  ];
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
    return {
      line,
      column: offset - (starts[line - 1] ?? 0) + 1,
    };
  };
}
