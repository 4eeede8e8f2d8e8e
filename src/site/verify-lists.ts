import { hash } from 'node:crypto';
import type {
  AnnouncedDocument,
  AnnouncementRecord,
  EventFilters,
  EventRecord,
  EventsDocument,
  NowDocument,
} from '../api/documents.ts';
import { next } from '../api/formats.ts';
import { maxEvents, nextEvents } from '../api/paths.ts';
import { byInstant } from '../catalogue/soonest.ts';
import { minute } from '../catalogue/time/time.ts';
import type { Report } from './verify-report.ts';

/** The schemas of lists: of upcoming events, of events under way and of announcements. */
export type ListSchema = 'Events' | 'Now' | 'Announced';

/** The facts about a list that the cross-check uses. */
export interface CheckedList {
  readonly schema: ListSchema;
  readonly filters: EventFilters;
  readonly total: number;
  /** The cap of its kind of list. */
  readonly limit: number;
  readonly length: number;
  /** A hash of its records. */
  readonly contents: string;
  /** The records of the list of a genre; empty for other lists, which are merged from these. */
  readonly records: readonly ListedRecord[];
  /**
   * Whether the list differs from the published one, so that the host must have updated it to the time of the request.
   */
  readonly isUpdated: boolean;
  /** Whether no event in it has expired. */
  readonly isUpcoming: boolean;
}

/** A record of a list: its position in the order, and a hash of its content. */
export interface ListedRecord {
  readonly id: string;
  /** Milliseconds since the Unix epoch. */
  readonly instant: number;
  readonly contents: string;
}

/** Returns the instant that a list of records is ordered by. */
export const instantOf = ({ instant }: ListedRecord): number => instant;

/** The maximum delay of the clock of a host in milliseconds. */
const maxClockError = minute;

/**
 * Checks a list by itself: its cap, its order, its filters and the time rule of each event (specification 1 and 2.5).
 */
export function checkList(
  report: Report,
  path: string,
  document: EventsDocument | NowDocument | AnnouncedDocument,
  { schema, isUpdated, now }: { readonly schema: ListSchema; readonly isUpdated: boolean; readonly now: number },
): CheckedList {
  const { filters, limit, total } = document;
  const entries = 'events' in document ? document.events : document.announced;
  const events = 'events' in document ? document.events : [];
  const cap = path.endsWith(`/${next.file}`) ? nextEvents : maxEvents;
  report.requireSame(path, 'limit', limit, cap);
  if (!isUpdated) report.requireSame(path, 'the number of records', entries.length, Math.min(total, cap));
  for (const { id, genre, category } of entries) {
    const expected = { genre: filters.genre ?? genre, category: filters.category ?? category };
    report.requireSame(path, `genre and category of ${id}`, { genre, category }, expected);
  }
  for (const event of events) checkTimes(report, path, event);
  // Only a list that a host updated must leave out what was over when it was requested.
  if (schema === 'Now') checkUnderWay(report, path, events, isUpdated ? now - maxClockError : -Infinity);
  const records = entries.map((record) => listedRecord(record, schema));
  checkOrder(report, path, records);
  const isOfGenre = filters.genre !== null && filters.category === null && cap === maxEvents;
  return {
    schema,
    filters,
    total,
    limit: cap,
    length: records.length,
    contents: hashOf(records),
    records: isOfGenre ? records : [],
    isUpdated,
    isUpcoming: events.every((event) => Date.parse(event.upcoming_until) > now - maxClockError),
  };
}

/** Checks the times of an event (specification 1 and 2.5). */
function checkTimes(report: Report, path: string, event: EventRecord): void {
  const { id, time_known, precision, starts_at, date, upcoming_until, ends_at, end_date, over_at } = event;
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

/** Checks that events have an end after an instant. */
function checkUnderWay(report: Report, path: string, events: readonly EventRecord[], after: number): void {
  for (const { id, over_at } of events) {
    const hasEnd = over_at !== null && !(Date.parse(over_at ?? '') <= after);
    report.requireSame(path, `whether ${id} has an end that is not over`, hasEnd, true);
  }
}

/** Checks that records are in the order of their list, and that none is there twice. */
export function checkOrder(report: Report, path: string, records: readonly ListedRecord[]): void {
  const ids = records.map(({ id }) => id);
  const ordered = records.toSorted(byInstant(instantOf)).map(({ id }) => id);
  report.requireSame(path, 'the order of records', ids, ordered);
  report.requireSame(path, 'the number of different ids', new Set(ids).size, ids.length);
}

/** Returns the position of a record in a list of this schema, and a hash of its content. */
export function listedRecord(record: EventRecord | AnnouncementRecord, schema: ListSchema): ListedRecord {
  const start = 'window' in record ? record.window.until : record.starts_at;
  const end = 'window' in record ? null : record.over_at;
  const instant = Date.parse((schema === 'Now' ? end : start) ?? '');
  return { id: record.id, instant, contents: hash('sha256', JSON.stringify(record)) };
}

/** Returns a hash of the records of a list. */
export function hashOf(records: readonly ListedRecord[]): string {
  return hash('sha256', records.map(({ contents }) => contents).join());
}
