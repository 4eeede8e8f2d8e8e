import type { AnnouncementRecord, EventRecord } from '../api/documents.ts';
import { groupBy } from '../catalogue/group.ts';
import { compareTexts } from '../catalogue/soonest.ts';
import { hour } from '../catalogue/time/time.ts';
import { html, type Markup } from '../render/html.ts';
import { eventPage } from '../api/paths.ts';
import { genrePage } from '../render/links.ts';
import type { ListedEvent } from '../render/records.ts';
import { isNamedIn } from '../render/subject-name.ts';
import type { PageContext } from './context.ts';
import { aheadOf, datesOn } from './dates.ts';
import { placeOf } from './places.ts';
import { endOf, lastDayOf, shortInstant, timeOf, whenColumn } from './row-time.ts';

/** How a list shows its events. */
export interface ListStyle {
  readonly root: string;
  /** The unit that has a heading. Below a month, each row has its date. */
  readonly unit: 'day' | 'month';
  /**
   * Whether rows name their genre, and have the colour of their category. The list of one genre
   * says it once.
   */
  readonly hasGenre: boolean;
  /**
   * Whether its events have begun: their dates name their months, and there may be no pages of
   * their countries.
   */
  readonly hasBegun?: boolean;
  /** The day on which its events are on that began before. */
  readonly runsOn?: string;
  /** The day that is open where only one is shown. */
  readonly openDay?: string | undefined;
  /** Whether its events stand in another place, or are not shown: they do not count. */
  readonly isExtra?: boolean;
}

/** The minimum number of events of one genre in the same minute that are folded into one row. */
const minRun = 3;

/** Renders events under headings for their days or months, by the dates where they happen. */
function eventList(context: PageContext, events: readonly ListedEvent[], style: ListStyle): Markup {
  const records = events.map(({ record }) => record);
  const groups = groupBy(records, ({ date }) => date.slice(0, style.unit === 'day' ? 10 : 7));
  // Today comes first: what began before is only not over everywhere.
  const isLater = (key: string) => Number(key !== context.today);
  const inOrder = [...groups].sort(([a], [b]) => isLater(a) - isLater(b) || compareTexts(a, b));
  return html`${inOrder.map(([key, ofGroup]) => {
    const rows = folded(ofGroup).map((run) => runOf(context, run, style));
    return section(context, style.unit, {
      key,
      count: ofGroup.length,
      rows: html`${rows}`,
    });
  })}`;
}

/** Renders what is on on some days: what begins, and what began before. */
export function agenda(
  context: PageContext,
  events: readonly ListedEvent[],
  days: readonly string[],
  style: ListStyle,
): Markup {
  const records = events.map(({ record }) => record);
  const begins = groupBy(records, ({ date }) => date);
  const runs = new Map<string, EventRecord[]>();
  for (const record of records)
    for (const on of datesOn(record.date, lastDayOf(record)).slice(1))
      runs.set(on, [...(runs.get(on) ?? []), record]);
  const shown = new Set<string>();
  const sections = days.map((key) => {
    const [starting, running] = [begins.get(key) ?? [], runs.get(key) ?? []];
    const count = starting.length + running.length;
    if (count === 0) return null;
    const rows = folded(starting).map((run) => runOf(context, run, style));
    const later = running.map((record) =>
      eventRow(context, record, {
        ...style,
        runsOn: key,
        isExtra: shown.has(record.id),
      }),
    );
    for (const { id } of [...starting, ...running]) shown.add(id);
    return section(context, 'day', {
      key,
      count,
      rows: rows.length === 0 ? null : html`${rows}`,
      running: later.length === 0 ? null : html`${later}`,
      isOpen: key === style.openDay,
    });
  });
  return html`${sections}`;
}

/**
 * Renders events like {@link eventList}, or says that there are none, and then what is announced
 * without a date.
 */
export function listOrNothing(
  context: PageContext,
  events: readonly ListedEvent[],
  style: ListStyle,
  announced: readonly AnnouncementRecord[] = [],
): Markup {
  const none = announced.length === 0 ? 'nothing' : 'nothingDated';
  return html`${events.length === 0 ? html`<p class="empty">${context.text(none)}</p>` : eventList(context, events, style)}
  ${announced.length > 0 && announcedList(context, announced, style)}`;
}

/** What is known to a month, a quarter, a half or a year. There is no date, so none is shown. */
export function announcedList(
  context: PageContext,
  announced: readonly AnnouncementRecord[],
  style: ListStyle,
): Markup {
  const rows = announced.map(
    (record) =>
      html`<li
        class="e${style.hasGenre && ` ${context.colour(record.category)}`}"
        ${anchorOf(context, record)}
      >
        <span class="w"
          ><i>${context.text('toCome', { period: periodOf(context, record) })}</i></span
        >
        <span class="what"
          >${titleOf(context, record, style.root)}${statusOf(context, record)}</span
        >
        ${style.hasGenre && genreOf(context, record)}
      </li>`,
  );
  return html`<section class="announced">
    <h2>
      <b>${context.text('announced')}</b>
      <span class="count">${context.locale.number(announced.length)}</span>
    </h2>
    <ol>
      ${rows}
    </ol>
  </section>`;
}

/** The period of an announcement in words: `March 2027`, `Q3 2027` or `2027`. */
export function periodOf(
  { locale, text }: Pick<PageContext, 'locale' | 'text'>,
  { period }: Pick<AnnouncementRecord, 'period'>,
): string {
  const [year = '', part = ''] = period.split('-');
  if (part === '') return year;
  if (part.startsWith('Q')) return text('quarter', { q: part.slice(1), year });
  return part.startsWith('H')
    ? text(part === 'H1' ? 'firstHalf' : 'secondHalf', { year })
    : locale.month(period);
}

/** The address of a row, if there is no page of its subject. */
function anchorOf({ hasAllPages }: PageContext, { id }: Pick<EventRecord, 'id'>): Markup | false {
  return !hasAllPages && html` id="${id.slice(id.indexOf('/') + 1)}"`;
}

/** A day or month of a list. */
export interface Section {
  /** `2027-03-06` or `2027-03`. */
  readonly key: string;
  /** The number of its events. */
  readonly count: number;
  /** What begins in it. Null if nothing does. */
  readonly rows: Markup | null;
  /** What began before and is on. Null if nothing is. */
  readonly running?: Markup | null;
  /** Whether it is the day of its month that is open. */
  readonly isOpen?: boolean;
}

/** Renders a day or month with its heading. The script uses it for the days of its reader. */
export function section(
  { locale, text }: Pick<PageContext, 'locale' | 'text'>,
  unit: ListStyle['unit'],
  { key, count, rows, running = null, isOpen = false }: Section,
): Markup {
  return html`<section class="${unit}${isOpen && ' open'}" id="d${key}" data-key="${key}">
    <h2>
      <time datetime="${key}"
        >${unit === 'month' ? html`<b>${locale.month(key)}</b>` : html`<b>${locale.weekday(key)}</b> <span>${locale.monthDay(key)}</span>`}</time
      >
      <span class="count">${locale.number(count)}</span>
    </h2>
    ${
      rows !== null &&
      html`<ol>
        ${rows}
      </ol>`
    }
    ${
      running !== null &&
      html`<h3>${text('alsoOn')}</h3>
        <ol class="also">
          ${running}
        </ol>`
    }
  </section> `;
}

function folded(records: readonly EventRecord[]): EventRecord[][] {
  const keyOf = ({ id, genre, starts_at, time_known }: EventRecord) =>
    time_known ? `${starts_at} ${genre}` : id;
  const runs = [...groupBy(records, keyOf).values()];
  return runs.flatMap((run) => (run.length < minRun ? run.map((record) => [record]) : [run]));
}

function runOf(context: PageContext, run: readonly EventRecord[], style: ListStyle): Markup {
  const [first] = run;
  if (first === undefined || run.length === 1)
    return first === undefined ? html`` : eventRow(context, first, style);
  const titles = run.map(({ title }) => title).join(', ');
  return html`<li
    class="e run${style.hasGenre && ` ${context.colour(first.category)}`}"
    ${dataOf(context, first, style.hasGenre)}
  >
    <details>
      <summary>
        ${when(context, first, style)}
        <span class="what"
          ><span class="t"
            ><b>${context.text('events', { n: run.length })}</b> <bdi>${titles}</bdi></span
          ></span
        >${style.hasGenre && genreOf(context, first)}
      </summary>
      <ol>
        ${run.map((record) => eventRow(context, record, style))}
      </ol>
    </details>
  </li> `;
}

/**
 * Renders an event as one row. Its data is what the script needs, which reads no document for it.
 */
export function eventRow(context: PageContext, record: EventRecord, style: ListStyle): Markup {
  const { root, hasGenre, hasBegun, isExtra } = style;
  const colour = hasGenre && ` ${context.colour(record.category)}`;
  const title = titleOf(context, record, root);
  const hasPlace = !isPlaceSaid(record);
  const place = hasPlace && placeOf(context, record.location, root, hasBegun !== true);
  // The classes of h-event are for programs that import events from pages.
  return html`<li
    class="${isExtra === true && 'x '}e h-event${colour}"
    ${anchorOf(context, record)}${dataOf(context, record, hasGenre)}
  >
    ${when(context, record, style)}
    <span class="what">${title}${place}${statusOf(context, record)}</span
    >${hasGenre && genreOf(context, record)}
  </li> `;
}

/** Whether the title or the name of its subject is the place. */
function isPlaceSaid({ title, subject, location }: EventRecord): boolean {
  if (location === null) return false;
  return subject.name === location.name || isNamedIn(title, location.name);
}

function titleOf(
  context: PageContext,
  record: EventRecord | AnnouncementRecord,
  root: string,
): Markup {
  const { id, genre, url } = record;
  const name = nameOf(record);
  const path = context.hasAllPages
    ? eventPage(id)
    : `${genrePage(genre)}#${id.slice(id.indexOf('/') + 1)}`;
  const website = url?.startsWith('https://') === true ? url : null;
  const address = context.hasGenrePages ? root + path : website;
  if (address === null) return html`<span class="t p-name" dir="auto">${name}</span>`;
  const rel = !context.hasGenrePages && html` rel="noreferrer"`;
  return html`<a class="t p-name u-url" dir="auto" href="${address}" ${rel}>${name}</a>`;
}

export function statusOf(
  { text }: PageContext,
  { status }: Pick<EventRecord, 'status'>,
): Markup | false {
  const isUncertain = status === 'tentative' || status === 'postponed';
  return isUncertain && html` <span class="status">${text(status)}</span>`;
}

function genreOf({ nameOfGenre }: PageContext, { genre }: Pick<EventRecord, 'genre'>): Markup {
  return html` <bdi class="g">${nameOfGenre(genre)}</bdi>`;
}

type Named = { readonly title: string; readonly subject: { readonly name: string } };

/** Returns the subject and the title, or only one of them if it contains the other. */
export function nameOf({ title, subject }: Named): Markup {
  // The title "Annular solar eclipse" says what one of the "Annular solar eclipses" is.
  const isWhole =
    isNamedIn(title, subject.name) || subject.name.toLowerCase().startsWith(title.toLowerCase());
  return isWhole ? html`<b>${title}</b>` : html`<b>${subject.name}</b> <bdi>${title}</bdi>`;
}

/**
 * What the script reads from a row besides its time, which is in its element. A date alone ends at
 * 12:00 UTC of the next day, and a time is on the clocks of the catalogue, unless the row says
 * otherwise.
 */
export function dataOf({ service }: PageContext, record: EventRecord, hasGenre: boolean): Markup {
  const { category, genre, precision, date, end_date, starts_at, upcoming_until, over_at, zone } =
    record;
  const scope = hasGenre && html` data-g="${category}/${genre}"`;
  const isSure = record.status === 'confirmed';
  const status = !isSure && html` data-s="${record.status}"`;
  const over = over_at !== null && html` data-over="${shortInstant(over_at)}"`;
  if (precision === 'day') {
    const isUsual = Date.parse(upcoming_until) - Date.parse(starts_at) === 36 * hour;
    const until = !isUsual && html` data-until="${shortInstant(upcoming_until)}"`;
    return html`${scope}${status}
    data-on="${date}"${until}${end_date !== null && html` data-end="${end_date}"`}${over}`;
  }
  const finest = precision !== 'minute' && html` data-p="${precision}"`;
  if (service.zone === null) return html`${scope}${status}${finest}${over}`;
  const isElsewhere = zone !== service.zone && html` data-zone="${zone ?? 'UTC'}"`;
  return html`${scope}${status}${finest}${isElsewhere}${dataAhead(record)}${over}`;
}

/** Says for the script by how many minutes the clocks where an event happens are ahead of UTC. */
export function dataAhead(record: EventRecord): Markup | false {
  const ahead = aheadOf(record);
  return ahead !== null && html` data-ahead="${ahead}"`;
}

function when(context: PageContext, record: EventRecord, style: ListStyle): Markup {
  const { unit, hasBegun, runsOn } = style;
  const { locale } = context;
  if (runsOn !== undefined) return html`<span class="w">${endOf(context, record, runsOn)}</span>`;
  const time = timeOf(context, record, unit === 'day');
  if (unit === 'day') return whenColumn(record, time);
  const { date } = record;
  const day = hasBegun === true ? locale.shortDate(date) : locale.shortDay(date);
  return whenColumn(record, html`<span class="d">${day}</span> ${time}`);
}
