import { calendarPath, formatPath, formats, hasFormat } from '../api/formats.ts';
import { calendarLimit } from '../api/paths.ts';
import { kindOf, type Filters } from '../api/scopes.ts';
import { html, type Markup } from '../render/html.ts';
import type { ListedEvent } from '../render/records.ts';
import { basic, calendarText, type CalendarEntry } from './calendar-entry.ts';
import type { PageContext } from './context.ts';
import { dateAfter } from './dates.ts';

/** The scope of a calendar that readers subscribe to. */
interface ScopeToFollow {
  readonly name: string;
  readonly filters: Filters;
  /** The soonest of its upcoming events. */
  readonly upcoming: readonly ListedEvent[];
  /** The number of its upcoming events. */
  readonly total: number;
}

/** Renders the button and the menu that subscribe to the events of a scope. */
export function subscribeTo(context: PageContext, scope: ScopeToFollow): Markup | null {
  const { name, filters, upcoming, total } = scope;
  if (!hasFormat('ics', kindOf(filters), context.service)) return null;
  const last = total > calendarLimit && upcoming.slice(0, calendarLimit).at(-1)?.record.date;
  const reach = last
    ? context.text('calendarReach', {
        n: calendarLimit,
        date: context.locale.longDate(last),
      })
    : null;
  const feed = feedOf(context, filters);
  return subscribeMenu(context, { name, path: calendarPath(filters), feed, reach });
}

/** Returns the path of the feed of a scope, or null if it has none. */
export function feedOf({ service }: PageContext, filters: Filters): string | null {
  return hasFormat('feed', kindOf(filters), service) ? formatPath(formats.feed, filters) : null;
}

/** A calendar to subscribe to. Paths are relative to the base URL. */
interface CalendarToFollow {
  /** What calendar programs call it. */
  readonly name: string;
  readonly path: string;
  /** The path of the feed of the same events, or null. */
  readonly feed: string | null;
  /** Says how far the calendar reaches if it does not have all events. */
  readonly reach?: string | null;
}

/** Renders the button and the menu that subscribe to a calendar. They work without a script. */
export function subscribeMenu({ text, baseUrl }: PageContext, calendar: CalendarToFollow): Markup {
  const { name, path, feed, reach = null } = calendar;
  const address = `${baseUrl}/${path}`;
  const query = queryOf({ url: address, name });
  return html`<button type="button" class="primary" popovertarget="subscribe">
      ${text('subscribe')} <span aria-hidden="true">▾</span>
    </button>
    <div id="subscribe" class="sheet" popover>
      <ul>
        ${way(webcalAddress(address), 'iPhone, iPad, Mac', text('appleNote'))}
        ${way(googleAddress(address), 'Google Calendar', text('webNote', { name }))}
        ${way(`${outlookAddress}/addfromweb?${query}`, 'Outlook', text('webNote', { name }))}
        <li>
          <a href="${address}"><b>${text('otherProgram')}</b> <small>${address}</small></a>
          <button type="button" class="script" data-copy="${address}">${text('copyCode')}</button>
        </li>
      </ul>
      ${reach !== null && html`<p class="note">${reach}</p>`}
      ${feed !== null && html`<p class="note"><a href="${baseUrl}/${feed}">${text('feedNote')}</a></p>`}
    </div>`;
}

function way(href: string, program: string, note?: string): Markup {
  return html`<li>
    <a href="${href}" rel="noreferrer"
      ><b><bdi>${program}</bdi></b
      >${note !== undefined && html` <small>${note}</small>`}</a
    >
  </li>`;
}

/** Returns the address with which a program subscribes to a calendar. */
export function webcalAddress(address: string): string {
  return address.replace(/^https?:/, 'webcal:');
}

/** Returns the address with which Google Calendar subscribes to a calendar. */
export function googleAddress(address: string): string {
  return `https://calendar.google.com/calendar/render?cid=${encodeURIComponent(webcalAddress(address))}`;
}

/**
 * Renders the button and the menu that add one date to a calendar, as a copy. They work without a
 * script.
 */
export function addMenu(text: PageContext['text'], entry: CalendarEntry): Markup {
  const { uid, start, end, title, place } = entry;
  const isDate = start.length === 'yyyy-mm-dd'.length;
  const last = isDate ? dateAfter(end ?? start) : (end ?? start);
  const at = place !== '' && { location: place };
  const dates = `${basic(start)}/${basic(last)}`;
  const google = queryOf({
    action: 'TEMPLATE',
    text: title,
    dates,
    ...at,
  });
  const allDay = isDate && { allday: 'true' };
  const outlook = queryOf({
    rru: 'addevent',
    subject: title,
    startdt: start,
    enddt: last,
    ...allDay,
    ...at,
  });
  const file = encodeURIComponent(calendarText([entry]));
  const name = uid.slice(uid.lastIndexOf('/') + 1).replace(/@.*/, '');
  return html`<button type="button" class="solid" popovertarget="add">
      ${text('addDate')} <span aria-hidden="true">▾</span>
    </button>
    <div id="add" class="sheet" popover>
      <ul>
        <li>
          <a href="data:text/calendar;charset=utf-8,${file}" download="${name}.ics"
            ><b>Apple</b> <small>.ics</small></a
          >
        </li>
        ${way(`https://calendar.google.com/calendar/render?${google}`, 'Google Calendar')}
        ${way(`${outlookAddress}/deeplink/compose?${outlook}`, 'Outlook')}
        ${way(`${workAddress}/deeplink/compose?${outlook}`, 'Microsoft 365')}
      </ul>
      <p class="note">${text('addNote')}</p>
    </div>`;
}

const outlookAddress = 'https://outlook.live.com/calendar/0';
const workAddress = 'https://outlook.office.com/calendar/0';

/**
 * Writes a query. URLSearchParams is slower, and a build writes several queries for each subject.
 */
function queryOf(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
}

/**
 * Renders a button that follows something. The script makes it work, and keeps `name` with what is
 * followed.
 */
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
