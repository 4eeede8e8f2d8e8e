import type { EventRecord } from '../api/documents.ts';
import { calendarPath, formatPath, formats, hasFormat } from '../api/formats.ts';
import { calendarLimit, eventPage } from '../api/paths.ts';
import { kindOf, type Filters } from '../api/scopes.ts';
import { html, type Markup } from '../render/html.ts';
import type { ListedEvent } from '../render/records.ts';
import { fullTitle } from '../render/subject-name.ts';
import { basic, calendarText } from './calendar-entry.ts';
import type { PageContext } from './context.ts';
import { dateAfter } from './dates.ts';

interface Calendar {
  /** The name of its events, which calendar programs show. */
  readonly name: string;
  /** Relative to the base URL, as that of the feed. */
  readonly path: string;
  readonly feed: string | null;
  /** How far it reaches, if it does not have all events. */
  readonly reach: string | null;
}

/** Renders the button and the menu that subscribe to the events of a scope. */
export function subscribeTo(
  context: PageContext,
  name: string,
  filters: Filters,
  upcoming: readonly ListedEvent[],
  total: number,
): Markup | null {
  if (!hasFormat('ics', kindOf(filters), context.service)) return null;
  const last = upcoming.slice(0, calendarLimit).at(-1)?.record.date ?? '';
  const date = total > calendarLimit && last !== '' ? context.locale.longDate(last) : null;
  return subscribeMenu(context, {
    name,
    path: calendarPath(filters),
    feed: feedOf(context, filters),
    reach: date === null ? null : context.text('calendarReach', { n: calendarLimit, date }),
  });
}

/** Returns the path of the feed of a scope, or null if it has none. */
export function feedOf({ service }: PageContext, filters: Filters): string | null {
  return hasFormat('feed', kindOf(filters), service) ? formatPath(formats.feed, filters) : null;
}

/** Renders the button and the menu that subscribe to a calendar. They work without a script. */
export function subscribeMenu(context: PageContext, calendar: Calendar): Markup {
  return html`<button type="button" class="primary" popovertarget="subscribe">
      ${context.text('subscribe')} <span aria-hidden="true">▾</span>
    </button>
    <div id="subscribe" class="sheet" popover>${waysToSubscribe(context, calendar)}</div>`;
}

function waysToSubscribe({ text, baseUrl }: PageContext, { name, path, feed: feedPath, reach }: Calendar): Markup {
  const address = `${baseUrl}/${path}`;
  const outlook = `https://outlook.live.com/calendar/0/addfromweb?url=${encodeURIComponent(address)}&name=${encodeURIComponent(name)}`;
  const way = (href: string, program: string, note: string): Markup =>
    html`<li>
      <a href="${href}" rel="noreferrer"><b>${program}</b> <small>${note}</small></a>
    </li>`;
  return html`<ul>
      ${way(webcalAddress(address), 'iPhone, iPad, Mac', text('appleNote'))}
      ${way(googleAddress(address), 'Google Calendar', text('webNote', { name }))}
      ${way(outlook, 'Outlook', text('webNote', { name }))}
      <li>
        <a href="${address}"><b>${text('otherProgram')}</b> <small>${address}</small></a>
        <button type="button" class="script" data-copy="${address}">${text('copyCode')}</button>
      </li>
    </ul>
    ${reach !== null && html`<p class="note">${reach}</p>`}
    ${feedPath !== null && html`<p class="note"><a href="${baseUrl}/${feedPath}">${text('feedNote')}</a></p>`}`;
}

/** Returns the address with which a program subscribes to a calendar. */
export function webcalAddress(address: string): string {
  return address.replace(/^https?:/, 'webcal:');
}

/** Returns the address with which Google Calendar subscribes to a calendar. */
export function googleAddress(address: string): string {
  return `https://calendar.google.com/calendar/render?cid=${encodeURIComponent(webcalAddress(address))}`;
}

/** Renders the button and the menu that add one date to a calendar, as a copy. They work without a script. */
export function addMenu(context: PageContext, record: EventRecord): Markup {
  const { text } = context;
  const file = `${record.id.split('/').at(-1) ?? ''}.ics`;
  return html`<button type="button" popovertarget="add">+ ${text('addDate')} <span aria-hidden="true">▾</span></button>
    <div id="add" class="sheet" popover>
      <ul>
        <li>
          <a href="data:text/calendar;charset=utf-8,${encodeURIComponent(entryOf(context, record))}" download="${file}"
            ><b>Apple</b> <small>${text('fileNote')}</small></a
          >
        </li>
        <li>
          <a href="${googleLink(record)}" rel="noreferrer"><b>Google Calendar</b></a>
        </li>
        <li>
          <a href="${outlookLink(record)}" rel="noreferrer"><b>Outlook</b></a>
        </li>
      </ul>
      <p class="note">${text('addNote')}</p>
    </div>`;
}

function entryOf({ service, baseUrl }: PageContext, record: EventRecord): string {
  const { id, title, subject, time_known, date, end_date, starts_at, ends_at, location, updated_at } = record;
  const authority = service.authority ?? new URL(baseUrl).hostname;
  const entry = {
    uid: `${id}@${authority}`,
    stamp: updated_at ?? '2020-01-01T00:00:00Z',
    start: time_known ? starts_at : date,
    end: time_known ? ends_at : end_date,
    title: fullTitle(title, subject.name),
    place: [location?.name, location?.address].filter(Boolean).join(', '),
    url: `${baseUrl}/${eventPage(id)}`,
  };
  return calendarText([entry]);
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
  const dates = time_known ? [starts_at, ends_at ?? starts_at] : [date, dateAfter(end_date ?? date)];
  const query = queryOf({
    action: 'TEMPLATE',
    text: fullTitle(title, subject.name),
    dates: dates.map(basic).join('/'),
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

/** Renders a button that follows something. The script makes it work, and keeps `name` with what is followed. */
export function followButton({ text }: PageContext, key: string, name: string): Markup {
  return html`<button
    type="button"
    class="follow script"
    data-follow="${key}"
    data-name="${name}"
    aria-pressed="false"
    aria-label="${text('followName', { name })}"
  >
    <span aria-hidden="true">☆</span> <span class="label">${text('follow')}</span>
  </button>`;
}
