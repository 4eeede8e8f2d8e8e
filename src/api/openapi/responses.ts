import { mountOf } from '../address.ts';
import type { ProblemDocument } from '../documents.ts';
import { details, problemDocument } from '../problems.ts';

export interface Media {
  readonly schema: object;
  /** A reference to the example of its schema. */
  readonly examples?: { readonly sample: { readonly $ref: string } };
}

export type ResponseName =
  | 'NotModified'
  | 'RepeatedParameter'
  | 'InvalidEventsQuery'
  | 'UnknownCategory'
  | 'UnknownFilter'
  | 'NotFound'
  | 'MethodNotAllowed';

/** The headers of every successful response. */
export const headers = {
  ETag: { description: 'Identifies exactly these bytes; send it back in `If-None-Match`.', schema: { type: 'string' } },
  'Cache-Control': {
    description: 'Fresh until the first listed event stops being upcoming, but for at most five minutes.',
    schema: { type: 'string' },
  },
  'Access-Control-Allow-Origin': {
    description: 'Pages from any origin may read the response.',
    schema: { type: 'string', const: '*' },
  },
} as const;

/** Every other response, with an example of each kind of problem (RFC 9457). */
export function openapiResponses(baseUrl: string, notFound: ProblemDocument): Readonly<Record<ResponseName, object>> {
  const mount = mountOf(baseUrl);
  /** The `detail` of an example of each kind of problem. */
  const examples = {
    'repeated-parameter': details['repeated-parameter']('category', ['tv', 'film']),
    'invalid-limit': details['invalid-limit']('ten'),
    'unknown-category': details['unknown-category']('TV', mount),
    'unknown-genre': details['unknown-genre']('Drama', mount),
    'method-not-allowed': details['method-not-allowed']('POST'),
  };
  const problems = (description: string, ...types: (keyof typeof examples)[]): object => ({
    description,
    content: media(types.map((type) => [type, problemDocument(baseUrl, type, examples[type])])),
  });
  return {
    NotModified: { description: 'Nothing changed since the response whose `ETag` was sent in `If-None-Match`.' },
    RepeatedParameter: problems('A parameter is repeated.', 'repeated-parameter'),
    InvalidEventsQuery: problems(
      '`limit` is not a positive integer, or a parameter is repeated.',
      'invalid-limit',
      'repeated-parameter',
    ),
    UnknownCategory: problems('There is no such category.', 'unknown-category'),
    UnknownFilter: problems('There is no such category or genre.', 'unknown-category', 'unknown-genre'),
    NotFound: {
      description: 'There is no such category, genre or document.',
      content: media([['not-found', notFound]]),
    },
    MethodNotAllowed: problems('The method is not GET, HEAD or OPTIONS.', 'method-not-allowed'),
  };
}

function media(problems: readonly (readonly [string, ProblemDocument])[]) {
  const examples = Object.fromEntries(problems.map(([type, value]) => [type, { summary: value.title, value }]));
  return { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' }, examples } };
}
