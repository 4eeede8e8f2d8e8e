import { html, type Markup } from '../../render/html.ts';
import { genrePage, searchPage, subjectPage } from '../../render/links.ts';
import { searchIndexPath, type IndexedEvent } from '../search/index-file.ts';
import { markedParts } from '../search/fold.ts';
import type { Hit } from '../search/searcher.ts';
import { dayOf, now, timeOf, today, zone } from './clock.ts';
import { all, find, put } from './dom.ts';
import { kind, language, locale, site, speech, words } from './page.ts';
import type { Question, Reply } from './search-worker.ts';

/** The number of subjects below the search field: on a phone, showing more would take longer than a letter may. */
const maxBelowField = 8;

/** Typing settles before a search begins. */
const settleMilliseconds = 60;

const input = find('q') as HTMLInputElement | null;
const isSearchPage = kind === 'search';
const place = isSearchPage ? find('list') : find('found');
let worker: Worker | null = null;
let settling = 0;

/** Makes the search field work: the index is fetched when the field gets the focus. */
export function startSearch(): void {
  if (input === null) return;
  input.placeholder = speech.text('search');
  input.addEventListener('focus', () => ask(''), { once: true });
  input.addEventListener('input', () => {
    clearTimeout(settling);
    settling = window.setTimeout(() => typed(input.value), settleMilliseconds);
  });
  input.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || isSearchPage) return;
    input.value = '';
    show(null);
  });
  input.form?.addEventListener('submit', (event) => {
    if (!isSearchPage) return;
    event.preventDefault();
    typed(input.value);
  });
  if (isSearchPage) {
    input.value = new URLSearchParams(location.search).get('q') ?? '';
    typed(input.value);
  } else if (kind === 'lost') ask(wordsOfAddress());
}

/** The words of a missing page's address. Its last segment is the most specific. */
function wordsOfAddress(): string {
  const names = location.pathname.split('/').filter((name) => name !== '' && name !== 'index.html');
  return decodeURIComponent(names.at(-1) ?? '')
    .replace(/\.\w+$/, '')
    .replaceAll('-', ' ');
}

function typed(text: string): void {
  if (isSearchPage)
    history.replaceState(null, '', text.trim() === '' ? location.pathname : `?q=${encodeURIComponent(text)}`);
  if (text.trim() === '') show(null);
  else ask(text);
}

function ask(text: string): void {
  if (worker === null) {
    worker = new Worker(new URL('search-worker.js', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => receive(data));
    worker.addEventListener('error', () =>
      receive({ hits: [], total: 0, suggestions: [], text, words: text, isPartial: false, hasFailed: true }),
    );
  }
  const languages = [[language, words]] as Question['languages'];
  const index = new URL(searchIndexPath, site).href;
  const question: Question = { index, text, now: now(), today: today(), zone, languages };
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
  worker.postMessage(question);
}

function receive(reply: Reply): void {
  if (kind === 'lost' && input?.value === '') return showNearest(reply);
  if (reply.text !== '' && reply.text === input?.value) show(reply);
}

/** Shows results instead of the page, or the page again. */
function show(reply: Reply | null): void {
  if (place === null) return;
  put(place, reply === null ? html`` : answerOf(reply));
  if (isSearchPage) return;
  place.hidden = reply === null;
  for (const part of all('body > main, body > .columns, body > .manual')) part.hidden = reply !== null;
}

function answerOf({ hits, total, suggestions, text, words: searched, isPartial, hasFailed }: Reply): Markup {
  if (hasFailed) return html`<p class="notice" role="status">${speech.text('searchFailed')}</p>`;
  const head =
    hits.length === 0 ? speech.text('noResults', { query: text }) : speech.text('results', { n: total, query: text });
  const shown = isSearchPage ? hits : hits.slice(0, maxBelowField);
  const others = hits.length - shown.length;
  return html`<p class="note" role="status">${head}${isPartial && ` ${speech.text('subjectsOnly')}`}</p>
    ${hits.length === 0 && suggestionsOf(suggestions)} ${shown.map((hit) => hitOf(hit, searched))}
    ${others > 0 && html`<p><a href="${searchFor(text)}">${speech.text('more', { n: others })}</a></p>`}`;
}

function searchFor(text: string): string {
  return new URL(`${searchPage}?q=${encodeURIComponent(text)}`, site).href;
}

function suggestionsOf(names: readonly string[]): Markup {
  if (names.length === 0) return html`${!isSearchPage && html`<p>${speech.text('searchHint')}</p>`}`;
  return html`<p>${speech.text('didYouMean')}</p>
    <ul class="tags">
      ${names.map((name) => tag(searchFor(name), name))}
    </ul>`;
}

function tag(address: string, name: string): Markup {
  return html`<li>
    <a href="${address}"><bdi>${name}</bdi></a>
  </li>`;
}

function hitOf({ subject, genre, events, count }: Hit, query: string): Markup {
  const address = new URL(subjectPage(genre.id, subject.id), site).href;
  const alias = subject.aliases.find((one) => markedParts(one, query).some(({ isMarked }) => isMarked));
  return html`<section class="hit">
    <h2>
      <a href="${address}"><bdi>${marked(subject.name, query)}</bdi></a
      >${alias !== undefined && html` <small><bdi>${marked(alias, query)}</bdi></small>`}<a
        class="g"
        href="${new URL(genrePage(genre.id), site).href}"
        ><bdi>${marked(genre.name, query)}</bdi></a
      >
    </h2>
    <ol>
      ${events.map(
        (event) =>
          html`<li class="e">
            <span class="w"><span>${whenOf(event)}</span></span
            ><a class="t" href="${address}#${event.id}"><bdi>${marked(event.title, query)}</bdi></a>
          </li>`,
      )}
    </ol>
    ${count > events.length && html`<p class="note"><a href="${address}">${speech.text('more', { n: count - events.length })}</a></p>`}
  </section>`;
}

function whenOf({ startsAt, isDate }: IndexedEvent): string {
  const date = isDate ? new Date(startsAt).toISOString().slice(0, 10) : dayOf(startsAt);
  return `${locale.monthDay(date)} ${date.slice(0, 4)}${isDate ? '' : `, ${timeOf(startsAt, 'minute')}`}`;
}

function marked(text: string, query: string): Markup {
  return html`${markedParts(text, query).map((part) => (part.isMarked ? html`<mark>${part.text}</mark>` : part.text))}`;
}

/** Shows the nearest names on the page for missing addresses. */
function showNearest({ hits, suggestions }: Reply): void {
  const nearest = find('nearest');
  if (nearest === null || hits.length + suggestions.length === 0) return;
  const tags =
    hits.length === 0
      ? suggestions.map((name) => tag(searchFor(name), name))
      : hits
          .slice(0, 5)
          .map(({ subject, genre }) => tag(new URL(subjectPage(genre.id, subject.id), site).href, subject.name));
  put(
    nearest,
    html`<h2>${speech.text('nearest')}</h2>
      <ul class="tags">
        ${tags}
      </ul>`,
  );
}
