import { html, type Markup } from './html.ts';
import { inline } from './markdown.ts';

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

/** Renders each kind of document and record with its fields. */
export function fieldTables(schemas: Readonly<Record<string, unknown>>): Markup {
  return html`${Object.entries(schemas as Record<string, Schema>).map(
    ([name, schema]) =>
      html`<section class="schema">
        <h3 id="schema-${name}">${name}</h3>
        <p>${inline(schema.description ?? '')}</p>
        ${schema.properties !== undefined && html`<dl class="fields">${rowsOf(schema, '')}</dl>`}
      </section>`,
  )}`;
}

/** Describes a type in words, as {@link typeName}, with links to the kinds of records. */
export function typeOf(schema: Schema): Markup {
  const { $ref, anyOf, enum: values, items } = schema;
  if ($ref !== undefined) return html`<a href="#schema-${typeName(schema)}">${typeName(schema)}</a>`;
  if (anyOf !== undefined) return html`${anyOf.map((one, n) => html`${n > 0 && ' or '}${typeOf(one)}`)}`;
  if (items !== undefined) return html`list of ${typeOf(items)}`;
  if (schema.const !== undefined) return html`always <code>${JSON.stringify(schema.const)}</code>`;
  if (values !== undefined) {
    return html`${values.map((value, n) => html`${n > 0 && ' or '}<code>${String(value)}</code>`)}`;
  }
  return html`${typeName(schema)}`;
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

/** Renders a row for each field. The fields of a nested object follow it, named by their path. */
function rowsOf({ properties = {} }: Schema, prefix: string): Markup {
  return html`${Object.entries(properties).map(
    ([name, schema]) =>
      html`<div>
          <dt><code>${prefix}${name}</code> <span class="type">${typeOf(schema)}</span></dt>
          <dd>${inline(schema.description ?? '')}</dd>
        </div>
        ${rowsOf(schema, `${prefix}${name}.`)}`,
  )}`;
}
