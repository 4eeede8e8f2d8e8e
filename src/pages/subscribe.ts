import { calendarPath, formatPath, formats } from '../api/formats.ts';
import { calendarLimit, type Filters } from '../api/paths.ts';
import { kindOf, type ScopeKind } from '../api/scopes.ts';
import type { PageContext } from './context.ts';
import type { EventRecord } from '../api/documents.ts';
import { html, type Markup } from '../render/html.ts';
import type { ListedEvent } from '../render/records.ts';
import type { SubjectRecords } from '../render/subject-files.ts';
import { fullTitle } from '../render/subject-name.ts';
import { dateAfter } from './dates.ts';
import { isoDay } from './rows.ts';

/** A calendar that a page offers. */
interface Calendar {
  readonly path: string;
  /** The first events of the same scope, if it has a list of them. */
  readonly next?: string | undefined;
  /** The prefix of links to files of the site. */
  readonly root: string;
  /** The upcoming events of its scope, as many as it has, and the number of all. */
  readonly upcoming: readonly ListedEvent[];
  readonly total: number;
}

/** Returns the calendar of a scope. */
export function calendarOf(filters: Filters, root: string, upcoming: readonly ListedEvent[], total: number): Calendar {
  const scopes: readonly ScopeKind[] = formats.next.scopes;
  const soonest = scopes.includes(kindOf(filters)) ? formatPath(formats.next, filters) : undefined;
  return { path: calendarPath(filters), next: soonest, root, upcoming: upcoming.slice(0, calendarLimit), total };
}

/** Renders the ways to subscribe to a calendar, and how far it reaches. Some programs know only one of the ways. */
export function subscribe(context: PageContext, calendar: Calendar): Markup {
  return html`<section class="subscribe">
    <h2>${context.say('subscribe')}</h2>
    ${waysToSubscribe(context, calendar)} ${embedPart(context, calendar.next)}
  </section>`;
}

/** Renders {@link subscribe} as a menu beside that of {@link addMenu}, which saves a copy. */
export function subscribeMenu(context: PageContext, calendar: Calendar): Markup {
  const { say } = context;
  return html`<details class="menu">
    <summary>${say('subscribe')} ▾</summary>
    <div>
      <p class="note">${say('subscribeNote')}</p>
      ${waysToSubscribe(context, calendar)}
    </div>
  </details>`;
}

function waysToSubscribe(context: PageContext, { path, root, upcoming, total }: Calendar): Markup {
  const { baseUrl, service, say, locale } = context;
  const last = upcoming.at(-1);
  const address = `${baseUrl}/${path}`;
  const outlook = `https://outlook.live.com/calendar/0/addfromweb?url=${encodeURIComponent(address)}&name=${encodeURIComponent(service.name)}`;
  return html`<p>
      <a href="${webcalAddress(address)}">${say('calendar')}</a> ·
      <a href="${googleAddress(address)}" rel="noreferrer">Google</a> ·
      <a href="${outlook}" rel="noreferrer">Outlook</a> · <a href="${root}${path}">.ics</a>
      <button type="button" class="script" data-copy="${address}">${say('copyAddress')}</button>
    </p>
    ${
      last !== undefined &&
      total > upcoming.length &&
      html`<p class="note">
        ${say('calendarReach', { n: upcoming.length, date: locale.longDate(isoDay(last.record)), iso: isoDay(last.record) })}
      </p>`
    }`;
}

/** Shows what to copy into another page, so that it has the next events of a list. */
function embedPart({ baseUrl, service, say, has }: PageContext, soonest: string | undefined): Markup {
  if (soonest === undefined) return html``;
  const escaped = (text: string): string => html`${text}`.markup;
  const link = `<a href="${escaped(baseUrl)}/">${escaped(service.name)}</a>`;
  const pages = has('subject') ? '' : ' pages="none"';
  const element = `<almanac-events src="${escaped(`${baseUrl}/${soonest}`)}" count="5"${pages}>${link}</almanac-events>`;
  const snippet = `<script async src="${escaped(baseUrl)}/assets/embed.js"></script>\n${element}`;
  return html`<details class="embed">
    <summary>${say('embed')}</summary>
    <p class="note">${say('embedLead')}</p>
    <pre><code>${snippet}</code></pre>
    <button type="button" class="script" data-copy="${snippet}">${say('copyCode')}</button>
  </details>`;
}

/** Returns the address with which a program subscribes to a calendar. */
export function webcalAddress(address: string): string {
  return address.replace(/^https?:/, 'webcal:');
}

/** Returns the address with which Google Calendar subscribes to a calendar. */
export function googleAddress(address: string): string {
  return `https://calendar.google.com/calendar/render?cid=${encodeURIComponent(webcalAddress(address))}`;
}

/** A button that follows something. The script makes it work, and keeps `name` with what is followed. */

/** Renders the ways to copy the next date of a subject, or all of its dates, into a calendar. */
export function addMenu(context: PageContext, { subject, upcoming }: SubjectRecords): Markup | null {
  const { say, locale } = context;
  const [next] = upcoming;
  if (next === undefined) return null;
  const { record } = next;
  return html`<details class="menu">
    <summary>${say('addToCalendar')} ▾</summary>
    <div>
      <p class="note">${say('addNote')}</p>
      <p>
        ${locale.fullDate(isoDay(record))}: <a href="${googleLink(record)}" rel="noreferrer">Google</a> ·
        <a href="${outlookLink(record)}" rel="noreferrer">Outlook</a>
      </p>
      <button type="button" class="script calendar" data-calendar="${record.genre}/${subject.id}">
        ${say('allDates')} <bdi>(.ics)</bdi>
      </button>
    </div>
  </details>`;
}

/** Writes a query. URLSearchParams is slower, and a build writes two queries for each subject. */
function queryOf(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
}

/** The address of Google Calendar that adds an event. */
function googleLink(record: EventRecord): string {
  const { title, subject, date, end_date, starts_at, ends_at, time_known, location } = record;
  const compact = (text: string): string => text.replace(/[-:]|\.000/g, '');
  const dates = time_known ? [starts_at, ends_at ?? starts_at] : [date, dateAfter(end_date ?? date)];
  const query = queryOf({
    action: 'TEMPLATE',
    text: fullTitle(title, subject.name),
    dates: dates.map(compact).join('/'),
    ...(location !== null && { location: location.name }),
  });
  return `https://calendar.google.com/calendar/render?${query}`;
}

/** The address of Outlook that adds an event. */
function outlookLink(record: EventRecord): string {
  const { title, subject, date, end_date, starts_at, ends_at, time_known, location } = record;
  const query = queryOf({
    rru: 'addevent',
    subject: fullTitle(title, subject.name),
    startdt: time_known ? starts_at : date,
    enddt: time_known ? (ends_at ?? starts_at) : dateAfter(end_date ?? date),
    ...(!time_known && { allday: 'true' }),
    ...(location !== null && { location: location.name }),
  });
  return `https://outlook.live.com/calendar/0/deeplink/compose?${query}`;
}

/** A button that follows something. The script makes it work, and keeps `name` with what is followed. */
export function followButton({ attribute, say }: PageContext, key: string, name: string): Markup {
  return html`<button
    type="button"
    class="follow"
    data-follow="${key}"
    data-name="${name}"
    aria-pressed="false"
    ${attribute('aria-label', 'followName', { name })}
  >
    <span aria-hidden="true">☆</span> ${say('follow')}
  </button>`;
}
