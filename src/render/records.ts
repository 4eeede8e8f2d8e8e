import type { AnnouncementRecord, EventRecord } from '../api/documents.ts';
import type { Announcement, Event, GenreContent } from '../catalogue/model.ts';
import { compareTexts, type Compare } from '../catalogue/soonest.ts';
import { isoInstant } from '../catalogue/time/time.ts';

/** An event as the site publishes it. Every format and every page reads its record. */
export interface ListedEvent {
  readonly record: EventRecord;
  /** The page about the event itself. Null if it has none; the `url` of the record may then be that of its subject. */
  readonly ownUrl: string | null;
  /** How far clocks at the place are ahead of UTC at the start, in milliseconds. */
  readonly offset: number;
}

/** A genre with the records of its events. */
export type GenreRecords = GenreContent<ListedEvent, AnnouncementRecord>;

/** Makes the records of a genre, each of them once. */
export function genreRecords(content: GenreContent): GenreRecords {
  const upcoming = content.upcoming.map(listedEvent);
  return {
    ...content,
    upcoming,
    soonest: upcoming.slice(0, content.soonest.length),
    underWay: content.underWay.map(listedEvent),
    cancelled: content.cancelled.map(listedEvent),
    announced: content.announced.map(announcementRecord),
  };
}

function listedEvent(event: Event): ListedEvent {
  return { record: eventRecord(event), ownUrl: event.url, offset: event.offset };
}

/** The fields that the records of events and of announcements have in common, in their order. */
function commonFields(entry: Event | Announcement) {
  const { id, title, subject, genre, zone, location, url, status, tags, details } = entry;
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
  };
}

/** Returns the record of an event (specification 2.5), with its fields in the order of the schema. */
export function eventRecord(event: Event): EventRecord {
  const { startsAt, end, date, precision, upcomingUntil } = event;
  const { id, title, subject, genre, category, zone, location, url, ...rest } = commonFields(event);
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
    time_known: precision !== 'day',
    precision,
    location,
    url,
    upcoming_until: isoInstant(upcomingUntil),
    over_at: end && isoInstant(end.overAt),
    ...rest,
  };
}

function announcementRecord(announcement: Announcement): AnnouncementRecord {
  const { id, title, subject, genre, category, ...rest } = commonFields(announcement);
  const { period, window } = announcement;
  return { id, title, subject, genre, category, period, window, ...rest };
}

/** Returns the order by a text of each record, such as an instant, and then by id in code unit order. */
export function byText<R extends { readonly id: string }>(
  textOf: (record: R) => string,
): Compare<{ readonly record: R }> {
  return ({ record: a }, { record: b }) => compareTexts(textOf(a), textOf(b)) || compareTexts(a.id, b.id);
}

/** The order of every list of upcoming events: by start, then by id in code unit order. */
export const byStart = byText<EventRecord>(({ starts_at }) => starts_at);

/** Returns the number of events of a genre in each of its lists, including those beyond the lists. */
export function listTotals({ upcoming, underWay, announced }: GenreRecords) {
  return { upcoming: upcoming.length, underWay: underWay.length, announced: announced.length };
}
