import { grouped } from '../site/pages/dates.ts';
import { samples } from '../site/pages/code-samples.ts';
import { html } from '../site/pages/html.ts';
import { fillPath } from '../site/pages/reference-operation.ts';
import { put } from './dom.ts';

const site = new URL('..', import.meta.url).href.replace(/\/$/, '');
const mostShown = 20_000;

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest<HTMLButtonElement>('.copy') : null;
  if (button !== null) void copy(button);
});

for (const form of document.querySelectorAll<HTMLFormElement>('.try')) {
  form.addEventListener('input', () => showSamples(form));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void tryIt(form);
  });
  showSamples(form);
}

/** Copies the code beside a button; where the browser refuses, the code is selected, ready for the keyboard. */
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

/** Keeps the code beside a form at the address that the form would ask for. */
function showSamples(form: HTMLFormElement): void {
  const article = form.closest('article');
  for (const { language, write } of samples) {
    const code = article?.querySelector(`code[data-language="${language}"]`);
    if (code) code.textContent = write(addressOf(form));
  }
}

function addressOf(form: HTMLFormElement): string {
  const inputs = [...form.querySelectorAll('input')];
  const given = inputs.map(
    ({ name, value, dataset }) => [name, { in: dataset['in'] ?? '', value: value.trim() }] as const,
  );
  return site + fillPath(form.dataset['path'] ?? '', new Map(given));
}

/** Asks, and shows status, time, size and the answer in place. */
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
          <strong class="${response.ok ? 'good' : 'bad'}">${verdict}</strong> in ${grouped(took)} ms,
          ${grouped(new Blob([text]).size)} bytes. <code>${url}</code>
        </p>
        ${ignoredQuery(url, text) && html`<p class="notice">This host runs no code: it ignored the query and answered unfiltered, as <code>filters</code> tells. Here, ask by the path form.</p>`}
        <pre tabindex="0" role="region" aria-label="The answer"><code>${shown(text)}</code></pre>`,
    );
  } catch {
    put(place, html`<p><strong class="bad">No answer</strong> from <code>${url}</code></p>`);
  }
}

/** Whether an answer is not the one to the filters that were asked for. */
function ignoredQuery(url: string, text: string): boolean {
  const document = parsed(text);
  const filters = (document as { readonly filters?: Readonly<Record<string, unknown>> } | null)?.filters;
  if (filters === undefined) return false;
  const asked = [...new URL(url).searchParams];
  return asked.some(([name, value]) => name in filters && filters[name] !== value);
}

function shown(text: string): string {
  const document = parsed(text);
  const pretty = document === null ? text : JSON.stringify(document, null, 2);
  return pretty.length <= mostShown
    ? pretty
    : `${pretty.slice(0, mostShown)}\n… and ${grouped(pretty.length - mostShown)} characters more`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
