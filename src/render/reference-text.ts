import type { OpenApi } from '../api/openapi/document.ts';
import { formatPath, formats } from '../api/formats.ts';
import { changesPath, openapiPath, root, subjectFile } from '../api/paths.ts';
import { joinLines } from '../api/text.ts';
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

/** Renders `llms.txt`: what a language model needs to use this service, in about twenty lines. */
export function llmsText(
  service: Service,
  baseUrl: string,
  index: IndexDocument,
  openapi: OpenApi,
): string {
  const link = (path: string, text = '') => `- [${path}](${baseUrl}${path}): ${text}`;
  const operations = Object.entries(index.endpoints);
  const links = operations.map(([label, text]) => link(label.replace(/^GET /, ''), text));
  const isDocument = (path: string) => Object.hasOwn(openapi.paths, `/${path}`);
  const { json: _, ...companions } = formats;
  const companionPaths = Object.values(companions).map((format) => formatPath(format, {}));
  const paths = [...companionPaths, changesPath].filter(isDocument);
  const documents = paths.map((path) => link(`/${path}`, openapi.paths[`/${path}`]?.get.summary));
  const folders = [`${root}/category/{category}`, `${root}/genre/{genre}`].map((folder) => {
    const absent = paths.filter((path) => !isDocument(path.replace(root, folder)));
    const exceptions = absent.map((path) => `/${path}`).join(', ');
    return `/${folder}/${exceptions === '' ? '' : ` (except ${exceptions})`}`;
  });
  const path = subjectFile('{genre}', '{subject}', 'ics');
  const subjectCalendar = isDocument(path) ? ` The calendar of a subject has all: /${path}.` : '';
  return joinLines(`# ${service.name}

> ${openapi.info.summary} ${service.license}

${index.note}
An event is upcoming while the current time
    is before its upcoming_until.
    Every list shows in "filters"
    which filters were applied.

## Operations

${links.join('\n')}

## Documents

${documents.join('\n')}

A calendar has the 1,000 soonest
    upcoming events of its scope;
    its X-WR-CALDESC says up to which date
    it reaches if there are more.${subjectCalendar}

The same files exist under ${folders.join(' and ')}.

## Reference

- [OpenAPI 3.1](${baseUrl}/${openapiPath})
`);
}

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
