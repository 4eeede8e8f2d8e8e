import {
  overAt,
  type Announcement,
  type Event,
  type FormerSubject,
  type Genre,
  type GenreContent,
  type Member,
  type Subject,
} from './model.ts';
import { byInstant, bySoonest, Soonest } from './soonest.ts';

/** The events of one subject. */
export interface SubjectEvents {
  readonly subject: Subject;
  /** Dated events that are upcoming and not cancelled. */
  readonly upcoming: readonly Event[];
  /** Events that have begun, are not over, and are not cancelled. */
  readonly underWay: readonly Event[];
  /** Dated events that would not be over if they were not cancelled. */
  readonly cancelled: readonly Event[];
  /** Events that were over a short time ago. */
  readonly past: readonly Event[];
  /** The ids of announced events that are cancelled. */
  readonly cancelledAnnouncements: readonly string[];
  /** Announcements whose period is not over. */
  readonly announced: readonly Announcement[];
  /** The number of upcoming events whose source has a clock time but no zone: only their date is published. */
  readonly floating: number;
}

/** Collects the subjects of a genre and their events. Keeps `limit` past events, and as many for its lists. */
export class GenreContentBuilder {
  readonly #genre: Genre;
  readonly #limit: number;
  readonly #members: Member[] = [];
  readonly #upcoming: Event[] = [];
  readonly #underWay: Event[] = [];
  readonly #cancelled: Event[] = [];
  readonly #past: Soonest<Event>;
  readonly #cancelledIds = new Set<string>();
  readonly #announced: Announcement[] = [];
  #floating = 0;

  constructor(genre: Genre, limit: number) {
    this.#genre = genre;
    this.#limit = limit;
    this.#past = new Soonest(
      limit,
      byInstant<Event>((event) => -overAt(event)),
    );
  }

  /** Adds the events of a subject. `path` is that of its source file, below the data folder. */
  add(found: SubjectEvents, path: string): void {
    const { subject, upcoming, underWay, cancelled, past, announced, floating } = found;
    this.#members.push({ ...subject, path });
    this.#floating += floating;
    for (const event of cancelled) this.#cancelled.push(event);
    for (const event of past) this.#past.add(event);
    for (const announcement of announced) this.#announced.push(announcement);
    for (const { id } of cancelled) this.#cancelledIds.add(id);
    for (const id of found.cancelledAnnouncements) this.#cancelledIds.add(id);
    for (const event of underWay) this.#underWay.push(event);
    for (const event of upcoming) this.#upcoming.push(event);
  }

  /** @param former the former ids of the subjects */
  build(former: readonly FormerSubject[] = []): GenreContent {
    const upcoming = this.#upcoming.sort(bySoonest);
    return {
      genre: this.#genre,
      members: this.#members.sort((a, b) => (a.id < b.id ? -1 : 1)),
      floating: this.#floating,
      upcoming,
      soonest: upcoming.slice(0, this.#limit),
      underWay: this.#underWay.sort(byInstant<Event>(overAt)),
      cancelled: this.#cancelled.sort(bySoonest),
      past: this.#past.list(),
      cancelledIds: this.#cancelledIds,
      announced: this.#announced.sort(byInstant(({ window }) => Date.parse(window.until))),
      former,
    };
  }
}
