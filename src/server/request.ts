import {
  listLimit,
  type Operation,
  operationPath,
  operations,
  type Question,
} from '../api/paths.ts';
import { details, type ProblemType } from '../api/problems.ts';
import { decodeSegment } from '../api/address.ts';

const parameters: Readonly<Record<Operation, readonly string[]>> = {
  categories: [],
  genres: ['category'],
  events: ['category', 'genre', 'limit'],
};

/** The parameters of a request, with ids as given, or the problem with them. */
export type Query =
  | (Required<Pick<Question, 'operation' | 'category' | 'genre'>> & { readonly limit: number })
  | { readonly problem: ProblemType; readonly detail: string };

/**
 * Reads the query of an operation. An empty value counts as missing; `limit` is capped
 * (specification 4, rule 1).
 */
export function readQuery(operation: Operation, query: string): Query {
  // URLSearchParams drops a question mark at the start, but here it would be part of the first
  // name.
  const values = new URLSearchParams(`?${query}`);
  const names = parameters[operation];
  const repeated = names.find((name) => values.getAll(name).length > 1);
  if (repeated !== undefined) {
    return {
      problem: 'repeated-parameter',
      detail: details['repeated-parameter'](repeated, values.getAll(repeated)),
    };
  }
  const value = (name: string): string | null => (names.includes(name) && values.get(name)) || null;
  const limit = value('limit') ?? String(listLimit);
  if (!/^[1-9][0-9]*$/.test(limit)) {
    return {
      problem: 'invalid-limit',
      detail: details['invalid-limit'](limit),
    };
  }
  return {
    operation,
    category: value('category'),
    genre: value('genre'),
    limit: Math.min(Number(limit), listLimit),
  };
}

/**
 * Returns the operation at a path relative to `{base_url}`, in any of its three spellings, or null.
 */
export function operationAt(path: string): Operation | null {
  const plain = path.replace(/(\.json|\/)$/, '');
  return operations.find((operation) => operationPath(operation) === plain) ?? null;
}

/**
 * Splits a URL or a request target into its decoded path relative to `{base_url}` and its raw
 * query. The path is null if no file can be published there: outside the mount, with dot segments,
 * or with characters that no published file has. Dot segments are not resolved, so no path can lead
 * out of the site.
 */
export function readTarget(url: string, mount: string): { path: string | null; query: string } {
  const [, path = '', query = ''] = /^(?:\w+:\/\/[^/?#]*)?([^?#]*)(?:\?([^#]*))?/.exec(url) ?? [];
  const segments = path.split('/').map(decodeSegment);
  const mountSegments = mount.split('/').map(decodeSegment);
  const isInside = mountSegments.every((segment, index) => segment === segments[index]);
  const inside = segments.slice(mountSegments.length);
  const isPublishable = inside.every((segment, index) => {
    const isLast = inside[index + 1] === undefined;
    return segmentPattern.test(segment) || (isLast && segment === '');
  });
  return {
    path: isInside && isPublishable ? inside.join('/') : null,
    query,
  };
}

const segmentPattern = /^(?!\.{1,2}$)[\w.-]+$/;

/**
 * Whether an `Accept` header ranks `text/html` strictly above `application/json` (RFC 9110,
 * 12.5.1).
 */
export function prefersHtml(accept: string | null): boolean {
  if (accept === null) return false;
  return weightOf(accept, 'text', 'html') > weightOf(accept, 'application', 'json');
}

/**
 * Returns the weight of the most specific range that matches a type, or 0. Invalid weights are
 * ignored.
 */
function weightOf(accept: string, type: string, subtype: string): number {
  const weights = new Map<string, number>();
  for (const range of accept.toLowerCase().replaceAll(/\s/g, '').split(',')) {
    const [name = ''] = range.split(';');
    const weight = /;q=([^;]*)/.exec(range)?.[1] ?? '1';
    if (!/^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight)) continue;
    weights.set(name, Math.max(weights.get(name) ?? 0, Number(weight)));
  }
  return weights.get(`${type}/${subtype}`) ?? weights.get(`${type}/*`) ?? weights.get('*/*') ?? 0;
}

/** Whether an `If-None-Match` header contains an ETag, by weak comparison (RFC 9110, 13.1.2). */
export function matchesEtag(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  const opaque = (tag: string) => tag.replace(/^W\//, '');
  if (ifNoneMatch.trim() === '*') return true;
  const tags = ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.some((tag) => opaque(tag) === opaque(etag));
}
