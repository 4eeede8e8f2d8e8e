import type { EventRecord, EventsDocument, NowDocument } from './documents.ts';
import { listLimit } from './paths.ts';

/**
 * Returns the events under way at `now` (milliseconds since the Unix epoch): those of the published document that are
 * not over, and those in the list of upcoming events of the same scope that have begun since. Returns the same document
 * if that changes nothing.
 */
export function currentAt(published: NowDocument, upcoming: EventsDocument, now: number): NowDocument {
  const left = published.events.filter((event) => instantOf(event.over_at) > now);
  const begun = upcoming.events.filter(
    (event) => instantOf(event.upcoming_until) <= now && instantOf(event.over_at) > now,
  );
  const total = published.total - published.events.length + left.length + begun.length;
  if (left.length === published.events.length && begun.length === 0) return published;
  return { ...published, total, events: [...left, ...begun].sort(byEnd).slice(0, listLimit) };
}

/** Returns when the result of {@link currentAt} next changes, in milliseconds since the Unix epoch. */
export function currentUntil(current: NowDocument, upcoming: EventsDocument, now: number): number {
  const ends = current.events.map((event) => instantOf(event.over_at));
  const starts = upcoming.events.filter((event) => event.over_at).map((event) => instantOf(event.upcoming_until));
  return Math.min(...ends, ...starts.filter((start) => start > now));
}

/** An event without an end is never under way. Sites of earlier versions have no ends. */
function instantOf(text: string | null | undefined): number {
  return Date.parse(text ?? '');
}

function byEnd(a: EventRecord, b: EventRecord): number {
  return instantOf(a.over_at) - instantOf(b.over_at) || (a.id < b.id ? -1 : 1);
}
