import type { EventRecord } from '../api/documents.ts';
import type { Filters } from '../api/paths.ts';
import type { Category, Event, GenreSummary } from '../catalogue/model.ts';
import type { Ordered } from '../catalogue/soonest.ts';
import { basicDate, basicInstant, isoInstant } from '../catalogue/time/time.ts';
import { contentLine, escapeText } from './formats/content-line.ts';

/** An event as the text of each format. Every file of the site that contains the event repeats these texts. */
export interface EventText extends Ordered {
  readonly json: string;
  readonly calendar: string;
}

/** The soonest events of a scope, in order. Calendars contain the cancelled ones too. */
export interface EventTexts {
  readonly upcoming: readonly EventText[];
  readonly cancelled: readonly EventText[];
}

/** The events of a scope, from which each format renders one file. */
export interface ScopeEvents extends EventTexts {
  readonly filters: Filters;
  /** The title of a calendar, such as `Almanac: Television`. */
  readonly title: string;
  /** The number of upcoming events, including those beyond the soonest. */
  readonly total: number;
}

/** Serializes the events of a genre, each of them once. */
export function eventTexts({ genre, soonest, cancelled }: GenreSummary, category: Category): EventTexts {
  const categories = categoriesLine(genre.name, category.name);
  const textOf = (event: Event, isCancelled: boolean): EventText => ({
    id: event.id,
    startsAt: event.startsAt,
    json: isCancelled ? '' : eventJson(event),
    calendar: calendarEvent(event, categories, isCancelled),
  });
  return {
    upcoming: soonest.map((event) => textOf(event, false)),
    cancelled: cancelled.map((event) => textOf(event, true)),
  };
}

/** How JSON gives each field of an event record (specification 2.5), in the order of the schema. */
function jsonFields(event: Event): Readonly<Record<keyof EventRecord, string>> {
  const { subject, genre, precision } = event;
  return {
    id: quote(event.id),
    title: jsonText(event.title),
    subject: `{"id":"${subject.id}","name":${jsonText(subject.name)}}`,
    genre: quote(genre.id),
    category: quote(genre.category),
    starts_at: quote(isoInstant(event.startsAt)),
    date: quote(event.date),
    zone: event.zone === null ? 'null' : quote(event.zone),
    time_known: precision === 'day' ? 'false' : 'true',
    precision: quote(precision),
    url: event.url === null ? 'null' : jsonText(event.url),
    upcoming_until: quote(isoInstant(event.upcomingUntil)),
  };
}

/** Serializes an event record, in two thirds of the time that `JSON.stringify` takes. */
export function eventJson(event: Event): string {
  const fields = jsonFields(event);
  keys ??= Object.keys(fields).map((name, index) => `${index === 0 ? '{' : ','}"${name}":`);
  let text = '';
  let index = 0;
  for (const value of Object.values(fields)) text += keys[index++] + value;
  return `${text}}`;
}

let keys: readonly string[] | undefined;

/** A text that contains nothing to escape, as JSON. */
function quote(text: string): string {
  return `"${text}"`;
}

function jsonText(text: string): string {
  return escapedInJson.test(text) ? JSON.stringify(text) : `"${text}"`;
}

// eslint-disable-next-line no-control-regex -- JSON escapes them
const escapedInJson = /["\\\u0000-\u001f\ud800-\udfff]/;

/** The properties of an event that a calendar shows. */
type CalendarEvent = Pick<Event, 'id' | 'title' | 'subject' | 'precision' | 'startsAt' | 'url'>;

/** How a calendar gives each field of the record, in the order of its lines. Empty: it does not, or not on its own. */
function calendarFields(event: CalendarEvent, categories: string): Readonly<Record<keyof EventRecord, string>> {
  return {
    id: contentLine('UID', event.id),
    starts_at: startLines(event),
    title: contentLine('SUMMARY', escapeText(event.title)),
    subject: contentLine('DESCRIPTION', escapeText(event.subject.name)),
    genre: categories,
    url: event.url === null ? '' : contentLine('URL', event.url),
    category: '',
    date: '',
    zone: '',
    time_known: '',
    precision: '',
    upcoming_until: '',
  };
}

/**
 * Serializes an event as a VEVENT (RFC 5545). A cancelled event says so, so that subscribers see it disappear.
 *
 * @param categories the {@link categoriesLine} of its genre
 */
export function calendarEvent(event: CalendarEvent, categories: string, isCancelled: boolean): string {
  const fields = Object.values(calendarFields(event, categories)).join('');
  return `BEGIN:VEVENT\r\n${fields}${isCancelled ? cancelledEnd : end}`;
}

/** The events of a catalogue do not make its reader busy. */
const end = 'TRANSP:TRANSPARENT\r\nEND:VEVENT\r\n';
const cancelledEnd = 'TRANSP:TRANSPARENT\r\nSTATUS:CANCELLED\r\nSEQUENCE:1\r\nEND:VEVENT\r\n';

/** The line that all events of a genre have in common. */
export function categoriesLine(genre: string, category: string): string {
  return contentLine('CATEGORIES', `${escapeText(genre)},${escapeText(category)}`);
}

/**
 * RFC 5545 requires a DTSTAMP. Taken from the event itself, it changes only when the event moves; the clock of the build
 * would change every calendar with every build.
 */
function startLines({ precision, startsAt }: CalendarEvent): string {
  const start = basicInstant(startsAt);
  return precision === 'day'
    ? `DTSTAMP:${start}\r\nDTSTART;VALUE=DATE:${basicDate(startsAt)}\r\n`
    : `DTSTAMP:${start}\r\nDTSTART:${start}\r\n`;
}
