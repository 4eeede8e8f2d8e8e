import type { AnnouncementRecord, EventRecord } from '../api/documents.ts';
import { hour } from '../catalogue/time/time.ts';
import { groupBy } from '../catalogue/group.ts';
import type { ListedEvent } from '../render/records.ts';
import { isNamedIn } from '../render/subject-name.ts';
import type { PageContext } from './context.ts';
import { factsOf, whereOf } from './facts.ts';
import { html, type Markup } from '../render/html.ts';
import { eventPage, genrePage } from '../render/links.ts';
import type { Locale } from './locale.ts';

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
  /** Whether all of its events are upcoming, so that there are lists for their countries and tags. */
  readonly hasLists?: boolean;
  /** Below a level: 2 for h2. */
  readonly level?: 2 | 3;
}

/** The minimum number of consecutive events of one genre in the same minute that are folded into one row. */
const minRun = 3;

/**
 * Renders events in order, under headings for their days or months in UTC. The script moves them to the reader's days.
 */
export function eventList(context: PageContext, events: readonly ListedEvent[], style: ListStyle): Markup {
  const records = events.map(({ record }) => record);
  const groups = groupBy(records, (record) => isoDay(record).slice(0, style.unit === 'day' ? 10 : 7));
  const rowsOf = (ofGroup: readonly EventRecord[]): readonly Markup[] =>
    style.isSubject === true
      ? ofGroup.map((record) => eventRow(context, record, style))
      : folded(ofGroup).map((run) => runOf(context, run, style));
  return html`${Array.from(groups, ([key, ofGroup]) =>
    section(context.locale, style, key, ofGroup.length, html`${rowsOf(ofGroup)}`),
  )}`;
}

/** Renders events like {@link eventList}, or says that there are none, and then what is announced without a date. */
export function listOrNothing(
  context: PageContext,
  events: readonly ListedEvent[],
  style: ListStyle,
  announced: readonly AnnouncementRecord[] = [],
): Markup {
  const none = announced.length === 0 ? 'nothing' : 'nothingDated';
  return html`${events.length === 0 ? html`<p class="empty">${context.say(none)}</p>` : eventList(context, events, style)}
  ${announced.length > 0 && announcedList(context, announced, style)}`;
}

/** What is known to a month, a quarter, a half or a year. There is no date, so none is shown. */
export function announcedList(
  context: PageContext,
  announced: readonly AnnouncementRecord[],
  { root, hasGenre, isSubject = false }: Pick<ListStyle, 'root' | 'hasGenre' | 'isSubject'>,
): Markup {
  const { say, has, colour } = context;
  const row = (record: AnnouncementRecord): Markup => {
    const name = nameOf(record, isSubject);
    const title =
      isSubject || !has('subject')
        ? html`<span class="t" dir="auto">${name}</span>`
        : html`<a class="t" dir="auto" href="${root}${eventPage(record.id)}">${name}</a>`;
    return html`<li class="e ${colour(record.category)}" id="${anchorOf(record, isSubject)}">
      <span class="w"><i>${say('toCome', { period: periodOf(context, record) })}</i></span> ${title}
      ${record.status === 'tentative' && html`<span class="g">${say('tentative')}</span>`}${hasGenre && genreOf(context, record.genre, root)}${isSubject && factsOf(context, record, null)}
    </li>`;
  };
  return html`<section class="status announced">
    <h2><b>${say('announced')}</b> <span class="count">${context.locale.number(announced.length)}</span></h2>
    <ol>
      ${announced.map(row)}
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
  return part.startsWith('H') ? text(part === 'H1' ? 'firstHalf' : 'secondHalf', { year }) : locale.month(period);
}

/** The id of a row. The page of a subject has only its own events. */
function anchorOf({ id }: { readonly id: string }, isSubject: boolean): string {
  return id.slice((isSubject ? id.lastIndexOf('/') : id.indexOf('/')) + 1);
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
  if (unit === 'month') return html`<time datetime="${key}"><b>${locale.month(key)}</b></time>`;
  return html`<time datetime="${key}"><b>${locale.weekday(key)}</b> <span>${locale.monthDay(key)}</span></time>`;
}

/** The UTC date of a start. It is the date itself if only that is real. */
export function isoDay({ starts_at }: EventRecord): string {
  return starts_at.slice(0, 'yyyy-mm-dd'.length);
}

/** Groups the events of a list into rows: a long run of the same genre and minute is one row. */
function folded(records: readonly EventRecord[]): EventRecord[][] {
  const runs: [EventRecord, ...EventRecord[]][] = [];
  for (const record of records) {
    const run = runs.at(-1);
    if (run !== undefined && isSameMinute(run[0], record)) run.push(record);
    else runs.push([record]);
  }
  return runs.flatMap((run) => (run.length < minRun ? run.map((record) => [record]) : [run]));
}

function isSameMinute(a: EventRecord, b: EventRecord): boolean {
  return a.starts_at === b.starts_at && a.genre === b.genre && a.time_known && b.time_known;
}

function runOf(context: PageContext, run: readonly EventRecord[], style: ListStyle): Markup {
  const [first] = run;
  if (first === undefined || run.length === 1) return first === undefined ? html`` : eventRow(context, first, style);
  const titles = run.map(({ title }) => title).join(', ');
  return html`<li class="e run ${context.colour(first.category)}" ${dataOf(first)}>
    <details>
      <summary>
        ${when(context, first, style)}
        <span class="t"><b>${context.say('events', { n: run.length })}</b> <bdi>${titles}</bdi></span
        >${style.hasGenre && remark(context.nameOfGenre(first.genre))}<span class="in"></span>
      </summary>
      <ol>
        ${run.map((record) => eventRow(context, record, style))}
      </ol>
    </details>
  </li> `;
}

/** Renders an event as one row. Its data is what the script needs, which reads no document for it. */
export function eventRow(context: PageContext, record: EventRecord, style: ListStyle): Markup {
  const { genre, category, location } = record;
  const { root, hasGenre, isSubject = false } = style;
  const name = nameOf(record, isSubject);
  const address = isSubject ? record.url : linkOf(context, record, root);
  const lists = style.hasLists === true && context.has('list') ? root : null;
  const outside = isSubject || !context.has('genre');
  return html`<li class="e ${context.colour(category)}" id="${anchorOf(record, isSubject)}" ${dataOf(record)}>
    ${when(context, record, style)}
    ${address === null ? html`<span class="t" dir="auto">${name}</span>` : html`<a class="t" dir="auto" href="${address}" ${outside && html` rel="noreferrer"`}>${name}</a>`}${!isSubject && location !== null && html` <span class="p" dir="auto">${location.name}</span>`}${record.status === 'tentative' && html` <span class="g">${context.say('tentative')}</span>`}${hasGenre && genreOf(context, genre, root)}<span
      class="in"
    ></span
    >${isSubject && html`${whereOf(context, record, lists)}${factsOf(context, record, lists)}`}
  </li> `;
}

function genreOf(context: PageContext, genre: string, root: string): Markup | null {
  const name = context.nameOfGenre(genre);
  if (!context.has('genre')) return remark(name);
  return html` <a class="g" href="${root}${genrePage(genre)}"><bdi>${name}</bdi></a>`;
}

function remark(text: string | null | undefined): Markup | null {
  return text == null ? null : html` <span class="g"><bdi>${text}</bdi></span>`;
}

function linkOf(context: PageContext, { id, genre, url }: EventRecord, root: string): string | null {
  if (context.has('subject')) return root + eventPage(id);
  if (context.has('genre')) return `${root}${genrePage(genre)}#${id.slice(id.indexOf('/') + 1)}`;
  return url?.startsWith('https://') === true ? url : null;
}

/** Returns the subject and the title, or only one of them if it contains the other. */
export function nameOf(
  { title, subject }: { readonly title: string; readonly subject: { readonly name: string } },
  isSubject = false,
): Markup {
  if (isSubject) return html`<span>${title}</span>`;
  // The title "Annular solar eclipse" says what one of the "Annular solar eclipses" is.
  const isWhole = isNamedIn(title, subject.name) || subject.name.toLowerCase().startsWith(title.toLowerCase());
  return isWhole ? html`<b>${title}</b>` : html`<b>${subject.name}</b> <bdi>${title}</bdi>`;
}

/** What the script reads from a row. A date alone ends at 12:00 UTC of the next day unless the row says otherwise. */
function dataOf(record: EventRecord): Markup {
  const { category, genre, precision, date, end_date, starts_at, upcoming_until, over_at, zone } = record;
  const over = over_at !== null && html` data-over="${shortInstant(over_at)}"`;
  if (precision === 'day') {
    const isUsual = Date.parse(upcoming_until) - Date.parse(starts_at) === 36 * hour;
    return html` data-g="${category}/${genre}"
    data-on="${date}"${!isUsual && html` data-until="${shortInstant(upcoming_until)}"`}${end_date !== null && html` data-end="${end_date}"`}${over}`;
  }
  return html` data-g="${category}/${genre}"
  data-at="${shortInstant(starts_at)}"${precision !== 'minute' && html` data-p="${precision}"`}${zone !== null && html` data-zone="${zone}"`}${over}`;
}

function when(
  { say, text, locale }: PageContext,
  record: EventRecord,
  { unit, isMixed, isSubject }: ListStyle,
): Markup {
  const { precision, starts_at: time, ends_at, end_date } = record;
  const day = isoDay(record);
  const last = end_date !== null && end_date > day ? locale.shortDate(end_date) : null;
  const named =
    isSubject === true ? locale.mediumDate(day) : isMixed === true ? locale.shortDate(day) : locale.shortDay(day);
  const date = unit === 'month' && html`<span class="d">${named}</span> `;
  if (precision === 'day') {
    const note = last !== null ? text('until', { date: last }) : unit === 'day' && say('allDay');
    return html`<span class="w">${date}<i>${note}</i></span>`;
  }
  const end =
    ends_at === null ? null : isLong(Date.parse(time), Date.parse(ends_at)) ? last : clockOf(ends_at, precision);
  return html`<span class="w"
    >${date}<time datetime="${shortInstant(time)}"
      >${clockOf(time, precision)} UTC${end !== null && ` – ${end}`}</time
    ></span
  >`;
}

export function clockOf(time: string, precision: EventRecord['precision']): string {
  const isHour = precision === 'hour' && time.endsWith(':00:00.000Z');
  return isHour ? `${time.slice(11, 13)} h` : time.slice(11, precision === 'second' ? 19 : 16);
}

/** Whether the end of an event is a date rather than a time to a reader. */
export function isLong(start: number, end: number): boolean {
  return end - start >= 24 * hour;
}

/** An instant without seconds that are zero: `2027-01-16T02:00Z`. */
export function shortInstant(instant: string): string {
  return `${instant.slice(0, instant.endsWith(':00.000Z') ? 16 : 19)}Z`;
}
