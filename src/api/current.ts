import { stateAt, type State } from '../catalogue/state.ts';
import type { EventRecord, EventsDocument, NextDocument, NowDocument } from './documents.ts';
import { listLimit, nextUnderWay } from './paths.ts';

/** What of a record decides its state. */
type Timed = Pick<EventRecord, 'status' | 'upcoming_until' | 'over_at'>;

/** Returns the state of a published event at `now` (milliseconds since the Unix epoch). */
export function stateOfRecord(
  { status, upcoming_until, over_at }: Timed,
  now: number,
): Exclude<State, 'announced'> {
  const overAt = over_at ? Date.parse(over_at) : null;
  return stateAt(
    {
      status,
      upcomingUntil: Date.parse(upcoming_until),
      overAt,
    },
    now,
  );
}

/**
 * Returns the document with at most `limit` events, all of them upcoming at `now`. `total` falls
 * accordingly.
 */
export function upcomingAt(published: EventsDocument, limit: number, now: number): EventsDocument {
  const upcoming = published.events.filter((event) => stateOfRecord(event, now) === 'upcoming');
  const total = published.total - published.events.length + upcoming.length;
  const cap = Math.min(limit, published.limit);
  return {
    ...published,
    limit: cap,
    total,
    events: upcoming.slice(0, cap),
  };
}

/**
 * Returns the events under way at `now`: those of the published document that are not over, and
 * those in the list of upcoming events of the same scope that have begun since. Returns the same
 * document if that changes nothing.
 */
export function currentAt(
  published: NowDocument,
  upcoming: EventsDocument,
  now: number,
): NowDocument {
  const events = underWayAt([...published.events, ...upcoming.events], now);
  const isSame =
    events.length === published.events.length &&
    events.every((event) => published.events.includes(event));
  if (isSame) return published;
  const total = published.total - published.events.length + events.length;
  return {
    ...published,
    total,
    events: events.slice(0, listLimit),
  };
}

/**
 * Returns the document of the soonest events at `now`, from the list of upcoming events of the same
 * scope.
 */
export function nextAt(
  published: NextDocument,
  upcoming: EventsDocument,
  now: number,
): NextDocument {
  const underWay = underWayAt([...published.now, ...upcoming.events], now);
  return {
    ...upcomingAt(upcoming, published.limit, now),
    now: underWay.slice(0, nextUnderWay),
  };
}

/**
 * Returns when the events that are upcoming or under way next change, in milliseconds since the
 * Unix epoch.
 */
export function currentUntil(
  underWay: readonly EventRecord[],
  upcoming: EventsDocument,
  now: number,
): number {
  const ends = underWay.map((event) => Date.parse(event.over_at ?? ''));
  const starts = upcoming.events.map((event) => Date.parse(event.upcoming_until));
  return Math.min(...ends, ...starts.filter((start) => start > now));
}

function underWayAt(events: readonly EventRecord[], now: number): EventRecord[] {
  const endOf = (event: EventRecord) => Date.parse(event.over_at ?? '');
  return events
    .filter((event) => stateOfRecord(event, now) === 'under_way')
    .sort((a, b) => endOf(a) - endOf(b) || (a.id < b.id ? -1 : 1));
}
