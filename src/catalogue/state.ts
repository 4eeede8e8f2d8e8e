import type { Status } from './model.ts';

/** The states of an event, in the order in which `events.ndjson` lists them. */
export const states = ['upcoming', 'under_way', 'announced', 'cancelled', 'over'] as const;
export type State = (typeof states)[number];

/**
 * The fields that decide the state of an event with a date. Instants are milliseconds since the
 * Unix epoch.
 */
export interface Course {
  readonly status: Status;
  readonly upcomingUntil: number;
  /** Null if the source gives no end: the event is then over when it is no longer upcoming. */
  readonly overAt: number | null;
}

/**
 * Returns the state of an event with a date at `now`. A cancelled event is over when it would have
 * been.
 */
export function stateAt(
  { status, upcomingUntil, overAt }: Course,
  now: number,
): Exclude<State, 'announced'> {
  const isUpcoming = now < upcomingUntil;
  if (!isUpcoming && (overAt === null || now >= overAt)) return 'over';
  if (status === 'cancelled') return 'cancelled';
  return isUpcoming ? 'upcoming' : 'under_way';
}

/** Returns the state of an announcement, whose period ends at `announcedUntil`. */
export function announcementState(
  { status, announcedUntil }: { readonly status: Status; readonly announcedUntil: number },
  now: number,
): Exclude<State, 'upcoming' | 'under_way'> {
  if (now >= announcedUntil) return 'over';
  return status === 'cancelled' ? 'cancelled' : 'announced';
}
