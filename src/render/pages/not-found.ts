import { mountOf } from '../../catalogue/url.ts';
import { indexPath, root as apiRoot } from '../../api/paths.ts';
import type { PageContext } from './context.ts';
import { html } from './html.ts';
import { page } from './layout.ts';
import { eventList, type ListedEvent } from './rows.ts';

/** The number of events that a reader who is lost can go on with. */
const onNotFound = 8;

/**
 * Renders `404.html`. It answers at any path, so its links begin at the root of the host. They leave out the host
 * itself, because the security policy allows only the one that serves the page. The script adds the nearest names.
 */
export function notFoundPage(context: PageContext, soonest: readonly ListedEvent[]): string {
  const { service, baseUrl, say, text } = context;
  const root = `${mountOf(baseUrl)}/`;
  const body = html`<main id="main" class="lost">
    <h1>${say('notFound')}</h1>
    <p class="note">${say('notFoundLead')}</p>
    <div id="nearest"></div>
    <ul class="tags">
      <li><a href="${root}">${say('home')}</a></li>
      <li><a href="${root}${apiRoot}/">${say('api')}</a></li>
      <li><a href="${root}${indexPath}">JSON</a></li>
    </ul>
    <div id="list" class="list" tabindex="-1" data-unit="day">
      ${eventList(context, soonest.slice(0, onNotFound), { root, unit: 'day', hasGenre: true })}
    </div>
  </main>`;
  return page(context, {
    title: `${text('notFound')}: ${service.name}`,
    description: text('notFoundLead'),
    path: null,
    root,
    attributes: html` data-page="lost"`,
    isListed: false,
    body,
  });
}
