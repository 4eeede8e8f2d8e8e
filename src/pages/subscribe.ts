import { calendarPath } from '../api/formats.ts';
import { calendarLimit, type Filters } from '../api/paths.ts';
import type { PageContext } from './context.ts';
import { html, type Markup } from '../render/html.ts';
import type { ListedEvent } from '../render/records.ts';
import { isoDay } from './rows.ts';

/** A calendar that a page offers. */
interface Calendar {
  readonly path: string;
  /** The prefix of links to files of the site. */
  readonly root: string;
  /** The upcoming events of its scope, as many as it has, and the number of all. */
  readonly upcoming: readonly ListedEvent[];
  readonly total: number;
}

/** Returns the calendar of a scope. */
export function calendarOf(filters: Filters, root: string, upcoming: readonly ListedEvent[], total: number): Calendar {
  return { path: calendarPath(filters), root, upcoming: upcoming.slice(0, calendarLimit), total };
}

/** Renders the ways to subscribe to a calendar, and how far it reaches. Some programs know only one of the ways. */
export function subscribe(context: PageContext, { path, root, upcoming, total }: Calendar): Markup {
  const { baseUrl, service, say, locale } = context;
  const last = upcoming.at(-1);
  const address = `${baseUrl}/${path}`;
  const outlook = `https://outlook.live.com/calendar/0/addfromweb?url=${encodeURIComponent(address)}&name=${encodeURIComponent(service.name)}`;
  return html`<section class="subscribe">
    <h2>${say('subscribe')}</h2>
    <p>
      <a href="${webcalAddress(address)}">${say('calendar')}</a> ·
      <a href="${googleAddress(address)}" rel="noreferrer">Google</a> ·
      <a href="${outlook}" rel="noreferrer">Outlook</a> · <a href="${root}${path}">.ics</a>
      <button type="button" class="script" data-copy="${address}">${say('copyAddress')}</button>
    </p>
    ${
      last !== undefined &&
      total > upcoming.length &&
      html`<p class="note">
        ${say('calendarReach', { n: upcoming.length, date: locale.longDate(isoDay(last.record)) })}
      </p>`
    }
  </section>`;
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
