import { html, type Markup } from './html.ts';

/**
 * Renders a link for calendar programs and a URL to copy. `site` is the URL of the site with a final slash. `name`
 * names the calendar, which may contain more events than the page shows for a search or a month.
 */
export function subscription(site: string, path: string, name: string): Markup {
  const address = site + path;
  return html`<a class="webcal" href="${address.replace(/^https?:/, 'webcal:')}"
      >Subscribe to <bdi>${name}</bdi> in your calendar</a
    >
    <a class="ics" href="${path}">or by its address (.ics)</a>`;
}
