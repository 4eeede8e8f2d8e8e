import { html, type Markup } from '../../render/html.ts';
import { searchIndexPath } from '../search/index-file.ts';
import { isAtPlace, zone } from './clock.ts';
import { all, find, put } from './dom.ts';
import { kind, language, locale, site, speech } from './page.ts';
import { answerView, statusOf, step, suggestions } from './search-view.ts';
import type { Reply, Request } from './search-worker.ts';

const settleMilliseconds = 60;
/**
 * The delay before the query is written to the address. Doing it on every keystroke is too slow.
 */
const rememberMilliseconds = 500;

/** The number of subjects at first. More would be too slow for a keystroke on a phone. */
const first = 16;

const input = find('q') as HTMLInputElement | null;
/** What pages show instead of their content. */
const place = find('found');
const skip = document.querySelector<HTMLAnchorElement>('.skip');
let worker: Worker | null = null;
let isLoaded = false;
let settling = 0;
let remembering = 0;
let limit = first;
/** The query that is answered on the page. */
let answered = '';
/** Whether the first hit opens as soon as the answer is there. */
let opensFirst = false;

/** The end of a wrong address, whose page names what is written alike. */
const lostName = kind === '' ? nameIn(location.pathname) : '';

function nameIn(path: string): string {
  const [end = ''] = /[^/]*(?=\/*$)/.exec(path) ?? [];
  const name = new URLSearchParams(`q=${end}`).get('q') ?? '';
  return name.replace(/\.html?$/, '').replaceAll(/[-_]/g, ' ');
}

/**
 * Makes the search field work, and answers what it or the address has.
 *
 * @param isSubmitted whether the first hit opens
 */
export function startSearch(isSubmitted: boolean): void {
  if (input === null || place === null) return;
  input.addEventListener('input', () => {
    opensFirst = false;
    clearTimeout(settling);
    settling = window.setTimeout(() => search(input.value), settleMilliseconds);
  });
  input.form?.addEventListener('submit', (event) => {
    event.preventDefault();
    opensFirst = true;
    if (input.value === answered) openFirst();
    else search(input.value);
  });
  for (const part of [input, place]) part.addEventListener('keydown', move);
  place.addEventListener('click', ({ target }) => target instanceof Element && press(target));
  opensFirst = isSubmitted;
  const query = new URLSearchParams(location.search).get('q') ?? '';
  const typed = input.value || query;
  if (typed === '') return ask(lostName);
  // Browsers fill fields again on the way back.
  if (typed !== query) return search(typed);
  limit = (history.state as { limit?: number } | null)?.limit ?? first;
  input.value = query;
  ask(query);
}

function search(text: string): void {
  if (text !== answered) limit = first;
  clearTimeout(remembering);
  remembering = window.setTimeout(rememberQuery, rememberMilliseconds);
  if (text.trim() !== '') return ask(text);
  answered = '';
  fill(html``, html``);
  showResults(false);
}

/** Makes the query a part of the address, so that the back button returns to the results. */
function rememberQuery(): void {
  const address = new URL(location.href);
  const query = input?.value.trim() ?? '';
  if (query === '') address.searchParams.delete('q');
  else address.searchParams.set('q', query);
  history.replaceState({ limit }, '', address);
}

function ask(text: string): void {
  if (!isLoaded && text !== '' && text === input?.value) {
    fill(html`${speech.text('loading')}`, html``);
    showResults(true);
  }
  if (worker === null) {
    worker = new Worker(new URL('search-worker.js', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => receive(data));
    worker.addEventListener('error', () =>
      receive({
        text: input?.value ?? '',
        answer: null,
      }),
    );
  }
  const index = new URL(searchIndexPath, site).href;
  const reader = {
    language,
    tag: locale.lang,
    zone,
    isAtPlace,
    languages: navigator.languages,
  };
  const request: Request = {
    index,
    text,
    now: Date.now(),
    reader,
    limit,
  };
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  worker.postMessage(request);
}

function receive({ text, answer }: Reply): void {
  isLoaded = answer !== null;
  const lost = text === lostName ? find('nearest') : null;
  if (lost !== null && answer !== null) {
    const { hits: alike, nearest } = answer;
    put(lost, html`${suggestions('nearest', alike.length > 0 ? alike.slice(0, 3) : nearest)}`);
  }
  if (text === '' || text !== input?.value) return;
  const hadMore = text === answered ? hits().length : 0;
  answered = answer === null ? '' : text;
  if (answer === null) fill(html`${speech.text('searchFailed')}`, html``);
  else fill(statusOf(answer, text), answerView(answer));
  showResults(true);
  if (hadMore > 0) hits()[hadMore]?.focus();
  if (opensFirst) openFirst();
}

function fill(status: Markup, results: Markup): void {
  for (const part of all('[role=status]', place ?? document)) put(part, status);
  for (const part of all('.answer', place ?? document)) put(part, results);
}

function showResults(isShown: boolean): void {
  if (place !== null) place.hidden = !isShown;
  for (const part of all('body > main')) part.hidden = isShown;
  if (skip !== null) skip.hash = isShown ? '#found' : '#list';
}

function hits(): HTMLElement[] {
  return all('[data-hit]', place ?? document);
}

function openFirst(): void {
  opensFirst = false;
  if (answered !== '') rememberQuery();
  // What is only written alike does not open.
  place?.querySelector<HTMLElement>('.answer > ol:first-child [data-hit]')?.click();
}

function press(target: Element): void {
  if (target.closest('a') !== null) rememberQuery();
  if (target.closest('[data-more]') === null) return;
  limit += step;
  search(answered);
}

/**
 * The arrow keys go from the field to the hits and back, as does Escape, which in the field closes
 * the results.
 */
function move(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey } = event;
  const direction = Number(key === 'ArrowDown') - Number(key === 'ArrowUp');
  const stops = [input, ...hits()];
  const at = stops.findIndex((stop) => stop === document.activeElement);
  const next = key === 'Escape' ? input : stops[at + direction];
  if (ctrlKey || metaKey || altKey || (direction === 0 && key !== 'Escape') || at === -1 || !next)
    return;
  event.preventDefault();
  if (next === input && at === 0) {
    input.value = '';
    search('');
  }
  next.focus();
  next.scrollIntoView({ block: 'nearest' });
}
