import type { Filters } from '../api/scopes.ts';
import { html, type Markup } from '../render/html.ts';
import { rootFrom } from '../render/links.ts';
import type { ListedEvent } from '../render/records.ts';
import type { PageContext } from './context.ts';
import { page, type Page } from './layout.ts';
import { strip, type StripOptions } from './strip.ts';
import { breadcrumbData, eventData } from './structured-data.ts';
import { followButton, subscribeTo } from './subscribe.ts';

type Crumb = readonly [name: string, path: string];

/** The maximum number of events in the structured data of a list. */
const maxData = 20;

/** A page that lists the events of a scope. */
export interface ListLayout {
  readonly path: string;
  /** Without the name of the site, which follows it in the window. */
  readonly title: string;
  readonly description: string;
  /** The name of the scope, which is the heading, and what calendars are called. */
  readonly name: string;
  readonly filters: Filters;
  /** The number of its upcoming events. */
  readonly total: number;
  readonly upcoming: readonly ListedEvent[];
  /** The events of this page, for its structured data. Default: the upcoming events. */
  readonly shown?: readonly ListedEvent[];
  /** The pages above it, and itself at the end. */
  readonly crumbs: readonly Crumb[];
  /** The key with which the reader follows it. */
  readonly follow?: string;
  readonly strip: Omit<StripOptions, 'root'>;
  /** What the list has and, below it, notes and further links. */
  readonly list: Markup;
  readonly below?: Markup | false;
}

/** Renders the page of a category, genre, country, tag or collection: heading, controls, list. */
export function listLayout(context: PageContext, content: ListLayout): string {
  const { path, name, filters, total, upcoming, crumbs, follow, list, below = false } = content;
  const { locale, text } = context;
  const root = rootFrom(path);
  const body = html`<main id="main" class="columns">
    ${breadcrumbs(context, root, crumbs.slice(0, -1))}
    <div class="title">
      <h1><bdi>${name}</bdi> <span class="count">${locale.number(total)}</span></h1>
      ${follow !== undefined && followButton(context, follow, name)}
      ${subscribeTo(context, name, filters, upcoming, total)}
    </div>
    ${strip(context, { ...content.strip, root })}
    <div class="content">
      <div id="list" class="list" tabindex="-1" data-unit="month">${list}</div>
      ${below}
      <p class="note"><span id="zone">${text('ownZones')}</span></p>
    </div>
  </main>`;
  return page(context, {
    title: content.title,
    description: content.description,
    path,
    filters,
    data: [
      breadcrumbData(context, crumbs),
      ...(content.shown ?? upcoming).slice(0, maxData).map((event) => eventData(context, event)),
    ],
    body,
  } satisfies Page);
}

/** Links to the pages above a page. */
export function breadcrumbs({ service, has, text }: PageContext, root: string, crumbs: readonly Crumb[]): Markup {
  if (!has('category')) return html``;
  return html`<nav class="crumbs" aria-label="${text('youAreHere')}">
    <ol>
      ${[[service.name, ''] as const, ...crumbs].map(
        ([name, path]) =>
          html`<li>
            <a href="${root}${path}"><bdi>${name}</bdi></a>
          </li>`,
      )}
    </ol>
  </nav>`;
}
