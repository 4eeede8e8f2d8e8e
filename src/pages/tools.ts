import { mountOf } from '../api/address.ts';
import { indexPath, root as apiRoot } from '../api/paths.ts';
import type { PageContext } from './context.ts';
import { html, type Markup } from '../render/html.ts';
import { page } from './layout.ts';
import { categoryPage, followingPage, rootFrom, searchPage } from '../render/links.ts';
import type { ListedEvent } from '../render/records.ts';
import { tagList } from './strip.ts';
import { listOrNothing } from './rows.ts';

/** Renders `search/`, whose results have the address `?q=`. The script finds them. */
export function searchPageOf(context: PageContext): string {
  const { text } = context;
  const root = rootFrom(searchPage);
  const body = html`<main id="main" class="wide">
    <div class="title"><h1>${text('search')}</h1></div>
    <div id="list" class="content list" tabindex="-1">
      <p class="note">${text('searchHint')}</p>
      <noscript><p class="notice">${text('searchNeedsScript')}</p></noscript>
      ${categoryLinks(context, root)}
    </div>
  </main>`;
  return page(context, {
    title: text('search'),
    description: text('searchHint'),
    path: searchPage,
    isListed: false,
    body,
  });
}

function categoryLinks(context: PageContext, root: string): Markup | false {
  const links = context.categories.map(({ id, name }) => ({ name, path: categoryPage(id) }));
  return context.hasGenrePages && tagList(context, root, links);
}

/** Renders `following/`: what the reader follows, which only the browser knows. */
export function followingPageOf(context: PageContext): string {
  const { text } = context;
  const body = html`<main id="main" class="wide">
    <div class="title"><h1>${text('following')}</h1></div>
    <p class="note">${text('followLead')}</p>
    <ul id="names" class="tags"></ul>
    <section id="since" hidden></section>
    <div id="list" class="list" tabindex="-1" data-unit="day">
      <p class="empty">${text('followNone')}</p>
      ${categoryLinks(context, rootFrom(followingPage))}
    </div>
    <div class="note" id="rest"></div>
    <p class="note"><span id="zone"></span></p>
    <section id="subscriptions" hidden>
      <h2>${text('subscriptions')}</h2>
      <p class="note">${text('subscriptionLead')}</p>
      <ul id="calendars"></ul>
      <p>
        <button type="button" id="export">${text('exportFollowing')}</button> ${text('copyLead')}
      </p>
    </section>
  </main>`;
  return page(context, {
    title: text('following'),
    description: text('followLead'),
    path: followingPage,
    isListed: false,
    body,
  });
}

/** The number of events that a page without content shows instead. */
const maxNext = 5;

/**
 * Renders `404.html`. It answers at any path, so its links begin at the root of the host. They
 * leave out the host itself, because the security policy allows only the one that serves the page.
 */
export function notFoundPage(context: PageContext, upcoming: readonly ListedEvent[]): string {
  const { baseUrl, text } = context;
  const root = `${mountOf(baseUrl)}/`;
  const next = upcoming.slice(0, maxNext);
  const body = html`<main id="main" class="lost">
    <h1>${text('notFound')}</h1>
    <p class="note">${text('notFoundLead')}</p>
    <ul class="tags">
      <li><a href="${root}">${text('comingUp')}</a></li>
      <li><a href="${root}${apiRoot}/">${text('api')}</a></li>
      <li><a href="${root}${indexPath}">JSON</a></li>
    </ul>
    ${categoryLinks(context, root)} ${context.hasAllPages && html`<section id="nearest"></section>`}
    <div id="list" class="list" tabindex="-1" data-unit="day">
      ${listOrNothing(context, next, { root, unit: 'day', hasGenre: true })}
    </div>
  </main>`;
  return page(context, {
    title: text('notFound'),
    description: text('notFoundLead'),
    path: null,
    root,
    isListed: false,
    body,
  });
}

/**
 * Renders the page at a former address, which leads to the new one.
 *
 * @param path the path of this file, relative to the base URL, like that of the new page
 */
export function movedPage(context: PageContext, path: string, newPath: string): string {
  const { baseUrl, text } = context;
  const title = text('newAddress');
  const [from, target] = [path, newPath].map((file) => file.slice(0, -'index.html'.length)) as [
    string,
    string,
  ];
  const refresh = `${rootFrom(from)}${target}`;
  const body = html`<main id="main" class="lost">
    <h1>${title}</h1>
    <p class="note" id="list"><a href="${refresh}">${baseUrl}/${target}</a></p>
  </main>`;
  return page(context, {
    title,
    description: title,
    path: from,
    canonical: target,
    refresh,
    body,
  });
}
