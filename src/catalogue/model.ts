import type { Start } from './time/start.ts';

/** How the service describes itself (specification 2.1). */
export interface Service {
  readonly name: string;
  readonly license: string;
  /** Whether the site has the files that hold the whole catalogue. */
  readonly isBulk: boolean;
}

/** A category (specification 2.3). The `category` filter accepts its `id`. */
export interface Category {
  readonly id: string;
  readonly name: string;
}

/** A genre (specification 2.4). The `genre` filter accepts its `id`. */
export interface Genre {
  readonly id: string;
  readonly name: string;
  /** The id of its category. */
  readonly category: string;
  /** The zone of events that name none. */
  readonly zone?: string | null;
}

/** The subject of events: a show, a team, a comet. */
export interface Subject {
  readonly id: string;
  readonly name: string;
  /** The page of its events that have no page of their own. */
  readonly url: string | null;
}

/** The fields of an event that are published as its source writes them. */
export interface EventDetails {
  readonly url?: string | undefined;
}

/** An event with a real date (specification 2.5). */
export interface Event extends Start {
  /** `{genre}/{subject}/{event}`: unique in the catalogue, and the same in every build. */
  readonly id: string;
  readonly title: string;
  readonly subject: Subject;
  readonly genre: Genre;
  /** The zone of its place. Null if the source gives none. */
  readonly zone: string | null;
  readonly details: EventDetails;
}

/** A genre with its counts, its subjects and its events. */
export interface GenreSummary {
  readonly genre: Genre;
  /** The number of subjects. */
  readonly subjects: number;
  /** The subjects, ordered by id. */
  readonly members: readonly Subject[];
  /** The number of upcoming events, including those beyond the soonest. */
  readonly upcoming: number;
  /** The number of announced events, which are not published because they have no real date. */
  readonly announced: number;
  /** The number of upcoming events whose source has a clock time but no zone: only their date is published. */
  readonly floating: number;
  /** The number of upcoming events in each month, such as `2027-01`. */
  readonly months: ReadonlyMap<string, number>;
  /** The upcoming events, in order. */
  readonly events: readonly Event[];
  /** The soonest of them, which its lists hold. */
  readonly soonest: readonly Event[];
  /** The soonest cancelled events whose time is not past. They are not upcoming, but calendars show them as cancelled. */
  readonly cancelled: readonly Event[];
}

/** The totals of the catalogue (specification 2.2), without `last_sync`. */
export interface Totals {
  readonly genres: number;
  readonly subjects: number;
  readonly upcoming: number;
  readonly categories: number;
}
