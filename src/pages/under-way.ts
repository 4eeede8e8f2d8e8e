import { formatPath, formats } from '../api/formats.ts';
import { html, type Markup } from '../render/html.ts';
import type { ListedEvent } from '../render/records.ts';
import type { PageContext } from './context.ts';
import { eventRow, type ListStyle } from './rows.ts';
import { tagList, type TagLink } from './strip.ts';

/** The maximum number of events under way on a page that lists other events too. */
export const maxUnderWay = 20;

/**
 * Renders what has begun and is not over.
 *
 * @param total the number of all events under way, of which the list has the first to end
 * @param rest what leads to the events that are not listed, if there are any
 */
export function nowSection(
  context: PageContext,
  total: number,
  events: readonly ListedEvent[],
  style: ListStyle,
  rest: Markup | null = null,
): Markup {
  if (total === 0) return html``;
  const rows = events.map(({ record }) => eventRow(context, record, { ...style, hasBegun: true }));
  // The script keeps the rest where it is, and counts its events.
  return html`<section class="day now">
      <h2>
        <b>${context.text('onNow')}</b> <span class="count">${context.locale.number(total)}</span>
      </h2>
      <ol>
        ${rows}
      </ol>
    </section>
    ${total > events.length && html`<div class="rest" data-more="${total - events.length}">${rest}</div>`}`;
}

/**
 * Links to the pages of categories or genres that have events under way.
 *
 * @param total the number of all events under way
 */
export function linksToScopes(
  context: PageContext,
  root: string,
  total: number,
  links: readonly TagLink[],
): Markup {
  const { text, hasGenrePages, service } = context;
  if (!hasGenrePages) {
    // No page has more of them. The list has up to 200.
    const link = html` <a href="${root}${formatPath(formats.now, {})}">JSON</a>`;
    return html`<p class="note">
      ${text('listed', { n: maxUnderWay, total })}${service.formats.includes('now') && link}
    </p>`;
  }
  const counted = links.filter(({ count }) => count !== 0);
  return html`<p class="note">${text('allOnNow', { n: total })}</p>
    ${tagList(context, root, counted)}`;
}
