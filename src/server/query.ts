import { maxEvents, type Operation, operationPath, operations } from '../api/paths.ts';
import { details, type ProblemType } from '../api/problems.ts';
import { idPattern, maxIdCharacters } from '../catalogue/id.ts';
import { decodeSegment } from '../catalogue/url.ts';

/** The parameters that each operation knows (specification 4). */
const parameters: Readonly<Record<Operation, readonly string[]>> = {
  categories: [],
  genres: ['category'],
  events: ['category', 'genre', 'limit'],
};

/** A question read from a query, its ids as they were given; or why it is none. */
export type Query =
  | {
      readonly operation: Operation;
      readonly category: string | null;
      readonly genre: string | null;
      readonly limit: number;
    }
  | { readonly problem: ProblemType; readonly detail: string };

/** Reads the query of an operation. An empty value counts as none; `limit` is capped (specification 4, rule 1). */
export function readQuery(operation: Operation, query: string): Query {
  // The question mark is what it may leave out: a second one is part of the first name.
  const given = new URLSearchParams(`?${query}`);
  const known = parameters[operation];
  const repeated = known.find((name) => given.getAll(name).length > 1);
  if (repeated !== undefined) {
    const detail = details['repeated-parameter'](repeated, given.getAll(repeated));
    return { problem: 'repeated-parameter', detail };
  }
  const value = (name: string): string | null => (known.includes(name) && given.get(name)) || null;
  const limit = value('limit') ?? String(maxEvents);
  if (!/^[1-9][0-9]*$/.test(limit)) {
    return { problem: 'invalid-limit', detail: details['invalid-limit'](limit) };
  }
  return {
    operation,
    category: value('category'),
    genre: value('genre'),
    limit: Math.min(Number(limit), maxEvents),
  };
}

/** The operation that a path relative to `{base_url}` asks for, in any of its three spellings. */
export function operationAt(path: string): Operation | null {
  const plain = path.replace(/(\.json|\/)$/, '');
  return operations.find((operation) => operationPath(operation) === plain) ?? null;
}

/**
 * Reads an address or a request target: its path relative to `{base_url}`, decoded, and its query as written.
 * The path is null where no file can be published at it: outside the mount, with dot segments, or with characters that
 * no published file has. Nothing is resolved: a path that climbs is refused, not followed.
 */
export function readTarget(url: string, mount: string): { path: string | null; query: string } {
  const [, path = '', query = ''] = /^(?:\w+:\/\/[^/?#]*)?([^?#]*)(?:\?([^#]*))?/.exec(url) ?? [];
  const segments = path.split('/').map(decodeSegment);
  const outer = mount.split('/').map(decodeSegment);
  const isInside = outer.every((segment, index) => segment === segments[index]);
  return { path: isInside ? publishable(segments.slice(outer.length)) : null, query };
}

/** Whether a value can be the id of a category or a genre; a genre's is the name of its folder, a hyphen and its category. */
export function isQuestionId(value: string): boolean {
  return value.length <= mostQuestionCharacters && idPattern.test(value);
}

const mostQuestionCharacters = 2 * maxIdCharacters + 1;

function publishable(segments: readonly string[]): string | null {
  const isPublishable = segments.every(
    (segment, index) => segmentPattern.test(segment) || (segment === '' && index === segments.length - 1),
  );
  return isPublishable ? segments.join('/') : null;
}

const segmentPattern = /^(?!\.{1,2}$)[\w.-]+$/;
