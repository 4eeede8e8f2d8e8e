import { html, type Markup } from '../../render/html.ts';
import { genrePage, subjectPage } from '../../render/links.ts';
import { isNamedIn } from '../../render/subject-name.ts';
import type { Answer, Chip, EventHit, SubjectHit } from '../search/answer.ts';
import type { Range } from '../search/dates.ts';
import { markedParts } from '../search/fold.ts';
import type { IndexedEvent } from '../search/index-file.ts';
import type { PageHit } from '../search/page-hits.ts';
import { periodOf } from '../rows.ts';
import { nameOf, rangeName } from './choice.ts';
import { dayOf, nameOfDay, timeOf } from './clock.ts';
import { locale, site, speech } from './page.ts';

/** The number of results that the reader can have more at a time. */
export const step = 20;

/** Says what was found, for screen readers as well. */
export function statusOf({ total, dropped, chips, words }: Answer, query: string): string {
  if (total === 0)
    return words.length === 0 && chips.length > 0 ? speech.text('nothingThen') : speech.text('noResults', { query });
  const results = speech.text('results', { n: total, query });
  return dropped.length === 0 ? results : `${speech.text('without', { words: dropped.join(' ') })} ${results}`;
}

/** Renders an answer: how the query was understood, the pages that it names, and what it finds. */
export function answerView(answer: Answer, hasHint: boolean): Markup {
  const { chips, pages, subjects, events, words, more, suggestions, total } = answer;
  const query = words.join(' ');
  return html`${chips.length > 0 && reading(chips)}
  ${
    pages.length > 0 &&
    html`<h2 class="goto">${speech.text('goTo')}</h2>
      <ol class="found goto">
        ${pages.map(pageRow)}
      </ol>`
  }
  ${subjects.map((hit) => subjectPart(hit, query))} ${days(events).map((day) => dayPart(day, query))}
  ${more > 0 && html`<p><button type="button" data-more>${speech.text('showMore', { n: Math.min(more, step) })}</button></p>`}
  ${total === 0 && suggestionsOf(suggestions, hasHint)}
  ${
    total + pages.length > 0 &&
    html`<p class="note keys" aria-hidden="true">
      <kbd>↑</kbd><kbd>↓</kbd> ${speech.text('keyChoose')} <kbd>↵</kbd> ${speech.text('keyOpen')}
      <kbd>Esc</kbd> ${speech.text('keyClose')}
    </p>`
  }`;
}

function reading(chips: readonly Chip[]): Markup {
  return html`<p class="reading">
    <span>${speech.text('readAs')}</span>
    ${chips.map((chip) => {
      const name = chip.name ?? (chip.range === null ? '' : datesName(chip.range, chip.on));
      return html`<button
        type="button"
        data-query="${chip.without}"
        aria-label="${speech.text('removeChip', { name })}"
      >
        <bdi>${name}</bdi> <span aria-hidden="true">×</span>
      </button>`;
    })}
  </p>`;
}

function pageRow({ name, above, category, range, on, path, count }: PageHit): Markup {
  const dates = range && datesName(range, on);
  const title =
    name === null
      ? html`<b>${dates}</b>`
      : html`<b><bdi>${name}</bdi></b
          >${dates !== null && ` · ${dates}`}`;
  return html`<li class="e ${category !== null && `c${category % colours}`}">
    <a class="t" data-hit href="${new URL(path, site).href}">${title}</a>
    ${above !== null && html`<span class="g"><bdi>${above}</bdi></span>`}
    ${count !== null && html`<span class="in">${speech.text('events', { n: count })}</span>`}
  </li>`;
}

/** The number of colours in the style. */
const colours = 10;

function addressOf({ subject, genre }: SubjectHit | EventHit): string {
  return new URL(subjectPage(genre.id, subject.id), site).href;
}

function genreLink({ genre }: SubjectHit | EventHit, query: string): Markup {
  const address = new URL(genrePage(genre.id), site).href;
  return html`<a class="g" href="${address}"><bdi>${marked(genre.name, query)}</bdi></a>`;
}

function subjectPart(hit: SubjectHit, query: string): Markup {
  const { subject, events, count, category } = hit;
  const address = addressOf(hit);
  // Comparing every alias would take longer than a letter may.
  const alias = isMarkedIn(subject.name, query) ? undefined : subject.aliases.find((one) => isMarkedIn(one, query));
  return html`<section class="hit c${category % colours}">
    <h2>
      <a href="${address}" data-hit><bdi>${marked(subject.name, query)}</bdi></a
      >${alias !== undefined && html` <small><bdi>${marked(alias, query)}</bdi></small>`}${genreLink(hit, query)}
    </h2>
    <ol>
      ${events.map(
        (event) =>
          html`<li class="e">
            <span class="w"><span>${whenOf(event)}</span></span
            ><a class="t" data-hit href="${address}#${event.id}"><bdi>${marked(event.title, query)}</bdi></a>
          </li>`,
      )}
    </ol>
    ${count > events.length && html`<p class="note"><a href="${address}">${speech.text('more', { n: count - events.length })}</a></p>`}
  </section>`;
}

/** Groups events by day. Those without a date yet come last. */
function days(events: readonly EventHit[]): EventHit[][] {
  const groups = new Map<string, EventHit[]>();
  for (const hit of events) {
    const key = hit.event.period === null ? hit.date : '';
    groups.set(key, [...(groups.get(key) ?? []), hit]);
  }
  return [...groups.values()];
}

function dayPart(hits: readonly EventHit[], query: string): Markup {
  const [first] = hits;
  if (first === undefined) return html``;
  const name = first.event.period === null ? dayName(first.date) : speech.text('announced');
  return html`<section class="found">
    <h2>${name}</h2>
    <ol>
      ${hits.map((hit) => eventRow(hit, query))}
    </ol>
  </section>`;
}

function dayName(date: string): string {
  const name = nameOfDay(date);
  return name === undefined ? locale.longDate(date) : `${name}, ${locale.longDate(date)}`;
}

function eventRow(hit: EventHit, query: string): Markup {
  const { event, subject, category } = hit;
  const { title, id, period, isDate, startsAt } = event;
  const when = period === null ? (isDate ? speech.text('allDay') : timeOf(startsAt, 'minute')) : periodName(period);
  return html`<li class="e c${category % colours}">
    <span class="w"><span>${when}</span></span
    ><a class="t" data-hit href="${addressOf(hit)}#${id}"
      >${!isNamedIn(title, subject.name) && html`<b><bdi>${marked(subject.name, query)}</bdi></b> `}<bdi
        >${marked(title, query)}</bdi
      ></a
    >${genreLink(hit, query)}
  </li>`;
}

function whenOf({ startsAt, isDate, period }: IndexedEvent): string {
  if (period !== null) return periodName(period);
  const date = isDate ? new Date(startsAt).toISOString().slice(0, 'yyyy-mm-dd'.length) : dayOf(startsAt);
  return `${locale.mediumDate(date)}${isDate ? '' : `, ${timeOf(startsAt, 'minute')}`}`;
}

function periodName(period: string): string {
  return periodOf({ locale, text: speech.text }, { period });
}

/** Names the dates of a chip or of a page. */
function datesName(range: Range, on: string | null): string {
  return on === null ? rangeName(range) : nameOf({ scope: '', when: on }, '');
}

function isMarkedIn(text: string, query: string): boolean {
  return markedParts(text, query).some(({ isMarked }) => isMarked);
}

function marked(text: string, query: string): Markup {
  return html`${markedParts(text, query).map((part) => (part.isMarked ? html`<mark>${part.text}</mark>` : part.text))}`;
}

function suggestionsOf(suggestions: readonly string[], hasHint: boolean): Markup {
  if (suggestions.length === 0) return html`${hasHint && html`<p>${speech.text('searchHint')}</p>`}`;
  return html`<p class="reading">
    <span>${speech.text('didYouMean')}</span>
    ${suggestions.map((name) => html`<button type="button" data-query="${name}"><bdi>${name}</bdi></button>`)}
  </p>`;
}
