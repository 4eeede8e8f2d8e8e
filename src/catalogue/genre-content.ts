import { overAt, type Announcement, type Event, type FormerSubject, type Genre } from './model.ts';
import type { GenreContent, Subject } from './model.ts';
import { byInstant, bySoonest } from './soonest.ts';

export interface SubjectEvents {
  readonly subject: Subject;
  readonly upcoming: readonly Event[];
  /** Events that have begun, are not over, and are not cancelled. */
  readonly under_way: readonly Event[];
  /** Dated events that would not be over if they were not cancelled. */
  readonly cancelled: readonly Event[];
  /** Events that were over a short time ago. */
  readonly over: readonly Event[];
  /** The ids of announced events that are cancelled. */
  readonly cancelledAnnouncements: readonly string[];
  /** Announcements whose period is not over. */
  readonly announced: readonly Announcement[];
  /** The number of upcoming events whose source has a clock time but no zone: only their date is published. */
  readonly floating: number;
}

/** Adds up subjects, with the paths of their source files. Keeps `limit` events that are over, and as many for the lists. */
export function genreContent(
  genre: Genre,
  limit: number,
  found: readonly (readonly [events: SubjectEvents, path: string])[],
  former: readonly FormerSubject[] = [],
): GenreContent {
  const collect = <T>(listOf: (events: SubjectEvents) => readonly T[]): T[] =>
    found.flatMap(([events]) => listOf(events));
  const upcoming = collect((one) => one.upcoming).sort(bySoonest);
  const cancelled = collect((one) => one.cancelled).sort(bySoonest);
  const cancelledIds = [...cancelled.map(({ id }) => id), ...collect((one) => one.cancelledAnnouncements)];
  return {
    genre,
    members: found.map(([{ subject }, path]) => ({ ...subject, path })).sort((a, b) => (a.id < b.id ? -1 : 1)),
    floating: found.reduce((sum, [{ floating }]) => sum + floating, 0),
    upcoming,
    soonest: upcoming.slice(0, limit),
    under_way: collect((one) => one.under_way).sort(byInstant<Event>(overAt)),
    cancelled,
    over: collect((one) => one.over)
      .sort(byInstant<Event>((event) => -overAt(event)))
      .slice(0, limit),
    cancelledIds: new Set(cancelledIds),
    announced: collect((one) => one.announced).sort(byInstant(({ window }) => Date.parse(window.until))),
    former,
  };
}
