import { calendarPath } from '../api/formats.ts';
import type { Filters } from '../api/paths.ts';
import type { PageContext } from './context.ts';
import { html, type Markup } from '../render/html.ts';

/** Renders the ways to subscribe to the calendar of a scope. Some programs know only one of them. */
export function subscribe(context: PageContext, filters: Filters, root: string): Markup {
  const { baseUrl, service, say } = context;
  const path = calendarPath(filters);
  const address = `${baseUrl}/${path}`;
  const webcal = address.replace(/^https?:/, 'webcal:');
  const google = `https://calendar.google.com/calendar/render?cid=${encodeURIComponent(webcal)}`;
  const outlook = `https://outlook.live.com/calendar/0/addfromweb?url=${encodeURIComponent(address)}&name=${encodeURIComponent(service.name)}`;
  return html`<section class="subscribe">
    <h2>${say('subscribe')}</h2>
    <p>
      <a href="${webcal}">${say('calendar')}</a> · <a href="${google}" rel="noreferrer">Google</a> ·
      <a href="${outlook}" rel="noreferrer">Outlook</a> · <a href="${root}${path}">.ics</a>
      <button type="button" class="script" data-copy="${address}">${say('copyAddress')}</button>
    </p>
  </section>`;
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
