import { html, type Markup } from '../../render/html.ts';
import { isNamedIn } from '../../render/subject-name.ts';
import { periodOf } from '../rows.ts';
import type { Answer } from '../search/answer.ts';
import type { FoundEvent, Hit } from '../search/hits.ts';
import { markedParts } from '../search/text.ts';
import { nameOf } from './choice.ts';
import { dayOf, timeOf } from './clock.ts';
import { locale, site, speech } from './page.ts';

/** The number of results that the reader can have more at a time. */
export const step = 20;

/** Says what was found, for screen readers as well. */
export function statusOf({ total, hits, struck }: Answer, query: string): Markup {
  if (hits.length === 0) return html`${speech.text('noResults', { query })}`;
  const without = html`<s aria-hidden="true">${struck.join(' ')}</s>
    <span class="sr">${speech.text('without', { words: struck.join(' ') })}</span> `;
  return html`${struck.length > 0 && without}${speech.text('results', { n: total, query })}`;
}

/** Renders the list of what was found, the best first. */
export function answerView({ hits, words, more, suggestions }: Answer, hasHint: boolean): Markup {
  const query = words.join(' ');
  if (hits.length === 0) return suggestionsOf(suggestions, hasHint);
  return html`<ol class="found">
      ${hits.map((hit) => rowsOf(hit, query))}
    </ol>
    ${more > 0 && html`<p><button type="button" data-more>${speech.text('showMore', { n: Math.min(more, step) })}</button></p>`}
    <p class="note keys" aria-hidden="true">
      <kbd>↑</kbd><kbd>↓</kbd> ${speech.text('keyChoose')} <kbd>↵</kbd> ${speech.text('keyOpen')}
      <kbd>Esc</kbd> ${speech.text('keyClose')}
    </p>`;
}

const colours = 10;

function rowsOf(hit: Hit, query: string): Markup {
  const { events, count, path, isByEvent } = hit;
  const address = new URL(path, site).href;
  const eventAddress = ({ id }: FoundEvent): string => `${address}#${id}`;
  const [first, ...others] = events;
  return html`${row(hit, first, isByEvent && first !== undefined ? eventAddress(first) : address, nameIn(hit, query))}
  ${others.map((event) => row(hit, event, eventAddress(event), html`<bdi>${marked(event.title, query)}</bdi>`))}
  ${
    count > events.length &&
    html`<li class="e">
      <span class="w"></span><a class="note" href="${address}">${speech.text('more', { n: count - events.length })}</a>
    </li>`
  }`;
}

function row({ category, genre }: Hit, event: FoundEvent | undefined, address: string, name: Markup): Markup {
  return html`<li class="e${category !== null && ` c${category % colours}`}">
    <span class="w">${event !== undefined && whenOf(event)}</span>
    <span class="what"
      ><a class="t" data-hit href="${address}">${name}</a
      >${event !== undefined && event.at !== '' && html` <span class="p"><bdi>${event.at}</bdi></span>`}</span
    >${genre !== null && html` <span class="g"><bdi>${genre}</bdi></span>`}
  </li>`;
}

/** Names what was found, with the alias that is asked, and the title of its first event. */
function nameIn({ name, on, aliases, events: [first] }: Hit, query: string): Markup {
  if (on !== null) return html`<b>${nameOf({ scope: '', when: on }, name)}</b>`;
  // Comparing every alias would take longer than a letter may.
  const alias = isMarkedIn(name, query) ? undefined : aliases.find((one) => isMarkedIn(one, query));
  const shownAlias = alias !== undefined && html` <small><bdi>${marked(alias, query)}</bdi></small>`;
  const subject = html`<b><bdi>${marked(name, query)}</bdi></b
    >${shownAlias}`;
  if (first === undefined) return subject;
  const title = html`<bdi>${marked(first.title, query)}</bdi>`;
  return isNamedIn(first.title, name) ? html`<b>${title}</b>${shownAlias}` : html`${subject} ${title}`;
}

function whenOf({ startsAt, isDate, period }: FoundEvent): Markup {
  if (period !== null) return html`<i>${periodOf({ locale, text: speech.text }, { period })}</i>`;
  const date = isDate ? new Date(startsAt).toISOString().slice(0, 'yyyy-mm-dd'.length) : dayOf(startsAt);
  return html`<span class="d">${locale.mediumDate(date)}</span>
    ${!isDate && html`<span>${timeOf(startsAt, 'minute')}</span>`}`;
}

function isMarkedIn(text: string, query: string): boolean {
  return markedParts(text, query).some(({ isMarked }) => isMarked);
}

function marked(text: string, query: string): Markup {
  return html`${markedParts(text, query).map((part) => (part.isMarked ? html`<mark>${part.text}</mark>` : part.text))}`;
}

function suggestionsOf(suggestions: readonly string[], hasHint: boolean): Markup {
  if (suggestions.length === 0) return html`${hasHint && html`<p>${speech.text('searchHint')}</p>`}`;
  return html`<p class="suggestions">
    <span>${speech.text('didYouMean')}</span>
    ${suggestions.map((name) => html`<button type="button" data-query="${name}"><bdi>${name}</bdi></button>`)}
  </p>`;
}
