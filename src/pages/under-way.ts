import { formatPath, formats } from '../api/formats.ts';
import { html, type Markup } from '../render/html.ts';
import type { ListedEvent } from '../render/records.ts';
import type { PageContext } from './context.ts';
import { eventRow, type ListStyle } from './rows.ts';
import { tagList, type TagLink } from './strip.ts';

/** The maximum number of events under way on a page that lists other events too. */
export const maxUnderWay = 20;

interface UnderWay {
  /** The number of all events under way. */
  readonly total: number;
  /** The first of them to end. */
  readonly events: readonly ListedEvent[];
  /** What leads to the events that are not listed, if there are any. */
  readonly rest?: Markup | null;
}

/** Renders what has begun and is not over. */
export function nowSection(context: PageContext, underWay: UnderWay, style: ListStyle): Markup {
  const { total, events, rest = null } = underWay;
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
