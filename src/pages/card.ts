import type { AnnouncementRecord, EventRecord } from '../api/documents.ts';
import { html, type Markup } from '../render/html.ts';
import type { ListedEvent } from '../render/records.ts';
import type { SubjectRecords } from '../render/subject-files.ts';
import { fullTitle } from '../render/subject-name.ts';
import { eventPage } from '../api/paths.ts';
import { titleWithStatus } from '../catalogue/status-words.ts';
import type { CalendarEntry } from './calendar-entry.ts';
import type { PageContext } from './context.ts';
import { wholePlaceOf } from './places.ts';
import { clockOf, isLong, lastDayOf, shortInstant, zoneName } from './row-time.ts';
import { periodOf } from './rows.ts';
import { addMenu } from './subscribe.ts';

const maxDescribed = 3;

/**
 * Says what is next in a list, for the description of its page: `Next: Ahsoka: Season 2 premiere,
 * 20 January 2027.`
 */
export function describeNext(
  { text, locale }: PageContext,
  upcoming: readonly ListedEvent[],
  announced: readonly unknown[] = [],
): string {
  if (upcoming.length === 0) return text(announced.length === 0 ? 'nothing' : 'nothingDated');
  const events = upcoming.slice(0, maxDescribed).map(({ record }) => {
    const { title, subject, date, status } = record;
    const when = status === 'postponed' ? text(status) : locale.fullDate(date);
    return `${fullTitle(title, subject.name)}, ${when}`;
  });
  return `${text('next')}: ${events.join('; ')}.`;
}

export interface Next {
  readonly record: EventRecord | AnnouncementRecord;
  /** When it is. */
  readonly when: string;
  /** The day on which it begins, or what is known of it. */
  readonly begins: string;
  /** Whether it is over: the card waits for an address that names it. */
  readonly isOver?: boolean;
}

/** Returns the date that a subject shows first. What is on now comes before what is next. */
export function nextOf(
  context: PageContext,
  { upcoming, under_way: underWay, announced, over }: SubjectRecords,
): Next | null {
  const next = underWay[0]?.record ?? upcoming[0]?.record;
  if (next !== undefined) return dated(context, next);
  const [later] = announced;
  if (later !== undefined) {
    const when = context.text('notDatedYet', { period: periodOf(context, later) });
    return {
      record: later,
      when,
      begins: when,
    };
  }
  const last = over[0]?.record;
  return last === undefined
    ? null
    : {
        ...dated(context, last),
        isOver: true,
      };
}

function dated(context: PageContext, record: EventRecord): Next {
  const when = whenOf(context, record);
  const isVoid = record.status === 'postponed';
  return {
    record,
    when,
    begins: isVoid ? when : context.locale.longDate(record.date),
  };
}

/** Says on which day or days an event is. */
function whenOf({ locale, text }: PageContext, record: EventRecord): string {
  const { date, status } = record;
  if (status === 'postponed') return text('postponed');
  const last = lastDayOf(record);
  return last > date ? locale.dateRange(date, last) : locale.longDate(date);
}

/** What a card says of a date. */
export interface CardDate {
  readonly title: string;
  /** Its day or days. */
  readonly when: string;
  /** The time until then, in words. */
  readonly left?: string;
  /** A date that does not count any more. */
  readonly former?: string | null;
  readonly clock?: Markup | null;
  readonly where?: Markup | null;
  readonly status?: Markup | string | null | undefined;
  readonly website?: string | null | undefined;
  /** The date as a calendar holds it. Null if it cannot be added. */
  readonly entry?: CalendarEntry | null;
}

/** Renders the content of a card. The build and the script of the page use it alike. */
export function cardView(text: PageContext['text'], date: CardDate): Markup {
  const { title, when, left = '', former = null, clock = null, where = null } = date;
  const { status = null, website = null, entry = null } = date;
  return html`<p class="k">
      <span class="about" dir="auto">${title}</span> <b class="count">${left}</b>
    </p>
    <h2>${when}</h2>
    ${former && html`<p><s>${former}</s></p>`} ${status && html`<p class="status">${status}</p>`}
    ${clock && html`<p class="clock">${clock}</p>`}
    ${where && html`<p class="where" dir="auto">${where}</p>`}
    ${website && html`<p><a href="${website}" rel="noreferrer">${text('website')}</a></p>`}
    ${
      entry &&
      html`<div class="actions">
        ${addMenu(text, entry)}
        <button type="button" class="script" data-share="${entry.url}" data-name="${entry.title}">
          ${text('share')}
        </button>
      </div>`
    }`;
}

/**
 * Renders what is next: its date, its time there and here, its place, and how to keep it. The
 * script counts the days, and shows the date that the address names.
 */
export function subjectCard(
  context: PageContext,
  { record, when, isOver }: Next,
  root: string,
  ownUrl: string | null,
): Markup {
  const { text, locale } = context;
  if ('period' in record)
    return html`<section class="card" id="next">
      <p class="k"><span class="about" dir="auto">${record.title}</span></p>
      <h2>${when}</h2>
    </section>`;
  const { id, title, location, status, time_known: hasTime, starts_at: start, ends_at } = record;
  const isVoid = status === 'postponed';
  const clock = html`<span class="here"></span>
    <time class="there" datetime="${shortInstant(start)}"
      >${clockOf(record, start)}${ends_at !== null && !isLong(Date.parse(start), Date.parse(ends_at)) && ` – ${clockOf(record, ends_at)}`}
      ${zoneName(record.zone)}</time
    >`;
  const view = cardView(text, {
    title,
    when,
    left: '',
    former: isVoid ? locale.longDate(record.date) : null,
    clock: hasTime && !isVoid ? clock : null,
    where: location && wholePlaceOf(context, location, root, isOver !== true),
    status: status === 'tentative' || status === 'cancelled' ? text(status) : null,
    website: ownUrl,
    entry: isVoid ? null : entryOf(context, record),
  });
  return html`<section
    class="card"
    id="next"
    data-of="${id.slice(id.lastIndexOf('/') + 1)}"
    ${isOver === true && html` hidden`}
  >
    ${view}
  </section>`;
}

function entryOf({ service, baseUrl }: PageContext, record: EventRecord): CalendarEntry {
  const { id, title, subject, time_known: hasTime, location, status } = record;
  return {
    uid: `${id}@${service.authority ?? new URL(baseUrl).hostname}`,
    stamp: record.updated_at ?? '2020-01-01T00:00:00Z',
    start: hasTime ? record.starts_at : record.date,
    end: hasTime ? record.ends_at : record.end_date,
    title: titleWithStatus(fullTitle(title, subject.name), status, service.lang),
    status,
    place: [location?.name, location?.address].filter(Boolean).join(', '),
    url: `${baseUrl}/${eventPage(id)}`,
  };
}
