import type { OpenApi, OpenApiOperation } from '../api/openapi/document.ts';
import type { Tag } from '../api/openapi/text.ts';
import { formatPath, formats } from '../api/formats.ts';
import { changesPath, markdownReferencePath, openapiPath, root, subjectFile } from '../api/paths.ts';
import type { IndexDocument } from '../api/documents.ts';
import type { Service } from '../catalogue/model.ts';

/** The parts of JSON Schema that the documents use. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Renders `api/v1/index.md`: the reference as Markdown, from the same document as the page for people. */
export function markdownReference(service: Service, baseUrl: string, openapi: OpenApi): string {
  const { info, tags, paths, components } = openapi;
  const operations = tags.map(({ name, description }) => {
    const ofTag = Object.entries(paths).filter(([, { get }]) => get.tags.some((tag) => tag === name));
    const texts = ofTag.map(([path, { get }]) => operationText(openapi, path, get));
    return `## ${name}\n\n${description}\n\n${texts.join('\n')}`;
  });
  const schemas = Object.entries(components.schemas as Readonly<Record<string, Schema>>).map(
    ([name, schema]) => `### ${name}\n\n${schema.description ?? ''}\n\n${fieldLines(schema, '').join('')}`,
  );
  const about = `${service.name} for programs. Base URL: ${baseUrl}/. ${service.license}`;
  return [`# ${about}\n`, `${info.description}\n`, ...operations, `## Fields\n`, ...schemas].join('\n');
}

function operationText(openapi: OpenApi, path: string, operation: OpenApiOperation): string {
  const { summary, description, parameters = [] } = operation;
  const known = new Map(Object.entries(openapi.components.parameters));
  const lines = parameters.flatMap(({ $ref }) => {
    const parameter = known.get($ref.split('/').at(-1) ?? '');
    return parameter ? `- \`${parameter.name}\` (in the ${parameter.in}): ${parameter.description}\n` : [];
  });
  const list = lines.length === 0 ? '' : `\n${lines.join('')}`;
  return `### ${summary}\n\n\`GET ${path}\`\n\n${description}\n${list}`;
}

/** A line for each field. The fields of a nested object follow it, named by their path. */
function fieldLines({ properties = {} }: Schema, prefix: string): string[] {
  return Object.entries(properties).flatMap(([name, schema]) => [
    `- \`${prefix}${name}\` (${typeName(schema)}): ${schema.description ?? ''}\n`,
    ...fieldLines(schema, `${prefix}${name}.`),
  ]);
}

/** Renders `llms.txt`: what a language model needs to use this service, in about twenty lines. */
export function llmsText(service: Service, baseUrl: string, index: IndexDocument, openapi: OpenApi): string {
  const operations = Object.entries(index.endpoints).map(([label, description]) => {
    const path = label.replace(/^GET /, '');
    return `- [${path}](${baseUrl}${path}): ${description}`;
  });
  const documents = documentPaths(openapi).map(
    (path) => `- [${path}](${baseUrl}${path}): ${openapi.paths[path]?.get.summary}`,
  );
  const hasLog = Object.hasOwn(openapi.paths, `/${changesPath}`);
  const ofSubject = `/${subjectFile('{genre}', '{subject}', 'ics')}`;
  return `# ${service.name}

> ${openapi.info.summary} ${service.license}

${index.note}
An event is upcoming while the current time is before its upcoming_until. Every list shows in "filters" which filters were applied.

## Operations

${operations.join('\n')}

## Documents

${documents.join('\n')}

A calendar has the 1,000 soonest upcoming events of its scope; its X-WR-CALDESC says up to which date it reaches if there are more.${Object.hasOwn(openapi.paths, ofSubject) ? ` The calendar of a subject has all: ${ofSubject}.` : ''}

The same files exist under /${root}/category/{category}/ and /${root}/genre/{genre}/${hasLog ? ', except changes.json' : ''}.

## Reference

- [Reference in Markdown](${baseUrl}/${markdownReferencePath})
- [OpenAPI 3.1](${baseUrl}/${openapiPath})
`;
}

/** Returns the paths of the change log and of every format but the list of the operation. */
function documentPaths({ paths }: OpenApi): string[] {
  const rankOf = (path: string): number => tagOrder.findIndex((tag) => paths[path]?.get.tags[0] === tag);
  const { json: _, ...others } = formats;
  return [changesPath, ...Object.values(others).map((format) => formatPath(format, {}))]
    .map((path) => `/${path}`)
    .filter((path) => Object.hasOwn(paths, path))
    .toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** The order of documents: those that answer common questions in few bytes, then those that hold everything. */
const tagOrder: readonly Tag[] = ['Events', 'Subjects', 'Changes', 'Bulk', 'Calendars'];

/** Describes a type in words: `string`, `integer from 0`, `list of Event`, `string or null`. */
export function typeName(schema: Schema): string {
  const { $ref, anyOf, enum: values, items, type } = schema;
  if ($ref !== undefined) return $ref.split('/').at(-1) ?? '';
  if (anyOf !== undefined) return anyOf.map(typeName).join(' or ');
  if (items !== undefined) return `list of ${typeName(items)}`;
  if (schema.const !== undefined) return `always ${JSON.stringify(schema.const)}`;
  if (values !== undefined) return values.map((value) => `\`${String(value)}\``).join(' or ');
  return [type ?? 'any'].flat().join(' or ') + rangeOf(schema);
}

function rangeOf({ minimum, maximum }: Schema): string {
  const isPlain = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER;
  return (minimum === undefined ? '' : ` from ${minimum}`) + (isPlain ? '' : ` to ${maximum}`);
}
