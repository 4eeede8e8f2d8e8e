import type { AnnouncementRecord, EventRecord } from '../api/documents.ts';
import type { Announcement, Event, EventLists, GenreContent } from '../catalogue/model.ts';
import { compareTexts, type Compare } from '../catalogue/soonest.ts';
import { calendarLimit, listLimit, pastLimit } from '../api/paths.ts';
import { isoInstant } from '../catalogue/time/time.ts';
import { calendarEvent, type CalendarSite } from './calendar-event.ts';

/** A record as the files of the site have it. */
export class Published<R extends EventRecord | AnnouncementRecord> {
  readonly record: R;
  #json: string | null;

  /** @param json the JSON of the record, if it is known */
  constructor(record: R, json: string | null = null) {
    this.record = record;
    this.#json = json;
  }

  /** Its JSON, which is made when the first file needs it. */
  get json(): string {
    this.#json ??= JSON.stringify(this.record);
    return this.#json;
  }
}

/** An event as the site publishes it. Every format and every page reads its record. */
export class ListedEvent extends Published<EventRecord> {
  /**
   * The page about the event itself. Null if it has none; the `url` of the record may then be that
   * of its subject.
   */
  readonly ownUrl: string | null;
  /** How far clocks at the place are ahead of UTC at the start, in milliseconds. */
  readonly offset: number;
  #site: CalendarSite | null = null;
  #entry = '';

  constructor(record: EventRecord, event: Pick<Event, 'url' | 'offset'>, json: string | null) {
    super(record, json);
    this.ownUrl = event.url;
    this.offset = event.offset;
  }

  /** Returns its entry in the calendars of a site, which is made when the first of them needs it. */
  calendarEntry(site: CalendarSite): string {
    if (this.#site !== site) this.#entry = calendarEvent(this.record, site);
    this.#site = site;
    return this.#entry;
  }
}

/** A genre with the records of its events. */
export type GenreRecords = GenreContent<ListedEvent, AnnouncementRecord>;

/** The first events of each list of a scope: as many as the longest file of them holds. */
export type FirstEvents = EventLists<ListedEvent, Published<AnnouncementRecord>>;

/** The number of events and subjects of a scope, including those beyond its lists. */
export type ScopeTotals = Readonly<Record<keyof FirstEvents | 'subjects', number>>;

/** Returns the first events of a genre. */
export function firstEvents(genre: GenreRecords): FirstEvents {
  return {
    upcoming: genre.upcoming.slice(0, calendarLimit),
    under_way: genre.under_way.slice(0, listLimit),
    cancelled: genre.cancelled.slice(0, listLimit),
    over: genre.over,
    announced: genre.announced.map((record) => new Published(record)),
  };
}

/** What the previous site says about the events of a genre. */
interface History {
  /**
   * Returns the time of the build that first published a record as it is now.
   *
   * @param json the record with null as its `updated_at`, which is its last field
   */
  readonly updatedAt: (id: string, json: string, isOver: boolean) => string | null;
  /** Returns the events that were over in the last days and that the sources no longer have. */
  readonly past: (isKnown: (id: string) => boolean) => readonly EventRecord[];
}

/** Makes the records of a genre, each of them once. Without a history, none of them has changed. */
export function genreRecords(content: GenreContent, history: History | null): GenreRecords {
  const listed = (event: Event, isOver = false): ListedEvent => {
    const record = eventRecord(event);
    return new ListedEvent(record, event, dateRecord(record, isOver, history));
  };
  const announced = (announcement: Announcement): AnnouncementRecord => {
    const record = announcementRecord(announcement);
    dateRecord(record, false, history);
    return record;
  };
  const records = {
    ...content,
    upcoming: content.upcoming.map((event) => listed(event)),
    under_way: content.under_way.map((event) => listed(event)),
    cancelled: content.cancelled.map((event) => listed(event)),
    over: content.over.slice(0, pastLimit).map((event) => listed(event, true)),
    announced: content.announced.map(announced),
    cancelledAnnouncements: content.cancelledAnnouncements.map(announced),
  };
  if (history === null) return records;
  return {
    ...records,
    over: withHistory(records, history).slice(0, pastLimit),
  };
}

/** Sets the time at which a record changed. Returns its JSON; null if there is no history. */
function dateRecord(
  record: EventRecord | AnnouncementRecord,
  isOver: boolean,
  history: History | null,
): string | null {
  if (history === null) return null;
  const json = JSON.stringify(record);
  const time = history.updatedAt(record.id, json, isOver);
  record.updated_at = time;
  // `updated_at` is the last field of the schema: replace its null in the text.
  if (time === null) return json;
  return `${json.slice(0, -'null}'.length)}"${time}"}`;
}

/** Adds the events that are over and that only the previous site has. */
function withHistory(genre: GenreRecords, history: History): readonly ListedEvent[] {
  const { upcoming, under_way, cancelled, over, announced, cancelledIds } = genre;
  const events = [upcoming, under_way, cancelled, over].flat();
  const ids = new Set([...events.map(({ record }) => record.id), ...announced.map(({ id }) => id)]);
  const past = history.past((id) => ids.has(id) || cancelledIds.has(id));
  const unknown = { url: null, offset: 0 };
  const listed = past.map((record) => new ListedEvent(record, unknown, null));
  return [...over, ...listed].sort(byNewest);
}

/**
 * Returns the JSON of the events that are upcoming or under way, and of the announcements, by their
 * ids.
 */
export function currentTexts(genre: GenreRecords): ReadonlyMap<string, string> {
  const { upcoming, under_way, announced } = genre;
  const current = [
    ...under_way,
    ...upcoming,
    ...announced.map((record) => new Published<AnnouncementRecord>(record)),
  ];
  return new Map(current.map(({ record, json }) => [record.id, json]));
}

/** The fields that the records of events and of announcements have in common, in their order. */
function commonFields(entry: Event | Announcement) {
  const { id, title, subject, genre, zone, location, url, status, tags, details, extra } = entry;
  return {
    id,
    title,
    subject: { id: subject.id, name: subject.name },
    genre: genre.id,
    category: genre.category,
    zone,
    location,
    url: url ?? subject.url,
    status,
    tags: tags as string[],
    details,
    extra,
  };
}

/**
 * Returns the record of an event (specification 2.5), with its fields in the order of the schema.
 */
export function eventRecord(event: Event): EventRecord {
  const { startsAt, end, date, precision, upcomingUntil, offset } = event;
  const { id, title, subject, genre, category, zone, location, url, ...rest } = commonFields(event);
  const clock = precision === 'second' ? 'yyyy-mm-ddThh:mm:ss' : 'yyyy-mm-ddThh:mm';
  return {
    id,
    title,
    subject,
    genre,
    category,
    starts_at: isoInstant(startsAt),
    ends_at: end && isoInstant(end.endsAt),
    date,
    end_date: end && end.endDate,
    zone,
    starts_local:
      zone === null || precision === 'day'
        ? null
        : isoInstant(startsAt + offset).slice(0, clock.length),
    time_known: precision !== 'day',
    precision,
    location,
    url,
    upcoming_until: isoInstant(upcomingUntil),
    over_at: end && isoInstant(end.overAt),
    ...rest,
    updated_at: null,
  };
}

function announcementRecord(announcement: Announcement): AnnouncementRecord {
  const { id, title, subject, genre, category, ...rest } = commonFields(announcement);
  const { period, window } = announcement;
  return {
    id,
    title,
    subject,
    genre,
    category,
    period,
    window,
    ...rest,
    updated_at: null,
  };
}

/**
 * Returns the order by a text of each record, such as an instant, and then by id in code unit
 * order.
 */
export function byText<R extends { readonly id: string }>(
  textOf: (record: R) => string,
): Compare<{ readonly record: R }> {
  return ({ record: a }, { record: b }) =>
    compareTexts(textOf(a), textOf(b)) || compareTexts(a.id, b.id);
}

/** The order of every list of upcoming events: by start, then by id in code unit order. */
export const byStart = byText<EventRecord>(({ starts_at }) => starts_at);

/** The order of events that are over: most recently ended first, then by id. */
export const byNewest: Compare<{ readonly record: EventRecord }> = ({ record: a }, { record: b }) =>
  compareTexts(endOf(b), endOf(a)) || compareTexts(a.id, b.id);

function endOf({ over_at, upcoming_until }: EventRecord): string {
  return over_at ?? upcoming_until;
}

/** The order of the events under way: by end, then by id. */
export const byEnd = byText<EventRecord>(endOf);

/**
 * Returns the number of events of a genre in each of its lists, including those beyond the lists,
 * and of its subjects.
 */
export function listTotals({
  upcoming,
  under_way,
  cancelled,
  announced,
  over,
  members,
}: GenreRecords) {
  return {
    upcoming: upcoming.length,
    under_way: under_way.length,
    cancelled: cancelled.length,
    announced: announced.length,
    over: over.length,
    subjects: members.length,
  };
}
