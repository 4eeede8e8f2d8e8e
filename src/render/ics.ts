import type { Content } from '../api/site-file.ts';
import type { Filters } from '../api/scopes.ts';
import type { CalendarSite } from './calendar-event.ts';
import { contentLine, escapeText } from './content-line.ts';
import { listLimit } from '../api/paths.ts';
import { byStart, type FirstEvents, type ScopeTotals } from './records.ts';

/** The events of a calendar, and what it says about them. */
export interface CalendarEvents extends Omit<FirstEvents, 'announced'> {
  readonly title: string;
  readonly filters: Filters;
  readonly totals: Pick<ScopeTotals, 'upcoming' | 'under_way'>;
}

/**
 * Renders a calendar (RFC 5545) in order of start. The last months are in it, so that a subscriber
 * keeps the past.
 */
export function renderIcs(scope: CalendarEvents, site: CalendarSite): Content {
  const { title, filters, upcoming, under_way, cancelled, over } = scope;
  const calendarOnly = [...under_way, ...cancelled, ...over.slice(0, listLimit)];
  const events =
    calendarOnly.length === 0 ? upcoming : [...calendarOnly, ...upcoming].sort(byStart);
  // A calendar must contain at least one component. A time zone is one that no program shows.
  const components =
    events.length === 0 ? [emptyCalendarBody] : events.map((event) => event.calendarEntry(site));
  const names = ['NAME', 'X-WR-CALNAME'].map((name) => contentLine(name, escapeText(title)));
  const lines = [
    ...names,
    colourLine(filters.genre ?? filters.category ?? ''),
    reachLine(scope),
    refresh,
  ];
  return [head, ...lines, ...components, 'END:VCALENDAR\r\n'];
}

/** A colour that a genre or category keeps, as one of the names of CSS (RFC 7986, 5.9). */
function colourLine(id: string): string {
  let sum = 0;
  for (const character of id) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % colours.length;
  return id === '' ? '' : `COLOR:${colours[sum]}\r\n`;
}

const colours = [
  'crimson',
  'chocolate',
  'goldenrod',
  'seagreen',
  'teal',
  'steelblue',
  'royalblue',
  'slateblue',
];

/** Says up to which date a calendar reaches if it does not contain all events. */
function reachLine({ totals, upcoming, under_way }: CalendarEvents): string {
  const last = upcoming.at(-1);
  let reach = '';
  if (totals.under_way > under_way.length)
    reach = `Of the events under way, the first ${under_way.length} to end.`;
  if (last !== undefined && totals.upcoming > upcoming.length)
    reach = `The next ${upcoming.length} events, up to ${last.record.date}. Later events are added as these pass.`;
  if (reach === '') return '';
  return contentLine('X-WR-CALDESC', escapeText(reach));
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
