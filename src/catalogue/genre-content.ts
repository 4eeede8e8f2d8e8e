import {
  overAt,
  type Announcement,
  type Event,
  type EventLists,
  type FormerSubject,
  type Genre,
} from './model.ts';
import type { GenreContent, Member, Subject } from './model.ts';
import { byInstant, bySoonest } from './soonest.ts';

/** A subject and its events, in any order. */
export interface SubjectEvents extends EventLists<Event, Announcement> {
  readonly subject: Subject;
  /** Announcements that are cancelled and whose period is not over. */
  readonly cancelledAnnouncements: readonly Announcement[];
  /**
   * The number of upcoming events whose source has a clock time but no zone: only their date is
   * published.
   */
  readonly floating: number;
}

/** A subject with its events, and the file that it comes from. */
export interface FoundSubject extends Pick<Member, 'path' | 'origin'> {
  readonly content: SubjectEvents;
}

/** Adds up the subjects of a genre. */
export function genreContent(
  genre: Genre,
  subjects: readonly FoundSubject[],
  former: readonly FormerSubject[],
): GenreContent {
  const collect = <T>(listOf: (events: SubjectEvents) => readonly T[]): T[] =>
    subjects.flatMap(({ content }) => listOf(content));
  const cancelled = collect((events) => events.cancelled).sort(bySoonest);
  const byPeriod = byInstant<Announcement>(({ window }) => Date.parse(window.until));
  const cancelledAnnouncements = collect((events) => events.cancelledAnnouncements).sort(byPeriod);
  const cancelledIds = [...cancelled, ...cancelledAnnouncements].map(({ id }) => id);
  return {
    genre,
    members: subjects
      .map(({ content, path, origin }) => ({
        ...content.subject,
        path,
        origin,
      }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
    floating: subjects.reduce((sum, { content }) => sum + content.floating, 0),
    upcoming: collect((events) => events.upcoming).sort(bySoonest),
    under_way: collect((events) => events.under_way).sort(byInstant<Event>(overAt)),
    cancelled,
    over: collect((events) => events.over).sort(byInstant<Event>((event) => -overAt(event))),
    cancelledIds: new Set(cancelledIds),
    announced: collect((events) => events.announced).sort(byPeriod),
    cancelledAnnouncements,
    former,
  };
}
