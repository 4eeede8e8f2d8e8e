import { idPattern, idSource } from '../../catalogue/id.ts';
import type { Service } from '../../catalogue/model.ts';
import { isWritten } from '../formats.ts';
import { interfaceVersion, listLimit, root } from '../paths.ts';
import { listKinds } from '../scopes.ts';
import { exampleIds, exampleLength, openapiExamples, type Example, type Sample } from './examples.ts';
import { jsonSchemas } from './json-schemas.ts';
import { rows } from './paths.ts';
import type { Row } from './row.ts';
import { openapiResponses, headers, type Media, type ResponseName } from './responses.ts';
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
  /** Path parameters have a single `example`, because some tools do not read `examples`. */
  readonly example?: string;
  readonly examples?: Readonly<Record<string, Example>>;
}

/**
 * Returns the OpenAPI document of version 1 (specification 4), with examples from the catalogue.
 *
 * @param baseUrl without a final slash
 * @param service says which files the site has
 */
export function openapiDocument(baseUrl: string, sample: Sample, service: Pick<Service, 'formats' | 'pages'>) {
  const { name, license } = sample.index;
  const openapi = '3.1.0';
  const [title, version] = [name, `${interfaceVersion}.0.0`];
  const examples = openapiExamples(sample, { openapi, info: { title, version } });
  const missing = listKinds.filter((kind) => !sample.lists.some((list) => list.kind === kind));
  const published = rows.filter(
    ({ path, format = 'json', isOfSubject }) =>
      isWritten(format, service) &&
      (service.pages === 'all' || !isOfSubject) &&
      !missing.some((kind) => path.includes(`{${kind}}`)),
  );
  return {
    openapi,
    info: {
      title,
      version,
      summary: 'Upcoming events by genre, and genres by category: read-only, public, no key.',
      description: interfaceDescription,
      contact: { name, url: `${baseUrl}/` },
      license: { name: license, url: `${baseUrl}/${root}/` },
    },
    servers: [{ url: baseUrl, description: 'Where the catalogue is published.' }],
    security: [],
    tags: tags.filter(({ name: tag }) => published.some((row) => row.tag === tag)),
    paths: Object.fromEntries(published.map((row) => [`/${row.path}`, { get: operationOf(row, examples) }])),
    components: {
      schemas: jsonSchemas,
      parameters: parametersOf(exampleIds(sample)),
      headers,
      responses: openapiResponses(baseUrl, examples.notFound),
    },
  };
}

type Examples = Readonly<Record<string, Example>>;

function operationOf(row: Row, examples: Examples) {
  const { id, tag, summary, description, parameters = [], refusals = ['NotFound'] } = row;
  const references = parameters.map((name) => ({ $ref: `#/components/parameters/${name}` }));
  const responses: Readonly<Record<string, { readonly $ref: string } | OpenApiAnswer>> = {
    200: answerOf(row, examples),
    304: { $ref: '#/components/responses/NotModified' },
    ...Object.fromEntries(refusals.map((name) => [statuses[name], { $ref: `#/components/responses/${name}` }])),
    405: { $ref: '#/components/responses/MethodNotAllowed' },
  };
  const given = references.length > 0 && { parameters: references };
  return { operationId: id, tags: [tag], summary, description, ...given, responses };
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

function answerOf({ mediaType = 'application/json', schema, example, summary }: Row, examples: Examples) {
  const type = mediaType === 'application/json' ? 'object' : 'string';
  const shown = example === undefined ? undefined : examples[example];
  const content: Readonly<Record<string, Media>> = {
    [mediaType]: {
      schema: schema === null ? { type } : { $ref: `#/components/schemas/${schema}` },
      ...(shown && { examples: { catalogue: shown } }),
    },
  };
  const references = Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }] as const);
  return { description: `${summary}.`, headers: Object.fromEntries(references), content };
}

function parametersOf(ids: ReturnType<typeof exampleIds>): Readonly<Record<string, OpenApiParameter>> {
  const categories = ids.category && { examples: ids.category };
  const genres = ids.genre && { examples: ids.genre };
  const [ofCategory, ofGenre] = ['The id of a category, from `categories`.', 'The id of a genre, from `genres`.'];
  const inQuery = { in: 'query', required: false } as const;
  const inPath = { in: 'path', required: true, schema: { type: 'string', pattern: idPattern.source } } as const;
  const filter = { ...inQuery, schema: { type: 'string', pattern: `^(${idSource})?$` } } as const;
  const omitted = 'An empty value counts as omitted.';
  const inPathOf = (name: Exclude<keyof typeof ids, 'subject'>, description: string): OpenApiParameter => {
    const [example] = Object.values(ids[name] ?? {});
    return { name, ...inPath, description, ...(example && { example: String(example.value) }) };
  };
  return {
    // Not named category, because the parser of dredd reserves this name.
    categoryInPath: inPathOf('category', ofCategory),
    genreInPath: inPathOf('genre', ofGenre),
    ...Object.fromEntries(
      listKinds
        .filter((kind) => ids[kind] !== null)
        .map((kind) => [`${kind}InPath`, inPathOf(kind, `The id of a ${kind}, from \`lists.json\`.`)]),
    ),
    subjectInPath: {
      name: 'subject',
      ...inPath,
      description: 'The id of a subject of the genre, from `subjects`.',
      ...(ids.subject !== undefined && { example: ids.subject }),
    },
    categoryFilter: { name: 'category', ...filter, description: `${ofCategory} ${omitted}`, ...categories },
    genreFilter: { name: 'genre', ...filter, description: `${ofGenre} ${omitted}`, ...genres },
    limit: {
      name: 'limit',
      ...inQuery,
      description: `Maximum number of events: a positive integer in plain digits. Values above ${listLimit}, or none, mean ${listLimit}.`,
      schema: { type: 'integer', minimum: 1, default: listLimit },
      examples: {
        two: { summary: 'The two soonest', value: exampleLength },
        most: { summary: 'The maximum', value: listLimit },
      },
    },
  };
}
