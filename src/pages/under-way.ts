import { formatPath, formats } from '../api/formats.ts';
import { html, type Markup } from '../render/html.ts';
import type { ListedEvent } from '../render/records.ts';
import type { PageContext } from './context.ts';
import { eventRow, type ListStyle } from './rows.ts';
import { tagList } from './strip.ts';

/** The maximum number of events under way on a page that lists other events too. */
export const maxUnderWay = 20;

/** The events of a scope that have begun and are not over. */
export interface UnderWay {
  /** The number of all of them. */
  readonly total: number;
  /** Those that are over first. */
  readonly events: readonly ListedEvent[];
}

/** The events under way of everything or of a category. */
export interface CountedUnderWay extends UnderWay {
  /** How many there are in each of its categories or genres, by id. */
  readonly counts: ReadonlyMap<string, number>;
}

/**
 * Renders what has begun and is not over.
 *
 * @param rest what leads to the events that are not listed, if there are any
 */
export function nowSection(
  context: PageContext,
  { total, events }: UnderWay,
  style: ListStyle,
  rest: Markup | null = null,
): Markup {
  if (total === 0) return html``;
  const rows = events.map(({ record }) => eventRow(context, record, { ...style, isMixed: true, hasBegun: true }));
  // The script keeps the rest where it is, and counts its events.
  return html`<section class="day now">
      <h2><b>${context.text('onNow')}</b> <span class="count">${context.locale.number(total)}</span></h2>
      <ol>
        ${rows}
      </ol>
    </section>
    ${total > events.length && html`<div class="rest" data-more="${total - events.length}">${rest}</div>`}`;
}

/**
 * Links to the pages of the categories or genres that have all events under way.
 *
 * @param scopes its categories or genres
 */
export function linksToScopes(
  context: PageContext,
  { total, events, counts }: CountedUnderWay,
  root: string,
  scopes: readonly { readonly id: string; readonly name: string }[],
  pathOf: (id: string, count: number) => string,
): Markup {
  const { text, has } = context;
  if (!has('category')) {
    // No page has more of them. The list has up to 200.
    const list = formatPath(formats.now, {});
    return html`<p class="note">${text('listed', { n: events.length, total })} <a href="${root}${list}">JSON</a></p>`;
  }
  const links = scopes
    .map(({ id, name }) => ({ id, name, count: counts.get(id) ?? 0 }))
    .filter(({ count }) => count > 0)
    .map(({ id, name, count }) => ({ name, count, path: pathOf(id, count) }));
  return html`<p class="note">${text('allOnNow', { n: total })}</p>
    ${tagList(context, root, links)}`;
}
