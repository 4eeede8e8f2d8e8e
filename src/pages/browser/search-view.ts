import { html, type Markup } from '../../render/html.ts';
import { dateAfter } from '../dates.ts';
import { nameOf as nameOfEvent, periodOf } from '../rows.ts';
import type { Answer } from '../search/answer.ts';
import type { FoundEvent, Hit } from '../search/hits.ts';
import { dayOf, shownClock, timeOf } from './clock.ts';
import { locale, site, speech } from './page.ts';
import { nameOfChoice } from './strip.ts';

/** The number of results that the reader can have more at a time. */
export const step = 20;

/** Says what was found, for screen readers as well. */
export function statusOf({ total, hits, struck, isPartial }: Answer, query: string): Markup {
  const note = isPartial && html` ${speech.text('subjectsOnly')}`;
  if (hits.length === 0) return html`${speech.text('noResults', { query })}${note}`;
  const without = html`<s aria-hidden="true">${struck.join(' ')}</s>
    <span class="sr">${speech.text('without', { words: struck.join(' ') })}</span> `;
  return html`${struck.length > 0 && without}${speech.text('results', { n: total, query })}${note}`;
}

/** Renders the list of what was found, the best first. */
export function answerView({ hits, more, nearest, next }: Answer): Markup {
  if (hits.length === 0)
    return html`${suggestions('nearest', nearest)} ${suggestions('comingUp', next)}`;
  return html`${hitList(hits)}
  ${more > 0 && html`<p><button type="button" data-more>${speech.text('showMore', { n: Math.min(more, step) })}</button></p>`}`;
}

/** Renders names under a heading, each with its next event, if there are any. */
export function suggestions(heading: 'nearest' | 'comingUp', hits: readonly Hit[]): Markup | null {
  if (hits.length === 0) return null;
  const names = hits.map((hit) => ({
    ...hit,
    events: hit.events.slice(0, 1),
    count: 0,
  }));
  return html`<h2>${speech.text(heading)}</h2>
    ${hitList(names)}`;
}

function hitList(hits: readonly Hit[]): Markup {
  return html`<ol class="found">
    ${hits.map(rowsOf)}
  </ol>`;
}

function rowsOf(hit: Hit): Markup {
  const { events, count, path } = hit;
  const address = new URL(path, site).href;
  const eventAddress = ({ id }: FoundEvent) => `${address}#${id}`;
  const [first, ...rest] = events;
  // The page shows the date that it is opened for, which need not be the next.
  const firstAddress = first === undefined ? address : eventAddress(first);
  return html`${row(hit, first, firstAddress, headOf(hit))}
  ${rest.map((event) => row(hit, event, eventAddress(event), html`<bdi>${event.title}</bdi>`))}
  ${
    count > events.length &&
    html`<li class="e">
      <span class="w"></span
      ><a class="note" href="${address}">${speech.text('more', { n: count - events.length })}</a>
    </li>`
  }`;
}

/** Names the page that a hit leads to, or its first event. */
function headOf({ events, name, on }: Hit): Markup {
  if (on !== null) return html`<b>${nameOfChoice(name, on)}</b>`;
  const [event] = events;
  if (event === undefined) return html`<b>${name}</b>`;
  return nameOfEvent({ title: event.title, subject: { name } });
}

const colours = 10;

function row(
  { category, genre }: Hit,
  event: FoundEvent | undefined,
  address: string,
  name: Markup,
): Markup {
  const when = event === undefined ? html`` : whenOf(event);
  const column =
    event?.isPostponed === true
      ? html`<s class="w">${when}</s>`
      : html`<span class="w">${when}</span>`;
  return html`<li class="e${category !== null && ` c${category % colours}`}">
    ${column}
    <span class="what"
      ><a class="t" data-hit dir="auto" href="${address}">${name}</a
      >${event !== undefined && placeOf(event)}</span
    >${genre !== null && html` <bdi class="g">${genre}</bdi>`}
  </li>`;
}

function placeOf({ at }: FoundEvent): Markup {
  const names = at.map((name, index) => html`${index > 0 && ', '}<bdi>${name}</bdi>`);
  return html` <span class="p">${names}</span>`;
}

function whenOf({ startsAt, isDate, period, ahead, days }: FoundEvent): Markup {
  if (period !== null) return html`<i>${periodOf({ locale, text: speech.text }, { period })}</i>`;
  const clock = ahead === null ? shownClock : { zone: 'UTC', ahead };
  const date = dayOf(startsAt, clock);
  const last = days === null ? date : dateAfter(date, days);
  const hasBegun = startsAt < Date.now() && last > date;
  if (hasBegun) return html`<i>${speech.text('until', { date: locale.mediumDate(last) })}</i>`;
  return html`<span class="d">${locale.mediumDate(date)}</span>
    ${!isDate && html`<span>${timeOf(startsAt, 'minute', clock)}</span>`}`;
}
