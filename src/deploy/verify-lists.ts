import { hash } from 'node:crypto';
import type { EventRecord, EventsDocument } from '../api/documents.ts';
import { next } from '../api/formats.ts';
import { maxEvents, nextEvents } from '../api/paths.ts';
import { bySoonest, type Ordered } from '../catalogue/soonest.ts';
import { minute } from '../catalogue/time/time.ts';
import type { Report } from './verify-report.ts';

/** The facts about a list of events that the cross-check uses. */
export interface EventList {
  readonly filters: EventsDocument['filters'];
  readonly total: number;
  /** The cap of its kind of list. */
  readonly limit: number;
  readonly length: number;
  /** A hash of its events. */
  readonly contents: string;
  /** The events of the list of a genre; empty for other lists, which are merged from these. */
  readonly events: readonly ListedEvent[];
  /** Whether the list differs from the published one, so that the host must have left out expired events. */
  readonly isFiltered: boolean;
  /** Whether no event in it has expired. */
  readonly isUpcoming: boolean;
}

/** An event of a list: its position in the order, and a hash of its record. */
export interface ListedEvent extends Ordered {
  readonly contents: string;
}

/** The maximum delay of the clock of a host in milliseconds. */
export const maxClockError = minute;

/** Checks a list by itself: its cap, its order, its filters and the time rule of each event (specification 1 and 2.5). */
export function checkList(
  report: Report,
  path: string,
  { filters, limit, total, events }: EventsDocument,
  { isFiltered, now }: { readonly isFiltered: boolean; readonly now: number },
): EventList {
  const cap = path.endsWith(`/${next.file}`) ? nextEvents : maxEvents;
  report.requireSame(path, 'limit', limit, cap);
  if (!isFiltered) report.requireSame(path, 'the number of events', events.length, Math.min(total, cap));
  for (const event of events) checkEvent(report, path, event, filters);
  const listed = events.map(listedEvent);
  const ids = listed.map(({ id }) => id);
  const ordered = listed.toSorted(bySoonest).map(({ id }) => id);
  report.requireSame(path, 'the order of events', ids, ordered);
  report.requireSame(path, 'the number of different ids', new Set(ids).size, ids.length);
  const isOfGenre = filters.genre !== null && filters.category === null && cap === maxEvents;
  return {
    filters,
    total,
    limit: cap,
    length: events.length,
    contents: hashOf(listed),
    events: isOfGenre ? listed : [],
    isFiltered,
    isUpcoming: events.every((event) => Date.parse(event.upcoming_until) > now - maxClockError),
  };
}

/** Checks the filters and the times of an event (specification 1 and 2.5). */
export function checkEvent(report: Report, path: string, event: EventRecord, filters: EventsDocument['filters']): void {
  const { id, genre, category, time_known, precision, starts_at, date, upcoming_until } = event;
  const { ends_at, end_date, over_at } = event;
  const expected = { genre: filters.genre ?? genre, category: filters.category ?? category };
  report.requireSame(path, `genre and category of ${id}`, { genre, category }, expected);
  const isDay = precision === 'day';
  report.requireSame(
    path,
    `the time of ${id}`,
    { time_known, isDay, starts_at, upcoming_until },
    time_known
      ? { time_known, isDay: false, starts_at, upcoming_until: starts_at }
      : { time_known, isDay: true, starts_at: `${date}T00:00:00.000Z`, upcoming_until },
  );
  // Earlier versions of almanac did not publish ends.
  if (ends_at == null || end_date == null || over_at == null) return;
  const end = time_known ? { ends_at, over_at: ends_at } : { ends_at: `${end_date}T00:00:00.000Z`, over_at };
  report.requireSame(path, `the end of ${id}`, { ends_at, over_at }, end);
  report.requireSame(path, `whether ${id} ends before it starts`, ends_at < starts_at || end_date < date, false);
}

export function listedEvent(event: EventRecord): ListedEvent {
  return { id: event.id, startsAt: Date.parse(event.starts_at), contents: hash('sha256', JSON.stringify(event)) };
}

/** Returns a hash of a list of events. */
export function hashOf(events: readonly ListedEvent[]): string {
  return hash('sha256', events.map(({ contents }) => contents).join());
}
