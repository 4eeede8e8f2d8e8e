import type { OpenApi, OpenApiAnswer } from '../api/openapi/document.ts';
import { openapiPath, operationPath, root } from '../api/paths.ts';
import { problemTypes, type ProblemType } from '../api/problems.ts';
import type { PageContext } from './context.ts';
import { jsonBlock, sampleBlocks } from './code-samples.ts';
import { alternateFormats } from './head.ts';
import { html, type Markup } from '../render/html.ts';
import { page } from './layout.ts';
import { localeOf } from './locale.ts';
import { fragment, headingsOf, inline, markdown } from './markdown.ts';
import { fieldTables } from './reference-fields.ts';
import { mainForm, operationArticle, operationsOf } from './reference-operation.ts';

/**
 * Renders `api/v1/index.html`: the reference for people, generated from the OpenAPI document and, like it, in English.
 *
 * @param answersQueries whether the host of the site answers queries; null if that is not known
 */
export function referencePage(context: PageContext, openapi: OpenApi, answersQueries: boolean | null): string {
  const { service, baseUrl } = context;
  const { summary, description } = openapi.info;
  const [opening = '', ...sections] = description.split(/(?=^## )/m);
  const body = html`<div class="manual" lang="en" dir="ltr">
    ${contents(openapi, answersQueries)}
    <main id="main" class="reference" tabindex="-1">
      <div class="masthead">
        <h1 class="small-title"><bdi>${service.name}</bdi> for programs</h1>
        <p class="lead">${opening.trim()}</p>
        <p class="actions">
          <a href="../../${openapiPath}">OpenAPI 3.1</a>
          ${alternateFormats('everything', service).map(({ file }) => html`<a href="${file}">${file}</a> `)}
        </p>
      </div>
      ${introduction(baseUrl, sections)} ${operations(openapi, answersQueries)}
      <section>
        <h2 id="fields">Fields</h2>
        <p>${inline('Version 1 may gain fields, but never loses one. Fields that can be null are always present.')}</p>
        ${fieldTables(openapi.components.schemas)}
      </section>
      ${headers(openapi)} ${problems(openapi)}
    </main>
  </div>`;
  return page(context, {
    title: 'API reference',
    description: `How to fetch the events of ${service.name} as JSON: operations, fields, problems, examples. ${summary}`,
    path: `${root}/`,
    filters: {},
    view: 'api',
    skipTo: 'main',
    body,
  });
}

function contents(openapi: OpenApi, answersQueries: boolean | null): Markup {
  const { info, tags } = openapi;
  const link = (id: string, name: string): Markup => html`<li><a href="#${id}">${name}</a></li>`;
  return html`<nav class="contents" aria-label="Contents">
    <ul>
      ${headingsOf(info.description).map((heading) => link(fragment(heading), heading))}
      ${tags.map(
        ({ name }) =>
          html`<li>
            <a href="#${fragment(name)}">${name}</a>
            <ul>
              ${operationsOf(openapi, name, answersQueries).map((forms) => {
                const { operationId, summary } = mainForm(forms).operation;
                return link(operationId, summary);
              })}
            </ul>
          </li>`,
      )}
      ${link('fields', 'Fields')} ${link('headers', 'Headers')} ${link('problems', 'Problems')}
    </ul>
  </nav>`;
}

/** Renders the introduction, with examples of the time rule. */
function introduction(baseUrl: string, sections: readonly string[]): Markup {
  const url = `${baseUrl}/${operationPath('events')}`;
  return html`<section id="first-steps">
    <p>Fetch the soonest events:</p>
    ${sampleBlocks(url, 'first steps', 'application/json')}
    ${sections.map((section) => html`${markdown(section.trim())}${fragment(headingsOf(section)[0] ?? '') === 'the-time-rule' && timeRule()}`)}
  </section>`;
}

/** Shows an invented event without a clock time and one with it, each rendered correctly and incorrectly. */
function timeRule(): Markup {
  const { longDate } = localeOf('en-GB');
  const release = { date: '2027-03-04', starts_at: '2027-03-04T00:00:00.000Z', time_known: false, precision: 'day' };
  const match = { date: '2027-03-04', starts_at: '2027-03-04T20:00:00.000Z', time_known: true, precision: 'minute' };
  const rendering = (isRight: boolean, text: string, why: string): Markup =>
    html`<li class="${isRight ? 'right' : 'wrong'}">
      <span class="verdict">${isRight ? 'Right' : 'Wrong'}</span> <q>${text}</q> <span class="why">${why}</span>
    </li>`;
  return html`<div class="rule">
    <p><code>${JSON.stringify(release)}</code></p>
    <ul>
      ${rendering(true, longDate(release.date), 'The date as written, for readers everywhere.')}
      ${rendering(false, `${longDate(release.date)}, 00:00`, 'The source does not say midnight.')}
      ${rendering(false, 'Wednesday, 3 March 2027, 16:00', 'In Los Angeles: the clock time is not real, and now the date is wrong too.')}
    </ul>
    <p><code>${JSON.stringify(match)}</code></p>
    <ul>
      ${rendering(true, 'Thursday, 4 March 2027, 12:00 PST', 'The instant on the clock of a reader in Los Angeles.')}
      ${rendering(true, 'Thursday, 4 March 2027, 20:00 UTC', 'The same instant, with its zone.')}
      ${rendering(false, 'Thursday, 4 March 2027, 20:00', 'It does not say in which zone.')}
    </ul>
  </div>`;
}

function operations(openapi: OpenApi, answersQueries: boolean | null): Markup {
  return html`${openapi.tags.map(
    ({ name, description }) =>
      html`<section>
        <h2 id="${fragment(name)}">${name}</h2>
        <p>${inline(description)}</p>
        ${operationsOf(openapi, name, answersQueries).map((forms) => operationArticle(openapi, forms, answersQueries))}
      </section>`,
  )}`;
}

function headers({ components }: OpenApi): Markup {
  return html`<section>
    <h2 id="headers">Headers</h2>
    <p>Sent with every successful response by hosts that run code. A plain host sends its own.</p>
    <dl class="fields">
      ${Object.entries(components.headers as Record<string, { readonly description: string }>).map(
        ([name, { description }]) =>
          html`<div>
            <dt><code>${name}</code></dt>
            <dd>${inline(description)}</dd>
          </div>`,
      )}
    </dl>
  </section>`;
}

/** Describes the kinds of problem. The `type` of a problem document is the URL of one of these sections. */
function problems({ components }: OpenApi): Markup {
  const examples = new Map(
    Object.values(components.responses as Record<string, Partial<OpenApiAnswer>>)
      .flatMap(({ content = {} }) => Object.values(content))
      .flatMap((media) => Object.entries(media.examples ?? {})),
  );
  return html`<section>
    <h2 id="problems">Problems</h2>
    <p>
      Errors are problem documents (RFC 9457). The <code>type</code> is the address of one of these paragraphs; the
      <code>detail</code> says what was found in the request and what was expected.
    </p>
    ${(Object.keys(problemTypes) as ProblemType[]).map((id) => {
      const { status, title } = problemTypes[id];
      const example = examples.get(id);
      return html`<section class="problem" id="${id}">
        <h3>${title}</h3>
        <p><code>${id}</code>, status <code>${status}</code></p>
        ${example !== undefined && jsonBlock(example.value, `Problem: ${title}`)}
      </section>`;
    })}
  </section>`;
}
