import type { EventRecord } from '../api/documents.ts';

/** Whether an event is still upcoming at `now` (milliseconds since 1970): at `upcoming_until` it no longer is. */
export function isUpcoming(event: Pick<EventRecord, 'upcoming_until'>, now: number): boolean {
  return Date.parse(event.upcoming_until) > now;
}
