import { countEach } from '../../catalogue/group.ts';
import { maxProblemsPerFile, type JsonPath, type TextFinding } from '../finding.ts';
import type { ReadSubject, SourceFile, TextReading } from '../reading.ts';
import { spanOf } from '../repeat.ts';
import { readSubject, type SubjectReading } from '../subject.ts';
import { Budget, type Span } from './recurrence.ts';
import { readCalendars, type Component } from './content-lines.ts';
import { eventProperties, readEvent, type CalendarEvent } from './event.ts';
import { readLine, readText } from './property.ts';
import { occurrencesOf, type Occurrence } from './occurrences.ts';
import type { LeftOut } from './property-reader.ts';
import { idsOf, seriesOf, type Series } from './series.ts';
import { plain } from '../plain.ts';
import { toSourceEvent, writeStart, type Identified } from './source-event.ts';
import { Clocks } from './time-zone.ts';

/** Reads a calendar (RFC 5545) as a subject, with the occurrences of its series up to two years after `now`. */
export function readCalendar(text: string, file: SourceFile): TextReading {
  const isRead = (component: string, name: string): boolean =>
    wanted[component]?.has(name) === true && (name !== 'DESCRIPTION' || file.descriptions === true);
  const { calendars, findings, unread } = readCalendars(text, isRead);
  if (findings.length > 0) return { subjects: [], findings, warnings: [], doubts: [] };
  const report = new Report(file.isLenient === true);
  const budget = new Budget();
  const span = spanOf(file);
  const events = calendars.flatMap((calendar) => readEvents(calendar, span, budget, report));
  const series = seriesOf(events, (finding) => report.addOfEvent([finding]));
  const all = expand(series, span, budget, report);
  const isShown = ({ event }: Occurrence): boolean => !event.isPrivate || file.private === true;
  const occurrences = all.filter(isShown);
  const left = all.filter((one) => !isShown(one) && one.start.wall > file.now).length;
  const names = calendars.map((calendar) => nameOf(calendar, report));
  const name = file.name ?? (names.find((found) => found !== '') || file.stem);
  const subject = readOccurrences(occurrences, name, file, report);
  // Occurrences of series that ended long ago were not read.
  const pastCount = events.filter(({ start }) => start.wall <= file.now).length;
  return {
    subjects: [{ ...subject, pastCount, private: left }],
    ...report.result(events.length > 0),
    unpublished: addUnusable(unread, events),
  };
}

function addUnusable(unread: ReadonlyMap<string, number>, events: readonly CalendarEvent[]): Map<string, number> {
  const counts = new Map(unread);
  for (const name of events.flatMap(({ unusable }) => unusable)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Collects the problems of a calendar. In a lenient reading, an invalid event is a warning. */
class Report {
  readonly findings: TextFinding[] = [];
  readonly #warnings: TextFinding[] = [];
  readonly leftOut: LeftOut[] = [];
  doubts: readonly TextFinding[] = [];
  readonly isLenient: boolean;

  constructor(isLenient: boolean) {
    this.isLenient = isLenient;
  }

  addOfEvent(findings: readonly TextFinding[]): void {
    // A budget belongs to the calendar. Once it is spent, the other events are missing as well.
    const isSkipped = this.isLenient && findings.every(({ problem }) => !calendarCodes.has(problem.code));
    (isSkipped ? this.#warnings : this.findings).push(...findings);
  }

  result(hasValidEvents: boolean): Pick<TextReading, 'findings' | 'warnings' | 'doubts'> {
    const { findings, doubts } = this;
    if (hasValidEvents) return { findings, warnings: [...this.#warnings, ...this.#ofLeftOut()], doubts };
    return { findings: [...findings, ...this.#warnings], warnings: [], doubts };
  }

  #ofLeftOut(): TextFinding[] {
    const [first] = this.leftOut;
    if (first === undefined) return [];
    const counts = countEach(this.leftOut.map(({ name }) => name));
    const names = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, times]) => `${times} ${name}`);
    return [{ problem: { code: 'values-left-out', names }, offset: first.offset }];
  }
}

const calendarCodes: ReadonlySet<string> = new Set(['too-many-occurrences', 'recurrence-too-long']);

const maxOccurrencesInFile = 100_000;

const wanted: Readonly<Record<string, ReadonlySet<string>>> = {
  VCALENDAR: new Set(['X-WR-CALNAME', 'NAME', 'X-WR-TIMEZONE']),
  VEVENT: eventProperties,
  VTIMEZONE: new Set(['TZID', 'X-LIC-LOCATION']),
  STANDARD: new Set(['DTSTART', 'TZOFFSETTO', 'RRULE', 'RDATE']),
  DAYLIGHT: new Set(['DTSTART', 'TZOFFSETTO', 'RRULE', 'RDATE']),
};

function readEvents(calendar: Component, span: Span, budget: Budget, report: Report): CalendarEvent[] {
  const components = calendar.components.filter(({ name }) => name === 'VEVENT');
  const { offset } = components[maxOccurrencesInFile] ?? {};
  if (offset !== undefined) {
    report.findings.push({ problem: { code: 'too-many-events', most: maxOccurrencesInFile }, offset });
    return [];
  }
  const clocks = new Clocks(calendar, { horizon: span.to, budget, findings: report.findings });
  const events: CalendarEvent[] = [];
  for (const component of components) {
    if (report.findings.length > maxProblemsPerFile || budget.isSpent()) break;
    const findings: TextFinding[] = [];
    const event = readEvent(component, clocks, budget, findings);
    if (event === null) report.addOfEvent(findings);
    else {
      events.push(event);
      report.leftOut.push(...event.leftOut);
    }
  }
  return events;
}

function expand(series: ReadonlyMap<string, Series>, span: Span, budget: Budget, { findings }: Report): Identified[] {
  const ids = idsOf(series.keys());
  const occurrences: Identified[] = [];
  for (const [uid, one] of series) {
    if (budget.isSpent()) break;
    for (const occurrence of occurrencesOf(one, span, budget, findings)) {
      const parts = [ids.get(uid), ...(occurrence.suffix === null ? [] : [occurrence.suffix])];
      occurrences.push({ ...occurrence, id: parts.join('-') });
    }
  }
  return occurrences;
}

function readOccurrences(all: readonly Identified[], name: string, file: SourceFile, report: Report): ReadSubject {
  const { stem, url, genre } = file;
  const read = (occurrences: readonly Identified[]) => {
    const source = { name, url: url ?? undefined, events: occurrences.map((one) => toSourceEvent(one, name)) };
    return { occurrences, source, reading: readSubject(source, stem, genre, file) };
  };
  // No format can publish a date before 1900, and a past event is not published in any case.
  let result = read(all.filter(({ start }) => start.wall >= Date.UTC(1901, 0) || writeStart(start).starts >= '1900'));
  const withoutEnd = new Set(endsIn(result.reading.findings));
  if (withoutEnd.size > 0) {
    const { occurrences } = result;
    for (const index of withoutEnd) {
      report.leftOut.push({ name: 'DTEND', offset: occurrences[index]?.event.offset ?? 0 });
    }
    result = read(
      occurrences.map((one, index) =>
        withoutEnd.has(index) ? { ...one, event: { ...one.event, length: null } } : one,
      ),
    );
  }
  const { findings } = result.reading;
  if (findings.length > 0) {
    report.addOfEvent(located(findings, result.occurrences));
    if (report.isLenient) {
      const invalid = new Set(findings.map(({ path }) => path[1]));
      result = read(result.occurrences.filter((_, index) => !invalid.has(index)));
    }
  }
  const { source, reading, occurrences } = result;
  const withoutZone = new Set(occurrences.flatMap(({ id, start: { isDate, clock } }) => (isDate || clock ? [] : [id])));
  const floating = reading.upcoming.filter(({ id }) => withoutZone.has(id.slice(id.lastIndexOf('/') + 1))).length;
  // A single event of years ago is no mistake here: calendars keep their past.
  const doubts = reading.doubts.filter(({ problem }) => problem.code !== 'year-behind');
  report.doubts = located(doubts, occurrences);
  return { ...reading, source, id: stem, offset: 0, floating };
}

function endsIn(findings: SubjectReading['findings']): number[] {
  return findings.flatMap(({ path: [, index, key] }) => (key === 'ends' ? Number(index) : []));
}

/** Finds where the problems of events are: at the DTSTART or, without one, at the event. */
function located(findings: SubjectReading['findings'], occurrences: readonly Occurrence[]): TextFinding[] {
  const offsetOf = ([, index, key]: JsonPath): number => {
    const event = occurrences[Number(index)]?.event;
    return (key === 'starts' ? event?.startOffset : event?.offset) ?? 0;
  };
  return findings.map(({ problem: found, path, first }) => {
    const problem = found.code === 'duplicate-id' ? { ...found, proposal: null } : found;
    return { problem, offset: offsetOf(path), ...(first && { firstOffset: offsetOf(first) }) };
  });
}

function nameOf({ lines }: Component, { findings }: Report): string {
  const names = ['X-WR-CALNAME', 'NAME'].map((name) => {
    const line = lines.find((candidate) => candidate.name === name);
    return line === undefined ? '' : plain(readLine(line, findings, readText) ?? '');
  });
  return names.find((name) => name !== '') ?? '';
}
