import type { Service } from '../../catalogue/model.ts';
import { mountOf } from '../../catalogue/url.ts';
import { indexPath, root } from '../../api/paths.ts';
import { html } from './html.ts';
import { page } from './layout.ts';

/** Renders `404.html`. It answers at any path, so all of its links are absolute. `baseUrl` has no final slash. */
export function notFoundPage(service: Service, baseUrl: string): string {
  const body = html`<main id="main" class="lost">
    <p class="nav">
      <a href="${baseUrl}/"><bdi>${service.name}</bdi></a>
    </p>
    <h1>There is nothing at this address</h1>
    <p class="lead">An event that has gone by, a genre that was renamed, or a typing error.</p>
    <ul>
      <li><a href="${baseUrl}/">What is coming up</a></li>
      <li><a href="${baseUrl}/${root}/">The API reference</a></li>
      <li><a href="${baseUrl}/${indexPath}">A list of all there is, as JSON</a></li>
    </ul>
  </main>`;
  return page({
    title: `Not found: ${service.name}`,
    description: 'There is nothing at this address.',
    canonical: null,
    // Without the origin, because the security policy allows only the host that serves the page.
    root: `${mountOf(baseUrl)}/`,
    script: null,
    body,
  });
}
