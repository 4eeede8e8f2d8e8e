import type { End } from './time/end.ts';
import type { Place } from '../problem/problem.ts';
import type { Period, Start } from './time/start.ts';

/** How the service describes itself (specification 2.1). */
export interface Service {
  readonly name: string;
  readonly license: string;
  /**
   * The name in the ids of calendar entries and feeds. If it is null, the host of the base URL
   * takes its place.
   */
  readonly authority: string | null;
  readonly formats: readonly Companion[];
  /** The language of the pages, as a BCP 47 tag. */
  readonly lang: string;
  /** The zone of a local catalogue, whose pages show the time at the place. */
  readonly zone: string | null;
  /** One line that says what the site is about. */
  readonly tagline: string | null;
  /** The colour of links and marks on the pages, such as `#8f2d0f`. */
  readonly accent: string | null;
  /** The pages that are built: all, only pages of categories and genres, or only the home page. */
  readonly pages: 'all' | 'genres' | 'home';
  /** Whether the pages name almanac in their footer. */
  readonly hasCredit: boolean;
  readonly editUrl: string | null;
  /** What pages call fields of the owner, by their names. */
  readonly labels: Readonly<Record<string, string>>;
  readonly pastDays: number;
}

/** The formats that service.json can leave out: the files next to the lists of the operations. */
export const companions = [
  'ics',
  'next',
  'now',
  'announced',
  'feed',
  'subjects',
  'ndjson',
  'csv',
  'geojson',
] as const;
export type Companion = (typeof companions)[number];

/** Whether the next build of a site can remember it, so that it has a log of changes. */
export function hasMemory({ formats }: Pick<Service, 'formats'>): boolean {
  return formats.includes('ndjson');
}

/**
 * The languages of the pages: each has its texts in `pages/words/`, and sources may name months and
 * countries in it.
 */
export const languages = ['en', 'de', 'es', 'fr', 'ja'] as const;
export type Language = (typeof languages)[number];

/** A category (specification 2.3). The `category` filter accepts its `id`. */
export type Category = { readonly id: string; readonly name: string };

/** A genre (specification 2.4). The `genre` filter accepts its `id`. */
export interface Genre {
  readonly id: string;
  readonly name: string;
  readonly category: string;
  readonly zone?: string | null;
  readonly location?: Location | null;
  readonly tags?: readonly string[];
  /** The details of events that do not give their own. */
  readonly details?: EventDetails | null;
  readonly extra?: Extra | null;
}

/** The subject of events: a show, a team, a comet. */
export interface Subject {
  readonly id: string;
  readonly name: string;
  /** Other names that people search for. */
  readonly aliases: readonly string[];
  /** The page of its events that have no page of their own. */
  readonly url: string | null;
}

/** What a subject comes from, which decides where its former ids are declared. */
export type SubjectOrigin = 'file' | 'calendar' | 'table' | 'remote-table';

/** A subject of a genre. */
export interface Member extends Subject {
  /** The path of its file in the data folder. */
  readonly path: string;
  readonly origin: SubjectOrigin;
}

export interface Location {
  readonly name: string;
  readonly address: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
  /** Decimal degrees; both or neither. */
  readonly latitude: number | null;
  readonly longitude: number | null;
}

/** Whether an event takes place. */
export type Status = 'confirmed' | 'tentative' | 'postponed' | 'cancelled';

/** The fields that only this catalogue knows, as its sources write them. */
export type Extra = Readonly<Record<string, ExtraValue | ExtraValue[]>>;
type ExtraValue = string | number | boolean;

/** Facts about an event that its source may give. Null: it does not. */
export interface EventDetails {
  /** Plain text with line feeds. */
  readonly description: string | null;
  /** A picture at an https address, and a text in its place. */
  readonly image: { readonly url: string; readonly alt: string | null } | null;
  readonly attendance: 'in-person' | 'online' | 'hybrid' | null;
  readonly organizer: { readonly name: string; readonly url: string | null } | null;
  /** The https address of the page from which the facts were taken. */
  readonly source: string | null;
}

/** The fields that events and announcements share. */
interface Entry {
  /** `{genre}/{subject}/{event}`: unique in the catalogue, and the same in every build. */
  readonly id: string;
  readonly title: string;
  readonly subject: Subject;
  readonly genre: Genre;
  /** The zone of its place. Null if the source gives none. */
  readonly zone: string | null;
  readonly location: Location | null;
  /** The page about the event itself. */
  readonly url: string | null;
  readonly status: Status;
  /** Slugs, sorted, of the event, its subject and its genre. */
  readonly tags: readonly string[];
  readonly details: EventDetails | null;
  readonly extra: Extra | null;
}

/** An event with a real date (specification 2.5). */
export interface Event extends Entry, Start {
  readonly end: End | null;
}

/**
 * An event that is announced for a period and has no date yet. It is published outside the lists of
 * events.
 */
export interface Announcement extends Entry, Period {}

/** The fields that decide when an event is over. */
type Ending = { readonly end?: Pick<End, 'overAt'> | null; readonly upcomingUntil: number };

/**
 * Returns the instant at which an event is over: its end or, without one, when it stops being
 * upcoming.
 */
export function overAt({ end, upcomingUntil }: Ending): number {
  return end?.overAt ?? upcomingUntil;
}

/** Events and announcements by their states. */
export interface EventLists<Dated, Undated> {
  /** In order of their starts, like the cancelled events. */
  readonly upcoming: readonly Dated[];
  /** Those that have begun and are not over, ordered by when they are over. */
  readonly under_way: readonly Dated[];
  /** Those that would not be over if they were not cancelled. */
  readonly cancelled: readonly Dated[];
  /** Those that ended in recent months, most recently ended first. */
  readonly over: readonly Dated[];
  /** Those whose period is not over, ordered by when their periods end. */
  readonly announced: readonly Undated[];
}

/** A genre with its counts, its subjects and its events. */
export interface GenreContent<Dated = Event, Undated = Announcement> extends EventLists<
  Dated,
  Undated
> {
  readonly genre: Genre;
  /** The subjects, ordered by id. */
  readonly members: readonly Member[];
  /**
   * The number of upcoming events whose source has a clock time but no zone: only their date is
   * published.
   */
  readonly floating: number;
  /** Those that are cancelled and whose period is not over. They are in no list and no count. */
  readonly cancelledAnnouncements: readonly Undated[];
  /** The ids of every event and announcement that is cancelled and would not be over. */
  readonly cancelledIds: ReadonlySet<string>;
  readonly former: readonly FormerSubject[];
}

/** The former ids of categories and genres with their present ids. Plain data. */
export interface FormerIds {
  readonly categories: ReadonlyMap<string, string>;
  readonly genres: ReadonlyMap<string, Pick<Genre, 'id' | 'category'>>;
}

/** A former id of a subject. Both ids are `{genre}/{subject}`. Plain data. */
export interface FormerSubject {
  readonly old: string;
  readonly id: string;
  /** Where its source says so. */
  readonly place: Place;
}

/** The totals of the catalogue (specification 2.2), without `last_sync`. */
export type Totals = Readonly<Record<'genres' | 'subjects' | 'upcoming' | 'categories', number>>;
