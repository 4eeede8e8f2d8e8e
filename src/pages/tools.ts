import { mountOf } from '../catalogue/url.ts';
import { indexPath, root as apiRoot } from '../api/paths.ts';
import type { PageContext } from './context.ts';
import { html, type Markup } from '../render/html.ts';
import { page } from './layout.ts';
import { followingPage, rootFrom, searchPage } from '../render/links.ts';
import { rail } from './rail.ts';
import type { ListedEvent } from '../render/records.ts';
import { eventList } from './rows.ts';

/** Renders `search/`, whose results have the address `?q=`. The script finds them. */
export function searchPageOf(context: PageContext): string {
  const { say, text } = context;
  const root = rootFrom(searchPage);
  const body = html`<div class="columns">
    ${rail(context, { root, isAside: true })}
    <main id="main">
      <h1>${say('search')}</h1>
      <p class="note">${say('searchHint')}</p>
      <noscript><p class="notice">${say('searchNeedsScript')}</p></noscript>
      <div id="list" class="results" tabindex="-1"></div>
    </main>
  </div>`;
  return page(context, {
    title: text('search'),
    description: text('searchHint'),
    path: searchPage,
    attributes: html` data-page="search"`,
    isListed: false,
    body,
  });
}

/** Renders `following/`: what the reader follows, which only the browser knows. */
export function followingPageOf(context: PageContext): string {
  const { say, text } = context;
  const button = (id: string, label: Markup): Markup => html`<button type="button" id="${id}" hidden>${label}</button>`;
  const body = html`<div class="columns">
    <main id="main">
      <div class="title">
        <h1>${say('following')}</h1>
        <p class="actions">${button('adopt', say('followThese'))} ${button('link', say('followLink'))}</p>
      </div>
      <p class="note">${say('followLead')}</p>
      <ul id="names" class="tags"></ul>
      <section id="since" hidden></section>
      <div id="list" class="list" tabindex="-1" data-unit="day"><p class="empty">${say('followNone')}</p></div>
      <div class="note" id="rest"></div>
      <p class="note"><span id="zone"></span></p>
    </main>
    <section class="next" id="next" aria-labelledby="next-title" hidden>
      <h2 id="next-title">${say('next')}</h2>
      <p class="what"></p>
      <p class="count"></p>
      <p class="when"></p>
    </section>
    <aside class="side">
      <section id="subscriptions" hidden>
        <h2>${say('subscriptions')}</h2>
        <p class="note">${say('subscriptionLead')}</p>
        <ul id="calendars"></ul>
        <p><button type="button" id="export">${say('exportFollowing')}</button></p>
        <p class="note">${say('copyLead')}</p>
      </section>
    </aside>
  </div>`;
  return page(context, {
    title: text('following'),
    description: text('followLead'),
    path: followingPage,
    attributes: html` data-page="following"`,
    isListed: false,
    view: 'following',
    body,
  });
}

/** The number of events on the page for missing addresses. */
const onNotFound = 8;

/**
 * Renders `404.html`. It answers at any path, so its links begin at the root of the host. They leave out the host
 * itself, because the security policy allows only the one that serves the page. The script adds the nearest names.
 */
export function notFoundPage(context: PageContext, soonest: readonly ListedEvent[]): string {
  const { baseUrl, say, text } = context;
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
    title: text('notFound'),
    description: text('notFoundLead'),
    path: null,
    root,
    attributes: html` data-page="lost"`,
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
  const { baseUrl, say, text } = context;
  const [own, target] = [path, newPath].map((one) => one.slice(0, -'index.html'.length)) as [string, string];
  const refresh = `${rootFrom(own)}${target}`;
  const body = html`<main id="main" class="lost">
    <h1>${say('newAddress')}</h1>
    <p class="note" id="list"><a href="${refresh}">${baseUrl}/${target}</a></p>
  </main>`;
  const title = text('newAddress');
  return page(context, { title, description: text('newAddress'), path: own, canonical: target, refresh, body });
}
