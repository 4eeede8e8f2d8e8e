import { listLimit } from '../api/paths.ts';
import type { Filters } from '../api/scopes.ts';
import { html, type Markup } from '../render/html.ts';
import { rootFrom } from '../render/links.ts';
import type { ListedEvent } from '../render/records.ts';
import type { ScopeSummary } from '../render/summary.ts';
import { describeNext } from './card.ts';
import type { PageContext } from './context.ts';
import { page, type Page } from './layout.ts';
import { listOrNothing } from './rows.ts';
import { strip, type StripOptions } from './strip.ts';
import { breadcrumbData } from './structured-data.ts';
import { followButton, subscribeTo } from './subscribe.ts';
import { maxUnderWay, nowSection } from './under-way.ts';

type Crumb = readonly [name: string, path: string];

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
  /** Whether the list has events that are not among these. */
  readonly hasOthers: boolean;
  readonly upcoming: readonly ListedEvent[];
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
  const { path, name, filters, total, hasOthers, upcoming, crumbs, follow, list, below = false } = content;
  const { locale, text } = context;
  const root = rootFrom(path);
  const { category, genre } = content.strip;
  const scope = genre === undefined ? undefined : `${category}/${genre}`;
  const body = html`<main id="main" class="columns">
    ${breadcrumbs(context, root, crumbs.slice(0, -1))}
    <div class="title">
      <h1>
        <bdi>${name}</bdi> <span class="count">${locale.number(total)}</span>
        ${hasOthers && html`<span class="note">${text('upcoming').toLocaleLowerCase(locale.lang)}</span>`}
      </h1>
      ${follow !== undefined && followButton(context, follow, name)}
      ${subscribeTo(context, name, filters, upcoming, total)}
    </div>
    ${strip(context, { ...content.strip, root })}
    <div class="content">
      <div id="list" class="list" tabindex="-1" data-unit="month" ${scope !== undefined && html` data-g="${scope}"`}>
        ${list}
      </div>
      ${below}
      <p class="note"><span id="zone">${text('ownZones')}</span></p>
    </div>
  </main>`;
  return page(context, {
    title: content.title,
    description: content.description,
    path,
    filters,
    data: [breadcrumbData(context, crumbs)],
    body,
  } satisfies Page);
}

/** A page with the soonest events of a scope. */
interface SoonestLayout extends Pick<ListLayout, 'path' | 'name' | 'total' | 'crumbs' | 'follow' | 'strip'> {
  /** What else its description says. */
  readonly about?: string;
  readonly hasDots: boolean;
  /** What leads to the events under way beyond the first. Null if the page lists them. */
  readonly rest: Markup | null;
}

/** Renders the page of a category, country, tag or collection: its events under way and its soonest, by month. */
export function soonestLayout(context: PageContext, scope: ScopeSummary, content: SoonestLayout): string {
  const { text } = context;
  const { path, name, total, hasDots, rest, about = '' } = content;
  const style = { root: rootFrom(path), unit: 'month', hasGenre: true, hasDots } as const;
  const begun = {
    total: scope.totals.under_way,
    events: scope.under_way.slice(0, rest === null ? listLimit : maxUnderWay),
  };
  const soonest = scope.upcoming.slice(0, listLimit);
  const announced = scope.announced.map(({ record }) => record);
  return listLayout(context, {
    ...content,
    title: `${name}: ${text('upcomingOf', { n: total })}`,
    description: `${describeNext(context, scope.upcoming)}${about}`,
    filters: scope.filters,
    hasOthers: scope.totals.under_way + announced.length > 0,
    upcoming: scope.upcoming,
    list: html`${nowSection(context, begun, style, rest)} ${listOrNothing(context, soonest, style, announced)}`,
    below:
      total > soonest.length && html`<p class="note" data-more>${text('listed', { n: soonest.length, total })}</p>`,
  });
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
