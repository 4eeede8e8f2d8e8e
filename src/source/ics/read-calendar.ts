import { day, isoInstant, isoOffset, minute } from '../../catalogue/time/time.ts';
import { mostOfOneFile, type TextFinding, type JsonPath } from '../finding.ts';
import { isHttpsUrl, mostNameCharacters } from '../rules.ts';
import type { EventSource } from '../json/validate.ts';
import { readSubject } from '../subject.ts';
import type { SourceFile, TextReading } from '../reader.ts';
import { Bounds } from './bounds.ts';
import { eventProperties, readEvent, type CalendarEvent, type Moment } from './event.ts';
import { Clocks } from './time-zone.ts';
import { readCalendars, type Component } from './content-lines.ts';
import { readProperty } from './ical.ts';
import { occurrencesOf, type Occurrence, type Series, type Span } from './occurrences.ts';
import { readLine } from './read-line.ts';
import { idsOf } from './uid.ts';

/**
 * A calendar (RFC 5545) as a subject. Repeating events are expanded up to two years past `now`. A floating time has no
 * zone, so its date is published and its clock time is not.
 */
export function readCalendar(text: string, file: SourceFile): TextReading {
  const { calendars, findings: broken } = readCalendars(text, isWanted);
  if (broken.length > 0) return { subjects: [], findings: broken };
  const findings: TextFinding[] = [];
  const occurrences = findOccurrences(calendars, file.now, findings);
  const name =
    file.name ?? (calendars.map((calendar) => nameOf(calendar, findings)).find((found) => found !== '') || file.stem);
  const events = occurrences.map((occurrence) => sourceOf(occurrence, name));
  const source = { name, url: file.url ?? undefined, events };
  const reading = readSubject(source, file.stem, file.genre, file.now);
  const offsetOf = ([, index, key]: JsonPath): number => {
    const event = occurrences[Number(index)]?.event;
    return (key === 'starts' ? event?.startOffset : event?.offset) ?? 0;
  };
  for (const { problem: found, path, first } of reading.findings) {
    const problem = found.code === 'duplicate-id' ? { ...found, proposal: null } : found;
    findings.push({ problem, offset: offsetOf(path), ...(first && { firstOffset: offsetOf(first) }) });
  }
  const floating = new Set(events.filter((_, index) => isFloating(occurrences[index]?.start)).map(({ id }) => id));
  const isOfFloating = (id: string): boolean => floating.has(id.slice(id.lastIndexOf('/') + 1));
  return {
    subjects: [
      {
        ...reading,
        source,
        id: file.stem,
        offset: 0,
        floating: reading.upcoming.filter(({ id }) => isOfFloating(id)).length,
      },
    ],
    findings,
  };
}

/** Of one calendar: more of them take more memory than a build may have. */
const mostCalendarEvents = 100_000;

/** What is read of a calendar; all else is passed over. */
const wanted: Readonly<Record<string, ReadonlySet<string>>> = {
  VCALENDAR: new Set(['X-WR-CALNAME', 'NAME']),
  VEVENT: eventProperties,
  VTIMEZONE: new Set(['TZID', 'X-LIC-LOCATION']),
  STANDARD: new Set(['DTSTART', 'TZOFFSETTO', 'RRULE', 'RDATE']),
  DAYLIGHT: new Set(['DTSTART', 'TZOFFSETTO', 'RRULE', 'RDATE']),
};

function isWanted(component: string, name: string): boolean {
  return wanted[component]?.has(name) ?? false;
}

/** An occurrence with the id of its event, which outlives a change of its time. */
type Identified = Occurrence & { readonly id: string };

function findOccurrences(calendars: readonly Component[], now: number, findings: TextFinding[]): Identified[] {
  const bounds = new Bounds();
  const span = spanFrom(now);
  const events = calendars.flatMap((calendar) => {
    const clocks = new Clocks(childrenOf(calendar, 'VTIMEZONE'), { horizon: span.to, bounds, findings });
    const components = childrenOf(calendar, 'VEVENT');
    const { offset } = components[mostCalendarEvents] ?? {};
    if (offset !== undefined) {
      findings.push({ problem: { code: 'too-many-events', most: mostCalendarEvents }, offset });
      return [];
    }
    return components.map((component) =>
      findings.length > mostOfOneFile ? null : readEvent(component, clocks, bounds, findings),
    );
  });
  const series = seriesOf(events, findings);
  const ids = idsOf(series.keys());
  const occurrences: Identified[] = [];
  for (const [uid, one] of series) {
    if (bounds.isSpent()) break;
    for (const occurrence of occurrencesOf(one, span, bounds, findings)) {
      const parts = [ids.get(uid), ...(occurrence.suffix === null ? [] : [occurrence.suffix])];
      occurrences.push({ ...occurrence, id: parts.join('-') });
    }
  }
  return occurrences;
}

/** From two days ago, so that a date that is not over anywhere is in it, to two years ahead. */
function spanFrom(now: number): Span {
  const date = new Date(now);
  const to = Date.UTC(date.getUTCFullYear() + 2, date.getUTCMonth(), date.getUTCDate() + 1) - 1;
  return { from: (Math.floor(now / day) - 2) * day, to };
}

function childrenOf({ components }: Component, name: string): Component[] {
  return components.filter((component) => component.name === name);
}

/** Events by UID. Where one has none, its title and start stand for it. */
function seriesOf(events: readonly (CalendarEvent | null)[], findings: TextFinding[]): Map<string, Series> {
  const all = new Map<string, { master: CalendarEvent | null; replacements: CalendarEvent[] }>();
  for (const event of events) {
    if (event === null) continue;
    const uid = event.uid?.trim() || `${event.title ?? ''} ${isoInstant(event.start.wall)}`;
    let series = all.get(uid);
    if (series === undefined) all.set(uid, (series = { master: null, replacements: [] }));
    if (event.replaces !== null) series.replacements.push(event);
    else series.master = newerOf(series.master, event, uid, findings);
  }
  return all;
}

/** Of two events with the same UID the one with the higher SEQUENCE; where that does not tell, the same event twice is one. */
function newerOf(
  earlier: CalendarEvent | null,
  later: CalendarEvent,
  uid: string,
  findings: TextFinding[],
): CalendarEvent {
  if (earlier === null || later.sequence > earlier.sequence) return later;
  if (later.sequence === earlier.sequence && later.start.wall !== earlier.start.wall) {
    const problem = { code: 'duplicate-uid', uid } as const;
    findings.push({ problem, offset: later.offset, firstOffset: earlier.offset });
  }
  return later.sequence < earlier.sequence ? earlier : later;
}

function sourceOf({ id, event, start }: Identified, name: string): EventSource {
  const title = plain(event.title ?? '') || name;
  const url = event.url?.trim();
  return {
    id,
    title,
    ...writeStart(start),
    ...(url !== undefined && isHttpsUrl(url) && { url }),
    ...(event.isCancelled && { cancelled: true }),
  };
}

/** A start as a source writes it. Calendars write seconds always; where they are 0, the minute is what is known. */
function writeStart({ wall, isDate, clock }: Moment): Pick<EventSource, 'starts' | 'zone'> {
  if (isDate || clock === null) return { starts: isoInstant(wall).slice(0, 10) };
  const instant = clock.instantAt(wall);
  const offset = wall - instant;
  const length = instant % minute === 0 ? 16 : 19;
  if (clock.zone !== null) return { starts: `${isoInstant(instant).slice(0, length)}Z`, zone: clock.zone };
  const isWritable = offset !== 0 && offset % minute === 0;
  return { starts: isoInstant(isWritable ? wall : instant).slice(0, length) + (isWritable ? isoOffset(offset) : 'Z') };
}

function isFloating(start: Moment | undefined): boolean {
  return start !== undefined && !start.isDate && start.clock === null;
}

/** The name a calendar gives itself; empty where it has none. ical.js leaves the escapes of an X- property as they are. */
function nameOf({ lines }: Component, findings: TextFinding[]): string {
  const names = ['X-WR-CALNAME', 'NAME'].map((name) => {
    const line = lines.find((candidate) => candidate.name === name);
    return line === undefined ? '' : plain(readLine(line, findings, name === 'NAME' ? readText : unescape) ?? '');
  });
  return names.find((name) => name !== '') ?? '';
}

function readText(line: string): string {
  return readProperty(line).values[0] ?? '';
}

function unescape(line: string): string {
  return line
    .slice(line.indexOf(':') + 1)
    .replace(/\\([\\;,nN])/g, (_, escaped: string) => (/n/i.test(escaped) ? ' ' : escaped));
}

/** A text as a source may have it: one line, no white space at its ends, cut where it is too long. */
function plain(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  if (line.length <= mostNameCharacters) return line;
  const characters = [...line];
  return characters.length <= mostNameCharacters
    ? line
    : `${characters
        .slice(0, mostNameCharacters - 1)
        .join('')
        .trimEnd()}…`;
}
