import type { AnnouncementRecord, EventRecord } from '../api/documents.ts';
import { calendarLimit, listLimit } from '../api/paths.ts';
import type { Category, EventDetails, EventLists } from '../catalogue/model.ts';
import { titleWithStatus } from '../catalogue/status-words.ts';
import { memoize } from '../catalogue/time/memoize.ts';
import { day, isoDate, minute } from '../catalogue/time/time.ts';
import { contentLine, escapeText } from './content-line.ts';
import type { GenreRecords, ListedEvent } from './records.ts';
import type { RenderContext, Scope } from './scope.ts';
import { fullTitle } from './subject-name.ts';

/**
 * An event as the text of each format. Every file of the site that contains the event repeats these
 * texts.
 */
export interface EventText extends ListedEvent {
  readonly json: string;
  readonly calendar: string;
}

export type AnnouncementText = { readonly record: AnnouncementRecord; readonly json: string };

/** The first events of each list of a scope: as many as the longest file of them holds. */
export type EventTexts = EventLists<EventText, AnnouncementText>;

/** The number of events and subjects of a scope, including those beyond its lists. */
export type ScopeTotals = Readonly<Record<keyof EventTexts | 'subjects', number>>;

/** The events of a scope, from which each format renders one file. */
export interface ScopeEvents extends EventTexts, Scope {
  readonly totals: ScopeTotals;
}

export type TextOf = (event: ListedEvent) => EventText;

/**
 * Serializes the events in the lists of a genre, which may have more than its files, or of a
 * subject.
 */
export function eventTexts(
  { upcoming, under_way, cancelled, announced, over }: EventLists<ListedEvent, AnnouncementRecord>,
  texts: GenreRecords['texts'],
  textOf: TextOf,
  limits = { calendar: calendarLimit, list: listLimit },
): EventTexts {
  return {
    upcoming: upcoming.slice(0, limits.calendar).map(textOf),
    under_way: under_way.slice(0, limits.list).map(textOf),
    cancelled: cancelled.slice(0, limits.list).map(textOf),
    announced: announced.map((record) => ({ record, json: texts.get(record.id) ?? '' })),
    over: over.map(textOf),
  };
}

/** Returns the function that serializes the events of a genre, each of them once. */
export function textOfEvents(
  { genre, texts }: GenreRecords,
  category: Category,
  { authority, since, service }: Pick<RenderContext, 'authority' | 'since' | 'service'>,
): TextOf {
  const names = [category.name, genre.name].map(escapeText).join(',');
  const parts = { names, authority, since, lang: service.lang };
  return memoize((event: ListedEvent) => ({
    ...event,
    json: texts.get(event.record.id) ?? '',
    calendar: calendarEvent(event.record, parts),
  }));
}

/** The parts that all calendar entries of a genre share. */
interface GenreParts extends Pick<RenderContext, 'authority' | 'since'> {
  /** The escaped names of the category and the genre. */
  readonly names: string;
  /** The language of the site. */
  readonly lang: string;
}

type CalendarField = (record: EventRecord, parts: GenreParts) => string;

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
  tags: ({ tags }, { names }) => contentLine('CATEGORIES', [names, ...tags].join(',')),
  status: ({ status }) =>
    `STATUS:${status === 'postponed' ? 'TENTATIVE' : status.toUpperCase()}\r\n`,
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
export function calendarEvent(record: EventRecord, parts: GenreParts): string {
  let text = 'BEGIN:VEVENT\r\n';
  for (const line of calendarLines) text += line(record, parts);
  // An event of a catalogue must not block the time of its subscriber.
  text += 'TRANSP:TRANSPARENT\r\n';
  return `${text}END:VEVENT\r\n`;
}

/** Several programs ignore STATUS, so the title says it as well. */
function summaryLine({ title, subject, status }: EventRecord, { lang }: GenreParts): string {
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
    return text === '' ? '' : contentLine('DESCRIPTION', escapeText(text));
  },
  image: ({ image }) => (image == null ? '' : contentLine('IMAGE;VALUE=URI', image.url)), // RFC 7986
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
function versionLines({ updated_at }: EventRecord, { since }: GenreParts): string {
  const stamp = basic(updated_at ?? since);
  const sequence =
    updated_at === null
      ? 0
      : Math.max(0, Math.floor((Date.parse(updated_at) - firstMinute) / minute));
  return `DTSTAMP:${stamp}\r\nLAST-MODIFIED:${stamp}\r\nSEQUENCE:${sequence}\r\n`;
}

const firstMinute = Date.UTC(2020, 0);

function startLines({ time_known, starts_at }: EventRecord): string {
  const start = basic(starts_at);
  return time_known
    ? `DTSTART:${start}\r\n`
    : `DTSTART;VALUE=DATE:${start.slice(0, 'yyyymmdd'.length)}\r\n`;
}

/**
 * A date ends on the day after it (RFC 5545, 3.6.1). An end that equals the start is not allowed.
 */
function endLine({ time_known, starts_at, ends_at }: EventRecord): string {
  if (ends_at === null) return '';
  if (!time_known) return `DTEND;VALUE=DATE:${basic(isoDate(Date.parse(ends_at) + day))}\r\n`;
  return ends_at === starts_at ? '' : `DTEND:${basic(ends_at)}\r\n`;
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
  const coordinates =
    latitude === null || longitude === null ? '' : contentLine('GEO', `${latitude};${longitude}`);
  return contentLine('LOCATION', escapeText(place)) + coordinates;
}
