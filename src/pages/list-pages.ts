import { groupBy } from '../catalogue/group.ts';
import { html, type Markup } from '../render/html.ts';
import type { ListedEvent } from '../render/records.ts';
import type { PageContext } from './context.ts';
import { isoDay } from './rows.ts';

/** The number of events on one page of a list. */
const perPage = 500;

/** A page of a list that goes on over several pages. */
export interface ListPage {
  /** From 1. */
  readonly number: number;
  readonly pages: number;
  readonly shown: readonly ListedEvent[];
  readonly pathOf: (number: number) => string;
}

/** Splits a list into pages, at least one. */
export function pagesOf(events: readonly ListedEvent[], pathOf: ListPage['pathOf']): ListPage[] {
  return numbered(split(events), pathOf);
}

/** Splits a list into pages of whole days, except for a day that alone fills more than a page. */
export function pagesOfDays(events: readonly ListedEvent[], pathOf: ListPage['pathOf']): ListPage[] {
  const parts: ListedEvent[][] = [];
  for (const [, ofDay] of groupBy(events, ({ record }) => isoDay(record))) {
    const last = parts.at(-1);
    if (last !== undefined && last.length + ofDay.length <= perPage) last.push(...ofDay);
    else parts.push(...split(ofDay));
  }
  return numbered(parts, pathOf);
}

/** Returns the first day of each page of a list in pages of whole days. */
export function firstDays(events: readonly ListedEvent[]): string[] {
  return pagesOfDays(events, String).flatMap(({ shown: [first] }) => (first === undefined ? [] : isoDay(first.record)));
}

/** Returns the number of the page on which a day begins. */
export function pageOfDay(day: string, firsts: readonly string[]): number {
  const at = firsts.indexOf(day);
  return at === -1 ? Math.max(1, firsts.filter((first) => first < day).length) : at + 1;
}

function split(events: readonly ListedEvent[]): ListedEvent[][] {
  const count = Math.ceil(events.length / perPage);
  return Array.from({ length: count }, (_, n) => events.slice(n * perPage, (n + 1) * perPage));
}

function numbered(parts: readonly (readonly ListedEvent[])[], pathOf: ListPage['pathOf']): ListPage[] {
  const all = parts.length === 0 ? [[]] : parts;
  return all.map((shown, index) => ({ number: index + 1, pages: all.length, shown, pathOf }));
}

/** Links to the pages before and after a page. */
export function pager({ say }: PageContext, { number, pages, pathOf }: ListPage, root: string): Markup {
  return html`<nav class="pager" aria-label="${number}/${pages}">
    <p>
      ${number > 1 && html`<a rel="prev" href="${root}${pathOf(number - 1)}">${say('previous')}</a>`}
      ${say('pageOf', { page: number, pages })}
      ${number < pages && html`<a rel="next" href="${root}${pathOf(number + 1)}">${say('nextPage')}</a>`}
    </p>
  </nav>`;
}
