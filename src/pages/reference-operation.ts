import type { OpenApi, OpenApiAnswer, OpenApiOperation, OpenApiParameter } from '../api/openapi/document.ts';
import { jsonBlock, sampleBlocks } from './code-samples.ts';
import { html, type Markup } from '../render/html.ts';
import { inline } from './markdown.ts';
import { typeOf } from './reference-fields.ts';

/** A response in the OpenAPI document. */
interface ExampleResponse {
  readonly description: string;
  readonly content?: OpenApiAnswer['content'];
}

/** A path of an operation. */
export interface Form {
  readonly path: string;
  readonly operation: OpenApiOperation;
}

/**
 * Returns the operations of a tag, each with all of its paths. Files come first, unless the host of the site answers
 * queries; null if that is not known.
 */
export function operationsOf({ paths }: OpenApi, tag: string, answersQueries: boolean | null): Form[][] {
  const operations = new Map<string, Form[]>();
  for (const [path, { get: operation }] of Object.entries(paths)) {
    if (!operation.tags.some((one) => one === tag)) continue;
    const name = path.replace(/\.json$/, '').replace(/^.*\//, '');
    operations.set(name, [...(operations.get(name) ?? []), { path, operation }]);
  }
  const rank = ({ path }: Form): number => Number(isFile(path) === (answersQueries === true));
  return Array.from(operations.values(), (forms) => forms.sort((a, b) => rank(a) - rank(b)));
}

/** The form that names an operation: the one that takes a query, if there is one. */
export function mainForm(forms: readonly Form[]): Form {
  const main = forms.find(({ path }) => !isFile(path)) ?? forms[0];
  if (main === undefined) throw new RangeError('an operation without a path');
  return main;
}

/** Renders an operation: its addresses, parameters, responses, code, and an example from the catalogue. */
export function operationArticle(openapi: OpenApi, forms: readonly Form[], answersQueries: boolean | null): Markup {
  const main = mainForm(forms);
  const { operationId: id, summary, description, responses } = main.operation;
  const parameters = parametersOf(openapi, forms);
  const [media, content] = Object.entries((responses['200'] as OpenApiAnswer).content)[0] ?? ['', null];
  const example = content?.examples?.['catalogue'];
  const first = forms.map((form) => exampleAddress(openapi, form)).find((address) => address !== null) ?? main.path;
  return html`<article class="operation" id="${id}">
    <h3>${summary}</h3>
    <p>${inline(description)}</p>
    <ul class="forms">
      ${forms.map((form) => formRow(openapi, form, form === main, answersQueries))}
    </ul>
    ${parameters.length > 0 && parameterList(parameters)}
    <h4>Responses</h4>
    <dl class="fields">
      ${Object.entries(responses).map(([status, answer]) =>
        answerRow(
          status,
          '$ref' in answer
            ? (openapi.components.responses as Record<string, ExampleResponse>)[nameIn(answer.$ref)]
            : answer,
        ),
      )}
    </dl>
    <h4>Code</h4>
    ${sampleBlocks(`${openapi.servers[0]?.url}${first}`, summary, media)}
    ${
      example !== undefined &&
      html`<details class="example" ${!isFile(main.path) && html` open`}>
        <summary>Example response<span class="sr">: ${summary}</span></summary>
        <p class="small">${example.summary}.</p>
        ${jsonBlock(example.value, `Response: ${summary}`)}
      </details>`
    }
  </article>`;
}

/** Renders a path with a link to an address of it, what it returns if the operation does not say so, and where it works. */
function formRow(openapi: OpenApi, form: Form, isMain: boolean, answersQueries: boolean | null): Markup {
  const { path, operation } = form;
  const address = exampleAddress(openapi, form);
  const shown = (text: string): Markup => html`<code>${withBreaks(text)}</code>`;
  const link = address !== null && html`<a href="../..${address}">${shown(address)}</a>`;
  return html`<li ${!isMain && html` id="${operation.operationId}"`}>
    <p class="path"><span class="method">GET</span> ${address === path ? link : shown(path)}</p>
    ${address !== path && link !== false && html`<div>${link}</div>`}
    <div class="note">${!isMain && `${operation.summary}. `}${whereItWorks(form, answersQueries)}</div>
  </li>`;
}

function whereItWorks({ path, operation }: Form, answersQueries: boolean | null): string {
  if (isFile(path) || operation.parameters === undefined) return 'Works on every host.';
  if (answersQueries === null) return 'Works on hosts that run code; a plain host ignores the query.';
  return answersQueries ? 'Works on this host.' : 'Does not work on this host, which ignores the query.';
}

/** The parameters of all forms, those of the query before those of paths. */
function parametersOf({ components }: OpenApi, forms: readonly Form[]): OpenApiParameter[] {
  const names = new Set(forms.flatMap(({ operation }) => (operation.parameters ?? []).map(({ $ref }) => nameIn($ref))));
  const all = [...names].map((name) => components.parameters[name]).filter((one) => one !== undefined);
  return all.sort((a, b) => Number(a.in === 'path') - Number(b.in === 'path'));
}

function parameterList(parameters: readonly OpenApiParameter[]): Markup {
  return html`<h4>Parameters</h4>
    <dl class="fields">
      ${parameters.map(
        ({ name, in: place, required, description, schema }) =>
          html`<div>
            <dt>
              <code>${name}</code>
              <span class="type">${typeOf(schema)}, in the ${place}, ${required ? 'required' : 'optional'}</span>
            </dt>
            <dd>${inline(description)}</dd>
          </div>`,
      )}
    </dl>`;
}

function answerRow(status: string, answer: ExampleResponse | undefined): Markup {
  const [media, content] = Object.entries(answer?.content ?? {})[0] ?? ['', null];
  const problems = media === 'application/problem+json' ? Object.keys(content?.examples ?? {}) : [];
  return html`<div>
    <dt><code>${status}</code></dt>
    <dd>
      ${inline(answer?.description ?? '')}
      ${media !== '' && problems.length === 0 && html` <code>${media}</code>: ${typeOf(content?.schema ?? {})}.`}
      ${problems.map((id) => html` <a href="#${id}"><code>${id}</code></a>`)}
    </dd>
  </div>`;
}

/**
 * Fills the parameters of a path in with examples that answer. Only a path that is no file gets a query. Returns null if
 * the catalogue has no example.
 */
function exampleAddress(openapi: OpenApi, form: Form): string | null {
  let { path } = form;
  const query = new URLSearchParams();
  for (const { name, in: place, example, examples = {} } of parametersOf(openapi, [form])) {
    const [value] = example === undefined ? Object.values(examples).map((one) => String(one.value)) : [example];
    if (place === 'path' && value === undefined) return null;
    if (place === 'path') path = path.replace(`{${name}}`, value ?? '');
    else if (value !== undefined && !isFile(path)) query.set(name, value);
  }
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

/** Renders a path or an address that may break after each of its parts. */
function withBreaks(path: string): Markup {
  return html`${path.split(/(?<=[/?&])/).map((part) => html`${part}<wbr />`)}`;
}

/** Whether a path is that of a file, which every host answers. */
function isFile(path: string): boolean {
  return path.includes('.');
}

function nameIn(reference: string): string {
  return reference.split('/').at(-1) ?? '';
}
