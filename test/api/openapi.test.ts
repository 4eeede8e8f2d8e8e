import addFormats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { IndexDocument } from '../../src/api/documents.ts';
import type {
  OpenApi,
  OpenApiAnswer,
  OpenApiOperation,
  OpenApiParameter,
} from '../../src/api/openapi/document.ts';
import { problemTypes } from '../../src/api/problems.ts';
import { memoize } from '../../src/catalogue/time/memoize.ts';
import { answer } from '../../src/server/handler.ts';
import { fetchFrom } from '../../src/server/site-folder.ts';
import { lastingFolder, readTree } from '../setup/folders.ts';
import { isPlainPattern, patternsIn } from '../setup/patterns.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

const root = join(import.meta.dirname, '../..');
const baseUrl = 'https://almanac.test/catalogue';
const now = '2026-11-20T12:17:00Z';

interface Built {
  readonly folder: string;
  readonly site: ReadonlyMap<string, Buffer>;
  readonly openapi: OpenApi;
}

async function build(data: string): Promise<Built> {
  const cwd = lastingFolder();
  const run = await runAlmanac(
    ['build', '--quiet', '--data', join(root, data), '--now', now, '--base-url', baseUrl],
    {
      cwd,
    },
  );
  expect(run).toMatchObject({ code: 0, stderr: '' });
  const folder = join(cwd, 'dist');
  const site = readTree(folder);
  return { folder, site, openapi: jsonOf(site, 'api/v1/openapi.json') as OpenApi };
}

function jsonOf(site: Built['site'], path: string): unknown {
  return JSON.parse(String(site.get(path)));
}

const sample = await build('test/conformance/data');
const built: [data: string, site: Built][] = [
  ['a catalogue of several categories', sample],
  ['an empty one', await build('test/fixtures/valid/minimal/data')],
];

function operationsOf(openapi: OpenApi): [path: string, operation: OpenApiOperation][] {
  return Object.entries(openapi.paths).map(([path, { get }]) => [path.slice(1), get]);
}

function parametersOf(openapi: OpenApi, { parameters = [] }: OpenApiOperation): OpenApiParameter[] {
  return parameters.flatMap(
    ({ $ref }) => openapi.components.parameters[$ref.split('/').at(-1) ?? ''] ?? [],
  );
}

function mediaOf(operation: OpenApiOperation) {
  const [[type, media] = []] = Object.entries(
    (operation.responses['200'] as OpenApiAnswer).content,
  );
  if (type === undefined || media === undefined)
    throw new Error(`${operation.operationId} has no content`);
  return { type, ...media };
}

/** Returns the path of an operation with the examples of its path parameters. */
function examplePath(openapi: OpenApi, path: string, operation: OpenApiOperation): string {
  const inPath = parametersOf(openapi, operation).filter((parameter) => parameter.in === 'path');
  return inPath.reduce(
    (text, { name, example }) => text.replace(`{${name}}`, String(example)),
    path,
  );
}

function validatorOf(openapi: OpenApi): (schema: object) => ValidateFunction {
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
  addFormats.default(ajv);
  ajv.addVocabulary(['components']);
  ajv.addSchema({
    $id: 'https://almanac.test/openapi',
    components: { schemas: openapi.components.schemas },
  });
  const compile = memoize((text: string) => ajv.compile(JSON.parse(text) as object));
  return (schema) =>
    compile(JSON.stringify(schema).replaceAll('"#/', '"https://almanac.test/openapi#/'));
}

test('redocly reports no problem in the documents', () => {
  const redocly = join(root, 'node_modules/.bin/redocly');
  const files = built.map(([, { folder }]) => join(folder, 'api/v1/openapi.json'));
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  // This format has a line for each problem, and no others.
  const args = ['lint', ...files, '--format', 'github-actions'];
  expect(execFileSync(redocly, args, { cwd: root, env, encoding: 'utf8', stdio: 'pipe' })).toBe('');
});

describe.each(built)('the document of %s', (_, { folder, site, openapi }) => {
  const validate = validatorOf(openapi);

  test('every published document has the schema that it names for its path', () => {
    const answers = operationsOf(openapi).map(([path, operation]) => ({
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      media: mediaOf(operation),
      isValid: validate(mediaOf(operation).schema),
    }));
    // The search index belongs to the pages.
    const documents = [...site.keys()].filter((path) =>
      /^(?!assets\/).*\.json$|^api\/v1\/\w+$/.test(path),
    );
    for (const path of documents) {
      const described = answers.filter(({ pattern }) => pattern.test(path));
      expect(described, path).toHaveLength(1);
      for (const { media, isValid } of described) {
        expect(media.type).toBe('application/json');
        isValid(jsonOf(site, path));
        expect(isValid.errors, path).toBeNull();
      }
    }
    expect(documents.length).toBeGreaterThanOrEqual(10);
  });

  test('each of its paths exists with the example values', () => {
    const { genres, subjects } = (jsonOf(site, 'api/v1/index.json') as IndexDocument).catalogue;
    for (const [path, operation] of operationsOf(openapi)) {
      const isFilled =
        (genres > 0 || !path.includes('{')) && (subjects > 0 || !path.includes('{subject}'));
      if (isFilled) expect(site.keys()).toContain(examplePath(openapi, path, operation));
    }
  });

  test('llms.txt names documents of the site, and the operations', async () => {
    const links = Array.from(
      String(site.get('llms.txt')).matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm),
      ([, url = '']) => url.replace(`${baseUrl}/`, ''),
    );
    expect(links).toContain('api/v1/openapi.json');
    expect(links.filter((link) => link.includes('next.json'))).toEqual(['api/v1/next.json']);
    expect(String(site.get('llms.txt'))).toContain(
      '/category/{category}/ (except /api/v1/events.ndjson, /api/v1/events.csv, /api/v1/events.geojson, /api/v1/changes.json) and ',
    );
    const [operations, documents] = [links.slice(0, 3), links.slice(3)];
    expect(documents.filter((path) => !site.has(path))).toEqual([]);
    for (const path of operations)
      expect(Object.keys(openapi.paths)).toContain(`/${path.split('?', 1)[0]}`);
    for (const path of operations)
      expect(await ask(folder, `/${path}`)).not.toHaveProperty('status');
  });

  test('every JSON document has an example, which is valid', () => {
    for (const [path, operation] of operationsOf(openapi)) {
      const { type, schema, examples } = mediaOf(operation);
      // The document itself has no schema.
      if (type !== 'application/json' || path === 'api/v1/openapi.json') continue;
      const name = examples?.sample.$ref.split('/').at(-1) ?? '';
      const isValid = validate(schema);
      isValid(openapi.components.examples[name]?.value);
      expect(isValid.errors, path).toBeNull();
    }
  });

  test('lists exactly the problems with which the service answers queries', async () => {
    const bad = ['category=a&category=a', 'limit=ten', 'category=TV', 'genre=Drama', '='];
    for (const [path, { responses }] of operationsOf(openapi).filter(([path]) =>
      /^api\/v1\/\w+(\.json)?$/.test(path),
    )) {
      if (['index.json', 'openapi.json'].some((name) => path.endsWith(name))) continue;
      const answers = await Promise.all(
        bad.map((query) => ask(folder, `/${path}?${query}`) as Promise<{ type?: string }>),
      );
      const given = answers.flatMap(({ type = '' }) => type.split('#')[1] ?? []);
      const offered = Object.entries(responses).flatMap(([status, answer]) =>
        ['400', '404'].includes(status) && '$ref' in answer ? typesIn(openapi, answer.$ref) : [],
      );
      expect(new Set(offered.filter((type) => type !== 'not-found')), path).toEqual(new Set(given));
    }
  });

  test('has a valid example of every kind of problem', () => {
    const isProblem = validate({ $ref: '#/components/schemas/Problem' });
    const types = Object.values(openapi.components.responses).flatMap((response) => {
      const { content } = response as {
        content?: Record<string, { examples: Record<string, { value: object }> }>;
      };
      return Object.values(content?.['application/problem+json']?.examples ?? {}).map(
        ({ value }) => {
          expect(isProblem(value)).toBe(true);
          return (value as { type: string }).type;
        },
      );
    });
    const known = Object.keys(problemTypes).map((type) => `${baseUrl}/api/v1/#${type}`);
    expect(new Set(types)).toEqual(new Set(known));
  });
});

/** Returns the answer of the service on a host that runs code. */
async function ask(folder: string, url: string): Promise<unknown> {
  return (
    await answer({ method: 'GET', url, headers: new Headers() }, fetchFrom(folder), Date.parse(now))
  ).json();
}

/** Returns the kinds of problem that a response has examples of. */
function typesIn(openapi: OpenApi, reference: string): string[] {
  const response = Object.entries(openapi.components.responses).find(([name]) =>
    reference.endsWith(`/${name}`),
  )?.[1];
  const { content } = response as Partial<OpenApiAnswer>;
  return Object.keys(content?.['application/problem+json']?.examples ?? {});
}

test('its schemas refuse documents without a field or with a wrong value', () => {
  const { site, openapi } = sample;
  const isEvents = validatorOf(openapi)({ $ref: '#/components/schemas/Events' });
  const document = jsonOf(site, 'api/v1/events.json') as { events: Record<string, unknown>[] };
  for (const key of Object.keys(document.events[0] ?? {})) {
    const { [key]: _, ...rest } = document.events[0] ?? {};
    expect(isEvents({ ...document, events: [rest] }), key).toBe(false);
  }
  expect(isEvents({ ...document, events: [{ ...document.events[0], precision: 'week' }] })).toBe(
    false,
  );
  expect(isEvents({ ...document, limit: 201 })).toBe(false);
});

test('programs in every language can read its patterns', () => {
  const patterns = patternsIn(JSON.stringify(sample.openapi));
  expect(patterns.length).toBeGreaterThan(10);
  expect(patterns.filter((pattern) => !isPlainPattern(pattern))).toEqual([]);
  // Generators put a pattern between slashes, remove a slash at its end, or escape slashes once
  // more.
  expect(patterns.filter((pattern) => pattern.includes('\\/') || pattern.endsWith('/'))).toEqual(
    [],
  );
});
