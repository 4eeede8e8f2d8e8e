import type { CategoriesDocument, GenresDocument } from '../../api/documents.ts';
import { documentPath, maxEvents, operationPath } from '../../api/paths.ts';
import { count } from '../../problem/text.ts';
import { samples } from '../code-samples.ts';
import { html, type Markup } from '../../render/html.ts';
import { fillPath, takes } from '../reference-operation.ts';
import { all, element, put } from './dom.ts';
import { highlighted, startReading } from './reading.ts';

const site = new URL('..', import.meta.url).href.replace(/\/$/, '');
document.documentElement.classList.add('js');
const maxShownCharacters = 20_000;

/** The fields of a list that say which question it answers. */
interface ListDocument {
  readonly filters?: Readonly<Record<string, unknown>>;
  readonly limit?: number;
}

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest<HTMLButtonElement>('.copy') : null;
  if (button !== null) void copy(button);
});

for (const form of document.querySelectorAll<HTMLFormElement>('.try')) {
  const article = form.closest('article');
  const show = (): void => {
    const { path } = questionOf(form);
    for (const field of all('.field', form)) {
      const name = field.querySelector('[name]')?.getAttribute('name') ?? '';
      field.hidden = name !== 'path' && !takes(path, name);
    }
    showSamples(article, addressOf(form));
  };
  form.addEventListener('input', show);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void tryIt(form);
  });
  show();
}
startReading();
void fillSelects();
showSamples(element('first-steps'), `${site}/${operationPath('events')}`);

/** Copies the code next to a button. If the browser refuses, selects the code. */
async function copy(button: HTMLButtonElement): Promise<void> {
  const code = button.parentElement?.querySelector('code');
  const label = button.firstChild;
  if (!code || !label) return;
  try {
    await navigator.clipboard.writeText(code.textContent ?? '');
    label.textContent = 'Copied';
  } catch {
    getSelection()?.selectAllChildren(code);
    label.textContent = 'Selected';
  }
  setTimeout(() => (label.textContent = 'Copy'), 2000);
}

/** Writes a URL into the code samples of an element. It uses the URL of the page, which may differ from the base URL. */
function showSamples(place: Element | null, url: string): void {
  for (const { language, write } of samples) {
    const code = place?.querySelector(`code[data-language="${language}"]`);
    if (code) code.textContent = write(url);
  }
}

/** The path that a form asks, and the values of its fields by the names of their parameters. */
function questionOf(form: HTMLFormElement): { readonly path: string; readonly values: ReadonlyMap<string, string> } {
  const fields = all('[name]', form) as HTMLInputElement[];
  const values = new Map(fields.map(({ name, value }) => [name, value.trim()]));
  const path = values.get('path') ?? '';
  values.delete('path');
  return { path, values };
}

function addressOf(form: HTMLFormElement): string {
  const { path, values } = questionOf(form);
  return site + fillPath(path, values);
}

/** Sends the request of a form, and shows the status, duration, size and body of the response. */
async function tryIt(form: HTMLFormElement): Promise<void> {
  const place = form.querySelector('.answer');
  if (!place) return;
  const url = addressOf(form);
  const began = performance.now();
  try {
    const response = await fetch(url);
    const text = await response.text();
    const took = Math.max(1, Math.round(performance.now() - began));
    const verdict = `${response.status} ${response.statusText}`.trim();
    put(
      place,
      html`<p>
          <strong class="${response.ok ? 'good' : 'bad'}">${verdict}</strong> in ${count(took)} ms,
          ${count(new Blob([text]).size)} bytes. <code>${url}</code>
        </p>
        ${noticeOf(url, text)}
        <pre tabindex="0" role="region" aria-label="The response"><code>${highlighted(shown(text))}</code></pre>`,
    );
  } catch {
    put(place, html`<p><strong class="bad">No response</strong> from <code>${url}</code></p>`);
  }
}

/** Returns a notice if the response does not match the query, or null if it does. */
function noticeOf(url: string, text: string): Markup | null {
  const query = new URL(url).searchParams;
  const { filters, limit } = (parsed(text) ?? {}) as ListDocument;
  if (filters === undefined) return null;
  if ([...query].some(([name, value]) => name in filters && filters[name] !== value)) {
    return html`<p class="notice">
      This host runs no code: it ignored the query and returned the unfiltered list, as <code>filters</code> shows. Use
      the path form on this host.
    </p>`;
  }
  const asked = query.get('limit');
  if (asked === null || limit === undefined || limit === Math.min(Number(asked), maxEvents)) return null;
  return html`<p class="notice">
    This host runs no code: it ignored <code>limit</code> and applied the limit ${limit}, as <code>limit</code> in the
    response shows. Use as many of the events as you want.
  </p>`;
}

function shown(text: string): string {
  const document = parsed(text);
  const pretty = document === null ? text : JSON.stringify(document, null, 2);
  return pretty.length <= maxShownCharacters
    ? pretty
    : `${pretty.slice(0, maxShownCharacters)}\n… and ${count(pretty.length - maxShownCharacters)} more characters`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Adds the ids of the catalogue to the fields that ask for one. */
async function fillSelects(): Promise<void> {
  const read = async (operation: 'categories' | 'genres'): Promise<unknown> =>
    (await fetch(`${site}/${documentPath({ operation })}`)).json();
  try {
    const [{ categories }, { genres }] = (await Promise.all([read('categories'), read('genres')])) as [
      CategoriesDocument,
      GenresDocument,
    ];
    for (const [name, records] of [
      ['category', categories],
      ['genre', genres],
    ] as const) {
      for (const field of all(`select[name=${name}]`)) {
        const { value } = field as HTMLSelectElement;
        field.append(...records.filter(({ id }) => id !== value).map(({ id }) => new Option(id)));
      }
    }
  } catch {
    // The fields keep the value of the example, which works.
  }
}
