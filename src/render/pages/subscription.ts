import { html, type Markup } from './html.ts';

/**
 * A link that calendar programs follow, and the address to copy. `site` is where the site is, with a slash at its end;
 * `name` says what the calendar holds, which may be more than a search or a month shows.
 */
export function subscription(site: string, path: string, name: string): Markup {
  const address = site + path;
  return html`<a class="webcal" href="${address.replace(/^https?:/, 'webcal:')}"
      >Subscribe to <bdi>${name}</bdi> in your calendar</a
    >
    <a class="ics" href="${path}">or by its address (.ics)</a>`;
}
