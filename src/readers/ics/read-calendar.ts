import {
  maxProblemsPerFile,
  valuesLeftOut,
  type TextFinding,
  type ValueLeftOut,
} from '../schema/finding.ts';
import {
  noReading,
  type Draft,
  type DraftResult,
  type SourceFile,
  type TextDrafts,
} from '../schema/reading.ts';
import { Budget, spanOf, type Span } from './recurrence.ts';
import { readCalendars, type Component } from './content-lines.ts';
import {
  eventProperties,
  lostOccurrence,
  readEvent,
  type CalendarEvent,
  type LostOccurrence,
} from './event.ts';
import { idsOf, occurrencesOf, seriesOf, type Occurrence, type Series } from './occurrences.ts';
import type { EventSource } from '../schema/source-types.ts';
import { withoutContacts } from '../contacts.ts';
import { plain, withoutEntities } from '../plain.ts';
import { writeDays, writeEnd, writeStart } from './moment.ts';
import { readClocks, textIn } from './time-zone.ts';

/**
 * Reads a calendar (RFC 5545) as a subject, with the occurrences of its series up to two years
 * after `now`.
 */
export function readCalendar(text: string, file: SourceFile): TextDrafts {
  const isRead = (component: string, name: string) =>
    wanted[component]?.has(name) === true && (name !== 'DESCRIPTION' || file.descriptions === true);
  const read = readCalendars(text, isRead);
  if ('problem' in read) return noReading(read);
  const { calendars, unread } = read;
  const old = calendars.find((calendar) => textIn(calendar, 'VERSION', [])?.trim() === '1.0');
  if (old !== undefined)
    return noReading({
      problem: { code: 'old-calendar' },
      offset: old.offset,
    });
  const report: Report = {
    budget: new Budget(),
    span: spanOf(file),
    findings: [],
    warnings: [],
    leftOut: [],
    unreadable: new Set(),
    lost: [],
  };
  const { findings, warnings } = report;
  const events = calendars.flatMap((calendar) => readEvents(calendar, file, report));
  const series = seriesOf(events, report.lost, (finding) =>
    reportEvent([finding], finding.offset, report),
  );
  const occurrences = expand(series, report);
  const isShown = ({ event }: Occurrence) => !event.isPrivate || file.private === true;
  const hidden = occurrences.filter(
    (occurrence) => !isShown(occurrence) && occurrence.start.wall > file.now,
  );
  const names = calendars.map((calendar) => nameOf(calendar, report));
  const name = file.name ?? (names.find((title) => title !== '') || file.stem);
  // No format can publish a date before 1900, and a past event is not published in any case.
  const published = occurrences
    .filter(isShown)
    .filter(({ start }) => writeStart(start).starts >= '1900');
  const draft: Draft = {
    ...draftOf(published, name, file),
    // Occurrences of series that ended long ago were not read.
    pastCount: events.filter(({ start }) => start.wall <= file.now).length,
    private: hidden.length,
    policy: { parts: ['ends'], rest: 'leave out' },
  };
  for (const unusable of events.flatMap((event) => event.unusable))
    unread.set(unusable, (unread.get(unusable) ?? 0) + 1);
  const common = {
    drafts: [draft],
    warnings: [],
    doubts: [],
    unpublished: unread,
  };
  if (events.length === 0) return { ...common, findings: [...findings, ...warnings] };
  return {
    ...common,
    findings,
    report: (results) => reportLeftOut(results, report, published.length),
  };
}

/**
 * Reports the events that are left out, with their number, and the number of the values that are. If
 * no event is left, that is a problem.
 */
function reportLeftOut(
  results: readonly DraftResult[],
  { warnings, leftOut, unreadable }: Report,
  count: number,
): Pick<TextDrafts, 'findings' | 'warnings'> {
  const invalid = results.flatMap((result) => result.leftOut);
  const ends = invalid.filter(({ part }) => part !== null);
  const events = invalid.filter(({ part }) => part === null);
  const findings = [...warnings, ...events.flatMap((event) => event.findings)];
  if (count > 0 && events.length === count)
    return {
      findings,
      warnings: [],
    };
  for (const { finding } of events) unreadable.add(finding.offset);
  const unread = ends.map(({ finding }) => ({
    name: 'DTEND',
    offset: finding.offset,
  }));
  const [offset] = unreadable;
  if (offset !== undefined)
    findings.unshift({
      problem: {
        code: 'events-left-out',
        events: unreadable.size,
      },
      offset,
    });
  return {
    findings: [],
    warnings: [...findings, ...valuesLeftOut([...leftOut, ...unread])],
  };
}

/** The problems of a calendar. An event that cannot be read is left out with a warning. */
interface Report {
  readonly budget: Budget;
  readonly span: Span;
  readonly findings: TextFinding[];
  readonly warnings: TextFinding[];
  readonly leftOut: ValueLeftOut[];
  /** The offsets of the events that cannot be read. */
  readonly unreadable: Set<number>;
  readonly lost: LostOccurrence[];
}

function reportEvent(
  ofEvent: readonly TextFinding[],
  offset: number,
  { warnings, findings, unreadable }: Report,
): void {
  // A budget belongs to the calendar. Once it is spent, the other events are missing as well.
  const isSkipped = ofEvent.every(({ problem }) => !calendarCodes.has(problem.code));
  if (isSkipped) unreadable.add(offset);
  (isSkipped ? warnings : findings).push(...ofEvent);
}

const calendarCodes: ReadonlySet<string> = new Set(['too-many-occurrences', 'recurrence-too-long']);

const maxOccurrencesInFile = 100_000;

const wanted: Readonly<Record<string, ReadonlySet<string>>> = {
  VCALENDAR: new Set(['VERSION', 'METHOD', 'X-WR-CALNAME', 'NAME', 'X-WR-TIMEZONE']),
  VEVENT: eventProperties,
  VTIMEZONE: new Set(['TZID', 'X-LIC-LOCATION']),
  STANDARD: new Set(['DTSTART', 'TZOFFSETTO', 'RRULE', 'RDATE']),
  DAYLIGHT: new Set(['DTSTART', 'TZOFFSETTO', 'RRULE', 'RDATE']),
};

function readEvents(calendar: Component, file: SourceFile, report: Report): CalendarEvent[] {
  const components = calendar.components.filter(({ name }) => name === 'VEVENT');
  const excess = components[maxOccurrencesInFile];
  if (excess !== undefined) {
    report.findings.push({
      problem: {
        code: 'too-many-events',
        most: maxOccurrencesInFile,
      },
      offset: excess.offset,
    });
    return [];
  }
  const clocks = readClocks(calendar, {
    ...report,
    chosenZone: file.zone ?? file.mapping?.zone ?? null,
    defaultZone: file.genre.zone ?? null,
  });
  // RFC 5546, 3.2.5: what a host sends when a meeting is cancelled.
  const isCancelled = /^\s*CANCEL\s*$/i.test(textIn(calendar, 'METHOD', []) ?? '');
  const { budget } = report;
  const events: CalendarEvent[] = [];
  for (const component of components) {
    if (report.findings.length > maxProblemsPerFile || budget.isSpent()) break;
    const findings: TextFinding[] = [];
    const event = readEvent(component, { clocks, budget, findings });
    if (event === null) {
      reportEvent(findings, component.offset, report);
      const lost = lostOccurrence(component, { clocks, budget, findings: [] });
      if (lost !== null) report.lost.push(lost);
      continue;
    }
    events.push(isCancelled ? { ...event, status: 'cancelled' } : event);
    report.leftOut.push(...event.leftOut);
  }
  return events;
}

function expand(series: ReadonlyMap<string, Series>, report: Report): Identified[] {
  const ids = idsOf(series.keys());
  const occurrences: Identified[] = [];
  for (const [uid, events] of series) {
    if (report.budget.isSpent()) break;
    const id = ids.get(uid) ?? '';
    for (const occurrence of occurrencesOf(events, report)) {
      const { suffix } = occurrence;
      occurrences.push({
        ...occurrence,
        id: suffix === null ? id : `${id}-${suffix}`,
      });
    }
  }
  return occurrences;
}

type Identified = Occurrence & { readonly id: string };

function toSourceEvent({ id, event, start }: Identified, name: string): EventSource {
  const title = plain(event.title) || name;
  const { status, wholeDays } = event;
  const length = start.length ?? event.length;
  const times =
    wholeDays === null
      ? {
          ...writeStart(start),
          ...(length !== null && { ends: writeEnd(start, length) }),
        }
      : writeDays(start, wholeDays);
  return {
    id,
    title,
    ...times,
    ...event.details,
    ...(event.location !== null && { location: event.location }),
    ...(status !== 'confirmed' && status !== 'cancelled' && { status }),
    ...(status === 'cancelled' && { cancelled: true }),
    ...(event.tags.length > 0 && { tags: [...event.tags] }),
  };
}

function draftOf(
  occurrences: readonly Identified[],
  name: string,
  { stem, url }: SourceFile,
): Omit<Draft, 'policy'> {
  const withoutZone = occurrences.filter(
    ({ event, start }) => !start.isDate && !start.clock && event.wholeDays === null,
  );
  return {
    id: stem,
    source: {
      name,
      url: url ?? undefined,
      events: occurrences.map((occurrence) => toSourceEvent(occurrence, name)),
    },
    spot: { offset: 0 },
    spotOf: (index, key) => {
      const event = occurrences[index]?.event;
      return { offset: (key === 'starts' ? event?.startOffset : event?.offset) ?? 0 };
    },
    floating: new Set(withoutZone.map(({ id }) => id)),
    isCalendar: true,
  };
}

function nameOf(calendar: Component, { findings }: Report): string {
  const names = ['X-WR-CALNAME', 'NAME'].map((name) =>
    plain(withoutContacts(withoutEntities(textIn(calendar, name, findings) ?? ''))),
  );
  return names.find((name) => name !== '') ?? '';
}
