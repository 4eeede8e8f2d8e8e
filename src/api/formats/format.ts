import type { EventFilters } from '../documents.ts';
import type { Row } from '../openapi/row.ts';
import type { ScopeKind } from '../scopes.ts';

/** A format turns the events of a scope into one file. `src/render/` has one renderer for each. */
export interface Format {
  /** The name of the file in the folder of its scope. */
  readonly file: string;
  readonly mediaType: string;
  /** The kinds of scope that have the file. */
  readonly scopes: readonly ScopeKind[];
  /** The kinds of scope whose files are left out with `"bulk": false` in service.json. */
  readonly bulk: readonly ScopeKind[];
}

/** The scopes of every format except the list of the events operation. */
export const withoutPair = ['everything', 'category', 'genre'] as const satisfies readonly ScopeKind[];

/** The scopes of the formats that lists have too. */
export const withLists = [
  ...withoutPair,
  'month',
  'country',
  'tag',
  'collection',
] as const satisfies readonly ScopeKind[];

/** What the OpenAPI document says about a format, with one operation for each kind of scope that has its file. */
export interface Description<F extends Format> {
  readonly tag: Row['tag'];
  /** Null if its documents are not JSON. */
  readonly schema: Row['schema'];
  readonly description: string;
  readonly scopes: { readonly [Kind in F['scopes'][number]]: Operation };
}

/** What differs from scope to scope. `description` replaces that of the format. */
export type Operation = Pick<Row, 'id' | 'summary'> & Partial<Pick<Row, 'description' | 'parameters' | 'refusals'>>;

/** What surrounds and separates the texts of genres, in the order of their ids, in one file of a scope. */
export interface Frame {
  readonly head: (filters: EventFilters) => string;
  readonly separator: string;
  readonly tail: string;
}
