import type { EventRecord } from '../api/documents.ts';
import { contentLine, escapeText, statusLine } from '../render/content-line.ts';
import { dateAfter } from './dates.ts';

/** An event as a calendar holds it. */
export interface CalendarEntry {
  /** The same as in the published calendars. */
  readonly uid: string;
  /** An instant of ISO 8601. */
  readonly stamp: string;
  /** A date, or an instant of ISO 8601. */
  readonly start: string;
  /** The last date, or an instant. Null if there is none. */
  readonly end: string | null;
  /** With the word for a status in front that programs may not show. */
  readonly title: string;
  readonly status: EventRecord['status'];
  readonly place: string;
  readonly url: string;
}

/** Renders a calendar (RFC 5545). Without a name it has none. */
export function calendarText(entries: readonly CalendarEntry[], name = ''): string {
  const head = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Almanac//Saved events//EN', ''].join(
    '\r\n',
  );
  const texts = new Set(entries.map(entryText));
  const title = name === '' ? '' : contentLine('X-WR-CALNAME', escapeText(name));
  return `${head}${title}${[...texts].join('')}END:VCALENDAR\r\n`;
}

function entryText({ uid, stamp, start, end, title, status, place, url }: CalendarEntry): string {
  const isDate = start.length === 'yyyy-mm-dd'.length;
  const times = isDate
    ? `DTSTART;VALUE=DATE:${basic(start)}\r\nDTEND;VALUE=DATE:${basic(dateAfter(end ?? start))}\r\n`
    : `DTSTART:${basicInstant(start)}\r\n${end === null || end === start ? '' : `DTEND:${basicInstant(end)}\r\n`}`;
  return [
    'BEGIN:VEVENT\r\n',
    contentLine('UID', uid),
    `DTSTAMP:${basicInstant(stamp)}\r\n`,
    times,
    contentLine('SUMMARY', escapeText(title)),
    place === '' ? '' : contentLine('LOCATION', escapeText(place)),
    statusLine(status),
    url === '' ? '' : contentLine('URL', url),
    'TRANSP:TRANSPARENT\r\nEND:VEVENT\r\n',
  ].join('');
}

/** Writes a date or an instant in the basic form of ISO 8601: `20270116`, `20270116T020000Z`. */
export function basic(text: string): string {
  return text.replace(/[-:]|\.\d+/g, '');
}

/** Rows leave out seconds that are zero. */
function basicInstant(text: string): string {
  return basic(new Date(text).toISOString());
}
