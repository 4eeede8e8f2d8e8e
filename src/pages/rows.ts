import type { EventDetails, Location } from '../catalogue/model.ts';
import { hour, isoDate, isoInstant } from '../catalogue/time/time.ts';
import { isNamedIn } from '../render/subject-name.ts';
import type { PageContext } from './context.ts';
import { html, type Markup } from '../render/html.ts';
import { eventPage, genrePage } from '../render/links.ts';
import type { Locale } from './locale.ts';

/** An event as the lists of the pages show it. Instants are milliseconds since the Unix epoch. */
export interface ListedEvent {
  /** `{genre}/{subject}/{event}` */
  readonly id: string;
  readonly title: string;
  readonly subject: { readonly id: string; readonly name: string; readonly url: string | null };
  readonly genre: { readonly id: string; readonly name: string; readonly category: string };
  readonly precision: 'day' | 'hour' | 'minute' | 'second';
  readonly date: string;
  readonly startsAt: number;
  readonly upcomingUntil: number;
  readonly zone: string | null;
  readonly end?: { readonly endDate: string; readonly endsAt: number; readonly overAt: number } | null;
  readonly location: Location | null;
  readonly details: EventDetails;
}

/** How a list shows its events. */
export interface ListStyle {
  readonly root: string;
  /** The unit that has a heading. Below a month, each row has its date. */
  readonly unit: 'day' | 'month';
  /** Whether rows name their genre. */
  readonly hasGenre: boolean;
  /** Whether the rows are those of one subject, whose name they leave out. */
  readonly isSubject?: boolean;
  /** Whether the rows are of several months, so that their dates name them. */
  readonly isMixed?: boolean;
  /** Below a level: 2 for h2. */
  readonly level?: 2 | 3;
}

/** The minimum number of consecutive events of one genre in the same minute that are folded into one row. */
const minRun = 3;

/**
 * Renders events in order, under headings for their days or months in UTC. The script moves them to the reader's days.
 */
export function eventList(context: PageContext, events: readonly ListedEvent[], style: ListStyle): Markup {
  const groups = groupBy(events, (event) => isoDay(event).slice(0, style.unit === 'day' ? 10 : 7));
  const rowsOf = (ofGroup: readonly ListedEvent[]): readonly Markup[] =>
    style.isSubject === true
      ? ofGroup.map((event) => eventRow(context, event, style))
      : folded(ofGroup).map((run) => runOf(context, run, style));
  return html`${groups.map(([key, ofGroup]) =>
    section(context.locale, style, key, ofGroup.length, html`${rowsOf(ofGroup)}`),
  )}`;
}

/** Renders events like {@link eventList}, or says that there are none. */
export function listOrNothing(context: PageContext, events: readonly ListedEvent[], style: ListStyle): Markup {
  return events.length === 0 ? html`<p class="empty">${context.say('nothing')}</p>` : eventList(context, events, style);
}

/** Renders a day or month with its heading. The script uses it for the days of its reader. */
export function section(
  locale: Locale,
  { unit, level = 2 }: Pick<ListStyle, 'unit' | 'level'>,
  key: string,
  count: number,
  rows: Markup,
): Markup {
  return html`<section class="${unit}"${level === 2 && html` id="d${key}"`} data-key="${key}"><h${level}>${heading(locale, unit, key)} <span class="count">${locale.number(count)}</span></h${level}><ol>${rows}</ol></section>\n`;
}

/** The heading of a day, with its weekday, or of a month. */
function heading(locale: Locale, unit: ListStyle['unit'], key: string): Markup {
  if (unit === 'month') return html`<time datetime="${key}">${locale.month(key)}</time>`;
  return html`<time datetime="${key}"><b>${locale.weekday(key)}</b> <span>${locale.monthDay(key)}</span></time>`;
}

/** Splits a list where the key changes. */
export function groupBy<T>(list: readonly T[], keyOf: (item: T) => string): [string, T[]][] {
  const groups: [string, T[]][] = [];
  for (const item of list) {
    const key = keyOf(item);
    const last = groups.at(-1);
    if (last !== undefined && last[0] === key) last[1].push(item);
    else groups.push([key, [item]]);
  }
  return groups;
}

/** The UTC date of a start, or the date itself if only that is real. */
export function isoDay({ precision, date, startsAt }: ListedEvent): string {
  return precision === 'day' ? date : isoDate(startsAt);
}

/** Groups the events of a list into rows: a long run of the same genre and minute is one row. */
function folded(events: readonly ListedEvent[]): ListedEvent[][] {
  const runs: [ListedEvent, ...ListedEvent[]][] = [];
  for (const event of events) {
    const run = runs.at(-1);
    if (run !== undefined && isSameMinute(run[0], event)) run.push(event);
    else runs.push([event]);
  }
  return runs.flatMap((run) => (run.length < minRun ? run.map((event) => [event]) : [run]));
}

function isSameMinute(a: ListedEvent, b: ListedEvent): boolean {
  return a.startsAt === b.startsAt && a.genre.id === b.genre.id && a.precision !== 'day' && b.precision !== 'day';
}

function runOf(context: PageContext, run: readonly ListedEvent[], style: ListStyle): Markup {
  const [first] = run;
  if (first === undefined || run.length === 1) return first === undefined ? html`` : eventRow(context, first, style);
  const titles = run.map(({ title }) => title).join(', ');
  return html`<li class="e run ${context.colour(first.genre.category)}" ${dataOf(first)}>
    <details>
      <summary>
        ${when(context, first, style)}
        <span class="t"><b>${context.say('events', { n: run.length })}</b> <bdi>${titles}</bdi></span
        >${style.hasGenre && html` <span class="g"><bdi>${first.genre.name}</bdi></span>`}<span class="in"></span>
      </summary>
      <ol>
        ${run.map((event) => eventRow(context, event, style))}
      </ol>
    </details>
  </li> `;
}

/** Renders an event as one row. Its data attributes contain everything that the script needs. */
export function eventRow(context: PageContext, event: ListedEvent, style: ListStyle): Markup {
  const { id, genre } = event;
  const { root, hasGenre, isSubject } = style;
  const anchor = isSubject === true ? id.slice(id.lastIndexOf('/') + 1) : id.slice(id.indexOf('/') + 1);
  const name = nameOf(event, isSubject === true);
  const address = isSubject === true ? (event.details.url ?? event.subject.url) : linkOf(context, event, root);
  const outside = isSubject === true || !context.has('genre');
  return html`<li class="e ${context.colour(genre.category)}" id="${anchor}" ${dataOf(event)}>
    ${when(context, event, style)}
    ${address === null ? html`<span class="t">${name}</span>` : html`<a class="t" href="${address}" ${outside && html` rel="noreferrer"`}>${name}</a>`}${isSubject === true && [remark(event.location?.name), ...shownDetails.map((field) => remark(event.details[field]))]}${hasGenre && (context.has('genre') ? html` <a class="g" href="${root}${genrePage(genre.id)}"><bdi>${genre.name}</bdi></a>` : html` <span class="g"><bdi>${genre.name}</bdi></span>`)}<span
      class="in"
    ></span>
  </li> `;
}

/** Whether the page of a subject shows a detail of an event after its title. The title links to the address. */
const isShown: Readonly<Record<keyof EventDetails, boolean>> = { url: false };
const shownDetails = (Object.keys(isShown) as (keyof EventDetails)[]).filter((field) => isShown[field]);

function remark(text: string | undefined): Markup | null {
  return text === undefined ? null : html` <span class="g"><bdi>${text}</bdi></span>`;
}

function linkOf(context: PageContext, event: ListedEvent, root: string): string | null {
  if (context.has('subject')) return root + eventPage(event.id);
  if (context.has('genre')) return `${root}${genrePage(event.genre.id)}#${event.id.slice(event.id.indexOf('/') + 1)}`;
  const url = event.details.url ?? event.subject.url;
  return url?.startsWith('https://') === true ? url : null;
}

/** Returns the subject and the title, or only one of them if it contains the other. */
export function nameOf(
  { title, subject }: { readonly title: string; readonly subject: { readonly name: string } },
  isSubject = false,
): Markup {
  if (isSubject) return html`<bdi>${title}</bdi>`;
  if (isNamedIn(title, subject.name)) return html`<b><bdi>${title}</bdi></b>`;
  const isRepeated = subject.name.toLowerCase().startsWith(title.toLowerCase());
  return html`<b><bdi>${subject.name}</bdi></b> ${!isRepeated && html`<bdi>${title}</bdi>`}`;
}

/**
 * Returns the data attributes of a row. Without one that says otherwise, a date is over at 12:00 UTC of the next day.
 */
function dataOf({ precision, date, startsAt, upcomingUntil, end, zone }: ListedEvent): Markup {
  const over = end != null && html` data-over="${shortInstant(end.overAt)}"`;
  if (precision === 'day') {
    return html` data-on="${date}"${upcomingUntil !== startsAt + 36 * hour && html` data-until="${shortInstant(upcomingUntil)}"`}${over}`;
  }
  return html` data-at="${shortInstant(startsAt)}"${precision !== 'minute' && html` data-p="${precision}"`}${zone !== null && html` data-zone="${zone}"`}${over}`;
}

function when({ say, text, locale }: PageContext, event: ListedEvent, { unit, isMixed }: ListStyle): Markup {
  const { precision, startsAt, end } = event;
  const day = isoDay(event);
  const last = end != null && end.endDate > day ? end.endDate : null;
  const named = isMixed === true ? locale.shortDate(day) : locale.shortDay(day);
  const date = unit === 'month' && html`<span class="d">${named}</span> `;
  if (precision === 'day') {
    const note = last !== null ? text('until', { date: locale.shortDate(last) }) : unit === 'day' && say('allDay');
    return html`<span class="w">${date}<i>${note}</i></span>`;
  }
  const time = isoInstant(startsAt);
  const isHour = precision === 'hour' && time.endsWith(':00:00.000Z');
  const clock = isHour ? `${time.slice(11, 13)} h` : time.slice(11, precision === 'second' ? 19 : 16);
  return html`<span class="w">${date}<time datetime="${shortInstant(startsAt)}">${clock} UTC</time></span>`;
}

/** An instant without seconds that are zero: `2027-01-16T02:00Z`. */
export function shortInstant(instant: number): string {
  const text = isoInstant(instant);
  return `${text.slice(0, text.endsWith(':00.000Z') ? 16 : 19)}Z`;
}
