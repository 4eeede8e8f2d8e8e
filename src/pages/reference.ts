import type {
  OpenApi,
  OpenApiAnswer,
  OpenApiOperation,
  OpenApiParameter,
} from '../api/openapi/document.ts';
import { formatPath, formats } from '../api/formats.ts';
import { openapiPath, root } from '../api/paths.ts';
import { problemTypes } from '../api/problems.ts';
import { groupBy } from '../catalogue/group.ts';
import { html, type Markup } from '../render/html.ts';
import { typeName, type Schema } from '../render/reference-text.ts';
import type { PageContext } from './context.ts';
import { page } from './layout.ts';
import { inline, markdown } from './markdown.ts';

interface Form {
  readonly path: string;
  readonly operation: OpenApiOperation;
}

/**
 * Renders `api/v1/index.html`: the reference for people, generated from the OpenAPI document and,
 * like it, in English. It has the three operations whole, and the other documents as a table;
 * OpenAPI has the rest.
 */
export function referencePage(context: PageContext, openapi: OpenApi): string {
  const { service } = context;
  const { summary, description } = openapi.info;
  const [opening = '', ...sections] = description.split(/(?=^## )/m);
  const forms = Object.entries(openapi.paths).map(([path, item]) => {
    return { path, operation: item.get };
  });
  const isOperation = ({ path }: Form) => /\/(categories|genres|events)(\.json)?$/.test(path);
  const body = html`<main id="list" class="reference" lang="en" dir="ltr" tabindex="-1">
    <h1><bdi>${service.name}</bdi> for programs</h1>
    <p class="lead">
      ${opening.trim()} <a href="../../${openapiPath}">OpenAPI 3.1</a> describes everything below.
    </p>
    ${['categories', 'genres', 'events'].map((name) => {
      const operationForms = forms.filter(
        (form) => isOperation(form) && fileOf(form.path).replace('.json', '') === name,
      );
      return operationArticle(openapi, operationForms);
    })}
    ${sections.map((section) => html`<section>${markdown(section.trim())}</section>`)}
    ${otherDocuments(
      openapi,
      forms.filter((form) => !isOperation(form)),
    )}
    <section>
      <h2 id="fields">Fields of an event</h2>
      <p>
        Fields that can be null are always present. The fields of the other documents are in
        OpenAPI.
      </p>
      <dl class="fields" id="schema-Event">
        ${fieldRows(openapi.components.schemas['Event'], '')}
      </dl>
    </section>
    ${problems()} ${embedSection(context)}
  </main>`;
  return page(context, {
    title: 'API reference',
    description: `How to fetch the events of ${service.name} as JSON: operations, fields, problems, examples. ${summary}`,
    path: `${root}/`,
    filters: {},
    body,
  });
}

function operationArticle(openapi: OpenApi, forms: readonly Form[]): Markup {
  const main = forms.find(({ path }) => !isFile(path)) ?? forms[0];
  if (main === undefined) return html``;
  const { operationId: id, summary, description, responses } = main.operation;
  const media = Object.values((responses['200'] as OpenApiAnswer).content)[0];
  const example = openapi.components.examples[fileOf(media?.examples?.sample.$ref ?? '')];
  // Every host answers a file.
  const file = forms.find(({ path }) => isFile(path)) ?? main;
  const url = `${openapi.servers[0]?.url}${exampleAddress(openapi, file) ?? file.path}`;
  return html`<article class="operation" id="${id}">
    <h2>${summary}</h2>
    <p>${inline(description)}</p>
    <ul class="forms">
      ${forms.map((form) => formRow(openapi, form, form === main))}
    </ul>
    <dl class="fields">
      ${parametersOf(openapi, [main]).map(
        ({ name, in: place, required, description: what, schema }) =>
          row(
            name,
            `${typeName(schema)}, in the ${place}, ${required ? 'required' : 'optional'}`,
            inline(what),
          ),
      )}
    </dl>
    ${sampleBlock('curl', `curl '${url}'`, summary)}
    ${sampleBlock('JavaScript', `const response = await fetch('${url}');\nconst answer = await response.json();`, summary)}
    ${
      example !== undefined &&
      html`<details class="example">
        <summary>Example response<span class="sr">: ${summary}</span></summary>
        <pre
          tabindex="0"
          role="region"
          aria-label="Response: ${summary}"
        ><code>${JSON.stringify(example.value, null, 2)}</code></pre>
      </details>`
    }
  </article>`;
}

function formRow(openapi: OpenApi, form: Form, isMain: boolean): Markup {
  const { path, operation } = form;
  return html`<li ${!isMain && html` id="${operation.operationId}"`}>
    <span class="method">GET</span> ${pathLink(openapi, form, html`<code>${path}</code>`)}
    ${isMain && operation.parameters !== undefined && html`<span class="note">takes a query on hosts that run code</span>`}
  </li>`;
}

function pathLink(openapi: OpenApi, form: Form, label: Markup): Markup {
  const address = exampleAddress(openapi, form);
  return address === null ? label : html`<a href="../..${address}">${label}</a>`;
}

function row(name: string, type: string, content: Markup | string, id?: string): Markup {
  return html`<div ${id !== undefined && html` id="${id}"`}>
    <dt><code>${name}</code> ${type !== '' && html`<span class="type">${type}</span>`}</dt>
    <dd>${content}</dd>
  </div>`;
}

/**
 * Renders the other documents as a table: a row for each file, with a link for each scope that has
 * it.
 */
function otherDocuments(openapi: OpenApi, forms: readonly Form[]): Markup {
  const scopeOf = (path: string) =>
    path.slice(`/${root}/`.length).replace(/[^/]+$/, '') || 'everything';
  const rows = Array.from(
    groupBy(forms, ({ path }) => fileOf(path)),
    ([file, fileForms]) => {
      const links = fileForms.map(
        (form) =>
          html`<span id="${form.operation.operationId}"
            >${pathLink(openapi, form, html`<code>${scopeOf(form.path)}</code>`)}</span
          > `,
      );
      return row(file, '', html`${fileForms[0]?.operation.summary ?? ''}<br />${links}`);
    },
  );
  return html`<section>
    <h2 id="documents">Other documents</h2>
    <dl class="fields">${rows}</dl>
  </section>`;
}

/** Renders a row for each field. The fields of a nested object follow it, named by their path. */
function fieldRows({ properties = {} }: Schema, prefix: string): Markup {
  return html`${Object.entries(properties).map(
    ([name, schema]) =>
      html`${row(prefix + name, typeName(schema), inline(schema.description ?? ''))}
      ${fieldRows(schema, `${prefix}${name}.`)}`,
  )}`;
}

/** Lists the kinds of problem. The `type` of a problem document is the URL of one of these rows. */
function problems(): Markup {
  return html`<section>
    <h2 id="problems">Problems</h2>
    <p>
      Errors are problem documents (RFC 9457). The <code>type</code> is the address of one of these
      rows; the <code>detail</code> says what was found in the request and what was expected.
    </p>
    <dl class="fields">
      ${Object.entries(problemTypes).map(([id, problem]) => row(id, `status ${problem.status}`, problem.title, id))}
    </dl>
  </section>`;
}

function sampleBlock(language: string, code: string, title: string): Markup {
  const label = `${language}: ${title}`;
  return html`<div class="code">
    <pre
      tabindex="0"
      role="region"
      aria-label="${label}"
    ><code data-language="${language}">${code}</code></pre>
    <button class="script" type="button" data-copy="${code}">
      Copy<span class="sr"> ${label}</span>
    </button>
  </div>`;
}

/** Shows what to copy into another page, so that it has the next events of the catalogue. */
function embedSection({ baseUrl, service, hasAllPages }: PageContext): Markup | false {
  const escaped = (text: string) => html`${text}`.markup;
  const link = `<a href="${escaped(baseUrl)}/">${escaped(service.name)}</a>`;
  const pages = hasAllPages ? '' : ' pages="none"';
  const source = `${baseUrl}/${formatPath(formats.next, {})}`;
  const element = `<almanac-events src="${escaped(source)}" count="5"${pages}>${link}</almanac-events>`;
  const snippet = `<script async src="${escaped(baseUrl)}/assets/embed.js"></script>\n${element}`;
  return (
    service.formats.includes('next') &&
    html`<section>
      <h2 id="embed">Embed</h2>
      <p>
        Copy this into a web page to show what is on now and the next events there, of any list with
        a next.json.
      </p>
      ${sampleBlock('HTML', snippet, 'embed')}
    </section>`
  );
}

/** The parameters of forms, those of the query before those of paths. */
function parametersOf({ components }: OpenApi, forms: readonly Form[]): OpenApiParameter[] {
  const names = new Set(
    forms.flatMap(({ operation }) => (operation.parameters ?? []).map(({ $ref }) => fileOf($ref))),
  );
  const parameters = [...names]
    .map((name) => components.parameters[name])
    .filter((parameter) => parameter !== undefined);
  return parameters.sort((a, b) => Number(a.in === 'path') - Number(b.in === 'path'));
}

/**
 * Fills the parameters of a path in with examples that answer. Only a path that is no file gets a
 * query. Returns null if the catalogue has no example.
 */
function exampleAddress(openapi: OpenApi, form: Form): string | null {
  let { path } = form;
  const query = new URLSearchParams();
  for (const { name, in: place, example } of parametersOf(openapi, [form])) {
    const value = example === undefined ? undefined : String(example);
    if (place === 'path' && value === undefined) return null;
    if (place === 'path') path = path.replace(`{${name}}`, value ?? '');
    else if (value !== undefined && !isFile(path)) query.set(name, value);
  }
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

function isFile(path: string): boolean {
  return path.includes('.');
}

function fileOf(path: string): string {
  return path.split('/').at(-1) ?? '';
}
