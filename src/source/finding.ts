import type { UnplacedProblem } from '../problem.ts';

/** Where in a JSON value: keys and indexes from the root. */
export type JsonPath = readonly (string | number)[];

/** A problem in a file whose line and column are not looked up yet. */
export interface Finding {
  readonly problem: UnplacedProblem;
  /** The value to blame; the file as a whole where absent. */
  readonly path: JsonPath;
  /** The key to blame in the object at `path`, where it is not its value. */
  readonly key?: string;
  /** The character to blame, where it is known already. */
  readonly offset?: number;
  /** The earlier value that this one repeats; its line becomes the problem's `firstLine`. */
  readonly first?: JsonPath;
  /** The same, where it is known already. */
  readonly firstOffset?: number;
}

/** How many problems of one file are told one by one; after that many, nothing looks for more. */
export const mostOfOneFile = 1000;

/** A problem with the file as a whole. */
export function withFile(problem: UnplacedProblem): Finding {
  return { problem, path: [] };
}
