import type { OpenApi, OpenApiAnswer, OpenApiOperation, OpenApiParameter } from '../../api/openapi/document.ts';
import { codeBlock, sampleBlocks } from './code-samples.ts';
import { html, type Markup } from './html.ts';
import { inline } from './markdown.ts';
import { typeOf } from './reference-fields.ts';

/** An answer in the OpenAPI document. */
interface Answer {
  readonly description: string;
  readonly content?: OpenApiAnswer['content'];
}

/** Renders a path of the interface: parameters, answers, an example from the catalogue, code, and a form to try it. */
export function operationArticle(openapi: OpenApi, path: string, operation: OpenApiOperation): Markup {
  const { operationId: id, summary, description } = operation;
  const parameters = (operation.parameters ?? [])
    .map(({ $ref }) => openapi.components.parameters[nameIn($ref)])
    .filter((one) => one !== undefined);
  const [media, content] = Object.entries((operation.responses['200'] as OpenApiAnswer).content)[0] ?? ['', null];
  const example = content?.examples?.['catalogue'];
  return html`<article class="operation" id="${id}">
    <h3>${summary}</h3>
    <p class="path"><span class="method">GET</span> <code>${pathWithBreaks(path)}</code></p>
    <p class="note">${isFile(path) ? 'Works on every host.' : 'Works where code runs.'}</p>
    <p>${inline(description)}</p>
    ${parameters.length > 0 && parameterList(parameters)}
    <h4>Answers</h4>
    <dl class="fields">
      ${Object.entries(operation.responses).map(([status, answer]) =>
        answerRow(
          status,
          '$ref' in answer ? (openapi.components.responses as Record<string, Answer>)[nameIn(answer.$ref)] : answer,
        ),
      )}
    </dl>
    <h4>Ask for it</h4>
    ${tryForm(id, path, parameters)} ${sampleBlocks(exampleUrl(openapi, path, parameters), summary, media)}
    ${
      example !== undefined &&
      html`<details class="example" ${!isFile(path) && html` open`}>
        <summary>An answer<span class="sr">: ${summary}</span></summary>
        <p class="small">${example.summary}.</p>
        ${codeBlock(JSON.stringify(example.value, null, 2), `Answer: ${summary}`)}
      </details>`
    }
  </article>`;
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

function answerRow(status: string, answer: Answer | undefined): Markup {
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

/** Renders a form filled with values that work. */
function tryForm(id: string, path: string, parameters: readonly OpenApiParameter[]): Markup {
  return html`<form class="try" data-path="${path}">
    ${parameters.map(
      (parameter) =>
        html`<div class="field">
          <label for="${id}-${parameter.name}">${parameter.name}</label>
          ${fieldOf(id, path, parameter)}
        </div>`,
    )}
    <button type="submit">Try it<span class="sr">: ${path}</span></button>
    <div class="answer" role="status"></div>
  </form>`;
}

/** Ids are chosen: the script adds those of the catalogue. */
function fieldOf(id: string, path: string, parameter: OpenApiParameter): Markup {
  const { name, in: place } = parameter;
  const value = exampleValue(path, parameter);
  if (name !== 'genre' && name !== 'category') {
    return html`<input
      id="${id}-${name}"
      name="${name}"
      data-in="${place}"
      value="${value}"
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
    />`;
  }
  return html`<select id="${id}-${name}" name="${name}" data-in="${place}">
    ${place === 'query' && html`<option value="">–</option>`}${value !== '' && html`<option selected>${value}</option>`}
  </select>`;
}

function exampleUrl({ servers }: OpenApi, path: string, parameters: readonly OpenApiParameter[]): string {
  return `${servers[0]?.url}${fillPath(path, new Map(parameters.map((one) => [one.name, { in: one.in, value: exampleValue(path, one) }])))}`;
}

/** Fills the parameters of a path in, and appends those of the query that are not empty. */
export function fillPath(
  path: string,
  given: ReadonlyMap<string, { readonly in: string; readonly value: string }>,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeSegment(given.get(name)?.value ?? ''));
  const query = new URLSearchParams();
  for (const [name, { in: place, value }] of given) if (place === 'query' && value !== '') query.append(name, value);
  return query.size === 0 ? filled : `${filled}?${query.toString()}`;
}

/** Also encodes apostrophes, because the example for a shell puts the URL between two of them. */
function encodeSegment(text: string): string {
  return encodeURIComponent(text).replaceAll("'", '%27');
}

/** Returns a value that works. For a file, query parameters stay empty: most hosts of files ignore them. */
function exampleValue(path: string, { in: place, example, examples = {} }: OpenApiParameter): string {
  if (place === 'query' && isFile(path)) return '';
  const [first] = Object.values(examples);
  return example ?? (first === undefined ? '' : String(first.value));
}

/** Renders a path that may break after each slash. */
function pathWithBreaks(path: string): Markup {
  return html`${path.split(/(?<=\/)/).map((part) => html`${part}<wbr />`)}`;
}

/** Whether a path is that of a file, which every host answers. */
export function isFile(path: string): boolean {
  return path.includes('.');
}

function nameIn(reference: string): string {
  return reference.split('/').at(-1) ?? '';
}
