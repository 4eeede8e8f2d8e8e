import { isoInstant } from '../calendar/time.ts';
import type { Event } from '../catalogue/model.ts';

/**
 * An event as a VEVENT (RFC 5545), its lines folded. An event that is cancelled stands as such, so that those who
 * subscribed see it go.
 */
export function calendarEvent(event: Event, category: string, isCancelled: boolean): string {
  const start = basic(event.startsAt);
  const lines = [
    'BEGIN:VEVENT',
    `UID:${event.id}`,
    // RFC 5545 wants a DTSTAMP. Taken from the event itself, it changes when the event moves and with nothing else:
    // the clock of the build would make every calendar new with every build.
    `DTSTAMP:${start}`,
    event.precision === 'day' ? `DTSTART;VALUE=DATE:${start.slice(0, 8)}` : `DTSTART:${start}`,
    `SUMMARY:${escaped(event.title)}`,
    `DESCRIPTION:${escaped(event.subject.name)}`,
    `CATEGORIES:${escaped(event.genre.name)},${escaped(category)}`,
  ];
  if (event.url !== null) lines.push(`URL:${event.url}`);
  // A catalogue tells of events, it does not say that its reader is busy.
  lines.push('TRANSP:TRANSPARENT');
  if (isCancelled) lines.push('STATUS:CANCELLED', 'SEQUENCE:1');
  lines.push('END:VEVENT');
  return content(lines);
}

/** A calendar of VEVENTs that {@link calendarEvent} made, in their order. `name` is what readers show for it. */
export function calendarText(name: string, events: readonly string[]): string {
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
  const body = events.length === 0 ? content(emptyBody) : events.join('');
  return `${content(head)}${body}END:VCALENDAR\r\n`;
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

/** An instant in the basic form of ISO 8601: `20270116T020000Z`. */
function basic(instant: number): string {
  const iso = isoInstant(instant);
  return `${iso.slice(0, 4)}${iso.slice(5, 7)}${iso.slice(8, 13)}${iso.slice(14, 16)}${iso.slice(17, 19)}Z`;
}

/** A text as a value: what would end it or split it is escaped. Control characters are refused in sources. */
function escaped(text: string): string {
  return /[\\;,]/.test(text) ? text.replace(/[\\;,]/g, '\\$&') : text;
}

function content(lines: readonly string[]): string {
  let text = '';
  for (const line of lines) text += `${line.length * 3 <= mostOctets ? line : folded(line)}\r\n`;
  return text;
}

/** The most octets of a line, its end aside; a continuation begins with a space, which counts. */
const mostOctets = 75;

/** Folds a line without cutting a character. */
function folded(line: string): string {
  if (Buffer.byteLength(line) <= mostOctets) return line;
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
