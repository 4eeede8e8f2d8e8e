import { basicDate, basicInstant } from '../catalogue/time/time.ts';
import type { Event, Subject } from '../catalogue/model.ts';

/**
 * An event as a VEVENT (RFC 5545), its lines folded. An event that is cancelled stands as such, so that those who
 * subscribed see it go.
 *
 * @param ofSubject what {@link subjectLines} says of its subject
 */
export function calendarEvent(event: Shown, ofSubject: string, isCancelled: boolean): string {
  const url = event.url === null ? '' : contentLine('URL:', event.url);
  return (
    `BEGIN:VEVENT\r\n${contentLine('UID:', event.id)}${startLines(event)}` +
    `${contentLine('SUMMARY:', escaped(event.title))}${ofSubject}${url}` +
    (isCancelled ? cancelledEnd : end)
  );
}

/** What a calendar shows of an event, its subject aside. */
type Shown = Pick<Event, 'id' | 'title' | 'url' | 'precision' | 'startsAt'>;

/** The lines of a VEVENT that name its subject, its genre and its category. */
export function subjectLines(subject: Subject, genre: string, category: string): string {
  const categories = contentLine('CATEGORIES:', `${escaped(genre)},${escaped(category)}`);
  return [contentLine('DESCRIPTION:', escaped(subject.name)), categories].join('');
}

/**
 * RFC 5545 wants a DTSTAMP. Taken from the event itself, it changes when the event moves and with nothing else: the
 * clock of the build would make every calendar new with every build.
 */
function startLines({ precision, startsAt }: Shown): string {
  const start = basicInstant(startsAt);
  return precision === 'day'
    ? `DTSTAMP:${start}\r\nDTSTART;VALUE=DATE:${basicDate(startsAt)}\r\n`
    : `DTSTAMP:${start}\r\nDTSTART:${start}\r\n`;
}

/** A catalogue tells of events, it does not say that its reader is busy. */
const end = 'TRANSP:TRANSPARENT\r\nEND:VEVENT\r\n';
const cancelledEnd = 'TRANSP:TRANSPARENT\r\nSTATUS:CANCELLED\r\nSEQUENCE:1\r\nEND:VEVENT\r\n';

/** A calendar of VEVENTs that {@link calendarEvent} made, in their order. `name` is what readers show for it. */
export function calendarContent(name: string, events: readonly string[]): readonly string[] {
  const head = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Almanac//Upcoming events//EN',
    'CALSCALE:GREGORIAN',
    `X-WR-CALNAME:${escaped(name)}`,
    `REFRESH-INTERVAL;VALUE=DURATION:${refreshInterval}`,
    `X-PUBLISHED-TTL:${refreshInterval}`,
  ];
  // A calendar must hold at least one component; where there is no event, a zone says nothing wrong.
  const body = events.length === 0 ? [content(emptyBody)] : events;
  return [content(head), ...body, 'END:VCALENDAR\r\n'];
}

const refreshInterval = 'PT12H';

const emptyBody = [
  'BEGIN:VTIMEZONE',
  'TZID:UTC',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0000',
  'END:STANDARD',
  'END:VTIMEZONE',
];

/** A text as a value: what would end it or split it is escaped. Control characters are refused in sources. */
function escaped(text: string): string {
  return /[\\;,]/.test(text) ? text.replace(/[\\;,]/g, '\\$&') : text;
}

function content(lines: readonly string[]): string {
  return lines.map((line) => contentLine('', line)).join('');
}

/** A content line with its end, folded where it is long. `name` is ASCII. */
function contentLine(name: string, value: string): string {
  const most = mostOctets - name.length;
  const isShort = value.length * 3 <= most || (value.length <= most && Buffer.byteLength(value) <= most);
  return isShort ? `${name}${value}\r\n` : `${folded(name + value)}\r\n`;
}

/** The most octets of a line, its end aside; a continuation begins with a space, which counts. */
const mostOctets = 75;

/** Folds a line without cutting a character. */
function folded(line: string): string {
  let [text, octets] = ['', 0];
  for (const character of line) {
    const length = octetsOf(character.codePointAt(0) ?? 0);
    if (octets + length > mostOctets) {
      text += '\r\n ';
      octets = 1;
    }
    text += character;
    octets += length;
  }
  return text;
}

function octetsOf(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
