import type { EventRecord } from '../../api/documents.ts';
import { html, type Markup } from './html.ts';
import { monthTitle, weekday } from './dates.ts';

/** An event as a page shows it. The browser and the build lay it out alike; they differ in whose clock they show. */
export interface ShownEvent {
  readonly event: EventRecord;
  /** The date under which it stands, `YYYY-MM-DD`. */
  readonly day: string;
  /** The clock time with its zone; null where the time is not known, and then no clock time may be shown. */
  readonly clock: { readonly time: string; readonly zone: string } | null;
  /** The clock where it happens, in words: what is shown on demand. */
  readonly there: string | null;
}

/** What the layout needs to know beside the events. */
export interface ListContext {
  readonly genreName: (id: string) => string;
  /** The address that narrows the page to a genre; null where nothing can narrow it. */
  readonly genreLink: (event: EventRecord) => string | null;
}

/** Events under their months and days, in the order given. */
export function eventList(shown: readonly ShownEvent[], context: ListContext): Markup {
  return html`${runsOf(shown, ({ day }) => day.slice(0, 7)).map(
    (ofMonth) =>
      html`<section class="month">
        <h3>${monthTitle(dayOf(ofMonth))}</h3>
        <ol class="days">
          ${runsOf(ofMonth, ({ day }) => day).map((ofDay) => daySection(ofDay, context))}
        </ol>
      </section>`,
  )}`;
}

/** The note has room for what a day is called for a while, such as `Today`: only the reader's clock tells. */
function daySection(shown: readonly ShownEvent[], context: ListContext): Markup {
  const day = dayOf(shown);
  return html`<li class="day">
    <p class="date">
      <time datetime="${day}"
        ><span class="weekday">${weekday(day)}</span> <span class="number">${+day.slice(8)}</span></time
      >
      <span class="note" data-day="${day}"></span>
    </p>
    <ul class="events">
      ${shown.map((one) => eventRow(one, context))}
    </ul>
  </li>`;
}

function eventRow({ event, clock, there }: ShownEvent, context: ListContext): Markup {
  const { id, subject, title, url } = event;
  const link = context.genreLink(event);
  const genre = html`<bdi>${context.genreName(event.genre)}</bdi>`;
  const name = html`${isNamedIn(title, subject.name) ? null : html`<bdi class="subject">${subject.name}</bdi>: `}<bdi
      >${title}</bdi
    >`;
  return html`<li class="event" data-id="${id}" data-until="${event.upcoming_until}">
    <p class="clock">
      ${
        clock === null
          ? html`<span class="unknown">Date only</span>`
          : html`<time datetime="${event.starts_at}">${clock.time} <span class="zone">${clock.zone}</span></time>`
      }
    </p>
    <div class="what">
      <p class="title">${url?.startsWith('https://') ? html`<a href="${url}" rel="noreferrer">${name}</a>` : name}</p>
      <div class="meta">
        ${link === null ? genre : html`<a class="genre" href="${link}">${genre}</a>`}${
          clock !== null && html`<span class="countdown" data-at="${event.starts_at}"></span>`
        }${
          there !== null &&
          html`<details class="there">
            <summary>Time there</summary>
            <span>${there}</span>
          </details>`
        }
      </div>
    </div>
  </li>`;
}

/**
 * Whether a title says by itself what it is about: the subject stands in it as words. Scripts without capitals may write
 * words without a gap, so there it may stand anywhere.
 */
export function isNamedIn(title: string, subject: string): boolean {
  const [text, name] = [title.toLowerCase(), subject.toLowerCase()];
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    if (!endsInWord.test(text.slice(0, at)) && !beginsInWord.test(text.slice(at + name.length))) return true;
  }
  return false;
}

// Made once: V8 takes a fifth of a small build for one of every subject.
const partOfWord = String.raw`[\p{LC}\p{M}\p{Nd}]`;
const endsInWord = new RegExp(`${partOfWord}$`, 'u');
const beginsInWord = new RegExp(`^${partOfWord}`, 'u');

function dayOf([first]: readonly ShownEvent[]): string {
  return first?.day ?? '';
}

/** The list cut wherever the key changes. */
function runsOf<T>(list: readonly T[], keyOf: (item: T) => string): T[][] {
  const runs: T[][] = [];
  let last: string | null = null;
  for (const item of list) {
    const key = keyOf(item);
    if (key === last) runs.at(-1)?.push(item);
    else runs.push([item]);
    last = key;
  }
  return runs;
}
