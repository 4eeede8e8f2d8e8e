import { mountOf } from '../catalogue/base-url.ts';
import type { ProblemDocument } from './documents.ts';
import { mostEvents } from './limits.ts';
import { operationPath, type Operation } from './paths.ts';
import { problemDocument, type ProblemType } from './problems.ts';
import type { Example } from './openapi-examples.ts';

export interface Media {
  readonly schema: object;
  readonly examples?: Readonly<Record<string, Example>>;
}

export type ResponseName =
  'NotModified' | 'RepeatedParameter' | 'InvalidEventsQuery' | 'UnknownFilter' | 'NotFound' | 'MethodNotAllowed';

/** The headers of every good answer. */
export const headers = {
  ETag: { description: 'Names these very bytes; send it back as `If-None-Match`.', schema: { type: 'string' } },
  'Cache-Control': {
    description: 'Fresh until the first listed event stops being upcoming, five minutes at most.',
    schema: { type: 'string' },
  },
  'Access-Control-Allow-Origin': {
    description: 'Pages of any origin may read the answer.',
    schema: { type: 'string', const: '*' },
  },
} as const;

/** Every answer that is not the document asked for, with a real example of each kind of problem (RFC 9457). */
export function openapiResponses(baseUrl: string, notFound: Example): Readonly<Record<ResponseName, object>> {
  const details = detailsAt(mountOf(baseUrl));
  const problems = (description: string, ...types: (keyof typeof details)[]): object => ({
    description,
    content: media(types.map((type) => [type, problemDocument(baseUrl, type, details[type])])),
  });
  return {
    NotModified: { description: 'Nothing changed since the answer whose `ETag` was sent as `If-None-Match`.' },
    RepeatedParameter: problems('A known parameter is given twice.', 'repeated-parameter'),
    InvalidEventsQuery: problems(
      'The limit is no whole number from 1, or a known parameter is given twice.',
      'invalid-limit',
      'repeated-parameter',
    ),
    UnknownFilter: problems('There is no such category or genre.', 'unknown-category', 'unknown-genre'),
    NotFound: {
      description: 'There is no such category, genre or document.',
      content: media([['not-found', notFound.value as ProblemDocument]]),
    },
    MethodNotAllowed: problems('The method is not GET, HEAD or OPTIONS.', 'method-not-allowed'),
  };
}

/** What is said of each kind of problem where the site has this path. */
function detailsAt(mount: string) {
  const at = (operation: Operation): string => `${mount}/${operationPath(operation)}`;
  return {
    'repeated-parameter': 'category is given 2 times: "tv", "film"; give it once.',
    'invalid-limit': `limit is "ten"; it must be a whole number in plain digits, from 1 to ${mostEvents}.`,
    'unknown-category': `category is "TV"; there is no such category. ${at('categories')} lists all there are.`,
    'unknown-genre': `genre is "Drama"; there is no such genre. ${at('genres')} lists all there are.`,
    'method-not-allowed': 'The method is "POST"; this interface is read with GET, HEAD or OPTIONS.',
  } as const satisfies Partial<Record<ProblemType, string>>;
}

function media(problems: readonly (readonly [string, ProblemDocument])[]): Readonly<Record<string, Media>> {
  const examples = Object.fromEntries(problems.map(([type, value]) => [type, { summary: value.title, value }]));
  return { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' }, examples } };
}
