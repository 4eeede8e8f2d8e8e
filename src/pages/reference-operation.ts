import type { OpenApi, OpenApiAnswer, OpenApiOperation, OpenApiParameter } from '../api/openapi/document.ts';
import { codeBlock, sampleBlocks } from './code-samples.ts';
import { html, type Markup } from '../render/html.ts';
import { inline } from './markdown.ts';
import { typeOf } from './reference-fields.ts';

/** A response in the OpenAPI document. */
interface Answer {
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

/** Renders an operation: paths, parameters, responses, an example from the catalogue, code, and a form to try it. */
export function operationArticle(openapi: OpenApi, forms: readonly Form[], answersQueries: boolean | null): Markup {
  const main = mainForm(forms);
  const { operationId: id, summary, description, responses } = main.operation;
  const parameters = parametersOf(openapi, forms);
  const [media, content] = Object.entries((responses['200'] as OpenApiAnswer).content)[0] ?? ['', null];
  const example = content?.examples?.['catalogue'];
  const url = `${openapi.servers[0]?.url}${fillPath(forms[0]?.path ?? '', exampleValues(parameters))}`;
  return html`<article class="operation" id="${id}">
    <h3>${summary}</h3>
    <p>${inline(description)}</p>
    <ul class="forms">
      ${forms.map((form) => formRow(form, form === main, answersQueries))}
    </ul>
    ${parameters.length > 0 && parameterList(parameters)}
    <h4>Responses</h4>
    <dl class="fields">
      ${Object.entries(responses).map(([status, answer]) =>
        answerRow(
          status,
          '$ref' in answer ? (openapi.components.responses as Record<string, Answer>)[nameIn(answer.$ref)] : answer,
        ),
      )}
    </dl>
    <h4>Try it</h4>
    ${tryForm(id, forms, parameters)} ${sampleBlocks(url, summary, media)}
    ${
      example !== undefined &&
      html`<details class="example" ${!isFile(main.path) && html` open`}>
        <summary>Example response<span class="sr">: ${summary}</span></summary>
        <p class="small">${example.summary}.</p>
        ${codeBlock(JSON.stringify(example.value, null, 2), `Response: ${summary}`)}
      </details>`
    }
  </article>`;
}

/** Renders a path with the hosts on which it works and, unless it is the main one, its summary. */
function formRow(form: Form, isMain: boolean, answersQueries: boolean | null): Markup {
  const { path, operation } = form;
  return html`<li ${!isMain && html` id="${operation.operationId}"`}>
    <p class="path"><span class="method">GET</span> <code>${pathWithBreaks(path)}</code></p>
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

/** Renders a form filled with values that work. The script hides the fields that the chosen path does not take. */
function tryForm(id: string, forms: readonly Form[], parameters: readonly OpenApiParameter[]): Markup {
  const values = exampleValues(parameters);
  const paths = forms.map(({ path }) => path);
  return html`<form class="try">
    ${
      paths.length === 1
        ? html`<input type="hidden" name="path" value="${paths.join('')}" />`
        : html`<div class="field">
            <label for="${id}-path">path</label>
            <select id="${id}-path" name="path">
              ${paths.map((path) => html`<option>${path}</option>`)}
            </select>
          </div>`
    }
    ${[...values].map(
      ([name, value]) =>
        html`<div class="field">
          <label for="${id}-${name}">${name}</label>
          ${fieldOf(`${id}-${name}`, name, value)}
        </div>`,
    )}
    <button type="submit">Try it<span class="sr">: ${id}</span></button>
    <div class="answer" role="status"></div>
  </form>`;
}

/** Ids are chosen from a list, to which the script adds those of the catalogue. */
function fieldOf(id: string, name: string, value: string): Markup {
  if (name !== 'genre' && name !== 'category') {
    return html`<input
      id="${id}"
      name="${name}"
      value="${value}"
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
    />`;
  }
  return html`<select id="${id}" name="${name}">
    <option value="">–</option>
    ${value !== '' && html`<option selected>${value}</option>`}
  </select>`;
}

/**
 * Fills in the parameters of a path. The others become its query, unless they are empty or the path is that of a file.
 */
export function fillPath(path: string, values: ReadonlyMap<string, string>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeSegment(values.get(name) ?? ''));
  const query = new URLSearchParams(isFile(path) ? [] : [...values].filter(([, value]) => value !== ''));
  return query.size === 0 ? filled : `${filled}?${query.toString()}`;
}

/** Whether a path takes a parameter. */
export function takes(path: string, name: string): boolean {
  return isFile(path) ? path.includes(`{${name}}`) : true;
}

/** Also encodes apostrophes, because the example for a shell puts the URL between two of them. */
function encodeSegment(text: string): string {
  return encodeURIComponent(text).replaceAll("'", '%27');
}

/** Returns a value that works for each parameter. */
function exampleValues(parameters: readonly OpenApiParameter[]): Map<string, string> {
  return new Map(
    parameters.map(({ name, example, examples = {} }) => {
      const [first] = Object.values(examples);
      return [name, example ?? (first === undefined ? '' : String(first.value))];
    }),
  );
}

/** Renders a path that may break after each slash. */
function pathWithBreaks(path: string): Markup {
  return html`${path.split(/(?<=\/)/).map((part) => html`${part}<wbr />`)}`;
}

/** Whether a path is that of a file, which every host answers. */
function isFile(path: string): boolean {
  return path.includes('.');
}

function nameIn(reference: string): string {
  return reference.split('/').at(-1) ?? '';
}
