import { idPattern, idSource } from '../../catalogue/id.ts';
import { interfaceVersion, maxEvents, root } from '../paths.ts';
import { documentSchemas } from '../schemas.generated.ts';
import { openapiExamples, shown, type Example, type Examples, type Sample } from './examples.ts';
import { openapiResponses, headers, type Media, type ResponseName } from './responses.ts';
import { openapiRows, type Row } from './paths.ts';
import { interfaceDescription, tags, type Tag } from './text.ts';

/** The interface as OpenAPI 3.1 has it: as much of its shape as is used here. */
export interface OpenApi {
  readonly openapi: string;
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
    readonly license: object;
  };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly security: readonly [];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, { readonly get: OpenApiOperation }>>;
  readonly components: {
    readonly schemas: typeof documentSchemas;
    readonly parameters: Readonly<Record<string, OpenApiParameter>>;
    readonly headers: Readonly<Record<string, object>>;
    readonly responses: Readonly<Record<ResponseName, object>>;
  };
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly tags: readonly [Tag];
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly { readonly $ref: string }[];
  readonly responses: Readonly<Record<string, Reference | OpenApiAnswer>>;
}

/** The answer to what was asked. */
export interface OpenApiAnswer {
  readonly description: string;
  readonly headers: object;
  readonly content: Readonly<Record<string, Media>>;
}

export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly required: boolean;
  readonly description: string;
  readonly schema: object;
  readonly examples?: Readonly<Record<string, Example>>;
}

interface Reference {
  readonly $ref: string;
}

/**
 * The OpenAPI document of version 1 (specification 4), with examples out of the catalogue.
 *
 * @param baseUrl where the site is served from, without a slash at its end
 */
export function openapiDocument(baseUrl: string, sample: Sample): OpenApi {
  const { name, license } = sample.index;
  const examples = openapiExamples(sample);
  const documentation = `${baseUrl}/${root}/`;
  return {
    openapi: '3.1.0',
    info: {
      title: name,
      version: `${interfaceVersion}.0.0`,
      summary: 'Upcoming events by genre, and genres by category: read-only, public, no key.',
      description: interfaceDescription,
      license: { name: license, url: documentation },
    },
    servers: [{ url: baseUrl, description: 'Where the catalogue is published.' }],
    security: [],
    tags,
    paths: Object.fromEntries(openapiRows(examples).map((row) => [`/${row.path}`, { get: operationOf(row) }])),
    components: {
      schemas: documentSchemas,
      parameters: parametersOf(examples),
      headers,
      responses: openapiResponses(baseUrl, examples.notFound),
    },
  };
}

function operationOf(row: Row): OpenApiOperation {
  const { id, tag, summary, description, parameters = [], refusals = ['NotFound'] } = row;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    ...(parameters.length > 0 && {
      parameters: parameters.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    }),
    responses: {
      200: answerOf(row),
      304: { $ref: '#/components/responses/NotModified' },
      ...Object.fromEntries(refusals.map((name) => [statuses[name], { $ref: `#/components/responses/${name}` }])),
      405: { $ref: '#/components/responses/MethodNotAllowed' },
    },
  };
}

const statuses: Readonly<Record<ResponseName, number>> = {
  NotModified: 304,
  RepeatedParameter: 400,
  InvalidEventsQuery: 400,
  UnknownCategory: 404,
  UnknownFilter: 404,
  NotFound: 404,
  MethodNotAllowed: 405,
};

function answerOf({ schema, example, summary }: Row): OpenApiAnswer {
  return {
    description: `${summary}.`,
    headers: Object.fromEntries(Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    content:
      schema === 'Calendar'
        ? { 'text/calendar': { schema: { type: 'string' } } }
        : {
            'application/json': {
              schema: schema === 'OpenApi' ? { type: 'object' } : { $ref: `#/components/schemas/${schema}` },
              ...(example && { examples: { catalogue: example } }),
            },
          },
  };
}

function parametersOf({ categoryIds, genreIds }: Examples): OpenApi['components']['parameters'] {
  const categories = categoryIds && { examples: categoryIds };
  const genres = genreIds && { examples: genreIds };
  const [ofCategory, ofGenre] = ['The id of a category, from `categories`.', 'The id of a genre, from `genres`.'];
  const inQuery = { in: 'query', required: false } as const;
  const inPath = { in: 'path', required: true, schema: { type: 'string', pattern: idPattern.source } } as const;
  const filter = { ...inQuery, schema: { type: 'string', pattern: `^(${idSource})?$` } } as const;
  const omitted = 'Empty is as omitted.';
  return {
    category: { name: 'category', ...inPath, description: ofCategory, ...categories },
    genre: { name: 'genre', ...inPath, description: ofGenre, ...genres },
    categoryFilter: { name: 'category', ...filter, description: `${ofCategory} ${omitted}`, ...categories },
    genreFilter: { name: 'genre', ...filter, description: `${ofGenre} ${omitted}`, ...genres },
    limit: {
      name: 'limit',
      ...inQuery,
      description: `The most events wanted, a whole number from 1 in plain digits. Above ${maxEvents} it acts as ${maxEvents}, and so it does when it is omitted.`,
      schema: { type: 'integer', minimum: 1, default: documentSchemas.Events.properties.limit.maximum },
      examples: {
        two: { summary: 'The two soonest', value: shown },
        most: { summary: 'The most there can be', value: maxEvents },
      },
    },
  };
}
