import type { AnnouncementRecord } from '../api/documents.ts';
import { html, type Markup } from '../render/html.ts';
import type { ListedEvent } from '../render/records.ts';
import type { PageContext } from './context.ts';
import { joined, lineOf, ownFacts, storyOf, type Facts } from './facts.ts';
import { placeOf } from './places.ts';
import { dataOf, periodOf, statusOf, timeOf } from './rows.ts';
import type { FormerFields } from './structured-data.ts';

/** How the page of a subject shows its dates. */
export interface DateStyle {
  readonly root: string;
  /** What all dates share, which the page says once. */
  readonly shared: Facts;
  /** The fields of events before they were moved, by their ids. */
  readonly former: ReadonlyMap<string, FormerFields>;
  /** Whether rows have their place. */
  readonly hasPlace: boolean;
  /** Whether the events are not upcoming, so that there may be no pages of their countries. */
  readonly hasBegun?: boolean;
}

/** Renders one event of a subject as a row with its whole date. Its id is that of the event. */
export function dateRow(context: PageContext, { record, ownUrl }: ListedEvent, style: DateStyle): Markup {
  const { locale } = context;
  const place = style.hasPlace && placeOf(context, record.location, style.root, style.hasBegun !== true);
  return html`<li class="e" id="${anchorOf(record)}" ${dataOf(context, record, false)}>
    <span class="w"><span class="d">${locale.mediumDate(record.date)}</span> ${timeOf(context, record, false)}</span>
    <span class="what"
      >${titleOf(record.title, ownUrl)}${place}${statusOf(context, record)}${movedFrom(context, record.id, style)}</span
    >${factsOf(context, record, style)}
  </li> `;
}

/** Renders what has no date yet as a row with its period. */
export function announcedRow(context: PageContext, record: AnnouncementRecord, style: DateStyle): Markup {
  return html`<li class="e announced" id="${anchorOf(record)}">
    <span class="w"><i>${context.text('toCome', { period: periodOf(context, record) })}</i></span>
    <span class="what">${titleOf(record.title, null)}${statusOf(context, record)}</span
    >${factsOf(context, record, style)}
  </li>`;
}

function anchorOf({ id }: { readonly id: string }): string {
  return id.slice(id.lastIndexOf('/') + 1);
}

function titleOf(title: string, address: string | null): Markup {
  if (address === null) return html`<span class="t" dir="auto">${title}</span>`;
  return html`<a class="t" dir="auto" href="${address}" rel="noreferrer">${title}</a>`;
}

function movedFrom({ text, locale }: PageContext, id: string, { former }: DateStyle): Markup | null {
  const date = former.get(id)?.['date'];
  if (typeof date !== 'string' || Number.isNaN(Date.parse(date))) return null;
  return html` <span class="status">${text('moved')} <s>${locale.mediumDate(date)}</s></span>`;
}

function factsOf(
  context: PageContext,
  record: ListedEvent['record'] | AnnouncementRecord,
  { shared }: DateStyle,
): Markup | null {
  const own = ownFacts(record, shared);
  const line = lineOf(context, own);
  const story = storyOf(own);
  if (story === null && line.length === 0) return null;
  return html`<div class="facts">${story}${line.length > 0 && html`<p class="note">${joined(line)}</p>`}</div>`;
}
