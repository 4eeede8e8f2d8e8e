import { html, type Markup } from '../render/html.ts';
import { typeName, type Schema } from '../render/reference-text.ts';
import { inline } from './markdown.ts';

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
