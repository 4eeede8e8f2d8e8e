import { hash } from 'node:crypto';
import type { EventRecord, EventsDocument } from '../api/documents.ts';
import { maxEvents } from '../api/paths.ts';
import { bySoonest, type Ordered } from '../catalogue/soonest.ts';
import type { Report } from './verify-report.ts';

/** What is kept of a list of events once it is read. Only the lists of genres are needed by others, as pieces. */
export interface EventList {
  readonly filters: EventsDocument['filters'];
  readonly total: number;
  readonly contents: string;
  readonly pieces: readonly ListedEvent[];
  /** Its events where it is not as it was published, and so can only be what was left once something was over. */
  readonly cut: readonly EventRecord[] | null;
}

/** An event as a list has it: its place, and a hash of the rest. */
export interface ListedEvent extends Ordered {
  readonly contents: string;
}

/** One list in itself: its cap, its order, its filters and, of each event, the time rule (specification 1 and 2.5). */
export function readEvents(
  report: Report,
  path: string,
  { filters, limit, total, events }: EventsDocument,
  isListed: boolean,
): EventList {
  report.agree(path, 'limit', limit, maxEvents);
  // Of a list that is cut only the other documents tell how long it was.
  if (isListed) report.agree(path, 'the number of events listed', events.length, Math.min(total, maxEvents));
  for (const event of events) {
    const { genre, category } = event;
    report.agree(
      path,
      `genre and category of ${event.id}`,
      { genre, category },
      { genre, category, ...given(filters) },
    );
    report.agree(path, `what ${event.id} says of its time`, timeOf(event), ruledTime(event));
  }
  const pieces = events.map((event) => listedEvent(event));
  const ids = pieces.map(({ id }) => id);
  report.agree(
    path,
    'the order of events',
    ids,
    pieces.toSorted(bySoonest).map(({ id }) => id),
  );
  report.agree(path, 'the number of different ids', new Set(ids).size, ids.length);
  const isNeeded = filters.genre !== null && filters.category === null;
  const contents = contentsOf(pieces);
  return { filters, total, contents, pieces: isNeeded ? pieces : [], cut: isListed ? null : events };
}

function given(filters: EventsDocument['filters']): Partial<EventsDocument['filters']> {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== null));
}

function timeOf({ time_known, precision, starts_at, upcoming_until }: EventRecord): object {
  return { time_known, is_day: precision === 'day', starts_at, upcoming_until };
}

function ruledTime({ time_known, starts_at, date, upcoming_until }: EventRecord): object {
  return time_known
    ? { time_known, is_day: false, starts_at, upcoming_until: starts_at }
    : { time_known, is_day: true, starts_at: `${date}T00:00:00.000Z`, upcoming_until };
}

function listedEvent(event: EventRecord): ListedEvent {
  return { id: event.id, startsAt: Date.parse(event.starts_at), contents: hash('sha256', JSON.stringify(event)) };
}

export function contentsOf(pieces: readonly ListedEvent[]): string {
  return hash('sha256', pieces.map(({ contents }) => contents).join());
}
