import type { EventRecord } from '../api/documents.ts';
import type { EventDetails } from '../catalogue/model.ts';
import { titleWithStatus } from '../catalogue/status-words.ts';
import { day, isoDate, minute } from '../catalogue/time/time.ts';
import { contentLine, escapeText, statusLine } from './content-line.ts';
import { fullTitle } from './subject-name.ts';

/** What the entries of the calendars of a site have in common. */
export interface CalendarSite {
  /** The name in the ids of entries. */
  readonly authority: string;
  /** The time of entries that never changed. ISO 8601 UTC. */
  readonly since: string;
  readonly lang: string;
  /** Returns the escaped names of a genre and its category. */
  readonly categoriesOf: (genre: string) => string;
}

type CalendarField = (record: EventRecord, site: CalendarSite) => string;

/**
 * How a calendar writes each field of the record, in this order. Null: the field has no line of its
 * own.
 */
const calendarFields: Readonly<Record<keyof EventRecord, CalendarField | null>> = {
  id: ({ id }, { authority }) => contentLine('UID', `${id}@${authority}`),
  updated_at: versionLines,
  starts_at: startLines,
  ends_at: endLine,
  title: summaryLine,
  location: ({ location }) => (location === null ? '' : locationLines(location)),
  tags: ({ tags, genre }, { categoriesOf }) =>
    contentLine('CATEGORIES', [categoriesOf(genre), ...tags].join(',')),
  status: ({ status }) => statusLine(status),
  details: detailLines,
  url: ({ url }) => (url === null ? '' : contentLine('URL', url)),
  genre: null,
  subject: null,
  category: null,
  date: null,
  end_date: null,
  zone: null,
  starts_local: null,
  time_known: null,
  precision: null,
  upcoming_until: null,
  over_at: null,
  extra: null,
};

const calendarLines = Object.values(calendarFields).filter((line) => line !== null);

/**
 * Serializes an event as a VEVENT (RFC 5545). Programs remove or strike a cancelled event by its
 * status.
 */
export function calendarEvent(record: EventRecord, site: CalendarSite): string {
  let text = 'BEGIN:VEVENT\r\n';
  for (const line of calendarLines) text += line(record, site);
  // An event of a catalogue must not block the time of its subscriber.
  text += 'TRANSP:TRANSPARENT\r\n';
  return `${text}END:VEVENT\r\n`;
}

/** Several programs ignore STATUS, so the title says it as well. */
function summaryLine({ title, subject, status }: EventRecord, { lang }: CalendarSite): string {
  const text = titleWithStatus(fullTitle(title, subject.name), status, lang);
  return contentLine('SUMMARY', escapeText(text));
}

type DetailWriter = (details: Partial<EventDetails>, url: string | null) => string;

/**
 * How a calendar writes each of the details. Null: not at all. Many programs show the address only
 * in the description.
 */
const calendarDetails: Readonly<Record<keyof EventDetails, DetailWriter | null>> = {
  description({ description }, url) {
    const text = [description, url].filter((part) => part != null).join('\n\n');
    if (text === '') return '';
    return contentLine('DESCRIPTION', escapeText(text));
  },
  // RFC 7986
  image: ({ image }) => (image == null ? '' : contentLine('IMAGE;VALUE=URI', image.url)),
  attendance: null,
  organizer: null,
  source: null,
};

function detailLines({ details, url }: EventRecord): string {
  return Object.values(calendarDetails)
    .map((write) => write?.(details ?? {}, url) ?? '')
    .join('');
}

/**
 * Calendar programs take over what has a higher SEQUENCE or, with the same one, a later DTSTAMP.
 * The minutes since 2020 grow with each change and need no counter. An event that never changed
 * keeps its lines in every build.
 */
function versionLines({ updated_at }: EventRecord, { since }: CalendarSite): string {
  const stamp = basic(updated_at ?? since);
  const instant = updated_at === null ? firstMinute : Date.parse(updated_at);
  const sequence = Math.max(0, Math.floor((instant - firstMinute) / minute));
  return [`DTSTAMP:${stamp}\r\n`, `LAST-MODIFIED:${stamp}\r\n`, `SEQUENCE:${sequence}\r\n`].join(
    '',
  );
}

const firstMinute = Date.UTC(2020, 0);

function startLines({ time_known, starts_at }: EventRecord): string {
  const start = basic(starts_at);
  if (time_known) return `DTSTART:${start}\r\n`;
  const date = start.slice(0, 'yyyymmdd'.length);
  return `DTSTART;VALUE=DATE:${date}\r\n`;
}

/**
 * A date ends on the day after it (RFC 5545, 3.6.1). An end that equals the start is not allowed.
 */
function endLine({ time_known, starts_at, ends_at }: EventRecord): string {
  if (ends_at === null) return '';
  if (!time_known) {
    const nextDay = isoDate(Date.parse(ends_at) + day);
    return `DTEND;VALUE=DATE:${basic(nextDay)}\r\n`;
  }
  if (ends_at === starts_at) return '';
  return `DTEND:${basic(ends_at)}\r\n`;
}

/**
 * Returns a date or an instant in the basic form of ISO 8601, in whole seconds: `20270116`,
 * `20270116T020000Z`.
 */
function basic(text: string): string {
  return text.replace(/[-:]|\.\d+/g, '');
}

function locationLines({
  name,
  address,
  latitude,
  longitude,
}: NonNullable<EventRecord['location']>): string {
  const place = address === null ? name : `${name}, ${address}`;
  const line = contentLine('LOCATION', escapeText(place));
  if (latitude === null || longitude === null) return line;
  return line + contentLine('GEO', `${latitude};${longitude}`);
}
