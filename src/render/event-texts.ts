import type { AnnouncementRecord, EventRecord } from '../api/documents.ts';
import { maxEvents, type Filters } from '../api/paths.ts';
import { overAt } from '../catalogue/model.ts';
import type { Announcement, Category, Event, EventDetails, GenreSummary, Location } from '../catalogue/model.ts';
import type { Ordered } from '../catalogue/soonest.ts';
import { basicDate, basicInstant, day, isoInstant } from '../catalogue/time/time.ts';
import { contentLine, escapeText } from './content-line.ts';
import { fullTitle } from './subject-name.ts';

/** An event as the text of each format. Every file of the site that contains the event repeats these texts. */
export interface EventText extends Ordered {
  /** The calendar date where it happens, `YYYY-MM-DD`. */
  readonly date: string;
  /** The instant at which it is over. */
  readonly overAt: number;
  readonly json: string;
  readonly calendar: string;
}

/** An announcement as JSON. `until` is the last date of its period, as an instant in UTC. */
export interface AnnouncementText {
  readonly id: string;
  readonly until: number;
  readonly json: string;
}

/** The first events of each list of a scope, in order. Calendars contain those under way and cancelled ones too. */
export interface EventTexts {
  readonly upcoming: readonly EventText[];
  readonly underWay: readonly EventText[];
  readonly cancelled: readonly EventText[];
  readonly announced: readonly AnnouncementText[];
}

/** The number of events of a scope, including those beyond its lists. */
export type ScopeTotals = Readonly<Record<Exclude<keyof EventTexts, 'cancelled'>, number>>;

/** The events of a scope, from which each format renders one file. */
export interface ScopeEvents extends EventTexts {
  readonly filters: Filters;
  /** The title of a calendar, such as `Almanac: Television`. */
  readonly title: string;
  readonly totals: ScopeTotals;
}

/**
 * Serializes the events in the lists of a genre, each of them once.
 *
 * @param authority the end of the UIDs of calendar entries
 */
export function eventTexts(summary: GenreSummary, category: Category, authority: string): EventTexts {
  const { genre, soonest, current, cancelled, announcements } = summary;
  const ofGenre = { categories: categoriesLine(genre.name, category.name), authority };
  const textOf = (event: Event, isCancelled: boolean): EventText => ({
    id: event.id,
    startsAt: event.startsAt,
    date: event.date,
    overAt: overAt(event),
    json: isCancelled ? '' : eventJson(event),
    calendar: calendarEvent(event, ofGenre, isCancelled),
  });
  return {
    upcoming: soonest.map((event) => textOf(event, false)),
    underWay: current.slice(0, maxEvents).map((event) => textOf(event, false)),
    cancelled: cancelled.map((event) => textOf(event, true)),
    announced: announcements.map((announcement) => ({
      id: announcement.id,
      until: Date.parse(announcement.window.until),
      json: announcementJson(announcement),
    })),
  };
}

function announcementJson(announcement: Announcement): string {
  const { id, title, subject, genre, period, window, zone, location, details } = announcement;
  const record: AnnouncementRecord = {
    id,
    title,
    subject: { id: subject.id, name: subject.name },
    genre: genre.id,
    category: genre.category,
    period,
    window,
    zone,
    location,
    url: details.url ?? subject.url,
  };
  return JSON.stringify(record);
}

type JsonField = (event: Event) => string;

/** How JSON writes each field of an event record (specification 2.5), in the order of the schema. */
const jsonFields: Readonly<Record<keyof EventRecord | keyof EventDetails, JsonField>> = {
  id: ({ id }) => quote(id),
  title: ({ title }) => jsonText(title),
  subject: ({ subject }) => `{"id":"${subject.id}","name":${jsonText(subject.name)}}`,
  genre: ({ genre }) => quote(genre.id),
  category: ({ genre }) => quote(genre.category),
  starts_at: ({ startsAt }) => quote(isoInstant(startsAt)),
  ends_at: ({ end }) => (end === null ? 'null' : quote(isoInstant(end.endsAt))),
  date: ({ date }) => quote(date),
  end_date: ({ end }) => (end === null ? 'null' : quote(end.endDate)),
  zone: ({ zone }) => optionalText(zone),
  time_known: ({ precision }) => (precision === 'day' ? 'false' : 'true'),
  precision: ({ precision }) => quote(precision),
  location: ({ location }) => (location === null ? 'null' : JSON.stringify(location)),
  url: ({ details, subject }) => optionalText(details.url ?? subject.url),
  upcoming_until: ({ upcomingUntil }) => quote(isoInstant(upcomingUntil)),
  over_at: ({ end }) => (end === null ? 'null' : quote(isoInstant(end.overAt))),
};

const jsonParts = Object.entries(jsonFields).map(([name, value], index) => ({
  key: `${index === 0 ? '{' : ','}"${name}":`,
  value,
}));

/** Serializes an event record, in two thirds of the time that `JSON.stringify` takes. */
export function eventJson(event: Event): string {
  let text = '';
  for (const { key, value } of jsonParts) text += key + value(event);
  return `${text}}`;
}

/** Returns a text as JSON that contains nothing to escape. */
function quote(text: string): string {
  return `"${text}"`;
}

function optionalText(text: string | null | undefined): string {
  return text == null ? 'null' : jsonText(text);
}

function jsonText(text: string): string {
  return escapedInJson.test(text) ? JSON.stringify(text) : `"${text}"`;
}

// eslint-disable-next-line no-control-regex -- JSON escapes them
const escapedInJson = /["\\\u0000-\u001f\ud800-\udfff]/;

/** The parts that all calendar entries of a genre share. */
interface OfGenre {
  /** The {@link categoriesLine} of the genre. */
  readonly categories: string;
  readonly authority: string;
}

type CalendarField = (event: Event, ofGenre: OfGenre) => string;

/**
 * How a calendar writes each field of the record, in the order of its lines. Null: the field has no line of its own.
 */
const calendarFields: Readonly<Record<keyof EventRecord, CalendarField | null>> = {
  id: ({ id }, { authority }) => contentLine('UID', `${id}@${authority}`),
  starts_at: startLines,
  ends_at: endLine,
  title: ({ title, subject }) => contentLine('SUMMARY', escapeText(fullTitle(title, subject.name))),
  location: ({ location }) => (location === null ? '' : locationLines(location)),
  genre: (_, { categories }) => categories,
  url: ({ details, subject }) => optionalLine('URL', details.url ?? subject.url),
  subject: null,
  category: null,
  date: null,
  end_date: null,
  zone: null,
  time_known: null,
  precision: null,
  upcoming_until: null,
  over_at: null,
};

const calendarLines = Object.values(calendarFields).filter((line) => line !== null);

/**
 * Serializes an event as a VEVENT (RFC 5545). A cancelled event has a status, so that it disappears for subscribers.
 */
export function calendarEvent(event: Event, ofGenre: OfGenre, isCancelled: boolean): string {
  let text = 'BEGIN:VEVENT\r\n';
  for (const line of calendarLines) text += line(event, ofGenre);
  // Catalogue events must not mark the subscriber as busy.
  text += 'TRANSP:TRANSPARENT\r\n';
  if (isCancelled) text += 'STATUS:CANCELLED\r\n';
  return `${text}END:VEVENT\r\n`;
}

function optionalLine(name: string, text: string | null | undefined): string {
  return text == null ? '' : contentLine(name, text);
}

/** Returns the line with the names of a genre and its category. */
export function categoriesLine(genre: string, category: string): string {
  return contentLine('CATEGORIES', `${escapeText(genre)},${escapeText(category)}`);
}

/**
 * RFC 5545 requires a DTSTAMP. Taken from the event itself, it changes only when the event moves; the clock of the
 * build would change every calendar with every build.
 */
function startLines({ precision, startsAt }: Event): string {
  const start = basicInstant(startsAt);
  return precision === 'day'
    ? `DTSTAMP:${start}\r\nDTSTART;VALUE=DATE:${basicDate(startsAt)}\r\n`
    : `DTSTAMP:${start}\r\nDTSTART:${start}\r\n`;
}

/**
 * A date ends on the day after it (RFC 5545, section 3.6.1). There is no line for an end that equals the start, which
 * is not allowed.
 */
function endLine({ precision, startsAt, end }: Event): string {
  if (end === null) return '';
  if (precision === 'day') return `DTEND;VALUE=DATE:${basicDate(end.endsAt + day)}\r\n`;
  return end.endsAt === startsAt ? '' : `DTEND:${basicInstant(end.endsAt)}\r\n`;
}

function locationLines({ name, address, latitude, longitude }: Location): string {
  const place = address === null ? name : `${name}, ${address}`;
  const coordinates = latitude === null || longitude === null ? '' : contentLine('GEO', `${latitude};${longitude}`);
  return contentLine('LOCATION', escapeText(place)) + coordinates;
}
