import { mountOf } from '../address.ts';
import type { ProblemDocument } from '../documents.ts';
import { details, problemDocument, problemTypes, type ProblemType } from '../problems.ts';

export interface Media {
  readonly schema: object;
  /** A reference to the example of its schema. */
  readonly examples?: { readonly sample: { readonly $ref: string } };
}

/** The error responses: what they mean, and the kinds of problem that they report. */
const refusals = {
  RepeatedParameter: ['A parameter is repeated.', 'repeated-parameter'],
  InvalidEventsQuery: [
    '`limit` is not a positive integer, or a parameter is repeated.',
    'invalid-limit',
    'repeated-parameter',
  ],
  UnknownCategory: ['There is no such category.', 'unknown-category'],
  UnknownFilter: ['There is no such category or genre.', 'unknown-category', 'unknown-genre'],
  NotFound: ['There is no such category, genre or document.', 'not-found'],
  MethodNotAllowed: ['The method is not GET, HEAD or OPTIONS.', 'method-not-allowed'],
} as const;

export type Refusal = keyof typeof refusals;

/** Returns the HTTP status of an error response. */
export function statusOf(name: Refusal): number {
  return problemTypes[refusals[name][1]].status;
}

/** The headers of every successful response. */
export const headers = {
  ETag: {
    description: 'Identifies exactly these bytes; send it back in `If-None-Match`.',
    schema: { type: 'string' },
  },
  'Cache-Control': {
    description:
      'Fresh until the first listed event stops being upcoming, but for at most five minutes.',
    schema: { type: 'string' },
  },
  'Access-Control-Allow-Origin': {
    description: 'Pages from any origin may read the response.',
    schema: { type: 'string', const: '*' },
  },
} as const;

/** Every other response, with an example of each kind of problem (RFC 9457). */
export function openapiResponses(
  baseUrl: string,
  notFound: ProblemDocument,
): Readonly<Record<string, object>> {
  const mount = mountOf(baseUrl);
  const documentOf = (type: ProblemType, detail: string) => problemDocument(baseUrl, type, detail);
  const documents: Readonly<Record<ProblemType, ProblemDocument>> = {
    'not-found': notFound,
    'repeated-parameter': documentOf(
      'repeated-parameter',
      details['repeated-parameter']('category', ['tv', 'film']),
    ),
    'invalid-limit': documentOf('invalid-limit', details['invalid-limit']('ten')),
    'unknown-category': documentOf('unknown-category', details['unknown-category']('TV', mount)),
    'unknown-genre': documentOf('unknown-genre', details['unknown-genre']('Drama', mount)),
    'method-not-allowed': documentOf('method-not-allowed', details['method-not-allowed']('POST')),
  };
  const responses = Object.entries(refusals).map(([name, refusal]) => {
    const [description, ...types] = refusal;
    const examples = types.map((type) => [
      type,
      { summary: documents[type].title, value: documents[type] },
    ]);
    const media = {
      schema: { $ref: '#/components/schemas/Problem' },
      examples: Object.fromEntries(examples) as object,
    };
    return [name, { description, content: { 'application/problem+json': media } }] as const;
  });
  return {
    NotModified: {
      description: 'Nothing changed since the response whose `ETag` was sent in `If-None-Match`.',
    },
    ...Object.fromEntries(responses),
  };
}
