import type { FoundProblem, TextFinding } from '../schema/finding.ts';

/**
 * A value of a YAML, TOML or JSON document, as it is written: no reader's own dates, numbers or
 * booleans. `offset` is where it begins in its text, or before the white space in front of it.
 */
export type Value = Scalar | List | Mapping;

export interface Scalar {
  readonly kind: 'text';
  /** Empty for nothing, and for an unquoted `~` or `null`. */
  readonly text: string;
  readonly offset: number;
}

interface List {
  readonly kind: 'list';
  readonly items: readonly Value[];
  readonly offset: number;
}

/** The entries are in the order of the text, also for keys such as `2027`. */
export interface Mapping {
  readonly kind: 'mapping';
  readonly entries: ReadonlyMap<string, Value>;
  readonly offset: number;
}

/** A list or map that is still being filled. */
export type OpenList = List & { readonly items: Value[] };
export type OpenMapping = Mapping & { readonly entries: Map<string, Value> };

/** What a parser returns: the documents of a text, and the warnings about it. */
export interface ParsedText {
  readonly documents: readonly Value[];
  readonly warnings: readonly TextFinding[];
}

export function scalar(text: string, offset: number): Scalar {
  return {
    kind: 'text',
    text,
    offset,
  };
}

export function list(offset: number, items: Value[] = []): OpenList {
  return {
    kind: 'list',
    items,
    offset,
  };
}

export function mapping(offset: number): OpenMapping {
  return {
    kind: 'mapping',
    entries: new Map(),
    offset,
  };
}

/** Returns the offset of the first character at or after `offset` that is no white space. */
export function skipSpace(text: string, offset: number): number {
  const space = /(?:\s+|#.*|-(?=\s))*/y;
  space.lastIndex = offset;
  space.exec(text);
  return space.lastIndex;
}

/** Thrown by a parser for a text that it refuses. */
export class DocumentError extends Error {
  readonly finding: TextFinding;

  constructor(problem: FoundProblem | string, offset: number) {
    const whole = typeof problem === 'string' ? badDocument(problem) : problem;
    super(whole.code);
    this.finding = { problem: whole, offset };
  }
}

function badDocument(reason: string): FoundProblem {
  return {
    code: 'bad-document',
    reason,
  };
}
