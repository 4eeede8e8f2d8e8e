import { wording } from './messages.ts';

/**
 * A place in a source file. `line` and `column` count from 1; columns are UTF-16 units, as in
 * editors.
 */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

type ProblemCode = keyof typeof wording;

type Details<Code extends ProblemCode> = (typeof wording)[Code] extends (details: infer D) => string
  ? Readonly<unknown extends D ? object : D>
  : never;

/** A problem as a value. `place` is null if it is not in a file. */
export type Problem = {
  [Code in ProblemCode]: { readonly code: Code; readonly place: Place | null } & Details<Code>;
}[ProblemCode];

/** A problem whose place is not known yet. */
export type UnplacedProblem = Unplaced<Problem>;
type Unplaced<P> = P extends Problem ? Omit<P, 'place'> : never;

/**
 * Turns a path relative to the data folder into the path that problems show: relative to the
 * working directory.
 */
export type DisplayPath = (path: string) => string;

/** An exception that carries problems. It is caught in one place, in the shell. */
export class ProblemError extends Error {
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];

  constructor(problems: readonly Problem[], warnings: readonly Problem[] = []) {
    super(problems.map(problemLine).join('\n'));
    this.name = 'ProblemError';
    this.problems = problems;
    this.warnings = warnings;
  }
}

/** Returns an exception with one problem that is not in a file. */
export function problemError(problem: UnplacedProblem): ProblemError {
  return new ProblemError([{ ...problem, place: null }]);
}

/** Returns the place of a problem that concerns a whole file: its first character. */
export function wholeFile(file: string): Place {
  return { file, line: 1, column: 1 };
}

/** Returns the sentence for a problem: one line without control characters. */
export function problemMessage(problem: Problem): string {
  const sentence = wording[problem.code] as (details: Problem) => string;
  // A long sentence has a line of source for each of its ideas.
  return printable(sentence(problem).replaceAll(/\n {4,}/g, ' '));
}

/** Returns `path:line:column: message`, or only the message if the problem is not in a file. */
export function problemLine(problem: Problem): string {
  const { place } = problem;
  const message = problemMessage(problem);
  return place === null
    ? message
    : `${printable(place.file)}:${place.line}:${place.column}: ${message}`;
}

/** Whether a problem is only a note, which needs no fix. */
export function isNote({ code }: Problem): boolean {
  return code === 'not-published' || code === 'passed-over' || code === 'site-version-differs';
}

/** Orders problems by file, line, column and code; files by code unit. */
export function compareProblems(a: Problem, b: Problem): number {
  const x = a.place ?? nowhere;
  const y = b.place ?? nowhere;
  if (x.file !== y.file) return x.file < y.file ? -1 : 1;
  const byPlace = x.line - y.line || x.column - y.column;
  if (byPlace !== 0 || a.code === b.code) return byPlace;
  return a.code < b.code ? -1 : 1;
}

const nowhere: Place = { file: '', line: 0, column: 0 };

/**
 * Escapes text from outside so that it is safe to print: control characters, bidirectional
 * overrides, line breaks, and the marks of commands in the log of a GitHub workflow, `::` at the
 * start and `##[` anywhere. In JSON, the escapes do not change the value.
 */
export function printable(text: string): string {
  const escape = (character: string) =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return (
    text
      .replace(/[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, escape)
      // It looks back only from a colon, because looking back from every space takes quadratic
      // time.
      .replace(/:(?=:)(?<=^\s*:)|(?<=##)\[/g, escape)
  );
}

/** Escapes text from outside so that Markdown shows it as it is. */
export function escapeMarkdown(text: string): string {
  return printable(text).replace(/[\\`*_{}[\]<>()#+!|~&:@-]/g, '\\$&');
}
