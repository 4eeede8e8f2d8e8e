import type { Content } from '../../api/site-file.ts';
import { bySoonest } from '../../catalogue/soonest.ts';
import type { ScopeEvents } from '../event-texts.ts';
import { contentLine, escapeText } from './content-line.ts';

/** Renders a calendar (RFC 5545): the upcoming events, and the cancelled ones among them in order. */
export function renderIcs({ title, upcoming, cancelled }: ScopeEvents): Content {
  const events = cancelled.length === 0 ? upcoming : [...upcoming, ...cancelled].sort(bySoonest);
  // A calendar must contain at least one component. In an empty one, a time zone does no harm.
  const components = events.length === 0 ? [emptyCalendarBody] : events.map(({ calendar }) => calendar);
  return [head, contentLine('X-WR-CALNAME', escapeText(title)), refresh, ...components, 'END:VCALENDAR\r\n'];
}

const head = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//Almanac//Upcoming events//EN',
  'CALSCALE:GREGORIAN',
  '',
].join('\r\n');

const refresh = ['REFRESH-INTERVAL;VALUE=DURATION:PT12H', 'X-PUBLISHED-TTL:PT12H', ''].join('\r\n');

const emptyCalendarBody = [
  'BEGIN:VTIMEZONE',
  'TZID:UTC',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0000',
  'END:STANDARD',
  'END:VTIMEZONE',
  '',
].join('\r\n');
