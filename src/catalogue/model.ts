import type { Start } from './time/start.ts';

/** What the service says of itself (specification 2.1). */
export interface Service {
  readonly name: string;
  readonly license: string;
}

/** A category (specification 2.3); `id` is what the `category` filter accepts. */
export interface Category {
  readonly id: string;
  readonly name: string;
}

/** A genre (specification 2.4); `id` is what the `genre` filter accepts. */
export interface Genre {
  readonly id: string;
  readonly name: string;
  readonly category: string;
}

/** What events happen to: a show, a team, a comet. */
export interface Subject {
  readonly id: string;
  readonly name: string;
}

/** An event with a real date (specification 2.5). */
export interface Event extends Start {
  /** `{genre}/{subject}/{event}`: unique in the catalogue, and the same from build to build. */
  readonly id: string;
  readonly title: string;
  readonly subject: Subject;
  readonly genre: Genre;
  readonly zone: string | null;
  readonly url: string | null;
}

/** A genre with what is published of it: how many there are of everything, and the soonest upcoming events in order. */
export interface GenreContent {
  readonly genre: Genre;
  readonly subjects: number;
  readonly upcoming: number;
  /** Announced events that have no real date, and so are not published. */
  readonly withheld: number;
  /** Upcoming events whose source has a clock time without a zone: only their date is published. */
  readonly floating: number;
  /** How many of the upcoming events there are in each month, such as `2027-01`. */
  readonly months: ReadonlyMap<string, number>;
  readonly soonest: readonly Event[];
  /** The soonest cancelled events whose time is not over: they are not upcoming, calendars show them go. */
  readonly cancelled: readonly Event[];
}

/** The totals of the catalogue (specification 2.2), the time of synchronisation aside. */
export interface Totals {
  readonly genres: number;
  readonly subjects: number;
  readonly upcoming: number;
  readonly categories: number;
}
