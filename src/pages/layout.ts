import { calendarPath, hasFormat } from '../api/formats.ts';
import { root as apiRoot } from '../api/paths.ts';
import { hasMemory } from '../catalogue/model.ts';
import type { PageContext } from './context.ts';
import { description, type PageHead } from './head.ts';
import { html, type Markup } from '../render/html.ts';
import {
  changesPage,
  followingPage,
  listsPage,
  monthsPage,
  rootFrom,
  searchPage,
  yearPage,
} from '../render/links.ts';

/**
 * The only inline script that may run, with the hash of its text for the security policy. Some
 * hosts serve a page at its path without the final slash, from where its relative links leave its
 * folder, and only the current URL shows where the site is. A list that the address replaces must
 * not be painted.
 */
const inlineScript = {
  text:
    '{let h=new URL(location),d=document.documentElement;' +
    "if(!/\\/(index(\\.html)?)?$/.test(h.pathname)){h.pathname+='/';history.replaceState(null,'',h)}" +
    "d.classList.add('js');if(/[?&](in|on)=/.test(h.search))d.classList.add('chosen')}",
  hash: 'sha256-1Zw5KA6vW5/2wwuF4IB160S0U4PWXU68m8y6n/6JMyU=',
};

export interface Page extends PageHead {
  /** The prefix of links to files of the site. Default: relative, by the path of the page. */
  readonly root?: string;
  readonly body: Markup;
}

/**
 * Allows only files of the site itself, the inline script and, where a page shows them, pictures of
 * other hosts.
 */
const policyOf = (hasImages: boolean): string =>
  `default-src 'none'; script-src 'self' '${inlineScript.hash}'; style-src 'self'; connect-src 'self'; ` +
  `img-src 'self'${hasImages ? ' https:' : ''}; manifest-src 'self'; base-uri 'none'; form-action 'self'`;

export function page(context: PageContext, parts: Page): string {
  const { path, root = rootFrom(path ?? ''), body } = parts;
  const kind = path === null ? '' : kindOf(path);
  const { service, locale, text } = context;
  const document = html`<!doctype html>
    <html lang="${locale.lang}" ${locale.isRightToLeft && html` dir="rtl"`}>
      <head>
        <meta charset="utf-8" />
        <meta
          http-equiv="Content-Security-Policy"
          content="${policyOf(body.markup.includes('<img '))}"
        />
        ${path !== null && { markup: `<script>${inlineScript.text}</script>` }}
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        ${description(context, parts)}
        <link rel="icon" href="${root}assets/icon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="${root}assets/icon-180.png" />
        <link rel="manifest" href="${root}site.webmanifest" />
        <link rel="stylesheet" href="${root}assets/style.css" />
        <link rel="modulepreload" href="${root}assets/words.js" />
        <script type="module" src="${root}assets/app.js"></script>
      </head>
      <body
        data-root="${root}"
        data-page="${kind}"
        ${service.zone !== null && html` data-zone="${service.zone}"`}
        ${service.authority !== null && html` data-authority="${service.authority}"`}
      >
        <a class="skip" href="#list">${text('skip')}</a>
        ${bar(context, kind, root)} ${body}
        ${
          context.hasAllPages &&
          html`<div id="found" role="main" tabindex="-1" hidden>
            <p class="sr" role="heading" aria-level="1">${text('search')}</p>
            <p class="note" role="status"></p>
            <div class="answer"></div>
          </div>`
        }
        ${footer(context, root)}
      </body>
    </html> `;
  return document.markup;
}

/** Returns the kind of a page: the first folder of its path. */
function kindOf(path: string): string {
  return path.split('/')[0] || 'home';
}

function bar(context: PageContext, kind: string, root: string): Markup {
  const { service, text, hasAllPages } = context;
  const link = (path: string, label: Markup | string) =>
    html`<a href="${root + path || './'}" ${kindOf(path) === kind && html` aria-current="page"`}
      >${label}</a
    >`;
  const entry = (path: string, label: string) => html`<li>${link(path, label)}</li>`;
  const star = html`<span aria-hidden="true">☆ </span>${text('following')}
    <span id="followed"></span>`;
  const following = html`<li class="script">
    ${link(followingPage, star)}
    <a href="${root}${followingPage}" id="unseen" hidden></a>
  </li>`;
  const search = html`<form class="search" role="search" action="${root}${searchPage}">
    <input
      id="q"
      name="q"
      type="search"
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
      enterkeyhint="search"
      maxlength="100"
      placeholder="${text('search')}"
      aria-label="${text('search')}"
    /><kbd aria-hidden="true">/</kbd>
  </form>`;
  return html`<header class="bar">
      <a class="name" href="${root || './'}"
        ><svg viewBox="0 0 32 32" aria-hidden="true">
          <path d="M24 22A11 11 0 1 1 17.500 4.500 9 9 0 1 0 24 22z" /></svg
        ><bdi>${service.name}</bdi></a
      >
      ${hasAllPages && search}
      <button type="button" class="burger" popovertarget="views" aria-label="${text('menu')}">
        ☰
      </button>
      <nav id="views" class="views" popover aria-label="${text('views')}">
        <ul>
          ${entry('', text('list'))} ${hasAllPages && entry(monthsPage, text('month'))}
          ${hasAllPages && entry(yearPage, text('year'))} ${hasAllPages && following}
          ${hasAllPages && hasMemory(service) && entry(changesPage, text('changes'))}
          ${entry(`${apiRoot}/`, text('api'))}
        </ul>
      </nav>
    </header>
    <div id="notices" role="status"></div>`;
}

function footer(context: PageContext, root: string): Markup {
  const { service, text, hasAllPages, homepage } = context;
  const made = text('madeWith', { name: 'almanac' });
  return html`<footer class="foot">
    <p><bdi>${service.license}</bdi> <span id="synced"></span></p>
    <p>
      ${hasAllPages && html`<a href="${root}${listsPage}">${text('lists')}</a> · `}
      ${hasFormat('ics', 'everything', service) && html`<a href="${root}${calendarPath({})}">${text('calendar')}</a> · `}
      <a href="${root}${apiRoot}/events.json">JSON</a>
      ${service.hasCredit && html` · ${homepage === null ? made : html`<a href="${homepage}">${made}</a>`}`}
    </p>
  </footer>`;
}
