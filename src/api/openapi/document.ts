import { idPattern, idSource } from '../../catalogue/id.ts';
import type { Service } from '../../catalogue/model.ts';
import type { IndexDocument, ProblemDocument } from '../documents.ts';
import { isWritten } from '../formats.ts';
import { interfaceVersion, listLimit, root } from '../paths.ts';
import { listKinds, type ListKind } from '../scopes.ts';
import { jsonSchemas } from './json-schemas.ts';
import { rows } from './paths.ts';
import { joinLines } from '../text.ts';
import { headers, openapiResponses, statusOf, type Media } from './responses.ts';
import type { Row } from './format-rows.ts';
import sample from './sample.json' with { type: 'json' };
import { interfaceDescription, tags } from './text.ts';

/** The parts of an OpenAPI 3.1 document that are used here. */
export type OpenApi = ReturnType<typeof openapiDocument>;
export type OpenApiOperation = ReturnType<typeof operationOf>;
/** A successful response. */
export type OpenApiAnswer = ReturnType<typeof answerOf>;

export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly required: boolean;
  readonly description: string;
  readonly schema: object;
  /** A value with which the catalogue has an answer, if there is one. */
  readonly example?: string | number | undefined;
}

/**
 * Ids that fit together: a genre of the category, a subject of the genre, and a list of each kind
 * that the site has.
 */
type ExampleIds = Readonly<Partial<Record<'category' | 'genre' | 'subject' | ListKind, string>>>;

/** What of a site its OpenAPI document shows. */
export interface OpenApiSite {
  /** Without a final slash. */
  readonly baseUrl: string;
  /** Says which files the site has. */
  readonly service: Pick<Service, 'formats' | 'pages'>;
  readonly index: Pick<IndexDocument, 'name' | 'license'>;
  readonly notFound: ProblemDocument;
  readonly ids: ExampleIds;
}

/**
 * Returns the OpenAPI document of version 1 (specification 4). Its examples are the same for all
 * catalogues.
 */
export function openapiDocument(site: OpenApiSite) {
  const { baseUrl, service, index, notFound, ids } = site;
  const { name, license } = index;
  const published = rows.filter(
    ({ path, format = 'json', isOfSubject }) =>
      isWritten(format, service) &&
      (service.pages === 'all' || !isOfSubject) &&
      listKinds.every((kind) => ids[kind] !== undefined || !path.includes(`{${kind}}`)),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: name,
      version: `${interfaceVersion}.0.0`,
      summary: 'Upcoming events by genre, and genres by category: read-only, public, no key.',
      description: joinLines(interfaceDescription),
      contact: { name, url: `${baseUrl}/` },
      license: { name: license, url: `${baseUrl}/${root}/` },
    },
    servers: [
      {
        url: baseUrl,
        description: 'Where the catalogue is published.',
      },
    ],
    security: [],
    tags: tags.filter(({ name: tag }) => published.some((row) => row.tag === tag)),
    paths: Object.fromEntries(published.map((row) => [`/${row.path}`, { get: operationOf(row) }])),
    components: {
      schemas: jsonSchemas,
      examples: examplesOf(published),
      parameters: parametersOf(ids),
      headers,
      responses: openapiResponses(baseUrl, notFound),
    },
  };
}

function examplesOf(published: readonly Row[]) {
  const examples = Object.entries(sample).filter(([name]) =>
    published.some(({ schema }) => schema === name),
  );
  return Object.fromEntries(
    examples.map(([name, value]) => [name, { summary: 'Of another catalogue', value }]),
  );
}

function operationOf(row: Row) {
  const { id, tag, summary, description, parameters = [], refusals = ['NotFound'] } = row;
  const references = parameters.map((name) => ({ $ref: `#/components/parameters/${name}` }));
  const responses: Readonly<Record<string, { readonly $ref: string } | OpenApiAnswer>> = {
    200: answerOf(row),
    304: { $ref: '#/components/responses/NotModified' },
    ...Object.fromEntries(
      refusals.map((name) => [statusOf(name), { $ref: `#/components/responses/${name}` }]),
    ),
    405: { $ref: '#/components/responses/MethodNotAllowed' },
  };
  const optionalParameters = references.length > 0 && { parameters: references };
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: joinLines(description),
    ...optionalParameters,
    responses,
  };
}

function answerOf({ mediaType = 'application/json', schema, summary }: Row) {
  const type = mediaType === 'application/json' ? 'object' : 'string';
  const content: Readonly<Record<string, Media>> = {
    [mediaType]:
      schema === null
        ? { schema: { type } }
        : {
            schema: { $ref: `#/components/schemas/${schema}` },
            examples: { sample: { $ref: `#/components/examples/${schema}` } },
          },
  };
  const references = Object.keys(headers).map(
    (name) => [name, { $ref: `#/components/headers/${name}` }] as const,
  );
  return {
    description: `${summary}.`,
    headers: Object.fromEntries(references),
    content,
  };
}

function parametersOf(ids: ExampleIds): Readonly<Record<string, OpenApiParameter>> {
  const categoryText = 'The id of a category, from `categories`.';
  const genreText = 'The id of a genre, from `genres`.';
  const pathParameter = (name: keyof ExampleIds, description: string): OpenApiParameter => {
    const schema = { type: 'string', pattern: idPattern.source };
    return {
      name,
      in: 'path',
      required: true,
      description,
      schema,
      example: ids[name],
    };
  };
  const queryParameter = (name: 'category' | 'genre', description: string): OpenApiParameter => {
    const schema = { type: 'string', pattern: `^(${idSource})?$` };
    const text = `${description} An empty value counts as omitted.`;
    return {
      name,
      in: 'query',
      required: false,
      description: text,
      schema,
      example: ids[name],
    };
  };
  const lists = listKinds.filter((kind) => ids[kind] !== undefined);
  return {
    // Not named category, because the parser of dredd reserves this name.
    categoryInPath: pathParameter('category', categoryText),
    genreInPath: pathParameter('genre', genreText),
    ...Object.fromEntries(
      lists.map((kind) => [
        `${kind}InPath`,
        pathParameter(kind, `The id of a ${kind}, from \`lists.json\`.`),
      ]),
    ),
    subjectInPath: pathParameter('subject', 'The id of a subject of the genre, from `subjects`.'),
    categoryFilter: queryParameter('category', categoryText),
    genreFilter: queryParameter('genre', genreText),
    limit: {
      name: 'limit',
      in: 'query',
      required: false,
      description: joinLines(`Maximum number of events:
        a positive integer in plain digits.
        Values above ${listLimit}, or none,
        mean ${listLimit}.`),
      schema: { type: 'integer', minimum: 1, default: listLimit },
      example: 2,
    },
  };
}
