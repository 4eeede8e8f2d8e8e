import type { GenreRecord } from '../api/documents.ts';
import { listLimit } from '../api/paths.ts';
import { html, type Markup } from '../render/html.ts';
import { categoryPage, genrePage, rootFrom } from '../render/links.ts';
import type { ListedEvent } from '../render/records.ts';
import type { ScopeSummary, Summary } from '../render/summary.ts';
import { describeNext } from './card.ts';
import type { PageContext } from './context.ts';
import type { PageSummary } from './page-summary.ts';
import type { PageHead } from './head.ts';
import { page } from './layout.ts';
import { eventRow, listOrNothing, type ListStyle } from './rows.ts';
import { hasRail, strip, tagList, type StripOptions, type TagLink } from './strip.ts';
import type { Crumb } from './structured-data.ts';
import { followButton, subscribeTo } from './subscribe.ts';
import { linksToScopes, maxUnderWay, nowSection } from './under-way.ts';

/** A page that lists the events of a scope. */
export interface ListPage extends Pick<PageHead, 'title' | 'description' | 'data'> {
  readonly path: string;
  /** What calendars are called. */
  readonly name: string;
  readonly heading: Markup;
  readonly filters: NonNullable<PageHead['filters']>;
  readonly upcoming: readonly ListedEvent[];
  readonly total: number;
  /** The pages above it, and itself at the end. The home page has none. */
  readonly crumbs: readonly Crumb[];
  /** The key with which the reader follows it. */
  readonly follow?: string;
  readonly strip: Omit<StripOptions, 'root'>;
  readonly listAttributes: Markup;
  readonly list: Markup;
  readonly below: Markup | false;
}

/** Renders a page of events: heading, controls, list. */
export function listPage(context: PageContext, content: ListPage): string {
  const { path, name, crumbs, follow } = content;
  const root = rootFrom(path);
  const isWide = content.strip.isAside === true || !hasRail(context);
  const body = html`<main id="main" class="${isWide ? 'wide' : 'columns'}">
    ${crumbs.length > 1 && breadcrumbs(context, root, crumbs.slice(0, -1))}
    <div class="title">
      <h1>${content.heading}</h1>
      ${follow !== undefined && followButton(context, follow, name)}
      ${subscribeTo(context, content)}
    </div>
    ${strip(context, { ...content.strip, root })}
    <div class="content">
      <div id="list" class="list" tabindex="-1" ${content.listAttributes}>${content.list}</div>
      ${content.below}
      <p class="note"><span id="zone">${context.text('ownZones')}</span></p>
    </div>
  </main>`;
  return page(context, { ...content, body });
}

/**
 * The heading of a scope with the number of its upcoming events, which it calls so beside others.
 */
export function countedHeading(
  { locale, text }: PageContext,
  name: string,
  total: number,
  hasOthers: boolean,
): Markup {
  return html`<bdi>${name}</bdi>
    <span class="count">${locale.number(total)}</span>
    ${hasOthers && html`<span class="note">${text('upcoming').toLocaleLowerCase(locale.lang)}</span>`}`;
}

interface SoonestPage extends Pick<
  ListPage,
  'path' | 'name' | 'total' | 'crumbs' | 'follow' | 'strip'
> {
  /** What leads to the events under way beyond the first. Null if the page lists them. */
  readonly rest: Markup | null;
  /** The pages that have the events beyond the soonest. */
  readonly more: readonly TagLink[];
  /** The events that were on since the day before and are over. */
  readonly recent?: readonly ListedEvent[];
}

/**
 * Renders the page of a category, country, tag or collection: its events under way and its soonest,
 * by month.
 */
export function soonestPage(
  context: PageContext,
  scope: ScopeSummary,
  content: SoonestPage,
): string {
  const { text } = context;
  const { path, name, total, rest } = content;
  const { filters, totals, upcoming } = scope;
  const style = {
    root: rootFrom(path),
    unit: 'month',
    hasGenre: true,
  } as const;
  const begun = scope.under_way.slice(0, rest === null ? listLimit : maxUnderWay);
  const soonest = upcoming.slice(0, listLimit);
  const announced = scope.announced.map(({ record }) => record);
  return listPage(context, {
    ...content,
    title: `${name}: ${text('upcomingOf', { n: total })}`,
    description: describeNext(context, upcoming, announced),
    heading: countedHeading(context, name, total, totals.under_way + announced.length > 0),
    filters,
    upcoming,
    listAttributes: html` data-unit="month"`,
    list: html`${nowSection(context, { total: totals.under_way, events: begun, rest }, style)}
    ${listOrNothing(context, soonest, style, announced)}`,
    below: html`${recentRows(context, content.recent ?? [], style)}
    ${
      total > soonest.length &&
      html`<p class="note" data-more>
          ${text('listed', { n: soonest.length, total })} ${text('later')}
        </p>
        ${tagList(context, style.root, content.more)}`
    }`,
  });
}

/** Returns the number of upcoming events of each category and genre, by id. */
export function upcomingCounts({ genres, categories }: Summary): ReadonlyMap<string, number> {
  return new Map([...genres, ...categories].map(({ id, upcoming }) => [id, upcoming]));
}

/** Renders the page of a category. */
export function categoryPageOf(
  context: PageContext,
  scope: ScopeSummary,
  summary: Summary,
  { underWay, recent }: Pick<PageSummary, 'underWay' | 'recent'>,
): string {
  const id = scope.filters.category ?? '';
  const name = context.categories.find((category) => category.id === id)?.name ?? '';
  const path = categoryPage(id);
  const genres = summary.genres.filter(({ category }) => category === id);
  const linksWith = (countOf: (genre: GenreRecord) => number): TagLink[] =>
    genres.map((genre) => ({
      name: genre.name,
      path: genrePage(genre.id),
      count: countOf(genre),
    }));
  const links = linksWith((genre) => underWay.get(genre.id) ?? 0);
  return soonestPage(context, scope, {
    path,
    name,
    total: scope.totals.upcoming,
    crumbs: [[name, path]],
    follow: `c/${id}`,
    strip: { category: id, counts: upcomingCounts(summary) },
    rest: linksToScopes(context, rootFrom(path), scope.totals.under_way, links),
    more: linksWith(({ upcoming }) => upcoming),
    recent: recent.filter(({ record }) => record.category === id),
  });
}

/** The maximum number of events that are over and that a page keeps for the counts of its days. */
const maxRecent = 20;

/** Renders the events that were on since the day before, which today and the weekend may have. */
export function recentRows(
  context: PageContext,
  recent: readonly ListedEvent[],
  style: ListStyle,
): Markup | false {
  if (!context.hasAllPages || recent.length === 0) return false;
  const isPart = recent.length > maxRecent;
  return html`<template class="spare" ${isPart && html`data-more`}
    >${recent.slice(0, isPart ? 0 : maxRecent).map(({ record }) => eventRow(context, record, { ...style, isExtra: true }))}</template
  >`;
}

export function breadcrumbs({ text }: PageContext, root: string, crumbs: readonly Crumb[]): Markup {
  return html`<nav class="crumbs" aria-label="${text('youAreHere')}">
    <ol>
      ${crumbs.map(
        ([name, path]) =>
          html`<li>
            <a href="${root}${path}"><bdi>${name}</bdi></a>
          </li>`,
      )}
    </ol>
  </nav>`;
}
