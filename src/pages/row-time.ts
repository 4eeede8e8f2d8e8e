import type { EventRecord } from '../api/documents.ts';
import { memoize } from '../catalogue/time/memoize.ts';
import { hour, isoInstant } from '../catalogue/time/time.ts';
import { html, type Markup } from '../render/html.ts';
import type { PageContext } from './context.ts';

/* When an event is, as a row says it. */

/** Returns the last date on which an event is on, at its place. */
export function lastDayOf({ date, end_date }: Pick<EventRecord, 'date' | 'end_date'>): string {
  return end_date !== null && end_date > date ? end_date : date;
}

/** Renders when an event is. The date of a postponed event is struck. */
export function whenColumn({ status }: Pick<EventRecord, 'status'>, content: Markup): Markup {
  if (status === 'postponed') return html`<s class="w">${content}</s>`;
  return html`<span class="w">${content}</span>`;
}

/**
 * Renders when an event begins and ends on its day: a clock time where it happens, with the zone,
 * or how long it lasts. The script writes the time of its reader.
 */
export function timeOf(
  { text, locale }: PageContext,
  record: EventRecord,
  saysAllDay: boolean,
): Markup {
  const { date, starts_at: start, ends_at: end, end_date, zone, precision } = record;
  const last = end_date !== null && end_date > date ? locale.shortDate(end_date) : null;
  if (precision === 'day') {
    const until =
      last !== null &&
      html`<data class="dt-end" value="${end_date}">${text('until', { date: last })}</data>`;
    return html`<i
      ><data class="dt-start" value="${date}"></data>${until || (saysAllDay && text('allDay'))}</i
    >`;
  }
  const isDays = end !== null && isLong(Date.parse(start), Date.parse(end));
  const until = isDays ? last : clockOf(record, end ?? start);
  const ending =
    end !== null && html`<data class="dt-end" value="${shortInstant(end)}"> – ${until}</data>`;
  return html`<time class="dt-start" datetime="${shortInstant(start)}"
    >${clockOf(record, start)}${ending} ${zoneName(zone)}</time
  >`;
}

/** Renders until when an event is on that began before a day. */
export function endOf({ text, locale }: PageContext, record: EventRecord, day: string): Markup {
  const last = lastDayOf(record);
  const { starts_at: start, ends_at: end, time_known: hasTime } = record;
  if (hasTime) {
    const isLast = last === day && end !== null;
    const until = isLast
      ? `– ${clockOf(record, end)}`
      : text('until', { date: locale.shortDate(last) });
    return html`<time datetime="${shortInstant(start)}">${until}</time>`;
  }
  const until = last === day ? text('lastDay') : text('until', { date: locale.shortDate(last) });
  return html`<i>${until}</i>`;
}

/**
 * Returns the clock time of an instant where an event happens, as fine as it is known: `21:00`,
 * `21:00:30` or `21 h`.
 */
export function clockOf(
  { starts_at: start, starts_local, precision }: EventRecord,
  instant: string,
): string {
  const local = starts_local === null ? start : `${starts_local}Z`;
  const time =
    instant === start
      ? local
      : isoInstant(Date.parse(local) + Date.parse(instant) - Date.parse(start));
  const isHour = precision === 'hour' && time.startsWith('00', 'yyyy-mm-ddThh:'.length);
  return isHour ? `${time.slice(11, 13)} h` : time.slice(11, precision === 'second' ? 19 : 16);
}

/** `New York` for `America/New_York`. */
export const zoneName = memoize(
  (zone: string | null) => (zone ?? 'UTC').split('/').at(-1)?.replaceAll('_', ' ') ?? '',
);

/** Whether the end of an event is a date rather than a time to a reader. */
export function isLong(start: number, end: number): boolean {
  return end - start >= 24 * hour;
}

/** An instant without seconds that are zero: `2027-01-16T02:00Z`. */
export function shortInstant(instant: string): string {
  return `${instant.slice(0, instant.endsWith(':00.000Z') ? 16 : 19)}Z`;
}
