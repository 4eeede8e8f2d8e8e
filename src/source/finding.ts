import type { Problem } from '../problem/problem.ts';

/** Where in a JSON value: keys and indexes from the root. */
export type JsonPath = readonly (string | number)[];

/** A problem in a file whose line and column are not looked up yet. */
export type Finding = TextFinding | ValueFinding;

/** Its line, and the line of what it repeats, are found later. */
export type FoundProblem = Unlined<Problem>;
type Unlined<P> = P extends Problem ? Omit<P, 'place' | 'firstLine'> : never;

interface Found {
  readonly problem: FoundProblem;
}

/** A finding at a character of a text. */
export interface TextFinding extends Found {
  readonly offset: number;
  /** Where what it repeats stands, whose line becomes the problem's `firstLine`. */
  readonly firstOffset?: number;
}

/** A finding at a value of a JSON text. */
export interface ValueFinding extends Found {
  /** The value to blame; the root where it is the file as a whole. */
  readonly path: JsonPath;
  /** The key to blame in the object at `path`, where it is not its value. */
  readonly key?: string;
  /** The value that it repeats. */
  readonly first?: JsonPath;
}

/** How many problems of one file are told one by one; after that many, nothing looks for more. */
export const mostOfOneFile = 1000;
