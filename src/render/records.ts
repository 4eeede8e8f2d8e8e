import type { AnnouncementRecord, EventRecord } from '../api/documents.ts';
import type { Announcement, Event, GenreContent } from '../catalogue/model.ts';
import { compareTexts, type Compare } from '../catalogue/soonest.ts';
import { pastLimit } from '../api/paths.ts';
import { isoInstant } from '../catalogue/time/time.ts';

/** An event as the site publishes it. Every format and every page reads its record. */
export interface ListedEvent {
  readonly record: EventRecord;
  /**
   * The page about the event itself. Null if it has none; the `url` of the record may then be that
   * of its subject.
   */
  readonly ownUrl: string | null;
  /** How far clocks at the place are ahead of UTC at the start, in milliseconds. */
  readonly offset: number;
}

/** A genre with the records of its events. */
export interface GenreRecords extends GenreContent<ListedEvent, AnnouncementRecord> {
  /** The JSON of the events and announcements by their ids. */
  readonly texts: ReadonlyMap<string, string>;
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
  const texts = new Map<string, string>();
  const dated = <R extends EventRecord | AnnouncementRecord>(record: R, isOver = false): R => {
    const json = JSON.stringify(record);
    if (history !== null) record.updated_at = history.updatedAt(record.id, json, isOver);
    const { id, updated_at: time } = record;
    // The last field is null in the text.
    texts.set(id, time === null ? json : `${json.slice(0, -'null}'.length)}"${time}"}`);
    return record;
  };
  const listed = (isOver: boolean) => (event: Event) => ({
    record: dated(eventRecord(event), isOver),
    ownUrl: event.url,
    offset: event.offset,
  });
  const announced = (announcement: Announcement): AnnouncementRecord =>
    dated(announcementRecord(announcement));
  const records = {
    ...content,
    texts,
    upcoming: content.upcoming.map(listed(false)),
    under_way: content.under_way.map(listed(false)),
    cancelled: content.cancelled.map(listed(false)),
    over: content.over.slice(0, pastLimit).map(listed(true)),
    announced: content.announced.map(announced),
    cancelledAnnouncements: content.cancelledAnnouncements.map(announced),
  };
  return { ...records, over: withHistory(records, texts, history).slice(0, pastLimit) };
}

/** Adds the events that are over and that only the previous site has. */
function withHistory(
  { over, cancelledIds }: GenreRecords,
  texts: Map<string, string>,
  history: History | null,
): readonly ListedEvent[] {
  const others = history?.past((id) => texts.has(id) || cancelledIds.has(id)) ?? [];
  for (const record of others) texts.set(record.id, JSON.stringify(record));
  const listed = others.map((record) => ({ record, ownUrl: null, offset: 0 }));
  return [...over, ...listed].sort(byNewest);
}

/**
 * Returns the JSON of the events that are upcoming or under way, and of the announcements, by their
 * ids.
 */
export function currentTexts({
  texts,
  upcoming,
  under_way,
  announced,
}: GenreRecords): ReadonlyMap<string, string> {
  const records = [...[...under_way, ...upcoming].map(({ record }) => record), ...announced];
  return new Map(records.map(({ id }) => [id, textIn(texts, id)]));
}

/**
 * Returns the JSON of an event or announcement.
 *
 * @throws {Error} if it has none, which is a fault of this program
 */
export function textIn(texts: GenreRecords['texts'], id: string): string {
  const text = texts.get(id);
  if (text === undefined) throw new Error(`no text of ${id}`);
  return text;
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
  return { id, title, subject, genre, category, period, window, ...rest, updated_at: null };
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
