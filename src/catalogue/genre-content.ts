import {
  overAt,
  type Announcement,
  type Event,
  type EventLists,
  type FormerSubject,
  type Genre,
} from './model.ts';
import type { GenreContent, Subject } from './model.ts';
import { byInstant, bySoonest } from './soonest.ts';

/** A subject and its events, in any order. */
export interface SubjectEvents extends EventLists<Event, Announcement> {
  readonly subject: Subject;
  /** The ids of announced events that are cancelled. */
  readonly cancelledAnnouncements: readonly string[];
  /**
   * The number of upcoming events whose source has a clock time but no zone: only their date is
   * published.
   */
  readonly floating: number;
}

/** Adds up the subjects of a genre, with the paths of their source files. */
export function genreContent(
  genre: Genre,
  found: readonly (readonly [events: SubjectEvents, path: string])[],
  former: readonly FormerSubject[],
): GenreContent {
  const collect = <T>(listOf: (events: SubjectEvents) => readonly T[]): T[] =>
    found.flatMap(([events]) => listOf(events));
  const cancelled = collect((one) => one.cancelled).sort(bySoonest);
  const cancelledIds = [
    ...cancelled.map(({ id }) => id),
    ...collect((one) => one.cancelledAnnouncements),
  ];
  return {
    genre,
    members: found
      .map(([{ subject }, path]) => ({ ...subject, path }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
    floating: found.reduce((sum, [{ floating }]) => sum + floating, 0),
    upcoming: collect((one) => one.upcoming).sort(bySoonest),
    under_way: collect((one) => one.under_way).sort(byInstant<Event>(overAt)),
    cancelled,
    over: collect((one) => one.over).sort(byInstant<Event>((event) => -overAt(event))),
    cancelledIds: new Set(cancelledIds),
    announced: collect((one) => one.announced).sort(
      byInstant(({ window }) => Date.parse(window.until)),
    ),
    former,
  };
}
