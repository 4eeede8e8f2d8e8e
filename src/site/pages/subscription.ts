import { html, type Markup } from './html.ts';

/** A link that calendar programs follow, and the address to copy. `site` is where the site is, with a slash at its end. */
export function subscription(site: string, path: string): Markup {
  const address = site + path;
  return html`<a class="webcal" href="${address.replace(/^https?:/, 'webcal:')}">Subscribe in your calendar</a>
    <a class="ics" href="${path}">or by its address (.ics)</a>`;
}
