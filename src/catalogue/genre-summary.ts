import { isoMonth } from './time/time.ts';
import type { Event, Genre, GenreContent } from './model.ts';
import { Soonest } from './soonest.ts';

/** What there is to count of a subject. */
export interface SubjectEvents {
  readonly upcoming: readonly Event[];
  readonly cancelled: readonly Event[];
  readonly withheld: number;
  /** How many upcoming events have a clock time in the file, but no zone: only their date is published. */
  readonly floating: number;
}

/** What a genre holds so far. */
export interface Tally {
  readonly add: (subject: SubjectEvents) => void;
  readonly content: () => GenreContent;
}

/** Counts what a genre holds, and keeps the soonest `limit` events of it. */
export function openTally(genre: Genre, limit: number): Tally {
  const soonest = new Soonest<Event>(limit);
  const cancelled = new Soonest<Event>(limit);
  const months = new Map<string, number>();
  let [subjects, upcoming, withheld, floating] = [0, 0, 0, 0];
  const keep = (events: readonly Event[], among: Soonest<Event>): void => {
    for (const event of events) among.add(event);
  };
  return {
    add: (subject) => {
      subjects++;
      withheld += subject.withheld;
      upcoming += subject.upcoming.length;
      floating += subject.floating;
      keep(subject.upcoming, soonest);
      for (const { startsAt } of subject.upcoming) {
        const month = isoMonth(startsAt);
        months.set(month, (months.get(month) ?? 0) + 1);
      }
      keep(subject.cancelled, cancelled);
    },
    content: () => ({
      genre,
      subjects,
      upcoming,
      withheld,
      floating,
      months,
      soonest: soonest.list(),
      cancelled: cancelled.list(),
    }),
  };
}
