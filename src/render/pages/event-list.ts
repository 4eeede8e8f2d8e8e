import type { EventRecord } from '../../api/documents.ts';
import { html, type Markup } from './html.ts';
import { isNamedIn } from '../subject-name.ts';
import { monthTitle, weekday } from './dates.ts';

/** An event as a page shows it: the build in UTC, a browser in the time zone of its reader. */
export interface ShownEvent {
  readonly event: EventRecord;
  /** The date of the section that contains it, `YYYY-MM-DD`. */
  readonly day: string;
  /** The clock time with its zone. Null if the time is not known: then no clock time may be shown. */
  readonly clock: { readonly time: string; readonly zone: string } | null;
  /** The local time of the event in words, shown on demand. Null if it is the same. */
  readonly there: string | null;
}

/** How the list names and links genres. */
export interface ListContext {
  readonly genreName: (id: string) => string;
  /** Returns the URL that filters the page by the genre of an event, or null if the page has no filters. */
  readonly genreLink: (event: EventRecord) => string | null;
}

/** Renders events under headings for their months and days, in the order given. */
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

/** Leaves a note empty for words such as `Today`, which depend on the reader's clock. */
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

function eventRow(shown: ShownEvent, context: ListContext): Markup {
  const { event, clock } = shown;
  const { id, subject, title, url } = event;
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
      <div class="meta">${Object.values(details).map((detail) => detail?.(shown, context) ?? null)}</div>
    </div>
  </li>`;
}

type Detail = (shown: ShownEvent, context: ListContext) => Markup | null;

/** How a row shows the fields of the record below its title, in order. Null: the row shows the field elsewhere or not. */
const details: Readonly<Record<keyof EventRecord, Detail | null>> = {
  genre: ({ event }, { genreName, genreLink }) => {
    const link = genreLink(event);
    const genre = html`<bdi>${genreName(event.genre)}</bdi>`;
    return link === null ? genre : html`<a class="genre" href="${link}">${genre}</a>`;
  },
  starts_at: ({ event, clock }) =>
    clock === null ? null : html`<span class="countdown" data-at="${event.starts_at}"></span>`,
  zone: ({ there }) =>
    there === null
      ? null
      : html`<details class="there">
          <summary>Time there</summary>
          <span>${there}</span>
        </details>`,
  location: ({ event: { location } }) =>
    location === null ? null : html`<bdi class="location">${location.name}</bdi>`,
  id: null,
  title: null,
  subject: null,
  category: null,
  ends_at: null,
  date: null,
  end_date: null,
  time_known: null,
  precision: null,
  url: null,
  upcoming_until: null,
  over_at: null,
};

function dayOf([first]: readonly ShownEvent[]): string {
  return first?.day ?? '';
}

/** Splits a list wherever the key changes. */
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
